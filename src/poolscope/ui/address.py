"""The address: what a colleague who gets the link should see.

It names the sample or the pool, the question, how the file is read, what of the setting is not the
usual, and the passage that is looked at; the page is its path. It is written at the end of a run,
which costs no further one, and read once, when a session starts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from poolscope import samples, selection, wording
from poolscope.charts.labels import shortened
from poolscope.formats import identity
from poolscope.model import Direction, Policy, Pool
from poolscope.report import address as parameters
from poolscope.report.address import Parameters
from poolscope.selection.keys import cap_keys
from poolscope.ui import cache, controls, show, state, travelling
from poolscope.ui.figures import Choices
from poolscope.ui.seen import Seen
from poolscope.ui.state import Session, Setting

SLOT = "poolscope-address"
WRITTEN = "poolscope-address-written"
SAMPLE, POOL, QUESTION, PASSAGE = "sample", "pool", "question", "passage"
FIELD, MERGE, SCORE = "by", "merge", "score"
ENDS = {"higher": Direction.HIGHER, "lower": Direction.LOWER, "order": Direction.ORDER}
MOST_DIGITS = 9
MOST_LETTERS = 40


@dataclass(frozen=True, slots=True)
class Link:
    """The address that a session was opened with, as far as it still has something to say.

    Args:
        asked: Its parameters.
        awaits: Digest of the pool that it asks for and nobody opened yet; empty once it is there.
        complaints: What could not be taken over, a sentence each.
    """

    asked: Parameters
    awaits: str = ""
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The address that a session wrote last: the one of what it shows.

    Args:
        last: Its parameters.
    """

    last: Parameters


def gone_back() -> Parameters | None:
    """Return the address that a person went back to; ``None`` where nobody did.

    A run that was asked for before the browser had the last address carries an earlier one too, so
    that the address alone tells nothing: the browser says which run its way back has caused.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not context.is_history_navigation:
        return None
    written = st.session_state.get(WRITTEN)
    found = asked()
    return found if isinstance(written, Written) and found != written.last else None


def _write(wanted: Parameters) -> None:
    """Remember an address as the session's, and give it to the browser where it has another."""
    if asked() != wanted:
        st.query_params.from_dict(wanted)
    st.session_state[WRITTEN] = Written(wanted)


def link() -> Link | None:
    """Return the address that the session was opened with; ``None`` once it is done with."""
    found = st.session_state.get(SLOT)
    return found if isinstance(found, Link) else None


def forget() -> None:
    """Have done with the address that the session was opened with."""
    st.session_state.pop(SLOT, None)
    travelling.ask({})


def _hold(found: Link) -> None:
    st.session_state[SLOT] = found


def asked() -> Parameters:
    """Return every value of every parameter of the address."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def one(found: Parameters, name: str) -> str:
    """Return a parameter's last value; empty where it is not there."""
    return (found.get(name) or ("",))[-1]


def number(found: Parameters, name: str) -> int | None:
    """Return a parameter that counts from 1 as a place from 0."""
    text = one(found, name)
    if not (text.isascii() and text.isdecimal() and 0 < len(text) <= MOST_DIGITS):
        return None
    return int(text) - 1


def question(found: Parameters, count: int) -> tuple[int, list[str]]:
    """Return the question that is asked for, from 0, and a sentence where there is none such.

    Args:
        found: The parameters.
        count: How many questions the load has.
    """
    text = one(found, QUESTION)
    asked = number(found, QUESTION)
    if asked is not None and 0 <= asked < count:
        return asked, []
    there = "one question" if count == 1 else f"questions 1 to {count:,}"
    said = [f"question = “{_short(text)}” is left out: this file has {there}."]
    return 0, said if text else []


