"""Who can still win a step of MMR, without reading every similarity.

Redundancy only grows as picks are added, so a score from before the last picks is an upper bound.
Candidates therefore stand in tiers: the top tier is up to date with every pick, and whoever is
not in it is known to score no higher than ``outside``. The result is exact: when the bound does
not decide, a new top tier is drawn from the tier below.
Shapes are written in ``c`` (candidates of a tier), ``t`` (picks so far) and ``d`` (dimensions).
"""

from dataclasses import dataclass

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


@dataclass(slots=True, eq=False)
class _Tier:
    """Some candidates, and their redundancy behind the first picks.

    Args:
        index: Shape ``(c,)``, candidates, rising.
        rows: Shape ``(c, d)``, their unit rows.
        weighted: Shape ``(c,)``, lambda times relevance; ``-inf`` where one is out.
        redundancy: Shape ``(c,)``, behind the first ``seen`` picks.
        seen: How many picks that is.
        drawn: How many picks there were when the tier was drawn.
        outside: The most that a candidate outside the tier can score.
    """

    index: Ints
    rows: Floats
    weighted: Floats
    redundancy: Floats
    seen: int
    drawn: int
    outside: float


class Contenders:
    """The candidates in the running for the next pick; private to one call of ``select``.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible.
        first: The first pick.
    """

    def __init__(self, task: Task, waiting: Bools, first: int) -> None:
        policy, depth = task.policy, task.depth
        self._rows = task.rows
        self._waiting = waiting
        self._share = 1.0 - policy.lambda_
        self._clip = policy.clip_negative
        self._picked = np.empty((policy.k, self._rows.shape[1]))
        self._count = 0
        weighted = task.used.weighed[:depth] * policy.lambda_
        weighted[~waiting] = -np.inf
        behind = np.full(depth, -np.inf)
        whole = _Tier(np.arange(depth), self._rows, weighted, behind, 0, 0, -np.inf)
        self.add(first)
        self._catch_up(whole)
        self._tiers = [whole]
        if depth > 2 * MIDDLE:
            self._tiers.append(self._drawn(whole, MIDDLE))
        if depth > WHOLE:
            self._tiers.append(self._drawn(self._tiers[-1], TOP))

    @property
    def top(self) -> _Tier:
        """The tier that is up to date."""
        return self._tiers[-1]

    def add(self, index: int) -> None:
        """Take a pick into account."""
        self._picked[self._count] = self._rows[index]
        self._count += 1

    def close(self, index: int | Ints) -> None:
        """Take candidates out of the running."""
        self._waiting[index] = False
        if isinstance(index, int):
            self.top.weighted[self.top.index.searchsorted(index)] = -np.inf
        elif index.size:
            self._drop_closed(self.top)

    def scores(self) -> Floats:
        """Return the score of every candidate of the top tier, as a new array of shape ``(c,)``."""
        self._catch_up(self.top)
        return self._bounds(self.top)

    def widen(self) -> None:
        """Draw a new top tier, since the bound on those outside did not decide."""
        top = self._tiers.pop()
        again = top.drawn == self._count
        below = self._tiers[-1]
        self._catch_up(below)
        if below.outside > -np.inf and (
            (again and len(top.index) == len(below.index)) or self._second(below) <= below.outside
        ):
            self._tiers.pop()
            below = self._drawn(self._tiers[-1], 2 * len(below.index))
            self._catch_up(below)
            self._tiers.append(below)
        self._tiers.append(self._drawn(below, 2 * len(top.index) if again else TOP))

    def _catch_up(self, tier: _Tier) -> None:
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

    def _bounds(self, tier: _Tier) -> Floats:
        """Return the most that each of a tier can score; its score where it is up to date."""
        bounds: Floats = tier.weighted - self._share * tier.redundancy
        return bounds

    def _drop_closed(self, tier: _Tier) -> None:
        tier.weighted[~self._waiting[tier.index]] = -np.inf

    def _second(self, tier: _Tier) -> float:
        self._drop_closed(tier)
        return float(np.partition(self._bounds(tier), -2)[-2])

    def _drawn(self, tier: _Tier, size: int) -> _Tier:
        """Return the tier's best, at most ``size`` of them, as a tier of their own."""
        self._drop_closed(tier)
        outside, rest = tier.outside, len(tier.index) - size
        places = np.arange(len(tier.index))
        if rest > 0:
            bounds = self._bounds(tier)
            places = np.argpartition(bounds, rest - 1)
            outside = max(outside, float(bounds[places[rest - 1]]))
            places = np.sort(places[rest:])
        return _Tier(
            tier.index[places],
            tier.rows[places],
            tier.weighted[places],
            tier.redundancy[places],
            tier.seen,
            self._count,
            outside,
        )
