"""Explain: why is it here, why not?"""

import streamlit as st

from poolscope.formats import Loaded
from poolscope.model import Selection
from poolscope.ui import (
    answer_panel,
    cache,
    controls,
    explain_markup,
    explain_panels,
    marks,
    opening,
    reach_panel,
    show,
    state,
)
from poolscope.ui.state import Key

PANELS = {
    "Trace": explain_panels.trace,
    state.EVERY_CANDIDATE: explain_panels.candidates,
    explain_panels.REACH: reach_panel.reach,
    "Two passages": explain_panels.two_passages,
    "Answer": answer_panel.answer,
}


def render() -> None:
    """Draw the page."""
    with show.errors():
        loaded = opening.current()
        if loaded is None:
            show.no_pool()
            return
        show.block(show.markup.title(loaded.pool.query, ("Why is it here, why not?",)))
        if not len(loaded.pool):
            st.text("This question found nothing: there is no passage to explain.")
            return
        _panels(loaded)


@st.fragment
def _panels(loaded: Loaded) -> None:
    with show.errors():
        selection = _rule(loaded)
        _applied(loaded.pool.digest)
        marks.draw(loaded.pool)
        names = list(PANELS)
        tabs = st.tabs(names, key=state.panel(names), on_change=state.keep_panel)
        for tab, draw in zip(tabs, PANELS.values(), strict=True):
            if tab.open:
                with tab:
                    draw(selection)
        opening.keep_address()


def _rule(loaded: Loaded) -> Selection:
    """Let a person choose which column of Inspect is explained."""
    pool = loaded.pool
    setting = state.setting(pool.digest) or controls.start(pool, state.session().last)
    state.remember(pool.digest, setting)
    columns = cache.comparison(pool, setting).columns
    numbers = list(range(len(columns)))
    filled = [number for number in numbers if len(columns[number].selection)]
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    chosen = row.segmented_control(
        "Rule",
        numbers,
        default=filled[-1] if filled else numbers[-1],
        format_func=lambda number: columns[number].title,
        key=state.key(Key.EXPLAINED, pool.digest),
        persist_state="session",
        required=True,
    )
    with row:
        show.block(show.markup.aside(f"as set on Inspect: {columns[chosen].setting}"))
    return columns[chosen].selection


def _applied(digest: str) -> None:
    """Say which change was applied last, with the way back."""
    last = state.applied(digest)
    if last is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        show.block(explain_markup.applied(last.words))
        st.button("Undo", key="undo", on_click=state.undo, args=(digest,), width="content")
