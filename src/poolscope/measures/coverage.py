"""Facet coverage: which facets the selected support, and the best that any k could do.

Shapes are written in ``n`` (candidates) and ``m`` (facets). A facet that no passage of the pool
supports stays in the denominator: a full answer needs it. NIST's ndeval leaves it out; for its
reading see ``poolscope.measures.ranking.subtopic_recall``.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from poolscope.geometry import Bools
from poolscope.measures.base import Better, Measure, Need
from poolscope.measures.baseline import depth_seen
from poolscope.model import SUPPORTS, UNJUDGED, Facet, Selection

Table: TypeAlias = npt.NDArray[np.int64]
"""Shape ``(2 ** m,)``: a mark for every set of facets, numbered by its bit mask."""

TABLE_FACETS = 20
"""Most facets for which the ceiling tabulates every set of facets: 8 MB a table."""


@dataclass(frozen=True, slots=True)
class FacetSupport:
    """One facet and the passages behind it.

    Args:
        facet: The facet.
        picks: Indices in the pool of the picks that support it, in the order of selection.
        judged: How many picks carry a judgement for it.
        within_depth: How many candidates within the policy's depth support it.
        in_pool: How many candidates of the whole pool support it.
    """

    facet: Facet
    picks: tuple[int, ...]
    judged: int
    within_depth: int
    in_pool: int

    @property
    def is_covered(self) -> bool:
        """Whether a pick supports it."""
        return bool(self.picks)


def facet_support(selection: Selection) -> tuple[FacetSupport, ...]:
    """Say for every facet of the query which picks support it, and who else could."""
    pool, depth = selection.pool, depth_seen(selection)
    supports = pool.marks == SUPPORTS
    judged = pool.marks[selection.indices] != UNJUDGED
    return tuple(
        FacetSupport(
            facet=facet,
            picks=tuple(selection.indices[supports[selection.indices, column]].tolist()),
            judged=int(judged[:, column].sum()),
            within_depth=int(supports[:depth, column].sum()),
            in_pool=int(supports[:, column].sum()),
        )
        for column, facet in enumerate(pool.facets)
    )


def facet_coverage(selection: Selection) -> float:
    """Divide the facets with a supporting pick by the facets of the query."""
    pool = selection.pool
    if not pool.facets:
        return math.nan
    covered = (pool.marks[selection.indices] == SUPPORTS).any(axis=0)
    return int(covered.sum()) / len(pool.facets)


def ceiling(selection: Selection) -> float:
    """Divide the most facets that any k candidates within the depth support by all facets."""
    pool = selection.pool
    if not pool.facets:
        return math.nan
    supports = pool.marks[: depth_seen(selection)] == SUPPORTS
    return most_covered(supports, selection.policy.k) / len(pool.facets)


def judged_share(selection: Selection) -> float:
    """Divide the picks with a judgement for every facet by the picks."""
    pool = selection.pool
    if not pool.facets or len(selection) == 0:
        return math.nan
    judged = (pool.marks[selection.indices] != UNJUDGED).all(axis=1)
    return int(judged.sum()) / len(selection)


def most_covered(supports: Bools, k: int) -> int:
    """Count the facets that the best k candidates support together: exact maximum coverage.

    Candidates with the same facets count once. Where a greedy choice does not already reach an
    upper bound, up to ``TABLE_FACETS`` facets are solved by a table over all sets of facets,
    more by branch and bound. The table takes under a second whatever the pool; branch and bound
    is quick on real pools, and exponential in k at worst.

    Args:
        supports: Shape ``(n, m)``: whether a candidate supports a facet.
        k: How many candidates may be chosen.
    """
    used = supports[:, supports.any(axis=0)]
    sets = _distinct(used)
    slots = min(k, len(sets), used.shape[1])
    if slots == 0:
        return 0
    at_most = min(used.shape[1], sum(facets.bit_count() for facets in sets[:slots]))
    found = _greedy(sets, slots)
    if found == at_most:
        return found
    if used.shape[1] <= TABLE_FACETS:
        return _by_table(sets, slots, used.shape[1])
    branches = _Branches(found)
    branches.search(0, _maximal(sets), slots)
    return branches.found


def _distinct(supports: Bools) -> list[int]:
    """Return the distinct sets of facets as bit masks, without the empty one, largest first."""
    packed = np.packbits(supports, axis=1, bitorder="little")
    masks = {int.from_bytes(row.tobytes(), "little") for row in packed} - {0}
    return sorted(masks, key=lambda mask: (-mask.bit_count(), mask))


def _greedy(sets: Sequence[int], slots: int) -> int:
    """Count what is covered by always taking the set that adds most."""
    covered = 0
    for _ in range(slots):
        covered |= max(sets, key=lambda facets: (facets & ~covered).bit_count())
    return covered.bit_count()


def _by_table(sets: Sequence[int], slots: int, m: int) -> int:
    """Find the largest union of at most ``slots`` sets among all ``2 ** m`` sets of facets."""
    single = np.zeros(1 << m, dtype=np.int64)
    single[np.array([0, *sets])] = 1
    reached = single
    # By repeated squaring: each binary digit of the slots doubles them, a 1 adds one more.
    for digit in f"{slots:b}"[1:]:
        reached = _unions(reached, reached)
        if digit == "1":
            reached = _unions(reached, single)
    return int(np.bitwise_count(np.flatnonzero(reached)).max())


def _unions(first: Table, second: Table) -> Table:
    """Mark every union of a set marked in one table and a set marked in the other.

    Pairs of sets that lie inside a given set are counted by sums over subsets; undoing the sums
    leaves the pairs whose union is that set and no smaller one (Björklund, Husfeldt, Kaski and
    Koivisto, "Fourier meets Möbius: fast subset convolution", STOC 2007).
    """
    sums = _over_subsets(first, np.add)
    product = sums * (sums if first is second else _over_subsets(second, np.add))
    return (_over_subsets(product, np.subtract) > 0).astype(np.int64)


def _over_subsets(table: Table, step: np.ufunc) -> Table:
    """Add up a table over the subsets of each set, or with ``subtract`` undo that."""
    m = len(table).bit_length() - 1
    rows = table.reshape(1 << (m // 2), -1)
    # Whole rows are added at a time: first over the upper facets, then, turned, the lower.
    for _ in range(2):
        rows = np.ascontiguousarray(rows.T)
        width = len(rows).bit_length() - 1
        for facet in range(width):
            pairs = rows.reshape(-1, 2, 1 << facet, rows.shape[1])
            step(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return rows.reshape(-1)


class _Branches:
    """Branch and bound over choices of sets; private to one call of ``most_covered``.

    Args:
        found: A number of facets known to be reachable; ends as the largest.
    """

    def __init__(self, found: int) -> None:
        self.found = found
        self._seen: set[tuple[int, int]] = set()

    def search(self, covered: int, sets: Sequence[int], slots: int) -> None:
        """Try every way to extend what is covered that could beat what was found.

        Args:
            covered: The facets covered so far.
            sets: Sets still to choose from, disjoint from ``covered``, largest first.
            slots: How many may still be chosen.
        """
        base = covered.bit_count()
        self.found = max(self.found, base)
        # What led here before, by other sets, also went on from here to every better end: the
        # sets that it might not use then had all their own ends tried earlier.
        if slots == 0 or (covered, slots) in self._seen:
            return
        sizes = [facets.bit_count() for facets in sets]
        for place, facets in enumerate(sets):
            if base + sum(sizes[place : place + slots]) <= self.found:
                break
            rest = _maximal({other & ~facets for other in sets[place + 1 :]} - {0})
            self.search(covered | facets, rest, slots - 1)
        self._seen.add((covered, slots))


def _maximal(sets: Iterable[int]) -> list[int]:
    """Drop every set that another contains; largest first."""
    kept: list[int] = []
    for facets in sorted(sets, key=lambda mask: (-mask.bit_count(), mask)):
        if not any(facets & ~other == 0 for other in kept):
            kept.append(facets)
    return kept


FACET_COVERAGE = Measure(
    name="facet_coverage",
    label="Facet coverage",
    summary=(
        "Facets of the question with at least one supporting passage selected, divided by all its "
        "facets, those that no passage of the pool supports included. Higher is better."
    ),
    function=facet_coverage,
    better=Better.UP,
    needs=frozenset({Need.FACETS}),
    high=1.0,
)

CEILING = Measure(
    name="ceiling",
    label="Ceiling",
    summary=(
        "The best facet coverage that any k candidates within the pool depth can reach, exactly, "
        "with the same denominator. Higher is better."
    ),
    function=ceiling,
    better=Better.UP,
    needs=frozenset({Need.FACETS}),
    high=1.0,
)

JUDGED_SHARE = Measure(
    name="judged_share",
    label="Judged share",
    summary=(
        "Selected passages that carry a judgement for every facet, divided by the selected "
        "passages. Higher is better: coverage counts what is not judged as not supporting."
    ),
    function=judged_share,
    better=Better.UP,
    needs=frozenset({Need.FACETS, Need.PICK}),
    high=1.0,
)
