"""The most facets that k candidates can cover together: exact maximum coverage.

Shapes are written in ``n`` (candidates), ``m`` (facets) and ``u`` (distinct sets of facets). A set
of facets is a bit mask where it is a number, a row of 0 and 1 where it is an array.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from poolscope.geometry import Bools, Floats, Ints

Table: TypeAlias = npt.NDArray[np.int64]
"""Shape ``(2 ** m,)``: a mark for every set of facets, numbered by its bit mask."""

TABLE_FACETS = 20
"""Most facets for which every set of facets is tabulated: 8 MB a table."""

PRICE_STEPS = 20
ROUNDING = 1e-6


def most_covered(supports: Bools, k: int) -> int:
    """Count the facets that the best k candidates support together.

    Candidates with the same facets count once. Where a greedy choice does not already reach an
    upper bound, up to ``TABLE_FACETS`` facets are solved by a table over all sets of facets, in
    a time that depends on their number alone; more by branch and bound, quick on pools as they
    are and exponential at worst.

    Args:
        supports: Shape ``(n, m)``: whether a candidate supports a facet.
        k: How many candidates may be chosen.
    """
    used = supports[:, supports.any(axis=0)]
    m = used.shape[1]
    sets = _distinct(used)
    slots = min(k, len(sets), m)
    if slots == 0:
        return 0
    found = _greedy(sets, slots)
    if found == min(m, sum(facets.bit_count() for facets in sets[:slots])):
        return found
    if m <= TABLE_FACETS:
        return _by_table(sets, slots, m)
    return _by_branches(sets, slots, m, found)


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
    # Whole rows are added at a time: first over the lower facets, then, turned, the upper.
    for _ in range(2):
        rows = np.ascontiguousarray(rows.T)
        for facet in range(len(rows).bit_length() - 1):
            pairs = rows.reshape(-1, 2, 1 << facet, rows.shape[1])
            step(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return rows.reshape(-1)


def _by_branches(sets: Sequence[int], slots: int, m: int, found: int) -> int:
    """Search the choices of sets, leaving those that cannot beat what is found."""
    rows = np.array([[mask >> facet & 1 for facet in range(m)] for mask in sets], dtype=np.float64)
    branches = _Branches(found)
    branches.search(rows, 0, slots, np.full(m, 0.5))
    return branches.found


@dataclass(frozen=True, slots=True, eq=False)
class _Priced:
    """An upper bound on what sets can cover, from a price between 0 and 1 for each facet.

    Covering a facet yields its price each time and one payment of 1 - price, so a choice covers
    at most all those payments and the prices of its sets (the dual of the linear programme).

    Args:
        prices: Shape ``(m,)``.
        facets: How many facets the sets hold together.
        payments: Sum of 1 - price over those facets.
        order: Shape ``(u,)``: the sets, dearest first.
        sums: Shape ``(u + 1,)``: their prices in that order, added up from 0.
    """

    prices: Floats
    facets: int
    payments: float
    order: Ints
    sums: Floats

    def bound(self, place: int, slots: int) -> float:
        """Bound what ``slots`` sets can cover, from a place in the order on."""
        end = min(place + slots, len(self.order))
        return min(self.facets, self.payments + float(self.sums[end] - self.sums[place]))

    def useful(self, slots: int, goal: float) -> int:
        """Count the sets, dearest first, that could be one of ``slots`` sets that reach a goal."""
        others = self.payments + self.sums[min(slots, len(self.order)) - 1]
        return int((others + np.diff(self.sums) >= goal).sum())


def _priced(sets: Floats, prices: Floats) -> _Priced:
    worths = sets @ prices
    order = np.argsort(-worths, kind="stable")
    held = sets.any(axis=0)
    return _Priced(
        prices=prices,
        facets=int(held.sum()),
        payments=float((1.0 - prices)[held].sum()),
        order=order,
        sums=np.concatenate(([0.0], np.cumsum(worths[order]))),
    )


class _Branches:
    """Branch and bound over choices of sets; private to one call of ``most_covered``.

    Args:
        found: A number of facets known to be reachable; ends as the largest.
    """

    def __init__(self, found: int) -> None:
        self.found = found
        self._seen: set[tuple[int, int]] = set()

    def search(self, sets: Floats, covered: int, slots: int, prices: Floats) -> None:
        """Try every way to extend what is covered that could beat what is found.

        Args:
            sets: Shape ``(u, m)``: what each set still to choose from would add.
            covered: The facets covered so far.
            slots: How many sets may still be chosen.
            prices: Shape ``(m,)``: where the search for good prices starts.
        """
        base = covered.bit_count()
        self.found = max(self.found, base)
        # Whoever came by the same facets before also tried every way on from here: the sets it
        # had left aside had had their own turn even earlier.
        if slots == 0 or len(sets) == 0 or (covered, slots) in self._seen:
            return
        self._seen.add((covered, slots))
        priced = self._best_prices(sets, base, slots, prices)
        useful = sets[priced.order[: priced.useful(slots, self.found + 1 - ROUNDING - base)]]
        for place, row in enumerate(useful):
            if not self._promises(base + priced.bound(place, slots)):
                break
            rest = useful[place + 1 :] * (1.0 - row)
            added = _distinct(row[None] > 0.0)[0]
            self.search(rest[rest.any(axis=1)], covered | added, slots - 1, priced.prices)

    def _promises(self, bound: float) -> bool:
        return bound >= self.found + 1 - ROUNDING

    def _best_prices(self, sets: Floats, base: int, slots: int, prices: Floats) -> _Priced:
        """Lower the bound by a few subgradient steps, or until it promises nothing."""
        # Prices of 1 give the plain bound: the sum of the largest sets.
        best = _priced(sets, np.ones_like(prices))
        step = 0.3
        for _ in range(PRICE_STEPS):
            if not self._promises(base + best.bound(0, slots)):
                break
            tried = _priced(sets, prices)
            if tried.bound(0, slots) < best.bound(0, slots):
                best = tried
            # A facet that the dearest sets hold twice is too dear; one they miss, too cheap.
            surplus = sets[tried.order[:slots]].sum(axis=0) - 1.0
            prices = np.clip(prices - step * surplus, 0.0, 1.0)
            step *= 0.9
        return best
