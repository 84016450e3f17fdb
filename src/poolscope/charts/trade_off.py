"""What one parameter buys and costs: coverage and relevance kept as exact step functions."""

import math
from collections.abc import Callable

import plotly.graph_objects as go

from poolscope.analysis import Step, TradeOff
from poolscope.charts.theme import FONT, Theme
from poolscope.selection.paths import Axis

AXIS_LABELS = {
    Axis.LAMBDA: "lambda: 0 difference only, 1 relevance only (top-k)",
    Axis.CAP: "cap",
    Axis.DEPTH: "pool depth",
    Axis.K: "k",
}

MOST_TICKS = 12


def trade_off(found: TradeOff, theme: Theme, *, height: int = 340) -> go.Figure:
    """Draw the steps, the current setting, and plain top-k.

    Args:
        found: The exact response of a rule to one parameter.
        theme: Colours by role.
        height: In pixels.
    """
    has_facets = any(not math.isnan(step.coverage) for step in found.steps)
    figure = go.Figure()
    if has_facets:
        figure.add_trace(_line(found, "facet coverage", lambda step: step.coverage, theme.accent))
    figure.add_trace(_line(found, found.cost, lambda step: step.kept, theme.quiet, "dash"))
    if not has_facets:
        name = "mean pairwise cosine"
        figure.add_trace(_line(found, name, lambda step: step.pairwise, theme.accent))
    figure.add_vline(x=found.current, line={"color": theme.ink, "width": 1.5})
    if has_facets:
        figure.add_hline(
            y=found.baseline,
            line={"color": theme.ink, "width": 1, "dash": "dot"},
            name="coverage of plain top-k",
            showlegend=True,
        )
    figure.update_layout(
        height=height,
        margin={"l": 48, "r": 12, "t": 12, "b": 44},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": theme.ink, "size": 13, "family": FONT},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        xaxis={
            "title": {"text": AXIS_LABELS[found.axis], "font": {"size": 13}},
            "gridcolor": theme.line,
            "zeroline": False,
            **_ticks(found),
        },
        yaxis={"rangemode": "tozero", "gridcolor": theme.line, "zeroline": False},
    )
    return figure


def bend(axis: Axis) -> str:
    """Return how plotly joins the ends of steps: a whole number stands in the middle of its own."""
    return "linear" if axis is Axis.LAMBDA else "hvh"


def _line(
    found: TradeOff, name: str, value: Callable[[Step], float], colour: str, dash: str = "solid"
) -> go.Scatter:
    """Return a step function: a flat stretch for each step, a whole number in its middle."""
    xs = [edge for step in found.steps for edge in (step.low, step.high)]
    ys = [value(step) for step in found.steps for _ in range(2)]
    return go.Scatter(
        x=xs,
        y=[None if math.isnan(y) else y for y in ys],
        mode="lines",
        name=name,
        line={
            "color": colour,
            "width": 2,
            "dash": dash,
            "shape": bend(found.axis),
        },
        hovertemplate="%{x:.4g}: %{y:.3f}",
    )


def _ticks(found: TradeOff) -> dict[str, float]:
    """Keep the ticks on whole numbers where nothing lies between them."""
    few = found.steps[-1].high - found.steps[0].low <= MOST_TICKS
    return {"dtick": 1} if few and found.axis is not Axis.LAMBDA else {}
