"""Plain top-k at a selection's own k and depth: what the comparing measures compare with."""

import math

import numpy as np

from poolscope.geometry import TOLERANCE, Ints
from poolscope.model import Selection


def depth_seen(selection: Selection) -> int:
    """Return how many candidates, from rank 1, the policy lets a selector see."""
    depth, n = selection.policy.depth, len(selection.pool)
    return n if depth is None else min(depth, n)


def top_k(selection: Selection) -> Ints:
    """Return the indices that plain top-k takes, best first, ties by rank, shape ``(<= k,)``.

    It reads the relevance that the selection read, and no cap and no token budget. Candidates
    without relevance are not taken.
    """
    values = selection.relevances[: depth_seen(selection)]
    ranked = np.argsort(-values, kind="stable")
    return ranked[~np.isnan(values[ranked])][: selection.policy.k]


def mean_of_top_k(selection: Selection) -> float:
    """Average the relevance of plain top-k; ``nan`` where it is not above 0.

    A share of it means nothing there. Above 0 is more than the rounding of the largest relevance.
    """
    taken = selection.relevances[top_k(selection)]
    if len(taken) == 0:
        return math.nan
    mean = float(np.mean(taken))
    return mean if mean > TOLERANCE * float(np.nanmax(np.abs(selection.relevances))) else math.nan
