"""The setting as code: a snippet for every system, with how its own rule differs."""

import streamlit as st

from poolscope import report
from poolscope.analysis import Column
from poolscope.report import Snippet
from poolscope.selection.presets import Preset
from poolscope.ui import state, toml_panel
from poolscope.ui.state import Key


def draw(column: Column) -> None:
    """Draw the switch, and a column's setting as code for every system where it is on."""
    wanted = st.toggle(
        "The right column's setting as code",
        key=state.key(Key.AS_CODE),
        persist_state="session",
    )
    if not wanted:
        return
    if not column.offer.is_policy or column.lacks:
        st.text(
            f"“{column.title}” is no setting of a rule here: its own system runs it, and what it "
            "does beside MMR has no snippet. Put a rule into the right column to write it as code."
        )
        if isinstance(column.offer.rule, Preset) and not column.lacks:
            toml_panel.preset(column.offer.rule)
        return
    selection = column.selection
    toml_panel.draw(selection.policy, f"The right column, {column.title}", key="inspect")
    written = report.snippets(selection.pool, selection.policy)
    for tab, snippet in zip(st.tabs([item.system for item in written]), written, strict=True):
        with tab:
            _snippet(snippet)


def _snippet(snippet: Snippet) -> None:
    st.text(snippet.differs)
    if not snippet.code:
        return
    st.code(snippet.code, language=snippet.language)
    st.caption(f"Checked with {snippet.checked_with}: {snippet.status}.")
