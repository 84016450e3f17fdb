"""The rank strip, the map and the trade-off as SVG: for a page, a slide, a printed report.

They show what the board shows, in the light theme, with text as text. No font is named that a
reader may lack, and nothing in them runs.
"""

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from poolscope.analysis import Comparison, TradeOff
from poolscope.charts.labels import plain, shortened
from poolscope.charts.theme import SHAPES, Palette
from poolscope.projection import Layout
from poolscope.selection.paths import Axis

FONT = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
WIDTH = 1200.0
RINGS = ("circle", "diamond", "square", "triangle-up", "pentagon")
MARKS = ("○", "◇", "□", "△", "⬠")
RING_SIZES = (11.0, 14.0, 17.0, 20.0, 22.0)
POINT = 5.5
LEGEND_CHARACTERS = 40
CHARACTER = 8.3
"""Width that a character of a legend takes, at most about."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a picture.

    Args:
        x: From the left.
        y: From the top.
    """

    x: float
    y: float


def strip(comparison: Comparison, palette: Palette) -> str:
    """Draw the pool in rank order with every column's picks below."""
    pool, theme = comparison.pool, palette.theme
    n, columns = max(len(pool), 1), comparison.columns
    key = columns[0].selection.policy.key
    left, top, bar = 10.0, 40.0, 34.0
    step = (WIDTH - 2 * left) / n
    gap = 1.5 if step > 5 else 0.0
    parts = [_text(Spot(left, 26), f"The pool in rank order, coloured by {key}", theme.quiet)]
    for index, value in enumerate(pool.column(key)):
        faded = ' opacity="0.25"' if index >= comparison.depth else ""
        parts.append(
            f'<rect x="{left + index * step:.2f}" y="{top:g}" width="{max(step - gap, 0.4):.2f}" '
            f'height="{bar:g}" fill="{palette.colour(value)}"{faded}/>'
        )
    baseline = columns[0].selection.members
    for row, column in enumerate(columns):
        for index in column.selection.ordered:
            entered = row > 0 and index not in baseline
            spot = Spot(left + (index + 0.5) * step, top + bar + 14 + 17 * row)
            parts.append(_ring(RINGS[row], spot, 5.0, theme.accent if entered else theme.ink))
    below = top + bar + 17 * len(columns) + 22
    names = " · ".join(f"{MARKS[row]} {column.title}" for row, column in enumerate(columns))
    parts.append(_text(Spot(left, below), f"Picks: {names}", theme.quiet))
    legend, height = _legend(palette, Spot(left, below + 24))
    return _svg(WIDTH, height, theme.page, "Rank strip", [*parts, *legend])


def pool_map(comparison: Comparison, layout: Layout, palette: Palette) -> str:
    """Draw the pool in two dimensions with rings for every column's picks."""
    pool, theme, key = comparison.pool, palette.theme, comparison.columns[0].selection.policy.key
    frame = _Frame.around(layout, Spot(40, 60), Spot(WIDTH - 40, 660))
    parts = [
        _text(Spot(10, 26), f"{layout.method} of the pool, coloured by {key}; near means alike",
              theme.quiet)
    ]  # fmt: skip
    places = [frame.at(*row) for row in layout.coordinates.tolist()]
    for index, value in enumerate(pool.column(key)):
        faded = 0.25 if index >= comparison.depth else 1.0
        if not math.isnan(places[index].x):
            shape, colour = palette.shape(value), palette.colour(value)
            parts.append(_filled(shape, places[index], POINT, colour, faded))
    if layout.query is not None:
        parts.append(_filled("star", frame.at(*map(float, layout.query)), 9, theme.ink, 1.0))
    baseline = comparison.columns[0].selection.members
    for row, column in enumerate(comparison.columns):
        for index in column.selection.ordered:
            entered = row > 0 and index not in baseline
            if not math.isnan(places[index].x):
                colour = theme.accent if entered else theme.ink
                parts.append(_ring(RINGS[row], places[index], RING_SIZES[row], colour))
    names = " · ".join(
        f"{MARKS[row]} {column.title}" for row, column in enumerate(comparison.columns)
    )
    parts.append(_text(Spot(10, 700), f"Picks: {names}. The star is the question.", theme.quiet))
    legend, height = _legend(palette, Spot(10, 724))
    return _svg(WIDTH, height, theme.page, "Map of the pool", [*parts, *legend])