def choices(found: Parameters, usual: str | None = None) -> tuple[Choices, list[str]]:
    """Return how the file is to be read, and sentences about what cannot be taken over.

    Args:
        found: The parameters.
        usual: The source field where they name none.
    """
    complaints = []
    score = one(found, SCORE)
    if score and score not in ENDS:
        complaints.append(f"score = “{_short(score)}” is left out: give {', '.join(ENDS)}.")
    known = {rule.name for rule in identity.RULES}
    merges = tuple(dict.fromkeys(found.get(MERGE, ())))
    unknown = [name for name in merges if name not in known]
    complaints += [
        f"There is no rule “{_short(name)}” that merges sources." for name in unknown[:3]
    ]
    field = (one(found, FIELD) or None) if FIELD in found else usual
    kept = tuple(name for name in merges if name in known)
    return Choices(field, ENDS.get(score), kept), complaints


def start(found: Parameters) -> Seen | None:
    """Take up the address of a fresh session, and return the pool that it asks for, if it is here.

    A pool that this machine has not seen is waited for: the page says so, and the setting is
    taken over once a file with that pool is opened.
    """
    digest = one(found, POOL)
    here = cache.seen().find(digest) if digest else None
    _hold(Link(found, awaits=digest if digest and here is None else ""))
    travelling.ask({} if digest and here is None else found)
    return here


def complain(*sentences: str) -> None:
    """Say what of the address could not be taken over."""
    held = link() or Link({})
    if sentences:
        _hold(replace(held, complaints=(*held.complaints, *sentences)))


def arrive(pool: Pool) -> None:
    """Take over the setting and the passage of the link: this is the pool that it asks for."""
    held = link()
    if held is not None:
        _hold(replace(held, asked={}, awaits=""))
        travelling.ask(held.asked)
        take(pool, held.asked)


def bring_back(pool: Pool, found: Parameters) -> None:
    """Put a pool back to the setting of an address that a person went back to."""
    state.remember(pool.digest, controls.start(pool))
    state.forget_widgets(pool.digest)
    travelling.ask(found, is_anew=True)
    take(pool, found)


def take(pool: Pool, asked: Parameters) -> None:
    """Take over a setting and a passage, from a link or from a file that brought them along."""
    usual = controls.start(pool)
    found = parameters.read(asked, usual.policy, usual.rules)
    setting, complaints = fitted(pool, Setting(found.policy, found.rules[: state.MOST_RULES]))
    if len(found.rules) > state.MOST_RULES:
        complaints.append(f"rules: the first {state.MOST_RULES} of {len(found.rules)} are shown.")
    if parameters.names() & set(asked):
        state.remember(pool.digest, setting)
        state.forget_widgets(pool.digest)
    passage = number(asked, PASSAGE)
    if passage is not None and 0 <= passage < len(pool):
        state.look(pool.digest, passage)
    elif one(asked, PASSAGE):
        complaints.append(f"passage: this pool has ranks 1 to {len(pool):,}.")
    complain(*found.complaints, *complaints)


def fitted(pool: Pool, setting: Setting) -> tuple[Setting, list[str]]:
    """Return a setting without what this pool cannot serve, and sentences that say so."""
    policy, complaints = setting.policy, []
    if policy.key not in {item.name for item in cap_keys(pool)}:
        complaints.append(f"key: this pool has no field “{_short(policy.key)}”.")
        policy = policy.changed(key="source", overrides=(), quotas=())
    if policy.relevance is not None and policy.relevance not in selection.available(pool):
        complaints.append(f"relevance: this pool has no {policy.relevance}.")
        policy = policy.changed(relevance=None)
    if policy.arm_cap is not None and policy.arm_key not in ("source", *pool.fields):
        complaints.append(f"arm_cap: this pool has no field “{_short(policy.arm_key)}”.")
        policy = policy.changed(arm_cap=None, arm_key=Policy().arm_key)
    policy, beyond = _within(pool, policy)
    complaints += beyond
    for name in ("pinned", "banned"):
        ids = getattr(policy, name)
        kept = tuple(item for item in ids if item in pool.places)
        if kept != ids:
            complaints.append(f"{name}: {len(ids) - len(kept)} of {len(ids)} are not in this pool.")
            policy = policy.changed(**{name: kept})
    return replace(setting, policy=policy), complaints


