"""The large charts: plotly, with lasso, zoom and export, below the board for who wants them."""

import streamlit as st

from poolscope import projection
from poolscope.analysis import Comparison
from poolscope.charts.pool_map import pool_map
from poolscope.charts.theme import palette
from poolscope.charts.trade_off import trade_off as draw_trade_off
from poolscope.counts import counted
from poolscope.model import Pool
from poolscope.projection import Method
from poolscope.selection.paths import Axis
from poolscope.ui import cache, show, state
from poolscope.ui.state import Key, Setting

POLL_SECONDS = 0.25


def draw(comparison: Comparison, setting: Setting) -> None:
    """Draw the switch, and the charts where it is on."""
    wanted = st.toggle(
        "Large map and trade-off: lasso, zoom, export",
        key=state.key(Key.LARGE_CHARTS),
        persist_state="session",
    )
    if wanted:
        figure(comparison, setting)
        trade_off(comparison)


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
    said = (
        f"{method} of {counted(int(layout.placed.sum()), 'candidate')}, coloured by {key}. "
        f"Near means alike; distances across the map mean little. {told}"
    )
    show.block(show.markup.aside(said))
    drawn = pool_map(comparison, layout, palette(pool, key, show.current_theme()), key=key)
    show.figure(drawn, key=f"map:{pool.digest}:{layout.method}")


@st.fragment(run_every=POLL_SECONDS)
def wait(pool: Pool) -> None:
    """Ask for the final layout until it is there, then draw the page once more."""
    if projection.request(pool) is not None:
        st.rerun()


def trade_off(comparison: Comparison) -> None:
    """Draw what lambda, or the cap, buys and costs in each column that reads it."""
    for number, column in enumerate(comparison.columns[1:], start=2):
        reads = column.offer.reads
        axis = next((axis for axis in (Axis.LAMBDA, Axis.CAP) if axis in reads), None)
        if axis is None or column.lacks:
            continue
        found = cache.trade_off(comparison.pool, column.policy, axis)
        said = "every change is found" if found.exact else "approximate: the path was sampled"
        show.block(show.markup.aside(f"{column.title} ({column.setting}): {said}."))
        show.figure(draw_trade_off(found, show.current_theme()), key=f"trade-off:{number}:{axis}")