@dataclass(frozen=True, slots=True)
class _Frame:
    """From a layout's coordinates to a picture's, the same scale on both axes."""

    low: Spot
    scale: float
    corner: Spot

    @classmethod
    def around(cls, layout: Layout, corner: Spot, end: Spot) -> "_Frame":
        """Fit a layout, and its question, between two corners."""
        rows = [row for row in layout.coordinates.tolist() if not math.isnan(row[0])]
        rows += [] if layout.query is None else [[float(value) for value in layout.query]]
        if not rows:
            return cls(Spot(0, 0), 1.0, corner)
        xs, ys = [row[0] for row in rows], [row[1] for row in rows]
        wide, high = (max(xs) - min(xs)) or 1.0, (max(ys) - min(ys)) or 1.0
        scale = min((end.x - corner.x) / wide, (end.y - corner.y) / high)
        shift = Spot(
            corner.x + (end.x - corner.x - wide * scale) / 2,
            corner.y + (end.y - corner.y - high * scale) / 2,
        )
        return cls(Spot(min(xs), max(ys)), scale, shift)

    def at(self, x: float, y: float) -> Spot:
        """Return a place in the picture."""
        return Spot(
            self.corner.x + (x - self.low.x) * self.scale,
            self.corner.y + (self.low.y - y) * self.scale,
        )


def curve(found: TradeOff, palette: Palette, facets: int) -> str:
    """Draw what a parameter buys and costs, as step functions."""
    theme = palette.theme
    low, high = found.steps[0].low, found.steps[-1].high
    left, top, wide, deep = 70.0, 50.0, WIDTH - 110.0, 420.0

    def x(value: float) -> float:
        return left + (value - low) / ((high - low) or 1.0) * wide

    def y(value: float) -> float:
        return top + deep * (1.0 - min(max(value, 0.0), 1.05))

    main = [step.coverage if facets else step.pairwise for step in found.steps]
    kept = [step.kept for step in found.steps]
    word = found.axis.value.rstrip("_")
    exact = "every change is exact" if found.exact else "approximate: values were sampled"
    parts = [_text(Spot(10, 26), f"What {word} buys and costs; {exact}", theme.quiet)]
    for level in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<line x1="{left:g}" x2="{left + wide:g}" y1="{y(level):.1f}" y2="{y(level):.1f}" '
            f'stroke="{theme.line}"/>'
        )
        parts.append(_text(Spot(left - 12, y(level) + 5), f"{level:.2f}", theme.quiet, "end"))
    # A whole number stands in the middle of its step.
    half = 0.0 if found.axis is Axis.LAMBDA else 0.5
    spans = [(x(max(step.low - half, low)), x(min(step.high + half, high))) for step in found.steps]
    parts.append(
        _steps(spans, [y(value) for value in kept], theme.quiet, ' stroke-dasharray="7 5"')
    )
    parts.append(_steps(spans, [y(value) for value in main], theme.accent, ""))
    now = x(min(max(found.current, low), high))
    parts.append(
        f'<line x1="{now:.1f}" x2="{now:.1f}" y1="{top - 10:g}" y2="{top + deep:g}" '
        f'stroke="{theme.ink}" stroke-width="2"/>'
    )
    parts.append(_text(Spot(left, top + deep + 24), f"{low:g}", theme.quiet))
    parts.append(_text(Spot(left + wide, top + deep + 24), f"{high:g}", theme.quiet, "end"))
    name = "facet coverage" if facets else "mean pairwise cosine"
    said = f"solid: {name}; dashed: {found.cost}; upright: the setting"
    parts.append(_text(Spot(left, top + deep + 54), said, theme.quiet))
    return _svg(WIDTH, top + deep + 74, theme.page, f"Trade-off over {word}", parts)


