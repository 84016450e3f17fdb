"""Facet coverage: which facets the selected support, and the best that any k could do.

Shapes are written in ``n`` (candidates) and ``m`` (facets). A facet that no passage of the pool
supports stays in the denominator: a full answer needs it. NIST's ndeval leaves it out; for its
reading see ``poolscope.measures.ranking.subtopic_recall``.
"""

import math
from dataclasses import dataclass

from poolscope.measures.base import Better, Measure, Need
from poolscope.measures.baseline import depth_seen
from poolscope.measures.maximum_coverage import most_covered
from poolscope.model import SUPPORTS, UNJUDGED, Facet, Selection


@dataclass(frozen=True, slots=True)
class FacetSupport:
    """One facet and the passages behind it.

    Args:
        facet: The facet.
        picks: Indices in the pool of the picks that support it, in the order of selection.
        judged: How many picks carry a judgement for it.
        in_pool: How many candidates of the whole pool support it.
    """

    facet: Facet
    picks: tuple[int, ...]
    judged: int
    in_pool: int

    @property
    def is_covered(self) -> bool:
        """Whether a pick supports it."""
        return bool(self.picks)


def facet_support(selection: Selection) -> tuple[FacetSupport, ...]:
    """Say for every facet of the query which picks support it, and who else could."""
    pool = selection.pool
    supports = pool.marks == SUPPORTS
    judged = pool.marks[selection.indices] != UNJUDGED
    return tuple(
        FacetSupport(
            facet=facet,
            picks=tuple(selection.indices[supports[selection.indices, column]].tolist()),
            judged=int(judged[:, column].sum()),
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
