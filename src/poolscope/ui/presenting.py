"""What Present is told beforehand: which questions, in which order, and the rule that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from poolscope.model import Pool
from poolscope.selection import offers
from poolscope.ui import opening, state
from poolscope.ui.state import Setting

SLOT = "poolscope-presenting"
VIEW = "presenting:view"
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
    count = 0 if session.load is None else len(session.load)
    every = tuple(range(count)) if count <= MOST_SHOWN else (session.question,)
    return Talk(session.digest, every)


def choose(key: str) -> None:
    """Show the questions that were chosen, in the order in which they were; at least one."""
    chosen = st.session_state.get(key)
    if chosen:
        st.session_state[SLOT] = replace(talk(), questions=tuple(chosen))


def show(key: str) -> None:
    """Show the rule that was chosen."""
    st.session_state[SLOT] = replace(talk(), rule=str(st.session_state.get(key) or ""))


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