def _steps(
    spans: Sequence[tuple[float, float]], heights: Sequence[float], colour: str, dash: str
) -> str:
    path, is_open = [], False
    for (low, high), height in zip(spans, heights, strict=True):
        if math.isnan(height):
            is_open = False
            continue
        path.append(f"{'L' if is_open else 'M'}{low:.1f} {height:.1f}L{high:.1f} {height:.1f}")
        is_open = True
    return (
        f'<path d="{"".join(path) or "M0 0"}" fill="none" stroke="{colour}" '
        f'stroke-width="3"{dash}/>'
    )


def _legend(palette: Palette, corner: Spot) -> tuple[list[str], float]:
    """Draw the colours by name, as many on a line as fit, and return where they end."""
    entries = [
        (shortened(value, LEGEND_CHARACTERS), palette.colour(value), SHAPES[place])
        for place, value in enumerate(palette.order)
    ]
    if palette.others:
        entries.append((f"other ({palette.others})", palette.theme.other, "x"))
    parts, x, y = [], corner.x, corner.y
    for label, colour, shape in entries:
        wide = 30 + CHARACTER * len(label)
        if x > corner.x and x + wide > WIDTH - 10:
            x, y = corner.x, y + 22
        parts.append(_filled(shape, Spot(x + 7, y - 5), 5.5, colour, 1.0))
        parts.append(_text(Spot(x + 19, y), label, palette.theme.ink))
        x += wide
    return parts, y + 18


def _text(spot: Spot, words: str, colour: str, anchor: str = "start") -> str:
    shown = html.escape(plain(words), quote=True)
    return (
        f'<text x="{spot.x:.1f}" y="{spot.y:.1f}" fill="{colour}" text-anchor="{anchor}">'
        f"{shown}</text>"
    )


def _filled(shape: str, spot: Spot, size: float, colour: str, opacity: float) -> str:
    faded = "" if opacity == 1.0 else f' opacity="{opacity:g}"'
    return f'<path d="{_outline(shape, spot, size)}" fill="{colour}"{faded}/>'


def _ring(shape: str, spot: Spot, size: float, colour: str) -> str:
    return (
        f'<path d="{_outline(shape, spot, size)}" fill="none" stroke="{colour}" stroke-width="2"/>'
    )


def _outline(shape: str, spot: Spot, size: float) -> str:
    """Return a shape's path around a place."""
    if shape == "circle":
        return (
            f"M{spot.x - size:.2f} {spot.y:.2f}a{size:g} {size:g} 0 1 0 {2 * size:g} 0"
            f"a{size:g} {size:g} 0 1 0 {-2 * size:g} 0Z"
        )
    corners = CORNERS.get(shape, CORNERS["x"])
    return (
        "M" + "L".join(f"{spot.x + dx * size:.2f} {spot.y + dy * size:.2f}" for dx, dy in corners)
        + "Z"
    )  # fmt: skip


def _star(points: int, inner: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (length * math.cos(angle), length * math.sin(angle))
        for corner in range(2 * points)
        for length in (1.25 if corner % 2 == 0 else inner,)
        for angle in (-math.pi / 2 + corner * math.pi / points,)
    )


CORNERS = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "triangle-up": ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    "triangle-down": ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
    "pentagon": _star(5, 1.0),
    "hexagram": _star(6, 0.75),
    "star-square": _star(4, 0.6),
    "star": _star(5, 0.5),
    "cross": (
        (-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1),
        (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4),
    ),
    "hourglass": ((-1, -1.1), (1, -1.1), (-1, 1.1), (1, 1.1)),
    "x": (
        (-1, -0.6), (-0.6, -1), (0, -0.4), (0.6, -1), (1, -0.6), (0.4, 0), (1, 0.6), (0.6, 1),
        (0, 0.4), (-0.6, 1), (-1, 0.6), (-0.4, 0),
    ),
}  # fmt: skip


def _svg(width: float, height: float, page: str, title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{html.escape(FONT)}" font-size="14">'
        f"<title>{html.escape(title)}</title>"
        f'<rect width="100%" height="100%" fill="{page}"/>{"".join(parts)}</svg>'
    )
