"""Who can still win a step of MMR, without reading every similarity.

Redundancy only grows as picks are added, so a score from before the last picks is an upper bound.
Candidates therefore stand in tiers: the top tier is up to date with every pick, and whoever is
not in it is known to score no higher than ``outside``. The result is exact: when the bound does
not decide, a new top tier is drawn from the tier below.
Shapes are written in ``c`` (candidates of a tier), ``t`` (picks so far) and ``d`` (dimensions).
"""

import numpy as np

from poolscope import geometry
from poolscope.geometry import Bools, Floats, Ints
from poolscope.selection.base import Task

WHOLE = 160
"""Up to this many candidates the top tier holds all."""
TOP = 96
"""Candidates of the top tier, otherwise."""
MIDDLE = 4096
"""Candidates of the tier between the top and a pool larger than twice this."""


class Tier:
    """Some candidates, and their redundancy behind the first picks.

    Args:
        index: Shape ``(c,)``, candidates, rising.
        rows: Shape ``(c, d)``, their unit rows.
        weighted: Shape ``(c,)``, lambda times relevance; ``-inf`` where one is out.
        redundancy: Shape ``(c,)``, behind the first ``seen`` picks.
        seen: How many picks that is.
        outside: The most that a candidate outside the tier can score.
    """

    __slots__ = ("index", "outside", "redundancy", "rows", "seen", "weighted")

    def __init__(
        self,
        index: Ints,
        rows: Floats,
        weighted: Floats,
        redundancy: Floats,
        seen: int,
        outside: float,
    ) -> None:
        self.index = index
        self.rows = rows
        self.weighted = weighted
        self.redundancy = redundancy
        self.seen = seen
        self.outside = outside


class Contenders:
    """The candidates in the running for the next pick.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible; read anew whenever a tier is drawn.
        lambda_: From 0 to below 1.
    """

    def __init__(self, task: Task, waiting: Bools, lambda_: float) -> None:
        depth, vectors = task.depth, task.pool.vectors
        rows = np.zeros((depth, 1)) if vectors is None else vectors[:depth]
        weighted = task.used.weighed[:depth] * lambda_
        weighted[~waiting] = -np.inf
        self._waiting = waiting
        self._share = 1.0 - lambda_
        self._clip = task.policy.clip_negative
        self._picked = np.empty((task.policy.k, rows.shape[1]))
        self._count = 0
        whole = Tier(np.arange(depth), rows, weighted, np.full(depth, -np.inf), 0, -np.inf)
        self._tiers = [whole]

    @property
    def index(self) -> Ints:
        """Shape ``(c,)``: the candidates of the top tier, rising."""
        return self._tiers[-1].index

    @property
    def weighted(self) -> Floats:
        """Shape ``(c,)``: lambda times relevance in the top tier, ``-inf`` where one is out."""
        return self._tiers[-1].weighted

    @property
    def outside(self) -> float:
        """The most that a candidate outside the top tier can score; ``-inf`` without any."""
        return self._tiers[-1].outside

    def add(self, row: Floats) -> None:
        """Take a pick into account.

        Args:
            row: Shape ``(d,)``.
        """
        self._picked[self._count] = row
        self._count += 1

    def close(self, index: int | Ints) -> None:
        """Take candidates out of the running."""
        self._waiting[index] = False
        top = self._tiers[-1]
        top.weighted[~self._waiting[top.index]] = -np.inf

    def scores(self) -> Floats:
        """Return every score in the top tier, a new array of shape ``(c,)``."""
        top = self._tiers[-1]
        self._catch_up(top)
        scores = top.redundancy * -self._share
        scores += top.weighted
        return scores

    def widen(self) -> None:
        """Draw a new top tier: the bound on those outside did not decide."""
        tiers = self._tiers
        if len(tiers) == 3 and tiers[1].outside >= tiers[2].outside:
            # The middle tier is itself too small.
            size = 2 * len(tiers[1].index)
            del tiers[1:]
            self._draw(size)
        del tiers[2:]

    def _catch_up(self, tier: Tier) -> None:
        fresh = self._picked[tier.seen : self._count]
        if len(fresh) == 1:
            similarity = geometry.cosines(tier.rows, fresh[0])
        elif len(fresh):
            similarity = (fresh @ tier.rows.T).max(axis=0)
        else:
            return
        if self._clip:
            np.maximum(similarity, 0.0, out=similarity)
        np.maximum(tier.redundancy, similarity, out=tier.redundancy)
        tier.seen = self._count