def _within(pool: Pool, policy: Policy) -> tuple[Policy, list[str]]:
    """Return a policy whose numbers the pool can serve, and sentences about those it cannot."""
    n, usual, complaints = len(pool), controls.start(pool).policy, []
    for name, most in (("k", max(1, n)), ("cap", max(2, n)), ("depth", max(2, n))):
        value = getattr(policy, name)
        if value is not None and value > most:
            has = wording.counted(n, "candidate")
            complaints.append(f"{name} = “{value}” is left out: this pool has {has}.")
            policy = policy.changed(**{name: getattr(usual, name)})
    if policy.depth is not None and policy.depth >= n:
        policy = policy.changed(depth=None)
    there = set(pool.column(policy.key))
    for name in parameters.PAIRS:
        pairs = getattr(policy, name)
        kept = tuple(pair for pair in pairs if pair[0] in there)
        if kept != pairs:
            gone = f"{len(pairs) - len(kept)} of {len(pairs)}"
            complaints.append(f"{name}: {gone} values of “{_short(policy.key)}” are not there.")
            policy = policy.changed(**{name: kept})
    return policy, complaints


def _short(text: str) -> str:
    return shortened(text, MOST_LETTERS)


def keep(pool: Pool) -> None:
    """Write what is looked at into the address, where it is not there already."""
    session = state.session()
    if not session.sample and session.load is not None:
        choices = Choices(session.source_field, session.direction, session.merges)
        cache.seen().keep(
            pool.digest,
            Seen(session.load, session.digest, session.origin, session.question, choices),
        )
    wanted = {**of(session, pool), **travelling.written()}
    travelling.settle()
    _write(wanted)


def of(session: Session, pool: Pool) -> Mapping[str, Sequence[str]]:
    """Return the parameters that lead a colleague to what a session looks at."""
    found: dict[str, list[str]] = (
        {SAMPLE: [session.sample]} if session.sample else {POOL: [pool.digest]}
    )
    if session.question:
        found[QUESTION] = [str(session.question + 1)]
    sample = samples.named(session.sample)
    if session.source_field != (None if sample is None else sample.source_field):
        found[FIELD] = [session.source_field or ""]
    if session.merges:
        found[MERGE] = list(session.merges)
    if session.direction is not None:
        found[SCORE] = [next(name for name, end in ENDS.items() if end is session.direction)]
    setting = session.settings.get(pool.digest)
    if setting is not None:
        policy, usual = setting.policy, controls.start(pool)
        n = len(pool)  # the setting of a larger pool may have been kept: the rest means nothing
        policy = policy.changed(k=min(policy.k, max(1, n)), cap=min(policy.cap, max(2, n)))
        if policy.relevance in selection.available(pool)[:1]:  # what the pool itself decides
            policy = policy.changed(relevance=None)
        found |= parameters.written(policy, setting.rules, usual.policy, usual.rules)
    passage = session.passages.get(pool.digest)
    if passage is not None:
        found[PASSAGE] = [str(passage + 1)]
    return found


def draw(above: DeltaGenerator) -> bool:
    """Say what of the link is waited for, or could not be taken over; say whether it did.

    Args:
        above: Where, above the page.
    """
    held = link()
    if held is None or not (held.awaits or held.complaints):
        return False
    with above, st.container(border=True, key="link"):
        if held.awaits:
            st.markdown("**:material/link: This link is to a pool that this machine has not seen**")
            st.text(
                f"Its fingerprint is {_short(held.awaits)}. Open the file that it was made from on "
                "the Data page; the setting of the link is then taken over."
            )
        else:
            st.markdown("**:material/link: Not all of this link could be taken over**")
        if held.complaints:
            show.block(show.markup.listing(held.complaints))
        row = st.container(horizontal=True, vertical_alignment="center")
        if held.awaits:
            row.page_link("pages/data.py", label="Open a file", icon=":material/upload_file:")
        row.button("Go on without it" if held.awaits else "Close", on_click=forget, key="unlink")
    return True
