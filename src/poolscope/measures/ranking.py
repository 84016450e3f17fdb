"""Measures of the TREC diversity track, on the picks in the order of selection.

The functions on arrays follow NIST's ndeval 4.5, with judgements as it reads them: a passage
supports a facet or it does not. Shapes are written in ``r`` (ranks), ``n`` (all passages) and ``m``
(facets). As in ndeval, a facet that no passage supports counts nowhere, and without any supported
facet every measure is 0. In one place they differ: ndeval leaves ERR-IA at cutoff 1 without its
normalisation, here it has it.
"""

import math
from collections.abc import Callable

import numpy as np

from poolscope.geometry import TOLERANCE, Bools, Floats, Ints
from poolscope.measures.base import Better, Measure, Need
from poolscope.model import SUPPORTS, Selection

ALPHA = 0.5
"""How much less a facet is worth each time that it is covered again."""


def subtopic_recall(ranked: Bools, judged: Bools, cutoff: int) -> float:
    """Divide the facets supported down to the cutoff by those that any passage supports.

    ndeval's ``strec``. Facet coverage differs: its denominator is every facet of the query.

    Args:
        ranked: Shape ``(r, m)``, the ranking's passages, best first.
        judged: Shape ``(n, m)``, every passage judged.
        cutoff: How many ranks count.
    """
    supported = int(judged.any(axis=0).sum())
    return int(ranked[:cutoff].any(axis=0).sum()) / supported if supported else 0.0


def alpha_ndcg(ranked: Bools, judged: Bools, cutoff: int, alpha: float = ALPHA) -> float:
    """Divide the discounted gain of novel facets by that of an ideal ranking.

    Clarke et al., "Novelty and diversity in information retrieval evaluation", SIGIR 2008. The
    ideal ranking is found greedily, so a value just above 1 is possible.

    Args:
        ranked: Shape ``(r, m)``, the ranking's passages, best first.
        judged: Shape ``(n, m)``, every passage judged, for the ideal ranking.
        cutoff: How many ranks count.
        alpha: From 0 (repetition costs nothing) to 1 (only a facet's first passage counts).
    """
    discounts = 1.0 / np.log2(_ranks(cutoff) + 1.0)
    return _against_ideal(ranked, judged, discounts, alpha)


def alpha_ndcg_of_several(
    rankings: Bools, judged: Bools, cutoff: int, alpha: float = ALPHA
) -> Floats:
    """Compute alpha-nDCG of several rankings of the same passages, shape ``(s,)``.

    Args:
        rankings: Shape ``(s, r, m)``, the rankings' passages, best first, blank where one ends.
        judged: Shape ``(n, m)``, every passage judged, for the ideal ranking.
        cutoff: How many ranks count.
        alpha: As in ``alpha_ndcg``.
    """
    discounts = 1.0 / np.log2(_ranks(cutoff) + 1.0)
    ideal = _discounted(judged[ideal_ranking(judged, cutoff, alpha)], discounts, alpha)
    top = rankings[:, :cutoff].astype(np.float64)
    earlier = np.cumsum(top, axis=1) - top
    gains = (top * (1.0 - alpha) ** earlier).sum(axis=2)
    found: Floats = gains @ discounts[: gains.shape[1]]
    return found / ideal if ideal > 0.0 else np.zeros(len(rankings))


def err_ia(ranked: Bools, judged: Bools, cutoff: int, alpha: float = ALPHA) -> float:
    """Divide the gain of novel facets, each over its rank, by the most that any collection allows.

    That most is what passages would give that each support every facet. Intent-aware expected
    reciprocal rank with ndeval's collection-independent normalisation: Chapelle et al.,
    "Expected reciprocal rank for graded relevance", CIKM 2009.

    Args:
        ranked: Shape ``(r, m)``, the ranking's passages, best first.
        judged: Shape ``(n, m)``, every passage judged.
        cutoff: How many ranks count.
        alpha: The chance that one supporting passage is enough for a facet.
    """
    discounts = 1.0 / _ranks(cutoff)
    supported = int(judged.any(axis=0).sum())
    ideal = supported * float(discounts @ (1.0 - alpha) ** (_ranks(cutoff) - 1.0))
    return _discounted(ranked, discounts, alpha) / ideal if ideal > 0.0 else 0.0


