"""What the annotated facets say of a selection."""

from dataclasses import dataclass

from poolscope.geometry import Bools
from poolscope.measures import facet_support, most_covered
from poolscope.model import SUPPORTS, UNJUDGED, Selection


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the annotated facets say.

    Args:
        covered: Facets that a pick supports.
        total: Facets of the question.
        reachable: The most facets that any k candidates within the depth support.
        reachable_deeper: The same over the whole pool.
        unsupported: Labels of the facets that no passage of the pool supports.
        beyond: Labels and first rank of the facets whose first support lies beyond the depth.
        left_out: Labels and first rank of the facets within the depth that no pick supports.
    """

    covered: int
    total: int
    reachable: int
    reachable_deeper: int
    unsupported: tuple[str, ...]
    beyond: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, int], ...]

    @property
    def is_best(self) -> bool:
        """Whether no k candidates within the depth would cover more."""
        return self.covered >= self.reachable


def coverage_of(selection: Selection, depth: int) -> Coverage | None:
    """Count what is covered and what could be; ``None`` without facets that are judged.

    Args:
        selection: What was selected.
        depth: How many candidates lie within reach, from rank 1.
    """
    pool, k = selection.pool, selection.policy.k
    if not pool.facets or not _is_judged(selection):
        return None
    supports: Bools = pool.marks == SUPPORTS
    first = {i: int(supports[:, i].argmax()) + 1 for i in range(len(pool.facets))}
    rows = tuple(enumerate(facet_support(selection)))
    return Coverage(
        covered=sum(row.is_covered for _, row in rows),
        total=len(rows),
        reachable=most_covered(supports[:depth], k),
        reachable_deeper=most_covered(supports, k),
        unsupported=tuple(row.facet.label for _, row in rows if not row.in_pool),
        beyond=tuple(
            (row.facet.label, first[i]) for i, row in rows if row.in_pool and first[i] > depth
        ),
        left_out=tuple(
            (row.facet.label, first[i])
            for i, row in rows
            if row.in_pool and first[i] <= depth and not row.is_covered
        ),
    )


def _is_judged(selection: Selection) -> bool:
    """Say whether the picks, and half of all cells at least, carry a judgement."""
    judged = selection.pool.marks != UNJUDGED
    return bool(judged[selection.indices].any() and 2 * int(judged.sum()) >= judged.size)
