"""Who is annotating: the login where one is configured, else a name that is asked once."""

from urllib.parse import unquote

import streamlit as st
from streamlit.errors import StreamlitAuthError

from poolscope.errors import StoreError
from poolscope.golden.model import Role, Who
from poolscope.ui import annotating, show

COOKIE = "poolscope_annotator"
QUESTION_COOKIE = "poolscope_question"
PART_COOKIE = "poolscope_part"
TAB_COOKIE = "poolscope_tab"
NAME = "annotator-name"
ROLE = "annotator-role"
PARTS = {Role.ANNOTATOR: "I mark passages", Role.ADJUDICATOR: "I settle where others differ"}
LONGEST = 80
LONGEST_QUESTION = 1_000


def has_login() -> bool:
    """Whether the server asks who people are."""
    return "is_logged_in" in st.user


def known() -> Who | None:
    """Return who is at work; ``None`` where that is to be asked."""
    held = annotating.held()
    name = _from_login() if has_login() else held.name
    if not name and not has_login() and not held.is_asking:
        name = _remembered(COOKIE)[:LONGEST]
    try:
        return Who(name, held.role) if name else None
    except StoreError:
        return None


def last_question() -> str:
    """Return the question that this browser showed last; empty where it does not say."""
    return _remembered(QUESTION_COOKIE)[:LONGEST_QUESTION]


def last_tab() -> str:
    """Return the part of the page that this browser showed last; empty where it does not say."""
    return _remembered(TAB_COOKIE)


def resume() -> None:
    """Take up, at the start of a session, the part that this browser played last."""
    if not annotating.is_begun():
        found = _remembered(PART_COOKIE)
        annotating.change(role=Role(found) if found in list(Role) else Role.ANNOTATOR)


def _remembered(cookie: str) -> str:
    found = st.context.cookies.get(cookie)
    return unquote(found) if isinstance(found, str) else ""


def _from_login() -> str:
    if not st.user.get("is_logged_in"):
        return ""
    given = [str(st.user.get(part) or "") for part in ("email", "name", "sub")]
    return next((name for name in given if name), "")[:LONGEST]


def ask() -> None:
    """Ask who is at work."""
    if has_login():
        st.text(
            "Log in to annotate: every mark is kept with the name of who made it. You come back to "
            "the first page; open Annotate again from there."
        )
        st.button("Log in", type="primary", on_click=_log_in)
        problem = annotating.held().problem
        if problem is not None:
            show.problem(problem)
        return
    with st.container(width=460):
        st.text_input(
            "Your name",
            key=NAME,
            max_chars=LONGEST,
            placeholder="as it is to stand beside your marks",
            on_change=_begin,
        )
        st.button("Begin", type="primary", on_click=_begin)
        problem = annotating.held().problem
        if problem is not None:
            show.problem(problem)
        st.caption(
            "Every mark is kept with this name and the time. Colleagues use names of their own: "
            "marks of others stay hidden until your own pass over a question is done. This "
            "browser remembers the name."
        )


def _log_in() -> None:
    annotating.change(problem=None)
    try:
        st.login()
    except StreamlitAuthError as error:
        said = " ".join(str(error).split())
        annotating.change(
            problem=StoreError(
                f"There can be no log-in: {said}",
                "Complete the [auth] section of the secrets, or take it out: then a name is asked "
                "for. A log-in needs the package Authlib too: pip install 'streamlit[auth]'.",
            )
        )


def _begin() -> None:
    name = annotating.typed(NAME)
    if not name.strip():
        return
    try:
        who = Who(name)
    except StoreError as error:
        annotating.change(problem=error)
        return
    annotating.change(
        name=who.name, is_asking=False, problem=None, said="", outcomes={}, has="", question=""
    )


def panel(who: Who) -> None:
    """Show who is at work, the part, and the way to another name."""
    st.text(who.name)
    st.radio(
        "Part",
        list(PARTS),
        format_func=lambda role: PARTS[role],
        index=list(PARTS).index(who.role),
        key=ROLE,
        on_change=_play,
    )
    if has_login():
        st.button("Log out", on_click=st.logout)
    else:
        st.button("Another name", on_click=_leave)


def _play() -> None:
    chosen = annotating.chosen(ROLE)
    if isinstance(chosen, str):
        annotating.change(role=Role(chosen))


def _leave() -> None:
    annotating.change(
        name="", is_asking=True, role=Role.ANNOTATOR, outcomes={}, has="", question="", said=""
    )
    annotating.forget(ROLE)
