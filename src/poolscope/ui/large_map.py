"""The large map: plotly, with lasso, zoom and export, below the board for who wants it."""

import streamlit as st

from poolscope import projection
from poolscope.analysis import Comparison
from poolscope.charts.pool_map import pool_map
from poolscope.charts.theme import palette
from poolscope.model import Pool
from poolscope.projection import Method
from poolscope.ui import show, state
from poolscope.ui.state import Key, Setting

POLL_SECONDS = 0.4


def draw(comparison: Comparison, setting: Setting) -> None:
    """Draw the switch, and the map where it is on."""
    wanted = st.toggle(
        "Large map: lasso, zoom, export",
        key=state.key(Key.LARGE_MAP),
        persist_state="session",
    )
    if wanted:
        figure(comparison, setting)


def figure(comparison: Comparison, setting: Setting) -> None:
    """Draw the map over the whole width."""
    pool, key = comparison.pool, setting.policy.key
    if pool.vectors is None:
        st.caption("The map needs vectors, and this pool has none.")
        return
    final = projection.request(pool)
    layout = final or projection.pca(pool)
    told = "UMAP is being computed; this is PCA." if final is None else layout.note
    method = layout.method if layout.method is Method.UMAP else Method.PCA
    st.caption(
        f"{method} of {int(layout.placed.sum())} candidates, coloured by {key}. "
        f"Near means alike; distances across the map mean little. {told}"
    )
    drawn = pool_map(comparison, layout, palette(pool, key, show.current_theme()), key=key)
    show.figure(drawn, key=f"map:{pool.digest}:{layout.method}")


@st.fragment(run_every=POLL_SECONDS)
def wait(pool: Pool) -> None:
    """Ask for the final layout until it is there, then draw the page once more."""
    if projection.request(pool) is not None:
        st.rerun()
