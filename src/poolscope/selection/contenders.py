"""Who can still win a step of MMR, without reading every similarity.

Redundancy only grows as picks are added, so a score from before the last picks is an upper bound
(the lazy greedy of Minoux, "Accelerated greedy algorithms for maximizing submodular set
functions", 1978). A few candidates are kept up to date with every pick, and whoever is not among
them is known to score no higher than ``outside``. The result is exact: when the bound does not
decide, those with the highest bounds are brought up to date and join.
Shapes are written in ``c`` (candidates of the tier), ``t`` (picks so far) and ``d`` (dimensions).
"""

import functools
import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from poolscope.geometry import Bools, Floats, Ints, read_only
from poolscope.selection.base import Task
from poolscope.selection.similarities import LARGE, similarities

TOP = 64
"""Candidates kept up to date; and one more for each pick wanted."""
SHARE = 64
"""One of so many is brought up to date when the bound does not decide, and ``TOP`` at least."""


@dataclass(slots=True, eq=False)
class Tier:
    """Some candidates with their scores, and the most that any other can score.

    Args:
        index: Shape ``(c,)``, candidates, rising.
        rows: Shape ``(c, d)``, their unit rows.
        weighted: Shape ``(c,)``, lambda times relevance.
        scores: Shape ``(c,)``, behind the first ``seen`` picks; ``-inf`` where one is out.
        seen: How many picks that is.
        outside: The most that a candidate outside the tier can score.
    """

    index: Ints
    rows: Floats
    weighted: Floats
    scores: Floats
    seen: int
    outside: float


class Whole:
    """The candidates in the running, every similarity read: one tier.

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
        depth = task.depth
        self._tier = Tier(
            _counted(depth),
            self._known.vectors[:depth],
            weighted_relevance(task, waiting),
            np.full(depth, np.inf),
            seen=0,
            outside=-math.inf,
        )
        self._is_cut = depth < len(task.pool)

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


class Lazy:
    """The candidates in the running, few of them up to date.

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
        depth = task.depth
        self._weighted = weighted_relevance(task, waiting)
        self._bounds = self._lowered(self._known.row(picks[0])[:depth], self._weighted)
        self._seen = np.ones(depth, dtype=np.intp)
        self._size = TOP + task.policy.k
        self._more = max(TOP, depth // SHARE)
        self._widened = (0, 1)
        self._top = self._tier(_best(self._bounds, self._size), seen=1)

    def top(self) -> Tier:
        """Return the tier, up to date with every pick."""
        tier = self._top
        if tier.seen < len(self._picks):
            redundancy = self._redundancy(tier.index, tier.rows, tier.seen)
            np.minimum(tier.scores, self._lowered(redundancy, tier.weighted), out=tier.scores)
            tier.seen = len(self._picks)
        return tier

    def close(self, index: Ints) -> None:
        """Take candidates out of the running."""
        self._waiting[index] = False
        self._bounds[index] = -np.inf
        self._top.scores[~self._waiting[self._top.index]] = -np.inf

    def widen(self) -> None:
        """Bring those with the highest bounds up to date, and let the best of all be the tier.

        Each further call between two picks brings in twice as many: of many equals none decides.
        """
        top, picks = self._top, len(self._picks)
        step, times = self._widened
        times = 2 * times if step == picks else 1
        self._widened = (picks, times)
        self._bounds[top.index], self._seen[top.index] = top.scores, top.seen
        behind = np.where(self._seen < picks, self._bounds, -np.inf)
        index = _best(behind, times * self._more)
        index = index[behind[index] > -np.inf]
        if index.size:
            self._refresh(index)
        current = np.flatnonzero(self._seen == picks)
        kept = current[_best(self._bounds[current], times * self._size)]
        self._top = self._tier(kept, seen=picks)

    def _refresh(self, index: Ints) -> None:
        """Bring the bounds of some candidates up to date."""
        first = int(self._seen[index].min())
        redundancy = self._redundancy(index, self._known.vectors[index], first)
        scores = self._lowered(redundancy, self._weighted[index])
        self._bounds[index] = np.minimum(self._bounds[index], scores)
        self._seen[index] = len(self._picks)

    def _redundancy(self, index: Ints, rows: Floats, first: int) -> Floats:
        """Return the largest cosine of some candidates to the picks from one on; shape ``(c,)``.

        Args:
            index: Shape ``(c,)``, the candidates.
            rows: Shape ``(c, d)``, their unit rows.
            first: Slot of the first pick that counts, from 0.
        """
        found, missing = None, []
        for pick in self._picks[first:]:
            known = self._known.known(pick)
            if known is None:
                missing.append(pick)
            else:
                found = known[index] if found is None else np.maximum(found, known[index])
        if missing:
            largest = self._known.largest(rows, missing)
            found = largest if found is None else np.maximum(found, largest)
        assert found is not None  # noqa: S101 - there is a pick that was not seen
        return found

    def _lowered(self, redundancy: Floats, weighted: Floats) -> Floats:
        scores: Floats = (np.maximum(redundancy, 0.0) if self._clip else redundancy) * self._minus
        scores += weighted
        return scores

    def _tier(self, index: Ints, *, seen: int) -> Tier:
        """Return some candidates, rising, as the tier."""
        scores = self._bounds[index]
        self._bounds[index] = -np.inf
        outside = float(self._bounds.max())
        self._bounds[index] = scores
        rows, weighted = self._known.vectors[index], self._weighted[index]
        return Tier(index, rows, weighted, scores, seen, outside)


Contenders: TypeAlias = Whole | Lazy


def contenders(task: Task, waiting: Bools, picks: list[int]) -> Contenders:
    """Return the candidates in the running for the next pick; for one call of ``select``.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible; changed as candidates drop out.
        picks: The picks so far, at least one; the caller adds to it.
    """
    size = task.depth * similarities(task.pool).vectors.shape[1]
    if size <= LARGE or task.depth <= 2 * TOP + task.policy.k:
        return Whole(task, waiting, picks)
    return Lazy(task, waiting, picks)


def weighted_relevance(task: Task, waiting: Bools) -> Floats:
    """Return lambda times relevance within the depth; shape ``(depth,)``.

    Args:
        task: What is selected from.
        waiting: Shape ``(depth,)``, who is eligible; the others get ``-inf``.
    """
    weighted: Floats = task.used.weighed[: task.depth] * np.array(task.policy.lambda_)
    weighted[~waiting] = -np.inf
    return weighted


def _best(values: Floats, count: int) -> Ints:
    """Return the places of the largest values, at most so many, rising; shape ``(c,)``."""
    rest = len(values) - count
    return _counted(len(values)) if rest <= 0 else np.sort(np.argpartition(values, rest)[rest:])


@functools.lru_cache(maxsize=64)
def _counted(n: int) -> Ints:
    """Return the numbers from 0; shape ``(n,)``, read-only."""
    return read_only(np.arange(n))
