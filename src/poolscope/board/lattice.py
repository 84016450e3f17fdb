"""The board without a server: every selection over a lattice of settings, worked out ahead.

Where no Python answers a release, the paths over lambda have to be there for every setting that the
other sliders can reach. They reach the *stops* of this lattice and nothing between them: at each
stop of depth, cap and k the path over lambda is the exact one. What a column does not read is not
multiplied; equal paths and equal selections are there once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from poolscope.analysis import Column, Comparison
from poolscope.board.payload import MOST_CAP, MOST_K, NAMES, Book, Find, in_order
from poolscope.board.scene import Json
from poolscope.model import Policy, Pool
from poolscope.selection import offers
from poolscope.selection.offers import path
from poolscope.selection.paths import Axis, Path, several

Stops = Mapping[Axis, tuple[int, ...]]
Number = Callable[[Iterable[int]], int]

STOPPED = (Axis.DEPTH, Axis.CAP, Axis.K)
"""The axes that move from stop to stop; lambda moves freely."""

MOST_STRETCHES = 24_000
"""Stretches of lambda that a lattice may hold before its stops are thinned."""

PATH_COST = 15
"""What an exact path costs beside its stretches: short ones take their time too."""

ASKED_COST = 500
"""What a path that is asked value by value costs, in stretches: it is slow, not long."""

STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0)
DECADES = (10, 100, 1_000, 10_000, 100_000)
ROUND = tuple(round(step * decade) for decade in DECADES for step in STEPS)
LEAST_DEPTH = 5
EVERY_DEPTH = 24
EVERY_K = 10
EVERY_CAP = 6


@dataclass(frozen=True, eq=False, slots=True)
class Lattice:
    """What a board without a server looks up.

    Args:
        stops: The values that each stopped axis can take, in rising order.
        parts: The lattice as JSON, by name.
        seen: Every candidate that some selection holds.
        settled: The selection of each column at the setting that the lattice was made at.
    """

    stops: Stops
    parts: Mapping[str, Json]
    seen: frozenset[int]
    settled: tuple[int, ...]


def lattice(comparison: Comparison, find: Find = path, most: int = MOST_STRETCHES) -> Lattice:
    """Work out every selection that a board without a server can show.

    Args:
        comparison: The columns, at the setting that is always among the stops.
        find: Computes a path.
        most: Stretches of lambda, in all, above which the stops are thinned.
    """
    stops = affordable(comparison, find, most)
    book = Book(comparison.pool, comparison.baseline.selection.relevances)
    shelf = _Shelf()
    columns: list[Json] = [
        _column(column, stops, find, book, shelf) for column in comparison.columns
    ]
    settled = tuple(book.number(column.selection.ordered) for column in comparison.columns)
    counted = book.selections()
    seen = frozenset(book.seen())
    picks = counted.pop("picks")
    parts: dict[str, Json] = {
        "stops": {NAMES[axis]: list(values) for axis, values in stops.items()},
        "columns": columns,
        **shelf.parts(),
        "picks": spelled(picks if isinstance(picks, list) else []),
        **counted,
    }
    return Lattice(stops, parts, seen, settled)


class _Shelf:
    """Numbers the distinct paths, and the distinct values of lambda at which they change."""

    def __init__(self) -> None:
        self._paths: dict[tuple[tuple[float, ...], tuple[int, ...]], int] = {}

    def number(self, highs: Sequence[float], selections: Sequence[int]) -> int:
        """Return the number of a path; neighbours with the same selection are one stretch."""
        last = len(selections) - 1
        kept = [i for i, one in enumerate(selections) if i == last or selections[i + 1] != one]
        found = (tuple(highs[i] for i in kept), tuple(selections[i] for i in kept))
        return self._paths.setdefault(found, len(self._paths))

    def parts(self) -> dict[str, Json]:
        """Return the paths, each stretch as the place of its end among all ends."""
        ends = sorted({high for highs, _ in self._paths for high in highs})
        places = {high: place for place, high in enumerate(ends)}
        paths: list[Json] = [
            [[places[high] for high in highs], list(numbers)] for highs, numbers in self._paths
        ]
        return {"ends": list(ends), "paths": paths}


def _column(column: Column, stops: Stops, find: Find, book: Book, shelf: _Shelf) -> dict[str, Json]:
    """Return a column's paths over lambda, one for each combination of the stops it reads."""
    chosen, read = column.selection, column.offer.reads
    axes = [axis for axis in STOPPED if axis in read]
    policies = [
        at(chosen.pool, column.policy, dict(zip(axes, values, strict=True)))
        for values in product(*(stops[axis] for axis in axes))
    ]
    cells: list[Json] = []
    if Axis.LAMBDA not in read:
        for policy in policies:
            number = book.number(offers.select(chosen.pool, policy).ordered)
            cells.append(shelf.number([1.0], [number]))
        return {"axes": [NAMES[axis] for axis in axes], "cells": cells, "exact": True}
    exact = True
    for found in _paths(column, policies, find):
        exact = exact and found.exact
        highs = [part.high for part in found.intervals]
        picks = [in_order(chosen, part.indices) for part in found.intervals]
        cells.append(shelf.number(highs, [book.number(each) for each in picks]))
    return {"axes": [NAMES[axis] for axis in axes], "cells": cells, "exact": exact}


