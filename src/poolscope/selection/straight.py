"""MMR without a token budget over a pool of moderate size: pick after pick, all scores kept.

The trace is read from the kept scores at the end, in a few operations on all steps at once. Where
the similarities are not known yet, the walk looks ahead in single precision, which reads half the
memory; then what could have decided a step is worked out in double precision. Where that leaves
any doubt, the walk is made again with every similarity read.
Shapes are written in ``n`` (candidates within the pool depth), ``p`` (picks), ``s`` (steps: picks
that the walk makes) and ``r`` (rivals: candidates that may have come second at a step).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from poolscope.geometry import TOLERANCE, Bools, Floats, Ints
from poolscope.selection.base import Task
from poolscope.selection.contenders import weighted_relevance
from poolscope.selection.full_groups import FullGroups
from poolscope.selection.similarities import LARGE, similarities

Lower: TypeAlias = Callable[[int, Floats], object]
"""Writes what each candidate could score behind one pick alone; shape ``(n,)``."""

Cosines: TypeAlias = Floats | list[list[float]]
"""Each pick's cosine to the picks: to all, shape ``(p - 1, p)``, or lists of those behind it."""

HANDFUL = 12
"""Picks up to which lists of numbers are faster than arrays."""
FEW, SHORT = 256, 8
"""Candidates, and steps, up to which looking ahead does not pay."""
ROOM = 2_000_000
"""Most scores that are kept for one walk: 16 MB."""
DOUBT = 10.0
"""Two scores within so many times the slack are not told apart by numbers of different rounding."""
UNIT = 2.0**-24
"""Rounding of single precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What a walk picked, with its trace.

    Args:
        picks: The picks made, in their order; length ``s``.
        runners_up: Who would have been picked instead; length ``s``, -1 for none.
        margins: By how much each pick was better; length ``s``, ``nan`` for none.
        cosines: Those of the picks, those before the walk included.
    """

    picks: Sequence[int]
    runners_up: Sequence[int]
    margins: Sequence[float]
    cosines: Cosines


