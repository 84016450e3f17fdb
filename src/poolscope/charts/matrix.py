"""The cosines of the selected passages to one another."""

import numpy as np
import plotly.graph_objects as go

from poolscope.charts.theme import FONT, Theme
from poolscope.geometry import Floats

STRONGEST = 0.5
"""Share of the accent in the colour of a cosine of 1: ink can be read on all that lies below."""


def matrix(cosines: Floats, names: list[str], theme: Theme) -> go.Figure:
    """Draw the pairwise matrix with its numbers.

    Args:
        cosines: Shape ``(k, k)``, ``nan`` where a passage has no vector.
        names: ``k`` names, safe for plotly.
        theme: Colours by role.
    """
    size = len(names)
    shown = np.where(np.eye(size, dtype=bool), np.nan, cosines)
    figure = go.Figure(
        go.Heatmap(
            z=shown,
            x=names,
            y=names,
            zmin=0.0,
            zmax=1.0,
            colorscale=[[0.0, theme.card], [1.0, _mixed(theme.card, theme.accent)]],
            text=[["" if np.isnan(v) else f"{v:.2f}" for v in row] for row in shown],
            texttemplate="%{text}",
            textfont={"color": theme.ink},
            hovertemplate="%{y}<br>%{x}<br>cosine %{z:.3f}<extra></extra>",
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    figure.update_layout(
        height=120 + 34 * size,
        margin={"l": 90, "r": 4, "t": 4, "b": 40},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": theme.ink, "size": 13, "family": FONT},
        xaxis={"showgrid": False},
        yaxis={"autorange": "reversed", "showgrid": False},
    )
    return figure


def _mixed(ground: str, colour: str) -> str:
    """Return a colour between two, as CSS hex."""
    pairs = zip(bytes.fromhex(ground[1:]), bytes.fromhex(colour[1:]), strict=True)
    parts = bytes(round((1 - STRONGEST) * low + STRONGEST * high) for low, high in pairs)
    return f"#{parts.hex()}"
