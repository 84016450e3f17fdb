"""Who can still win a step of MMR, without reading every similarity.

Redundancy only grows as picks are added, so a score from before the last picks is an upper bound.
In a large pool candidates therefore stand in tiers: the top tier is up to date with every pick,
and whoever is not in it is known to score no higher than ``outside``. The result is
exact: when the bound does not decide, a new top tier is drawn from the tier below.
Shapes are written in ``c`` (candidates of a tier), ``t`` (picks so far) and ``d`` (dimensions).
"""

import functools
import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from poolscope.geometry import Bools, Floats, Ints, read_only
from poolscope.selection.base import Task
from poolscope.selection.similarities import LARGE, similarities

MANY = 16
"""Further picks from which a tier between the top and a large pool pays."""
TOP = 96
"""Candidates of the top tier, otherwise; and one more for each pick wanted."""
MIDDLE = 2048
"""Candidates of the tier between the top and a pool larger than twice this."""


@dataclass(slots=True, eq=False)
class Tier:
    """Some candidates, and the most that each can score.

    Args:
        index: Shape ``(c,)``, candidates, rising.
        rows: Shape ``(c, d)``, their unit rows.
        weighted: Shape ``(c,)``, lambda times relevance.
        scores: Shape ``(c,)``, behind the first ``seen`` picks; ``-inf`` where one is out.
        seen: How many picks that is.
        drawn: How many picks there were when the tier was drawn.
        outside: The most that a candidate outside the tier can score.
    """

    index: Ints
    rows: Floats
    weighted: Floats
    scores: Floats
    seen: int
    drawn: int
    outside: float


class Whole:
    """The candidates of a small pool in the running: one tier, every similarity read.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible; changed as candidates drop out.
        picks: The picks so far, at least one; the caller adds to it.
    """

    def __init__(self, task: Task, waiting: Bools, picks: list[int]) -> None:
        self._picks = picks
        self._known = similarities(task.pool)
        self._minus = task.policy.lambda_ - 1.0
        self._clip = task.policy.clip_negative
        self._tier = _everyone(task, waiting)
        self._is_cut = task.depth < len(task.pool)

    def top(self) -> Tier:
        """Return the one tier, up to date with every pick."""
        tier = self._tier
        for pick in self._picks[tier.seen :]:
            row = self._known.row(pick)
            if self._is_cut:
                row = row[: len(tier.index)]
            scores = (np.maximum(row, 0.0) if self._clip else row) * self._minus
            scores += tier.weighted
            np.minimum(tier.scores, scores, out=tier.scores)
        tier.seen = len(self._picks)
        return tier

    def close(self, index: Ints) -> None:
        """Take candidates out of the running."""
        self._tier.scores[index] = -np.inf

    def widen(self) -> None:
        """Never asked for: nobody is outside."""
        raise AssertionError


class Tiered:
    """The candidates of a large pool in the running, in tiers.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible; changed as candidates drop out.
        picks: The picks so far, at least one; the caller adds to it.
    """

    def __init__(self, task: Task, waiting: Bools, picks: list[int]) -> None:
        self._waiting = waiting
        self._picks = picks
        self._known = similarities(task.pool)
        self._minus = task.policy.lambda_ - 1.0
        self._clip = task.policy.clip_negative
        whole = _everyone(task, waiting)
        self._tiers = [whole]
        self._size = TOP + task.policy.k
        self._catch_up(whole)
        if task.depth > 2 * MIDDLE and task.policy.k > MANY:
            self._tiers.append(self._drawn(whole, MIDDLE))
        self._tiers.append(self._drawn(self._tiers[-1], self._size))

    def top(self) -> Tier:
        """Return the top tier, up to date with every pick."""
        tier = self._tiers[-1]
        if tier.seen < len(self._picks):
            self._catch_up(tier)
        return tier

    def close(self, index: Ints) -> None:
        """Take candidates out of the running."""
        self._waiting[index] = False
        self._drop_closed(self._tiers[-1])

    def widen(self) -> None:
        """Draw a new top tier, since the bound on those outside did not decide."""
        top = self._tiers.pop()
        again = top.drawn == len(self._picks)
        below = self._tiers[-1]
        self._refresh(below)
        if below.outside > -np.inf and (
            (again and len(top.index) == len(below.index))
            or np.partition(below.scores, -2)[-2] <= below.outside
        ):
            self._tiers.pop()
            below = self._drawn(self._tiers[-1], 2 * len(below.index))
            self._refresh(below)
            self._tiers.append(below)
        self._tiers.append(self._drawn(below, 2 * len(top.index) if again else self._size))

    def _refresh(self, tier: Tier) -> None:
        self._drop_closed(tier)
        if tier.seen < len(self._picks):
            self._catch_up(tier)

    def _catch_up(self, tier: Tier) -> None:
        redundancy = self._redundancy(tier, self._picks[tier.seen :])
        tier.seen = len(self._picks)
        scores = (np.maximum(redundancy, 0.0) if self._clip else redundancy) * self._minus
        scores += tier.weighted
        np.minimum(tier.scores, scores, out=tier.scores)

    def _redundancy(self, tier: Tier, picks: list[int]) -> Floats:
        """Return the largest similarity of a tier's candidates to some picks; shape ``(c,)``."""
        known = [row for pick in picks if (row := self._known.known(pick)) is not None]
        rows = [row[tier.index] for row in known]
        others = [pick for pick in picks if self._known.known(pick) is None]
        if len(others) == 1:
            rows.append(tier.rows @ self._known.vectors[others[0]])
        elif others:
            rows.append((self._known.vectors[others] @ tier.rows.T).max(axis=0))
        return rows[0] if len(rows) == 1 else np.max(rows, axis=0)

    def _drop_closed(self, tier: Tier) -> None:
        tier.scores[~self._waiting[tier.index]] = -np.inf

    def _drawn(self, tier: Tier, size: int) -> Tier:
        """Return the tier's best, at most ``size`` of them, as a tier of their own."""
        outside, rest = tier.outside, len(tier.index) - size
        places = np.arange(len(tier.index))
        if rest > 0:
            places = np.argpartition(tier.scores, rest - 1)
            outside = max(outside, float(tier.scores[places[rest - 1]]))
            places = np.sort(places[rest:])
        return Tier(
            tier.index[places],
            tier.rows[places],
            tier.weighted[places],
            tier.scores[places],
            tier.seen,
            len(self._picks),
            outside,
        )


Contenders: TypeAlias = Whole | Tiered


def contenders(task: Task, waiting: Bools, picks: list[int]) -> Contenders:
    """Return the candidates in the running for the next pick; for one call of ``select``.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible; changed as candidates drop out.
        picks: The picks so far, at least one; the caller adds to it.
    """
    size = task.depth * similarities(task.pool).vectors.shape[1]
    if size <= LARGE or task.depth <= TOP + task.policy.k:
        return Whole(task, waiting, picks)
    return Tiered(task, waiting, picks)


def _everyone(task: Task, waiting: Bools) -> Tier:
    """Return all candidates within the depth as one tier that has seen no pick."""
    depth = task.depth
    weighted = task.used.weighed[:depth] * task.policy.lambda_
    if not task.used.is_whole:  # who is out may have no relevance at all
        weighted[~waiting] = 0.0
    scores = np.where(waiting, np.inf, -np.inf)
    rows = similarities(task.pool).vectors[:depth]
    return Tier(_counted(depth), rows, weighted, scores, 0, 0, -math.inf)


@functools.lru_cache(maxsize=64)
def _counted(n: int) -> Ints:
    """Return the numbers from 0; shape ``(n,)``, read-only."""
    return read_only(np.arange(n))
