"""Plain top-k at a selection's own k and depth: what the comparing measures compare with."""

import numpy as np

from poolscope.geometry import Ints
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