def _paths(column: Column, policies: Sequence[Policy], find: Find) -> Iterable[Path]:
    """Return the paths over lambda of several stops, walked together where that can be."""
    pool = column.selection.pool
    if column.offer.is_preset:
        return (find(pool, policy, Axis.LAMBDA) for policy in policies)
    return several(pool, policies, Axis.LAMBDA)


def at(pool: Pool, policy: Policy, values: Mapping[Axis, int]) -> Policy:
    """Return a policy at a stop; the depth of the whole pool is no limit."""
    changes: dict[str, object] = {axis.value: value for axis, value in values.items()}
    if values.get(Axis.DEPTH, 0) >= len(pool):
        changes["depth"] = None
    return policy.changed(**changes)


def affordable(comparison: Comparison, find: Find, most: int) -> Stops:
    """Return the stops, thinned until the lattice holds no more stretches than it may."""
    stops = plenty(comparison)
    mine = home(comparison)
    costs = [_costs(column, stops[Axis.K], find) for column in comparison.columns]
    reads = [column.offer.reads for column in comparison.columns]

    def cost() -> int:
        total = 0
        for cost, read in zip(costs, reads, strict=True):
            others = [len(stops[axis]) for axis in (Axis.DEPTH, Axis.CAP) if axis in read]
            total += int(np.prod(others)) * sum(cost[k] for k in stops[Axis.K])
        return total

    while cost() > most:
        axis = max(STOPPED, key=lambda item: _weight(item, stops, reads))
        if len(stops[axis]) <= LEAST[axis]:
            axis = max(STOPPED, key=lambda item: len(stops[item]))
        fewer = thinned(stops[axis], mine[axis])
        if fewer == stops[axis]:
            break
        stops = {**stops, axis: fewer}
    return stops


LEAST = {Axis.DEPTH: 4, Axis.CAP: 3, Axis.K: 5}
"""Stops that an axis keeps while another has more than its own least."""


def _weight(axis: Axis, stops: Stops, reads: Iterable[tuple[Axis, ...]]) -> float:
    """Say how much an axis has to give: its stops over its least, where a path reads it."""
    costly = any(axis in read and Axis.LAMBDA in read for read in reads)
    return len(stops[axis]) / LEAST[axis] if costly else 0.0


def _costs(column: Column, ks: Sequence[int], find: Find) -> dict[int, int]:
    """Return for each k what a column's path over lambda costs, in stretches."""
    pool, policy = column.selection.pool, column.policy
    if Axis.LAMBDA not in column.offer.reads:
        return dict.fromkeys(ks, 1)
    if not find(pool, policy, Axis.LAMBDA).exact:
        return dict.fromkeys(ks, ASKED_COST)
    return {k: PATH_COST + len(find(pool, policy.changed(k=k), Axis.LAMBDA).intervals) for k in ks}


def home(comparison: Comparison) -> Mapping[Axis, int]:
    """Return the values of the setting that the lattice is made at."""
    policy = comparison.baseline.selection.policy
    return {Axis.DEPTH: comparison.depth, Axis.CAP: policy.cap, Axis.K: policy.k}


def plenty(comparison: Comparison) -> Stops:
    """Return more stops than most lattices can afford: every small value, then round ones."""
    mine, n = home(comparison), max(len(comparison.pool), 1)
    most_k = min(n, MOST_K, max(EVERY_K, 2 * mine[Axis.K]))
    most_cap = min(n, MOST_CAP)
    depths = range(1, n) if n <= EVERY_DEPTH else (*range(LEAST_DEPTH, 10), *ROUND)
    ladders = {
        Axis.DEPTH: depths,
        Axis.CAP: (*range(1, EVERY_CAP + 1), 8, 10),
        Axis.K: (*range(1, EVERY_K + 1), *ROUND),
    }
    tops = {Axis.DEPTH: n, Axis.CAP: max(most_cap, 1), Axis.K: most_k}
    return {
        axis: tuple(
            sorted({mine[axis], tops[axis], *(value for value in ladder if value <= tops[axis])})
        )
        for axis, ladder in ladders.items()
    }


def thinned(values: tuple[int, ...], kept: int) -> tuple[int, ...]:
    """Leave out about every other value; both ends and one more are kept."""
    left = {values[0], kept, values[-1], *values[2:-1:2]}
    if len(left) == len(values):
        left = {kept, values[-1]}
    return tuple(sorted(left))


def spelled(picks: Sequence[Json]) -> dict[str, Json]:
    """Write selections so that what they begin with alike is there once.

    Args:
        picks: The candidates of each selection, in order.

    Returns:
        ``parents`` and ``last``: a selection that is one candidate longer than another, -1 for
        none; ``places``: where each selection of ``picks`` stands among them, -1 for the empty.
    """
    numbers: dict[tuple[int, int], int] = {}
    places: list[Json] = []
    for each in picks:
        place = -1
        for index in each if isinstance(each, list) else []:
            place = numbers.setdefault((place, int(str(index))), len(numbers))
        places.append(place)
    return {
        "parents": [parent for parent, _ in numbers],
        "last": [last for _, last in numbers],
        "places": places,
    }
