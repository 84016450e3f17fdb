"""The plain board: stock widgets and HTML, for screen readers and for tests, behind a switch."""

import streamlit as st

from poolscope import projection
from poolscope.analysis import Comparison
from poolscope.charts.theme import palette
from poolscope.ui import large_charts, show
from poolscope.ui.state import Setting


def draw(comparison: Comparison, setting: Setting) -> None:
    """Draw strip, columns and map at a setting."""
    pool, key = comparison.pool, setting.policy.key
    colours = palette(pool, key, show.current_theme())
    show.block(show.markup.strip(comparison, colours, key))
    for number, column in enumerate(st.columns(len(comparison.columns), gap="medium")):
        with column:
            show.block(show.markup.column(comparison, number, colours, key))
    show.block(show.markup.part("Map"))
    large_charts.figure(comparison, setting)
    if projection.request(pool) is None:
        large_charts.wait(pool)