def nerr_ia(ranked: Bools, judged: Bools, cutoff: int, alpha: float = ALPHA) -> float:
    """Divide the gain of novel facets, each over its rank, by that of the ideal ranking.

    ERR-IA with ndeval's collection-dependent normalisation. The arguments are those of ``err_ia``.
    """
    discounts = 1.0 / _ranks(cutoff)
    return _against_ideal(ranked, judged, discounts, alpha)


def ideal_ranking(judged: Bools, length: int, alpha: float = ALPHA) -> Ints:
    """Rank passages so that each adds the largest gain; ties go to the earlier row.

    ndeval's greedy ideal, where ties go to the largest document id.

    Args:
        judged: Shape ``(n, m)``.
        length: How many ranks to fill.
        alpha: As in ``alpha_ndcg``.
    """
    worth = np.ones(judged.shape[1])
    supports = judged.astype(np.float64)
    left = np.ones(len(judged), dtype=np.bool_)
    ranking = []
    for _ in range(min(length, len(judged))):
        scores = np.where(left, supports @ worth, -1.0)
        best = int(np.argmax(scores >= scores.max() * (1.0 - TOLERANCE)))
        left[best] = False
        worth[judged[best]] *= 1.0 - alpha
        ranking.append(best)
    return np.array(ranking, dtype=np.intp)


def _ranks(cutoff: int) -> Floats:
    return np.arange(1, cutoff + 1, dtype=np.float64)


def _against_ideal(ranked: Bools, judged: Bools, discounts: Floats, alpha: float) -> float:
    ideal_order = ideal_ranking(judged, len(discounts), alpha)
    ideal = _discounted(judged[ideal_order], discounts, alpha)
    return _discounted(ranked, discounts, alpha) / ideal if ideal > 0.0 else 0.0


def _discounted(ranked: Bools, discounts: Floats, alpha: float) -> float:
    """Sum over ranks the worth of the facets that each supports, less with each repetition."""
    top = ranked[: len(discounts)].astype(np.float64)
    earlier = np.cumsum(top, axis=0) - top
    gains = (top * (1.0 - alpha) ** earlier).sum(axis=1)
    return float(gains @ discounts[: len(gains)])


def alpha_ndcg_of(selection: Selection) -> float:
    """Compute alpha-nDCG of the picks; the ideal ranks the whole pool."""
    return _of_picks(selection, alpha_ndcg)


def err_ia_of(selection: Selection) -> float:
    """Compute ERR-IA of the picks."""
    return _of_picks(selection, err_ia)


def nerr_ia_of(selection: Selection) -> float:
    """Compute ERR-IA of the picks against the ideal ranking of the whole pool."""
    return _of_picks(selection, nerr_ia)


def _of_picks(selection: Selection, function: Callable[[Bools, Bools, int], float]) -> float:
    judged = selection.pool.marks == SUPPORTS
    if selection.policy.k == 0 or not judged.any():
        return math.nan
    return function(judged[selection.indices], judged, selection.policy.k)


_NEEDS = frozenset({Need.FACETS, Need.SUPPORT, Need.SLOT})

ALPHA_NDCG = Measure(
    name="alpha_ndcg",
    label="alpha-nDCG",
    summary=(
        "Facets newly covered down the order of selection, repeats counting half as much each "
        "time and later slots less, divided by the same sum for the best order of the whole pool, "
        "k slots each. Higher is better. Facets that no passage supports do not count."
    ),
    function=alpha_ndcg_of,
    better=Better.UP,
    needs=_NEEDS,
    decimals=3,
)

ERR_IA = Measure(
    name="err_ia",
    label="ERR-IA",
    summary=(
        "Facets newly covered down the order of selection, repeats counting half as much each "
        "time and slot i a share of 1/i, divided by the same sum for k passages that all support "
        "every facet. Higher is better. Facets that no passage supports do not count."
    ),
    function=err_ia_of,
    better=Better.UP,
    needs=_NEEDS,
    decimals=3,
    high=1.0,
)

NERR_IA = Measure(
    name="nerr_ia",
    label="nERR-IA",
    summary=(
        "ERR-IA divided by the ERR-IA of the best order of the whole pool, k slots each. "
        "Higher is better. Facets that no passage supports do not count."
    ),
    function=nerr_ia_of,
    better=Better.UP,
    needs=_NEEDS,
    decimals=3,
)
