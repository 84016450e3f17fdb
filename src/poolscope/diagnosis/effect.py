"""What another selection from the same pool would change, measured."""

import math
from dataclasses import dataclass

from poolscope.measures.batch import headline, table
from poolscope.model import Selection


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does.

    Args:
        coverage: Facet coverage before and after; ``None`` without facets.
        relevance: Mean relevance before and after, both by the relevance that was used before.
        sources: Distinct sources before and after.
        tokens: Tokens before and after.
    """

    coverage: tuple[float, float] | None
    relevance: tuple[float, float]
    sources: tuple[int, int]
    tokens: tuple[int, int]


def effect(before: Selection, after: Selection) -> Effect:
    """Measure what changes between two selections of one pool."""
    picks = [chosen.indices.tolist() for chosen in (before, after)]
    values = headline(before.pool, before.relevances, table(picks))
    coverage = values["facet_coverage"].tolist()
    relevance = values["mean_relevance"].tolist()
    sources = values["distinct_sources"].tolist()
    tokens = values["tokens"].tolist()
    return Effect(
        coverage=None if math.isnan(coverage[0]) else (coverage[0], coverage[1]),
        relevance=(relevance[0], relevance[1]),
        sources=(int(sources[0]), int(sources[1])),
        tokens=(int(tokens[0]), int(tokens[1])),
    )
