"""What Present is told beforehand: which questions, in which order, and the rule that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from poolscope.charts.labels import shortened
from poolscope.model import Pool
from poolscope.selection import offers
from poolscope.ui import opening, state, travelling
from poolscope.ui.state import Setting

SLOT = "poolscope-presenting"
VIEW = "presenting:view"
SHOWN, BESIDE = "shown", "beside"
"""What the address calls the questions and the rule."""
MOST_LETTERS = 40
MOST_SHOWN = 12
"""Questions that are all shown where nobody chose some."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What is to be shown.

    Args:
        digest: Fingerprint of the load.
        questions: Numbers of its questions, from 0, in the order shown.
        rule: The rule beside plain top-k; empty for the last column of Inspect.
    """

    digest: str = ""
    questions: tuple[int, ...] = ()
    rule: str = ""


def talk() -> Talk:
    """Return what is to be shown of the load that is looked at."""
    session = state.session()
    found = st.session_state.get(SLOT)
    if isinstance(found, Talk) and found.digest == session.digest:
        return found
    return _usual()


def _usual() -> Talk:
    """Return what is shown of the load where nobody chose."""
    session = state.session()
    count = 0 if session.load is None else len(session.load)
    every = tuple(range(count)) if count <= MOST_SHOWN else (session.question,)
    return Talk(session.digest, every)


def travel() -> None:
    """Take up what the address says is to be shown, and let it say what a person has chosen."""
    found = st.session_state.get(SLOT)
    is_held = isinstance(found, Talk) and found.digest == state.session().digest
    if not is_held or travelling.is_anew():
        _take_up()
    held = st.session_state.get(SLOT)
    if isinstance(held, Talk):
        usual = replace(_usual(), rule="")
        shown = held.questions if held.questions != usual.questions else ()
        travelling.note(SHOWN, ",".join(str(number + 1) for number in shown))
        travelling.note(BESIDE, held.rule)


def _take_up() -> None:
    """Show what the address asks for, as far as it is there."""
    session, usual = state.session(), _usual()
    count = 0 if session.load is None else len(session.load)
    shown, beside = travelling.taken(SHOWN), travelling.taken(BESIDE)
    places = {str(number + 1): number for number in range(count)}
    words = shown.split(",") if shown else []
    numbers = tuple(dict.fromkeys(places[word] for word in words if word in places))
    if len(numbers) < len(words):
        travelling.complain(f"{SHOWN}: {len(words) - len(numbers)} of {len(words)} are not there.")
    if beside and beside not in {item.name for item in offers.OFFERS}:
        travelling.complain(f"{BESIDE}: there is no rule “{shortened(beside, MOST_LETTERS)}”.")
        beside = ""
    for name in (SHOWN, BESIDE):
        st.session_state.pop(chooser(name), None)
    if numbers or beside:
        st.session_state[SLOT] = replace(usual, questions=numbers or usual.questions, rule=beside)
    else:
        st.session_state.pop(SLOT, None)


def choose(key: str) -> None:
    """Show the questions that were chosen, in the order in which they were; at least one."""
    chosen = st.session_state.get(key)
    if chosen:
        st.session_state[SLOT] = replace(talk(), questions=tuple(chosen))


def show(key: str) -> None:
    """Show the rule that was chosen."""
    st.session_state[SLOT] = replace(talk(), rule=str(st.session_state.get(key) or ""))


def chooser(name: str) -> str:
    """Return the key of the widget that chooses what the address calls by a name."""
    return f"presenting:{name}:{state.session().digest}"


def place(questions: Sequence[int], current: int) -> int:
    """Return where a question stands among those that are shown; -1 where it is none of them."""
    return questions.index(current) if current in questions else -1


def rule(pool: Pool, setting: Setting, chosen: str) -> tuple[str, str]:
    """Return the rule to show beside plain top-k, and a sentence where there is one to say.

    A rule that was chosen is shown, with what it lacks; of the columns of Inspect it is the last
    one that can run.

    Args:
        pool: The pool.
        setting: The setting of Inspect.
        chosen: The rule that was chosen; empty for the last column of Inspect.
    """
    asked = [chosen] if chosen else [*reversed(setting.rules)]
    lacks = {name: offers.named(name).missing(pool, setting.policy) for name in asked}
    found = next((name for name in asked if not lacks[name]), asked[0])
    label, needs = offers.named(asked[0]).label, ", ".join(lacks[asked[0]])
    if found != asked[0]:
        return found, f"{label} needs {needs}; {offers.named(found).label} is shown instead."
    return found, f"{label} needs {needs}. Choose another rule under Prepare." if needs else ""


def keys(chosen: int, of: int) -> str:
    """Say what left and right do; empty where there is one question only.

    Args:
        chosen: How many questions are shown.
        of: How many there are.
    """
    if of < 2:
        return ""
    if chosen < 2:
        return f"1 of {of:,} questions is chosen; left and right change it once there are more."
    return "Left and right change the question."


def turned(key: str) -> None:
    """Go to the question that was asked for on the view."""
    component = st.session_state.get(key)
    asked = None if component is None else component.get("turned")
    questions = talk().questions
    to = asked.get("to") if isinstance(asked, dict) else None
    if isinstance(to, (int, float)) and 0 <= int(to) < len(questions):
        opening.question(questions[int(to)])
