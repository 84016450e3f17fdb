"""How the candidates stand by relevance: what is as good as the picks, and what falls off.

Shapes are written in ``n`` (candidates of the pool). Every loss is held against the pool's own
spread, so no score's scale decides anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poolscope import selection as selectors
from poolscope.geometry import Floats, Ints
from poolscope.model import Policy, Pool, Relevance, Selection

CLOSE = 0.35
"""Furthest below the last pick, in pool spreads, at which a candidate is an alternative at all."""

LEVEL_WEIGHT = 8.0
"""How a loss relative to the score itself compares to one relative to the pool's spread."""

EVEN = 0.99
"""Correlation of a turned score with the rank from which the score is but the rank."""

MOST_NEAR = 60
"""Most alternatives looked at."""


@dataclass(frozen=True, eq=False)
class Standing:
    """The relevance of every candidate within reach.

    Args:
        selection: What was selected.
        depth: How many candidates lie within reach, from rank 1.
    """

    selection: Selection
    depth: int

    @property
    def pool(self) -> Pool:
        """The pool selected from."""
        return self.selection.pool

    @property
    def policy(self) -> Policy:
        """The policy that selected."""
        return self.selection.policy

    @cached_property
    def relevances(self) -> Floats:
        """The relevance used, shape ``(n,)``, ``nan`` beyond reach and where there is none."""
        values = self.selection.relevances.astype(np.float64)
        values[self.depth :] = np.nan
        return values

    @cached_property
    def reach(self) -> Ints:
        """Candidates within reach that have a relevance, best first."""
        known = np.flatnonzero(~np.isnan(self.relevances))
        return known[np.argsort(-self.relevances[known], kind="stable")]

    @cached_property
    def top(self) -> Ints:
        """What plain top-k would take."""
        return self.reach[: self.policy.k]

    @cached_property
    def spread(self) -> float:
        """Best relevance within reach less the mean of its lower half; 0 where all are equal."""
        if not len(self.reach):
            return 0.0
        values = self.relevances[self.reach]
        return float(values[0] / 2.0 - (values[len(values) // 2 :] / 2.0).mean()) * 2.0

    @cached_property
    def losses(self) -> Floats:
        """How far each candidate lies below plain top-k's last pick, in pool spreads; ``(n,)``.

        By rank alone, twice the slots further down is the end of what is close. Where the score is
        not the cosine to the question and that is known too, it is a second witness: a fused or
        rank-like score falls evenly, whatever lies under it.
        """
        if not len(self.top):
            return np.full(len(self.pool), np.nan)
        losses = self._losses_by_rank() if self._is_rank_only else self._losses_by_score()
        cosines = self._second_witness
        if cosines is None:
            return losses
        usual = float(np.median(cosines[self.top]))
        ranked = np.sort(cosines[self.reach])[::-1]
        spread = float(ranked[0] - ranked[len(ranked) // 2 :].mean())
        by_cosine = (usual - cosines) / max(spread, 1e-9)
        return np.fmax(losses, by_cosine)

    def _losses_by_rank(self) -> Floats:
        ranks = np.full(len(self.pool), np.nan)
        ranks[self.reach] = np.arange(len(self.reach))
        return (ranks - len(self.top) + 1.0) * CLOSE / (2.0 * len(self.top))

    def _losses_by_score(self) -> Floats:
        last = float(self.relevances[self.top[-1]])
        with np.errstate(over="ignore", invalid="ignore"):
            below = last - self.relevances
            losses = below / self.spread if self.spread > 0.0 else below * 0.0
            if last > 0.0 and float(np.nanmin(self.relevances)) >= 0.0:
                losses = np.minimum(losses, LEVEL_WEIGHT * below / last)
        return losses

    @cached_property
    def _second_witness(self) -> Floats | None:
        """Cosines to the question where the relevance is something else, shape ``(n,)``."""
        pool = self.pool
        if pool.vectors is None or pool.query_vector is None or self._is_cosine:
            return None
        if not pool.vector_mask[self.reach].all():
            return None
        cosines: Floats = pool.vectors @ pool.query_vector
        return cosines

    @property
    def _is_cosine(self) -> bool:
        reads = self.policy.relevance or selectors.available(self.pool)[0]
        kind = self.pool.score_kind
        by_score = reads is Relevance.SCORE and kind is not None and kind.is_cosine
        return by_score or reads is Relevance.COSINE

    @cached_property
    def knows_relevance(self) -> bool:
        """Whether the relevance says more than the order of the list.

        A reciprocal rank, or a sum of such, is an even line once it is turned over.
        """
        if self._is_cosine or self._second_witness is not None:
            return True
        values = self.relevances[self.reach]
        if self._is_rank_only or len(values) < 2 or self.spread <= 0.0:
            return False
        if values[-1] <= 0.0:
            return True
        line = np.corrcoef(1.0 / values, np.arange(len(values)))[0, 1]
        return bool(line < EVEN)

    @property
    def _is_rank_only(self) -> bool:
        return self.selection.relevance_name == "rank"

    def falls_to(self, index: int) -> float:
        """Return the fall from the last pick of plain top-k to a candidate, in ranges of its picks.

        Above 1 the candidate lies further below than the picks lie apart.
        """
        values = self.relevances[self.top]
        within = float(values[0] - values[-1])
        fall = float(values[-1] - self.relevances[index])
        return fall / within if within > 0.0 else (np.inf if fall > 0.0 else 0.0)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """Candidates within reach that are not picked and hardly less relevant, best first."""
        members = self.selection.members
        close = self.losses <= CLOSE
        return tuple(int(i) for i in self.reach if close[i] and int(i) not in members)[:MOST_NEAR]

    def mean(self, indices: Sequence[int] | Ints) -> float:
        """Return the mean relevance of some candidates; ``nan`` for none."""
        values = self.selection.relevances[list(indices)]
        return float((values / max(len(values), 1)).sum()) if len(values) else float("nan")

    def cost(self, indices: Sequence[int]) -> float:
        """Return the relevance that picks give away against plain top-k, in pool spreads."""
        if self.spread <= 0.0:
            return 0.0
        return (self.mean(self.top) - self.mean(indices)) / self.spread
