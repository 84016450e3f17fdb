"""Figures and counts as a sentence says them."""

import numpy as np

from poolscope.counts import counted
from poolscope.diagnosis.facts import Facts
from poolscope.measures.redundancy import CROWDING_ALARM


def slots(count: int) -> str:
    """Count slots."""
    return counted(count, "slot")


def passages(count: int) -> str:
    """Count passages."""
    return counted(count, "passage")


def pairs(count: int) -> str:
    """Count pairs."""
    return counted(count, "pair")


def sources(count: int) -> str:
    """Count sources."""
    return counted(count, "source")


def labelled(facets: tuple[tuple[str, int], ...]) -> str:
    """Name the first of some facets with the rank of their first support."""
    label, rank = facets[0]
    more = f" and {len(facets) - 1} more" if len(facets) > 1 else ""
    return f"“{label}” at rank {rank}{more}"


def score(value: float) -> str:
    """Write a difference of scores with two figures that count."""
    return f"{value:.2g}" if abs(value) < 100 else f"{value:.0f}"


def facets_missed(facts: Facts) -> tuple[str, ...]:
    """Say what is covered, what could be, and which facets are left out."""
    coverage = facts.coverage
    if coverage is None:
        return ()
    k = facts.policy.k
    said = (
        f"It covers {coverage.covered} of {counted(coverage.total, 'facet')}; the best "
        f"{k} within reach "
        f"would cover {coverage.reachable}."
    )
    if not coverage.left_out:
        return (said,)
    return (said, f"Left out though within reach: {labelled(coverage.left_out)}.")


def similarity(facts: Facts) -> tuple[str, ...]:
    """Name the embedder's default alarm beside the mean similarity; it decides nothing."""
    if not facts.likeness.has_vectors:
        return ()
    p = len(facts.picks)
    mean = float(np.nanmean(facts.likeness.cosines[np.triu_indices(p, 1)]))
    side = "above" if mean > CROWDING_ALARM else "under"
    return (
        f"The picks' mean pairwise similarity is {mean:.2f}, {side} the default alarm of "
        f"{CROWDING_ALARM:.2f}; that default belongs to an embedder and decides nothing here.",
    )


def lower(words: str) -> str:
    """Write a step within a sentence."""
    return words if words.startswith("MMR") else words[0].lower() + words[1:]
