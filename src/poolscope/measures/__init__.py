"""What a selection is worth, in numbers: the list of measures, and ``measure``, which takes all.

Relevance and diversity stand side by side. A value is ``nan`` where it is undefined;
``Measure.unmet`` says why.
"""

from collections.abc import Iterator, Mapping

from poolscope.measures.base import Better, Measure, Measured, Need
from poolscope.measures.baseline import top_k
from poolscope.measures.coverage import (
    CEILING,
    FACET_COVERAGE,
    JUDGED_SHARE,
    FacetSupport,
    facet_support,
)
from poolscope.measures.maximum_coverage import most_covered
from poolscope.measures.ranking import ALPHA_NDCG, ERR_IA, NERR_IA
from poolscope.measures.redundancy import (
    MAX_PAIRWISE_COSINE,
    MEAN_PAIRWISE_COSINE,
    NEAR_COPY_PAIRS,
    Pair,
    closest_pair,
)
from poolscope.measures.relevance import (
    JACCARD_WITH_TOP_K,
    MEAN_RAW_SCORE,
    MEAN_RELEVANCE,
    OVERLAP_WITH_TOP_K,
    RELEVANCE_KEPT,
    SHARED_WITH_TOP_K,
)
from poolscope.measures.sources import (
    ADJACENT_PAIRS,
    DISTINCT_SOURCES,
    EFFECTIVE_SOURCES,
    LARGEST_SHARE,
    TOKENS,
    Neighbours,
    SourceRow,
    neighbours,
    source_rows,
)
from poolscope.model import Selection

MEASURES: tuple[Measure, ...] = (
    FACET_COVERAGE,
    CEILING,
    JUDGED_SHARE,
    MEAN_RELEVANCE,
    MEAN_RAW_SCORE,
    RELEVANCE_KEPT,
    MEAN_PAIRWISE_COSINE,
    MAX_PAIRWISE_COSINE,
    NEAR_COPY_PAIRS,
    DISTINCT_SOURCES,
    EFFECTIVE_SOURCES,
    LARGEST_SHARE,
    ADJACENT_PAIRS,
    TOKENS,
    SHARED_WITH_TOP_K,
    JACCARD_WITH_TOP_K,
    OVERLAP_WITH_TOP_K,
    ALPHA_NDCG,
    ERR_IA,
    NERR_IA,
)
"""Every measure, in display order."""

__all__ = [
    "MEASURES",
    "Better",
    "FacetSupport",
    "Measure",
    "Measured",
    "Need",
    "Neighbours",
    "Pair",
    "SourceRow",
    "closest_pair",
    "facet_support",
    "measure",
    "most_covered",
    "neighbours",
    "source_rows",
    "top_k",
]


def measure(selection: Selection) -> Measured:
    """Take every measure of a selection, each when it is first asked for."""
    return Measured(selection, _Values(selection))


_BY_NAME = {item.name: item for item in MEASURES}


class _Values(Mapping[str, float]):
    """The measures of one selection by name, worked out as they are read."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._known: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        if name not in self._known:
            self._known[name] = _BY_NAME[name].function(self._selection)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_BY_NAME)

    def __len__(self) -> int:
        return len(_BY_NAME)
