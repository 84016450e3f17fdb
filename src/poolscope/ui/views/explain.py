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
    travelling,
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
        key = travelling.choice(
            "panel", state.panel(names), {name: name for name in names}, names[0]
        )
        tabs = st.tabs(names, key=key, on_change=state.keep_panel)
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
        format_func=lambda number: columns[number].title,
        key=travelling.choice(
            "column",
            state.key(Key.EXPLAINED, pool.digest),
            {str(number + 1): number for number in numbers},
            filled[-1] if filled else numbers[-1],
        ),
        persist_state="session",
        required=True,
    )
    column = columns[chosen or 0]
    with row:
        show.block(show.markup.aside(f"as set on Inspect: {column.setting}"))
    return column.selection


def _applied(digest: str) -> None:
    """Say which change was applied last, with the way back."""
    last = state.applied(digest)
    if last is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        show.block(explain_markup.applied(last.words))
        st.button("Undo", key="undo", on_click=state.undo, args=(digest,), width="content")
