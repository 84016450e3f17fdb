"""A golden set drawn: sweeps with bands, mixes, differences by question, proxy against truth."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from poolscope.charts.labels import plain, shortened
from poolscope.charts.theme import FONT, Theme
from poolscope.charts.trade_off import AXIS_LABELS, bend
from poolscope.evaluation.findings import REFERENCES, Best
from poolscope.evaluation.mix import Scores, break_even
from poolscope.evaluation.statistics import band
from poolscope.evaluation.sweep import RELEVANCE, Sweep
from poolscope.geometry import Floats
from poolscope.model import Stratum
from poolscope.selection.paths import Axis

MOST_BARS = 30
OFF_TICKS = 20
"""Pixels between the axis and a label within the plot."""
BAND = 0.18
"""Opacity of a band and of the best stretch."""


def sweep_curve(
    sweep: Sweep, found: Best, label: str, stratum: Stratum | None, theme: Theme
) -> go.Figure:
    """Draw a measure's mean with its band over a parameter, and what it costs in relevance.

    Args:
        sweep: The golden set.
        found: The best of it, which is shaded, and the reference.
        label: The measure's name.
        stratum: The questions; ``None`` for all.
        theme: Colours by role.
    """
    figure = go.Figure()
    low, high = band(sweep, found.name, stratum)
    if not np.isnan(low).any():
        figure.add_trace(_edge(sweep, high, theme, fill=None))
        figure.add_trace(_edge(sweep, low, theme, fill="tonexty"))
    mean = sweep.mean(found.name, stratum)
    figure.add_trace(_steps(sweep, mean, label, theme.accent))
    rows = sweep.values[RELEVANCE][sweep.of(stratum)]
    relevance = np.nanmean(rows, axis=0) if not np.isnan(rows).all(axis=0).any() else None
    base = None if relevance is None else relevance[sweep.place(found.reference)]
    if relevance is not None and base is not None and base > 0.0:
        name = "mean relevance, as a share of the reference's"
        figure.add_trace(_steps(sweep, relevance / base, name, theme.quiet, "dash"))
    level = float(mean[sweep.place(found.reference)])
    figure.add_hline(
        y=level,
        line={"color": theme.ink, "width": 1, "dash": "dot"},
        annotation={
            "text": REFERENCES[sweep.axis],
            "font": {"color": theme.quiet},
            # Curves meet the line at its right end, and the ticks stand at its left.
            "x": 0.0,
            "xanchor": "left",
            "xshift": OFF_TICKS,
            # Nothing is drawn above the highest line but the legend.
            "yanchor": "top" if level >= _top(figure) else "bottom",
        },
    )
    if not found.is_reference:
        half = 0.0 if sweep.axis is Axis.LAMBDA else 0.5
        for item in found.stretches:
            figure.add_vrect(
                x0=max(item.low - half, sweep.starts[0]),
                x1=min(item.high + half, sweep.ends[-1]),
                fillcolor=theme.accent,
                opacity=BAND,
                line_width=0,
            )
    figure.update_layout(_layout(theme, AXIS_LABELS[sweep.axis], height=360))
    return figure


def _top(figure: go.Figure) -> float:
    """Return the highest value that a figure's lines reach."""
    return max(float(np.nanmax(trace.y)) for trace in figure.data)


def _edges(sweep: Sweep) -> list[float]:
    return [edge for pair in zip(sweep.starts, sweep.ends, strict=True) for edge in pair]


def _edge(sweep: Sweep, values: Floats, theme: Theme, *, fill: str | None) -> go.Scatter:
    """Return one edge of a band; the second is filled to the first."""
    return go.Scatter(
        x=_edges(sweep),
        y=np.repeat(values, 2),
        mode="lines",
        name="95 % interval of the mean",
        showlegend=fill is not None,
        line={"width": 0, "color": theme.accent, "shape": bend(sweep.axis)},
        fill=fill,
        fillcolor=_faint(theme.accent),
        hoverinfo="skip",
    )


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{BAND})"


def _steps(sweep: Sweep, values: Floats, name: str, colour: str, dash: str = "solid") -> go.Scatter:
    return go.Scatter(
        x=_edges(sweep),
        y=np.repeat(values, 2),
        mode="lines",
        name=name,
        line={"color": colour, "width": 2, "dash": dash, "shape": bend(sweep.axis)},
        hovertemplate="%{x:.4g}: %{y:.3f}",
    )