class Walker:
    """Walks over one pool; every candidate's score at every step is kept.

    Args:
        task: What is selected from.
        waiting: Shape ``(n,)``, who is eligible; not changed.
        before: The picks before the walk, at least one.
        capped: Whether the policy's cap holds.
    """

    def __init__(self, task: Task, waiting: Bools, before: Sequence[int], *, capped: bool) -> None:
        self._task = task
        self._minus = np.array(task.policy.lambda_ - 1.0)  # an array of one is taken up faster
        self._clip = task.policy.clip_negative
        self._weighted = weighted_relevance(task, waiting)
        self._before, self._capped = list(before), capped
        self._room = task.policy.k - len(before)
        self._known = similarities(task.pool)

    def exact(self) -> Walk:
        """Walk with every similarity read."""
        picks, history, bests = self._walk(self._lower)
        seconds, slacks = _largest(history), self._slacks(picks)
        least = list(map(float.__sub__, seconds, slacks))
        if any(map(float.__ge__, seconds, map(float.__sub__, bests, slacks))):
            picks, history, bests = self._walk(self._lower, minds_ties=True)
            seconds = _largest(history)
            least = list(map(float.__sub__, seconds, self._slacks(picks)))
        runners_up = (history >= np.array(least)[:, None]).argmax(axis=1).tolist()
        margins = []
        for slot, (best, second) in enumerate(zip(bests, seconds, strict=True)):
            if second == -math.inf:
                runners_up[slot] = -1
                margins.append(math.nan)
            else:
                margins.append(max(best - history.item(slot, runners_up[slot]), 0.0))
        return Walk(picks, runners_up, margins, self._cosines([*self._before, *picks]))

    def ahead(self) -> Walk | None:
        """Walk in single precision; ``None`` where double precision does not confirm it."""
        picks, history, _ = self._walk(self._lower_ahead)
        seconds = np.array(_largest(history))
        if len(picks) < self._room or not np.isfinite(seconds).all():
            return None
        slacks = np.array(self._slacks(picks))
        error = (1.0 - self._task.policy.lambda_) * (self._known.vectors.shape[1] + 8) * UNIT
        doubt = DOUBT * slacks
        least = seconds - 4.0 * error - doubt
        step, rival = np.divmod(np.flatnonzero(history >= least[:, None]), history.shape[1])
        if len(rival) > 3 * len(picks):
            return None
        every = np.array([*self._before, *picks])
        asked, where = _distinct(len(self._known.vectors), every, rival)
        places, cosines = where[every], self._known.among(asked)
        inside = asked[: np.searchsorted(asked, history.shape[1])]  # a pin may be beyond the depth
        scores = self._scores(cosines[places[:-1], : len(inside)], inside)[len(self._before) - 1 :]
        bests = scores[np.arange(len(picks)), places[len(self._before) :]]
        rivals = scores[step, where[rival]]
        seconds = np.maximum.reduceat(rivals, np.searchsorted(step, np.arange(len(picks))))
        chosen = np.flatnonzero(rivals >= (seconds - doubt)[step])
        if len(chosen) > len(picks) or (seconds >= bests - doubt).any():
            return None
        margins = np.maximum(bests - rivals[chosen], 0.0)
        cosines = cosines[places[:-1]].take(places, axis=1)
        return Walk(picks, rival[chosen].tolist(), margins.tolist(), cosines)

    def _cosines(self, picks: list[int]) -> Cosines:
        row = self._known.row
        if len(picks) <= HANDFUL:
            return [
                list(map(row(index).item, picks[slot:])) for slot, index in enumerate(picks[:-1], 1)
            ]
        return np.array([row(index).take(picks) for index in picks[:-1]])

    def _walk(
        self, lower: Lower, *, minds_ties: bool = False
    ) -> tuple[list[int], Floats, list[float]]:
        """Pick until there is no room or nobody left.

        Args:
            lower: Writes what each candidate could score behind one pick alone.
            minds_ties: Whether the best ranked is looked for among those that score the same.

        Returns:
            The picks; shape ``(s, n)``, the scores at each step, ``-inf`` for the step's own
            pick; the picks' own scores.
        """
        history: Floats = np.empty((self._room, len(self._weighted)))
        groups = FullGroups(self._task) if self._capped else None
        current = None
        for pick in self._before[:-1]:
            lower(pick, history[0])
            current = history[0].copy() if current is None else np.minimum(current, history[0])
        if groups is not None:
            for pick in self._before:
                groups.add(pick)
        picks, bests, last = [], [], self._before[-1]
        for scores in history:
            lower(last, scores)
            if current is not None:
                np.minimum(current, scores, out=scores)
            last = int(scores.argmax())
            best = scores.item(last)
            if minds_ties and best > -math.inf:
                last = int((scores >= best - self._slacks([last])[0]).argmax())
                best = scores.item(last)
            if best == -math.inf:
                break
            picks.append(last)
            bests.append(best)
            scores[last] = -math.inf
            current = scores
            if groups is not None and (full := groups.add(last)).size:
                current = scores.copy()
                current[full] = -math.inf
        return picks, history[: len(picks)], bests

    def _lower(self, pick: int, out: Floats) -> None:
        row = self._known.row(pick)[: len(out)]
        np.multiply(np.maximum(row, 0.0) if self._clip else row, self._minus, out=out)
        np.add(out, self._weighted, out=out)

    def _lower_ahead(self, pick: int, out: Floats) -> None:
        single = self._known.single
        found = single[: len(out)].dot(single[pick] * (self._task.policy.lambda_ - 1.0))
        np.add(np.minimum(found, 0.0) if self._clip else found, self._weighted, out=out)

    def _slacks(self, picks: Sequence[int]) -> list[float]:
        """Return how far below each pick's score another still equals it.

        A cosine's rounding is relative to the unit lengths, not to the cosine.
        """
        weighted, lambda_ = self._weighted, self._task.policy.lambda_
        return [TOLERANCE * (abs(weighted.item(pick)) + 1.0 - lambda_) for pick in picks]

    def _scores(self, cosines: Floats, asked: Ints) -> Floats:
        """Return what some candidates score behind the first pick, the first two, and so on.

        Args:
            cosines: Shape ``(p - 1, r)``.
            asked: Shape ``(r,)``.

        Returns:
            Shape ``(p - 1, r)``.
        """
        scores = np.maximum.accumulate(cosines, axis=0)
        if self._clip:
            np.maximum(scores, 0.0, out=scores)
        scores *= self._minus
        scores += self._weighted.take(asked)
        return scores


def is_straight(task: Task) -> bool:
    """Say whether a task is one for this walk: of moderate size, and without a budget."""
    if task.policy.budget is not None or task.policy.k * task.depth > ROOM:
        return False
    return bool(task.depth * similarities(task.pool).vectors.shape[1] <= LARGE)


def straight(task: Task, waiting: Bools, before: Sequence[int], *, capped: bool) -> Walk:
    """Pick by MMR until there is no room or nobody left.

    Args:
        task: What is selected from.
        waiting: Shape ``(n,)``, who is eligible; not changed.
        before: The picks before, at least one, fewer than k; not changed.
        capped: Whether the policy's cap holds.
    """
    walker = Walker(task, waiting, before, capped=capped)
    is_long = task.depth > FEW and task.policy.k - len(before) > SHORT
    found = None
    if is_long and similarities(task.pool).known(before[0]) is None:
        found = walker.ahead()
    return found or walker.exact()


def _largest(rows: Floats) -> list[float]:
    """Return the largest value of each row."""
    return list(map(rows.item, range(len(rows)), rows.argmax(axis=1).tolist()))


def _distinct(n: int, *indices: Ints) -> tuple[Ints, Ints]:
    """Return the distinct ones of some indices below ``n``, rising, and each one's place there.

    Returns:
        Shape ``(r,)``; shape ``(n,)``, meaningless for others.
    """
    is_in = np.zeros(n, dtype=np.bool_)
    for some in indices:
        is_in[some] = True
    distinct = np.flatnonzero(is_in)
    where = np.empty(n, dtype=np.intp)
    where[distinct] = np.arange(len(distinct))
    return distinct, where
