"""The number that a selector reads as relevance, by name, and how MMR weighs it.

Shapes are written in ``n`` (candidates of the pool).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poolscope import geometry
from poolscope.errors import PolicyError
from poolscope.geometry import Floats, Ints
from poolscope.model import Direction, Policy, Pool, Relevance, Scaling


@dataclass(frozen=True, eq=False)
class Used:
    """The relevance that a policy reads from a pool.

    Args:
        values: Shape ``(n,)``, higher is better, ``nan`` where a candidate has none.
        weighed: Shape ``(n,)``, the same after scaling, as MMR holds it against a cosine.
        name: What it is, for the screen.
        is_whole: Whether every candidate has one.
        fused: Shape ``(n,)``, the fused score that ``weighed`` and ``order`` come from where the
            lists of retrieval arms were fused; ``None`` where they come from ``values``.
        fused_order: The order by the fused score; ``None`` without one.
    """

    values: Floats
    weighed: Floats
    name: str
    is_whole: bool
    fused: Floats | None = None
    fused_order: Ints | None = None

    @cached_property
    def order(self) -> Ints:
        """Shape ``(n,)``: candidates best first, ties by rank, those without relevance last."""
        if self.fused_order is not None:
            return self.fused_order
        return geometry.read_only(np.argsort(-self.values, kind="stable"))  # puts nan last

    @property
    def deciding(self) -> Floats:
        """Shape ``(n,)``: what ``order`` goes by."""
        return self.values if self.fused is None else self.fused


def available(pool: Pool) -> tuple[Relevance, ...]:
    """List the kinds of relevance that a pool can give, the default first."""
    kinds = [usual(pool)]
    if pool.vectors is not None and pool.query_vector is not None:
        kinds.append(Relevance.COSINE)
    if kinds[0] is not Relevance.RANK:
        return (kinds[0], *kinds[1:], Relevance.RANK)
    return (*kinds, Relevance.SCORE) if pool.score_kind is not None else tuple(kinds)


def usual(pool: Pool) -> Relevance:
    """Return the kind that is read by default: the score where one orders the pool, else rank."""
    kind = pool.score_kind
    if kind is None or kind.direction is Direction.ORDER:
        return Relevance.RANK
    return Relevance.SCORE


def scaling_of(pool: Pool, policy: Policy) -> Scaling:
    """Return the policy's scaling, or the usual: none on the scale of a cosine, else min-max.

    It is that of the relevance itself; where arms are fused, the fused score has its own.
    """
    if policy.scaling is not None:
        return policy.scaling
    kind = policy.relevance or usual(pool)
    on_scale = kind is not Relevance.SCORE or (
        pool.score_kind is not None and pool.score_kind.is_cosine
    )
    return Scaling.NONE if on_scale else Scaling.MIN_MAX


def used(pool: Pool, policy: Policy) -> Used:
    """Return the relevance that a policy reads, worked out once for a pool.

    Raises:
        PolicyError: The pool lacks the scores or the vectors that the policy asks for.
    """
    kind = policy.relevance or usual(pool)
    scaling = scaling_of(pool, policy)
    name = "relevance by " + kind + ", " + scaling
    found = pool.kept.get(name)
    if not isinstance(found, Used):
        found = pool.kept[name] = _used(pool, kind, scaling)
    return found


def _used(pool: Pool, kind: Relevance, scaling: Scaling) -> Used:
    if kind is Relevance.SCORE:
        values, name = _score(pool), _score_name(pool)
    elif kind is Relevance.COSINE:
        values, name = _cosine(pool), "cosine to the question"
    else:
        n = len(pool)
        values, name = geometry.read_only(1.0 - np.arange(n) / max(n, 1)), "rank"
    weighed = values
    if scaling is not Scaling.NONE:
        weighed, name = geometry.read_only(scaled(values, scaling)), f"{name}, {scaling.value}"
    # Scores and ranks are numbers in every pool.
    is_whole = kind is not Relevance.COSINE or pool.has_all_vectors
    return Used(values, weighed, name, is_whole)


def scaled(values: Floats, scaling: Scaling) -> Floats:
    """Map relevance onto the scale of a cosine.

    Args:
        values: Shape ``(n,)``; ``nan`` stays ``nan``.
        scaling: ``none``; ``min-max`` onto 0..1 over the whole pool (all equal: all 1); ``divide
            by max`` (a largest value of 0 or less: unchanged); ``sigmoid`` for reranker logits.
    """
    known = values[~np.isnan(values)]
    if known.size == 0 or scaling is Scaling.NONE:
        return values.copy()
    low, high = float(known.min()), float(known.max())
    if scaling is Scaling.MIN_MAX:
        if high == low:
            return np.where(np.isnan(values), values, 1.0)
        # Halving first keeps the span of huge scores finite.
        return (values / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
    if scaling is Scaling.DIVIDE_BY_MAX:
        return values / high if high > 0.0 else values.copy()
    # tanh neither overflows nor warns where exp(-x) would.
    return 0.5 * (1.0 + np.tanh(values / 2.0))


def _score(pool: Pool) -> Floats:
    if pool.scores is None:
        raise PolicyError(
            "The relevance asked for is the score, and this pool has no scores.",
            "Choose “rank”, or “cosine” where the pool has vectors and a query vector.",
        )
    return pool.scores


def _score_name(pool: Pool) -> str:
    conversion = "as loaded" if pool.score_kind is None else pool.score_kind.conversion
    return f"score {conversion}" if conversion == "as loaded" else f"score as {conversion}"


def _cosine(pool: Pool) -> Floats:
    if pool.vectors is None or pool.query_vector is None:
        raise PolicyError(
            "The relevance asked for is the cosine, and this pool lacks vectors or a query vector.",
            "Load both, or choose “score” or “rank”.",
        )
    cosines = geometry.cosines(pool.vectors, pool.query_vector)
    return geometry.canonical(np.where(pool.vector_mask, cosines, np.nan), scale=1.0)
