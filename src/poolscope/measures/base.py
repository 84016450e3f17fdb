"""What a measure is: how it declares itself, and what it needs to be defined."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from poolscope.measures.baseline import mean_of_top_k, top_k
from poolscope.model import SUPPORTS, Selection


class Better(StrEnum):
    """Which way a measure gets better."""

    UP = "higher is better"
    DOWN = "lower is better"
    NEITHER = "neither way is better"


class Need(StrEnum):
    """What a measure cannot do without, in words that complete "needs ...", causes first."""

    FACETS = "facets"
    SUPPORT = "a passage that supports a facet"
    VECTORS = "vectors"
    SCORES = "scores"
    POSITIONS = "positions or offsets"
    SLOT = "a k of at least 1"
    PICK = "a selected passage"
    PAIR = "two selected passages with vectors"
    BASELINE = "a candidate that plain top-k would take"
    POSITIVE_BASELINE = "a mean relevance of plain top-k above 0"


@dataclass(frozen=True, slots=True)
class Measure:
    """One number about a selection.

    Args:
        name: How results, files and addresses name it.
        label: Its name on screen.
        summary: Definition, direction and denominator in plain sentences: the hover text.
        function: Computes it; ``nan`` exactly where a need is unmet.
        better: Which way is better.
        needs: What it cannot do without.
        decimals: Decimals worth showing; 0 for counts.
        low: Smallest possible value; ``None`` for no bound.
        high: Largest possible value; ``None`` for no bound.
    """

    name: str
    label: str
    summary: str
    function: Callable[[Selection], float]
    better: Better
    needs: frozenset[Need] = frozenset()
    decimals: int = 2
    low: float | None = 0.0
    high: float | None = None

    def unmet(self, selection: Selection) -> tuple[Need, ...]:
        """Say which needs a selection does not meet, causes first: why the value is ``nan``."""
        return tuple(need for need in Need if need in self.needs and not _MET[need](selection))


@dataclass(frozen=True, eq=False)
class Measured:
    """Every measure of one selection.

    Args:
        selection: What was measured.
        values: Value by a measure's name; ``nan`` where it is undefined.
    """

    selection: Selection
    values: Mapping[str, float]

    def __post_init__(self) -> None:
        # A dictionary could change under us; a mapping that works its values out cannot.
        own = dict(self.values) if isinstance(self.values, dict) else self.values
        object.__setattr__(self, "values", MappingProxyType(own))

    def __getitem__(self, name: str) -> float:
        return self.values[name]


def _has_facets(selection: Selection) -> bool:
    return bool(selection.pool.facets)


def _has_support(selection: Selection) -> bool:
    return bool((selection.pool.marks == SUPPORTS).any())


def _has_vectors(selection: Selection) -> bool:
    return selection.pool.vectors is not None and bool(selection.pool.vector_mask.any())


def _has_scores(selection: Selection) -> bool:
    return selection.pool.raw_scores is not None


def _has_positions(selection: Selection) -> bool:
    pool = selection.pool
    return any(place is not None for place in (*pool.positions, *pool.spans))


def _has_slot(selection: Selection) -> bool:
    return selection.policy.k >= 1


def _has_pick(selection: Selection) -> bool:
    return len(selection) > 0


def _has_pair(selection: Selection) -> bool:
    pool = selection.pool
    return pool.vectors is not None and int(pool.vector_mask[selection.indices].sum()) > 1


def _has_baseline(selection: Selection) -> bool:
    return len(top_k(selection)) > 0


def _has_positive_baseline(selection: Selection) -> bool:
    return not math.isnan(mean_of_top_k(selection))


_MET: Mapping[Need, Callable[[Selection], bool]] = {
    Need.FACETS: _has_facets,
    Need.SUPPORT: _has_support,
    Need.VECTORS: _has_vectors,
    Need.SCORES: _has_scores,
    Need.POSITIONS: _has_positions,
    Need.SLOT: _has_slot,
    Need.PICK: _has_pick,
    Need.PAIR: _has_pair,
    Need.BASELINE: _has_baseline,
    Need.POSITIVE_BASELINE: _has_positive_baseline,
}
