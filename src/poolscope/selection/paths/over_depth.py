"""The exact path of MMR over the pool depth, with or without a cap.

From the deepest down: a selection stays until its own deepest pick is cut off, and then the picks
before that one stay too. Only the later slots are chosen again, from scores kept at every slot.
Shapes are written in ``n`` (candidates of the pool).
"""

import numpy as np

from poolscope.geometry import TOLERANCE, Floats
from poolscope.model import Policy
from poolscope.selection.base import Task
from poolscope.selection.paths.sampled import Picks, merged
from poolscope.selection.paths.values import Axis, Interval, Path
from poolscope.selection.similarities import LARGE, similarities


def is_plain(policy: Policy) -> bool:
    """Say whether nothing but the rule itself decides who is picked."""
    others = (policy.pinned, policy.near_copies, policy.best, policy.neighbours)
    return policy.budget is None and policy.lambda_ < 1.0 and not any(others)


def exact(task: Task) -> Path | None:
    """Compute the path, from 0 to the whole pool; ``None`` where it is not made for the policy.

    Args:
        task: The whole pool; its selector is MMR, with or without a cap.
    """
    if not is_plain(task.policy) or similarities(task.pool).vectors.size > LARGE:
        return None
    walk = _Walk(task)
    intervals, high = [], len(task.pool)
    while True:
        picks = walk.at(high)
        deepest = max(picks, default=-1)
        intervals.append(Interval(deepest + 1, high, picks))
        if deepest < 0:
            return Path(Axis.DEPTH, merged(reversed(intervals)))
        high = deepest


class _Walk:
    """The picks at a depth, then at smaller ones; private to one call of ``exact``."""

    def __init__(self, task: Task) -> None:
        policy = task.policy
        self._task = task
        self._known = similarities(task.pool)
        self._lambda = policy.lambda_
        self._order = task.order
        self._weighted = np.where(task.eligible, task.used.weighed * policy.lambda_, 0.0)
        self._groups = task.groups if task.selector.reads_key else None
        self._picks: list[int] = []
        self._scores: list[Floats] = [np.where(task.eligible, np.inf, -np.inf)]
        """Before each slot, what every candidate scores; ``-inf`` for who is out."""

    def at(self, depth: int) -> Picks:
        """Return the picks at a depth that is no greater than the one before."""
        kept = next((slot for slot, index in enumerate(self._picks) if index >= depth), None)
        if kept is not None:
            del self._picks[kept:], self._scores[kept + 1 :]
        while len(self._picks) < self._task.policy.k:
            scores = self._scores[-1][:depth]
            index = self._best(scores) if self._picks else self._most_relevant(depth)
            if index < 0:
                break
            self._picks.append(index)
            self._scores.append(self._after(scores, index))
        return tuple(self._picks)

    def _most_relevant(self, depth: int) -> int:
        within = self._order[self._order < depth]
        return int(within[0]) if len(within) else -1

    def _best(self, scores: Floats) -> int:
        """Return the first of those that score best, as ``select`` tells them apart."""
        if not len(scores):
            return -1
        place = int(scores.argmax())
        best = scores.item(place)
        slack = TOLERANCE * (abs(self._weighted.item(place)) + 1.0 - self._lambda)
        return -1 if best == -np.inf else int((scores >= best - slack).argmax())

    def _after(self, before: Floats, index: int) -> Floats:
        """Return the scores behind a pick."""
        depth = len(before)
        row = self._known.row(index)[:depth]
        if self._task.policy.clip_negative:
            row = np.maximum(row, 0.0)
        scores = row * (self._lambda - 1.0)
        scores += self._weighted[:depth]
        np.minimum(scores, before, out=scores)
        scores[index] = -np.inf
        if self._groups is not None:
            group = self._groups.item(index)
            taken = sum(self._groups.item(pick) == group for pick in self._picks)
            if taken >= self._task.caps.item(index):
                scores[self._groups[:depth] == group] = -np.inf
        return scores
