"""How relevant the selected are, and how far they are what plain top-k would take."""

import math
from collections.abc import Sequence

import numpy as np

from poolscope.geometry import Ints
from poolscope.measures.base import Better, Measure, Need
from poolscope.measures.baseline import mean_of_top_k, top_k
from poolscope.model import Selection

PERSISTENCE = 0.9
"""The p of rank-biased overlap: 86 % of the weight lies on the first ten ranks."""


def mean_relevance(selection: Selection) -> float:
    """Average the relevance used over the selected."""
    if len(selection) == 0:
        return math.nan
    return float(np.mean(selection.relevances[selection.indices]))


def mean_raw_score(selection: Selection) -> float:
    """Average the scores over the selected, as the file carried them."""
    scores = selection.pool.raw_scores
    if scores is None or len(selection) == 0:
        return math.nan
    return float(np.mean(scores[selection.indices]))


def relevance_kept(selection: Selection) -> float:
    """Divide the mean relevance by that of plain top-k at the same k and depth.

    A selection that leaves slots empty can exceed 1: its few picks are held against all k.
    """
    return mean_relevance(selection) / mean_of_top_k(selection)


def shared_with_top_k(selection: Selection) -> float:
    """Count the selected that plain top-k takes too."""
    return float(len(selection.members.intersection(top_k(selection).tolist())))


def jaccard_with_top_k(selection: Selection) -> float:
    """Divide the shared picks by the picks of either."""
    baseline = top_k(selection).tolist()
    if not baseline:
        return math.nan
    return shared_with_top_k(selection) / len(selection.members.union(baseline))


def overlap_with_top_k(selection: Selection) -> float:
    """Compare the order of selection with plain top-k by rank-biased overlap."""
    baseline = top_k(selection)
    if len(baseline) == 0:
        return math.nan
    return rank_biased_overlap(selection.indices.tolist(), baseline.tolist())


def rank_biased_overlap(
    first: Sequence[int], second: Sequence[int], persistence: float = PERSISTENCE
) -> float:
    """Compare two rankings, heavier at the top: 1 for the same, 0 for nothing shared.

    The extrapolated variant for rankings of uneven length: equation 32 of Webber, Moffat and
    Zobel, "A similarity measure for indefinite rankings", TOIS 2010. It supposes that the
    agreement seen goes on below the last rank, so two equal rankings give 1 at any length.

    Args:
        first: Distinct items, best first.
        second: The same.
        persistence: Weight of each rank relative to the one before, between 0 and 1.
    """
    short, long = sorted((first, second), key=len)
    if not short:
        return 0.0 if long else math.nan
    depths = np.arange(1, len(long) + 1)
    weights = persistence**depths
    shared = _shared_by_depth(short, long)
    at_short, at_long = shared[len(short) - 1], shared[-1]
    # Below the end of the shorter ranking, its agreement so far stands for what it does not show.
    unseen = at_short * np.maximum(depths - len(short), 0) / len(short)
    seen = float(((shared + unseen) / depths * weights).sum())
    tail = (at_long - at_short) / len(long) + at_short / len(short)
    return (1.0 - persistence) / persistence * seen + float(tail * weights[-1])


def _shared_by_depth(short: Sequence[int], long: Sequence[int]) -> Ints:
    """Count the items that both rankings show down to each rank, shape ``(len(long),)``."""
    places = {item: place for place, item in enumerate(long)}
    both = [max(place, places[item]) for place, item in enumerate(short) if item in places]
    return np.cumsum(np.bincount(np.array(both, dtype=np.intp), minlength=len(long)))


MEAN_RELEVANCE = Measure(
    name="mean_relevance",
    label="Mean relevance",
    summary=(
        "The relevance that the rule reads, summed over the selected passages and divided by "
        "their number. Higher is better."
    ),
    function=mean_relevance,
    better=Better.UP,
    needs=frozenset({Need.PICK}),
    decimals=3,
    low=None,
)

MEAN_RAW_SCORE = Measure(
    name="mean_raw_score",
    label="Mean raw score",
    summary=(
        "The score as the file carries it, summed over the selected passages and divided by "
        "their number. Which way is better is the score's own affair: a distance is better small."
    ),
    function=mean_raw_score,
    better=Better.NEITHER,
    needs=frozenset({Need.SCORES, Need.PICK}),
    decimals=3,
    low=None,
)

RELEVANCE_KEPT = Measure(
    name="relevance_kept",
    label="Relevance kept",
    summary=(
        "Mean relevance of the selected divided by the mean relevance of plain top-k at the same "
        "k and depth; 1 means that nothing was given up. Higher is better; above 1 only when "
        "slots stayed empty."
    ),
    function=relevance_kept,
    better=Better.UP,
    needs=frozenset({Need.PICK, Need.BASELINE, Need.POSITIVE_BASELINE}),
    decimals=3,
    low=None,
)

SHARED_WITH_TOP_K = Measure(
    name="shared_with_top_k",
    label="Shared with top-k",
    summary=(
        "How many of the selected passages plain top-k takes too, at the same k and depth. "
        "A count; neither way is better."
    ),
    function=shared_with_top_k,
    better=Better.NEITHER,
    decimals=0,
)

JACCARD_WITH_TOP_K = Measure(
    name="jaccard_with_top_k",
    label="Jaccard with top-k",
    summary=(
        "Passages that this selection and plain top-k share, divided by the passages that either "
        "of them takes: 1 is the same set. Neither way is better."
    ),
    function=jaccard_with_top_k,
    better=Better.NEITHER,
    needs=frozenset({Need.BASELINE}),
    high=1.0,
)

OVERLAP_WITH_TOP_K = Measure(
    name="overlap_with_top_k",
    label="Rank-biased overlap with top-k",
    summary=(
        "How far the order of selection agrees with plain top-k, the first ranks weighing most "
        "(rank-biased overlap, p = 0.9, extrapolated): 1 is the same order, 0 nothing in common. "
        "Neither way is better."
    ),
    function=overlap_with_top_k,
    better=Better.NEITHER,
    needs=frozenset({Need.BASELINE}),
    high=1.0,
)
