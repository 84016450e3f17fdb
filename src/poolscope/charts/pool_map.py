"""The pool in two dimensions, coloured by source, with the picks of each rule ringed."""

from collections.abc import Iterator

import numpy as np
import plotly.graph_objects as go

from poolscope import wording
from poolscope.analysis import Comparison, supported
from poolscope.charts import labels
from poolscope.charts.theme import FONT, OTHER_SHAPE, Palette, Theme
from poolscope.projection import Layout

RINGS = ("circle-open", "diamond-open", "square-open", "triangle-up-open", "pentagon-open")
RING_SIZES = (18, 22, 25, 28, 31)
DIMMED = 0.25


def pool_map(
    comparison: Comparison, layout: Layout, palette: Palette, *, key: str, height: int = 520
) -> go.Figure:
    """Draw the map.

    Args:
        comparison: The columns whose picks are ringed.
        layout: A place for every candidate that has a vector.
        palette: Colours of the key's values.
        key: The field that is coloured.
        height: In pixels.
    """
    theme = palette.theme
    sources = _sources(comparison, layout, palette, key)
    figure = go.Figure([*sources, *_rings(comparison, layout, theme)])
    if layout.query is not None:
        figure.add_trace(_question(comparison, layout, theme))
    axis = {"visible": False, "zeroline": False}
    figure.update_layout(
        height=height,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": theme.ink, "size": 13, "family": FONT},
        legend={"orientation": "h", "y": -0.02, "yanchor": "top", "itemsizing": "constant"},
        hoverlabel={"bgcolor": theme.card, "bordercolor": theme.line, "font": {"color": theme.ink}},
        xaxis=axis,
        yaxis={**axis, "scaleanchor": "x"},
        dragmode="pan",
        uirevision=comparison.pool.digest,
    )
    return figure


def _sources(
    comparison: Comparison, layout: Layout, palette: Palette, key: str
) -> Iterator[go.Scatter]:
    column = comparison.pool.column(key)
    placed = np.flatnonzero(layout.placed)
    for value in palette.order:
        members = [int(i) for i in placed if column[i] == value]
        if members:
            yield _points(comparison, layout, palette, members, labels.shortened(value, 34), value)
    rest = [int(i) for i in placed if column[i] not in palette.places]
    if rest:
        name = f"other ({palette.others})" if palette.others else f"no {key}"
        yield _points(comparison, layout, palette, rest, name, None)


def _points(
    comparison: Comparison,
    layout: Layout,
    palette: Palette,
    members: list[int],
    name: str,
    value: str | None,
) -> go.Scatter:
    places = layout.coordinates[members]
    return go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers",
        name=labels.escaped(name),
        marker={
            "color": palette.colour(value),
            "symbol": OTHER_SHAPE if value is None else palette.shape(value),
            "size": 9,
            "opacity": [1.0 if i < comparison.depth else DIMMED for i in members],
            "line": {"width": 0.5, "color": palette.theme.page},
        },
        customdata=[comparison.pool.ids[i] for i in members],
        hovertext=[_card(comparison, i) for i in members],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _card(comparison: Comparison, index: int) -> str:
    pool = comparison.pool
    candidate = pool.candidate(index)
    score = "" if candidate.raw_score is None else f" · score {candidate.raw_score:.4g}"
    source = labels.escaped(labels.shortened(wording.source_of(pool, index), 60))
    lines = [f"<b>{source}</b> · rank {candidate.rank}{score}", labels.hover(candidate.text)]
    facets = supported(pool, index)
    if facets:
        lines.append(labels.escaped(labels.shortened("supports: " + ", ".join(facets), 60)))
    held = [c.title for c in comparison.columns if index in c.selection]
    lines.append(f"<i>in {', '.join(held)}</i>" if held else "<i>in no selection</i>")
    return "<br>".join(lines)


def _rings(comparison: Comparison, layout: Layout, theme: Theme) -> Iterator[go.Scatter]:
    for number, column in enumerate(comparison.columns):
        picks = [i for i in column.selection.ordered if layout.placed[i]]
        places = layout.coordinates[picks]
        yield go.Scatter(
            x=places[:, 0],
            y=places[:, 1],
            mode="markers",
            name=column.title,
            marker={
                "symbol": RINGS[number],
                "size": RING_SIZES[number],
                "line": {"width": 2},
                "color": theme.ink,
            },
            hoverinfo="skip",
        )


def _question(comparison: Comparison, layout: Layout, theme: Theme) -> go.Scatter:
    assert layout.query is not None  # noqa: S101 - the caller asked; for the type checker
    query = labels.hover(comparison.pool.query) or "the question"
    return go.Scatter(
        x=[layout.query[0]],
        y=[layout.query[1]],
        mode="markers",
        name="question",
        marker={"symbol": "star", "size": 16, "color": theme.ink, "line": {"width": 1}},
        hovertext=[f"<b>question</b><br>{query}"],
        hovertemplate="%{hovertext}<extra></extra>",
    )