def mix_lines(named: Sequence[tuple[str, Scores]], share: float, theme: Theme) -> go.Figure:
    """Draw the score of two settings over the share of questions with one true answer."""
    figure = go.Figure()
    dashes = ("solid", "dash")
    colours = (theme.quiet, theme.accent)
    for (name, scores), dash, colour in zip(named, dashes, colours, strict=True):
        figure.add_trace(
            go.Scatter(
                x=[0.0, 1.0],
                y=[scores.mixed(0.0), scores.mixed(1.0)],
                mode="lines",
                name=name,
                line={"color": colour, "width": 2, "dash": dash},
                hovertemplate="%{y:.3f}",
            )
        )
    figure.add_vline(x=share, line={"color": theme.ink, "width": 1.5})
    even = break_even(named[0][1], named[1][1])
    if even is not None and 0.0 < even < 1.0:
        figure.add_trace(
            go.Scatter(
                x=[even],
                y=[named[0][1].mixed(even)],
                mode="markers",
                name="break even",
                marker={"color": theme.ink, "size": 9, "symbol": "diamond-open"},
                hovertemplate="%{x:.2%}: %{y:.3f}",
            )
        )
    figure.update_layout(_layout(theme, "share of questions with one true answer", height=300))
    figure.update_xaxes(tickformat=".0%", range=[0, 1])
    figure.update_layout(margin={"r": 28})  # for the last tick
    return figure


def differences(
    changes: Sequence[float], names: Sequence[str], label: str, theme: Theme
) -> go.Figure:
    """Draw by how much each question changes, the largest first; those that do not are left out.

    Args:
        changes: One a question.
        names: Of the questions.
        label: The measure's name.
        theme: Colours by role.
    """
    order = sorted(range(len(changes)), key=lambda at: -abs(changes[at]))
    kept = [at for at in order if changes[at] != 0.0 and not math.isnan(changes[at])][:MOST_BARS]
    kept.sort(key=lambda at: changes[at])
    figure = go.Figure(
        go.Bar(
            x=[changes[at] for at in kept],
            y=[str(place) for place in range(len(kept))],
            orientation="h",
            marker={"color": [theme.accent if changes[at] > 0 else theme.quiet for at in kept]},
            customdata=[plain(shortened(names[at], 60)) for at in kept],
            hovertemplate="%{customdata}: %{x:+.3f}<extra></extra>",
        )
    )
    figure.update_layout(_layout(theme, f"change of {label}", height=60 + 18 * max(len(kept), 4)))
    figure.update_yaxes(
        tickvals=[str(place) for place in range(len(kept))],
        ticktext=[plain(shortened(names[at], 28)) for at in kept],
        automargin=True,
    )
    return figure


def proxy_against_coverage(
    proxy: Floats, coverage: Floats, threshold: float | None, theme: Theme
) -> go.Figure:
    """Draw every question by its mean pairwise cosine and its coverage.

    Args:
        proxy: Shape ``(q,)``.
        coverage: Shape ``(q,)``.
        threshold: Where the alarm sounds; ``None`` for nowhere.
        theme: Colours by role.
    """
    met = ~(np.isnan(proxy) | np.isnan(coverage))
    figure = go.Figure(
        go.Scatter(
            x=proxy[met],
            y=coverage[met],
            mode="markers",
            marker={"color": theme.accent, "size": 9, "opacity": 0.6},
            hovertemplate="%{x:.3f}: coverage %{y:.2f}<extra></extra>",
        )
    )
    if threshold is not None:
        figure.add_vline(x=threshold, line={"color": theme.ink, "width": 1, "dash": "dot"})
    figure.update_layout(_layout(theme, "mean pairwise cosine of plain top-k", height=300))
    figure.update_yaxes(title={"text": "facet coverage", "font": {"size": 13}})
    return figure


def _layout(theme: Theme, title: str, *, height: int) -> go.Layout:
    return go.Layout(
        height=height,
        margin={"l": 48, "r": 12, "t": 12, "b": 44},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": theme.ink, "size": 13, "family": FONT},
        modebar={
            "bgcolor": "rgba(0,0,0,0)",
            "color": theme.quiet,
            "activecolor": theme.accent,
        },
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0.0},
        xaxis={
            "title": {"text": title, "font": {"size": 13}},
            "gridcolor": theme.line,
            "zeroline": False,
        },
        yaxis={"gridcolor": theme.line, "zeroline": False},
    )
