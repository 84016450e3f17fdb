"""Explain: why is it here, why not?"""

import streamlit as st

from poolscope.formats import Loaded
from poolscope.model import Selection
from poolscope.ui import answer_panel, cache, controls, explain_panels, opening, show, state
from poolscope.ui.state import Key

TABS = {
    "Trace": explain_panels.trace,
    "Every candidate": explain_panels.candidates,
    "What would it take": explain_panels.reach,
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
        for tab, draw in zip(st.tabs(list(TABS)), TABS.values(), strict=True):
            with tab:
                draw(selection)


def _rule(loaded: Loaded) -> Selection:
    """Let a person choose which column of Inspect is explained."""
    pool = loaded.pool
    setting = state.setting(pool.digest) or controls.start(pool, state.session().last)
    state.remember(pool.digest, setting)
    columns = cache.comparison(pool, setting).columns
    numbers = list(range(len(columns)))
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    chosen = left.segmented_control(
        "Rule",
        numbers,
        default=numbers[-1],
        format_func=lambda number: columns[number].title,
        key=state.key(Key.EXPLAINED, pool.digest),
        persist_state="session",
        required=True,
    )
    with right:
        show.block(show.markup.aside(f"as set on Inspect: {columns[chosen].setting}"))
    return columns[chosen].selection
