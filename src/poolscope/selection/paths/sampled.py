"""Paths found by asking for the picks at one value after another."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from poolscope.counts import counted
from poolscope.selection.paths.values import Axis, Interval, Path

Picks = tuple[int, ...]
FINEST = 1e-6
"""Neighbouring values of lambda that are nearer than this are not told apart."""


def every_value(axis: Axis, values: Sequence[int], ask: Callable[[int], Picks]) -> Path:
    """Return the path over whole numbers, asking for each of them.

    Args:
        axis: The parameter.
        values: Consecutive, rising, at least one.
        ask: Gives the picks at a value.
    """
    return Path(axis, merged(Interval(value, value, ask(value)) for value in values))


def some_values(
    axis: Axis, grid: Sequence[float], ask: Callable[[float], Picks], most: int
) -> Path:
    """Return an approximate path: a grid, refined where neighbours differ, widest gap first.

    Args:
        axis: The parameter.
        grid: Rising, at least two values; the first and the last are the range.
        ask: Gives the picks at a value.
        most: How many values may be asked, the grid included.
    """
    picks = {value: ask(value) for value in grid}
    while len(picks) < most:
        middle = _middle_of_widest_change(axis, picks)
        if middle is None:
            break
        picks[middle] = ask(middle)
    points = sorted(picks)
    sides = [_between(axis, low, high) for low, high in pairwise(points)]
    lows = [points[0], *(after for _, after in sides)]
    highs = [*(before for before, _ in sides), points[-1]]
    intervals = (
        Interval(low, high, picks[point])
        for low, high, point in zip(lows, highs, points, strict=True)
    )
    note = (
        f"Approximate, from {counted(len(picks), 'value')}: each change is placed halfway between "
        "two of them, and a selection that holds only between two that agree is missed."
    )
    return Path(axis, merged(intervals), exact=False, note=note)


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Join neighbouring intervals that have the same picks in the same order."""
    joined: list[Interval] = []
    for interval in intervals:
        if joined and joined[-1].indices == interval.indices:
            joined[-1] = Interval(joined[-1].low, interval.high, interval.indices)
        else:
            joined.append(interval)
    return tuple(joined)


def _middle_of_widest_change(axis: Axis, picks: dict[float, Picks]) -> float | None:
    gaps = [(high - low, low) for low, high in pairwise(sorted(picks)) if picks[low] != picks[high]]
    width, low = max(gaps, default=(0.0, 0.0))
    if width <= (FINEST if axis is Axis.LAMBDA else 1.0):
        return None
    return low + width / 2.0 if axis is Axis.LAMBDA else low + width // 2


def _between(axis: Axis, low: float, high: float) -> tuple[float, float]:
    """Return the last value that counts to the left one and the first that counts to the right."""
    if axis is Axis.LAMBDA:
        middle = (low + high) / 2.0
        return middle, math.nextafter(middle, high)
    middle = (low + high) // 2
    return middle, middle + 1
