"""What a session remembers of annotating: who, which question, what became of strokes.

Nothing that was marked is kept here: that is in the golden set.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import streamlit as st

from poolscope.annotator.strokes import Outcome
from poolscope.errors import PoolscopeError
from poolscope.golden.model import Role

SLOT = "poolscope-annotating"


@dataclass(frozen=True, slots=True, eq=False)
class Annotating:
    """What one browser tab is at.

    Args:
        name: The name that was given; empty before.
        is_asking: Whether the name is asked for, whatever the browser remembers.
        role: In which part: an adjudicator settles cells, an annotator marks passages.
        question: Id of the question in the golden set; empty to start at the next unfinished.
        outcomes: What became of the strokes that the browser sent last, by token.
        heard: Number of the message that they came with.
        has: Digest of the passages that the browser holds.
        said: What is to be said of the last change: what it met, or what it came to.
        problem: Why the last change was not kept; ``None`` where it was.
        tokens: Tokens of changes that were not kept, to be sent again with, by what they are.
    """

    name: str = ""
    is_asking: bool = False
    role: Role = Role.ANNOTATOR
    question: str = ""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    heard: int = 0
    has: str = ""
    said: str = ""
    problem: PoolscopeError | None = None
    tokens: Mapping[str, str] = field(default_factory=dict)


def held() -> Annotating:
    """Return the session's value; a fresh one at the start, or when its class has changed."""
    found = st.session_state.get(SLOT)
    if not isinstance(found, Annotating):
        found = Annotating()
        st.session_state[SLOT] = found
    return found


def is_begun() -> bool:
    """Whether the session has a value already."""
    return isinstance(st.session_state.get(SLOT), Annotating)


def change(**changes: object) -> Annotating:
    """Replace parts of the session's value and return it."""
    fresh = dataclasses.replace(held(), **changes)  # type: ignore[arg-type]  # fields by name
    st.session_state[SLOT] = fresh
    return fresh


def message(key: str, name: str) -> Mapping[str, object]:
    """Return what a component sent; empty where it sent nothing that can be read.

    Args:
        key: Of the component.
        name: Of its state or trigger.
    """
    component = st.session_state.get(key)
    found = None if component is None else component.get(name)
    return found if isinstance(found, Mapping) else {}


def typed(key: str) -> str:
    """Return what stands in a text field."""
    return str(st.session_state.get(key) or "")


def chosen(key: str) -> object:
    """Return what a widget holds; ``None`` where it was never drawn."""
    return st.session_state.get(key)


def rows(key: str) -> list[int]:
    """Return the rows that are chosen in a table."""
    table = st.session_state.get(key)
    return [] if table is None else [int(row) for row in table["selection"]["rows"]]


def put(key: str, value: object) -> None:
    """Let a widget show a value when it is next drawn."""
    st.session_state[key] = value


def forget(prefix: str) -> None:
    """Let widgets start from what is kept when they are next drawn."""
    for name in [name for name in st.session_state if str(name).startswith(prefix)]:
        del st.session_state[name]


def token_for(what: str, fresh: str) -> str:
    """Return the token of a change: that of the attempt before, where it was not kept.

    Args:
        what: The change in words of its own.
        fresh: A token for the first attempt.
    """
    return held().tokens.get(what, fresh)


def keep_token(what: str, token: str) -> None:
    """Keep the token of a change whose answer was lost."""
    change(tokens=MappingProxyType({**held().tokens, what: token}))


def drop_token(what: str) -> None:
    """Forget the token of a change that has its answer."""
    rest = {name: token for name, token in held().tokens.items() if name != what}
    change(tokens=MappingProxyType(rest))
