"""The greedy loop of every rule that weighs a candidate against the picks before it, MMR apart.

MMR over cosines has a loop of its own, made for large pools and for paths. Shapes are written in
``n`` (candidates of the pool), ``c`` (those compared) and ``p`` (picks).
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np

from poolscope.geometry import TOLERANCE, Bools, Floats, Ints
from poolscope.model import Merits, Rule
from poolscope.selection.base import Draft, Task
from poolscope.selection.similarities import similarities

Row: TypeAlias = Callable[[int], Floats]
"""Gives the similarity of every candidate of the pool to one of them; shape ``(n,)``."""


class Objective(Protocol):
    """What a rule adds up; private to one call of ``select``."""

    def gains(self) -> Floats:
        """Return what each candidate compared would add to the picks; shape ``(c,)``."""

    def slack(self, place: int) -> float:
        """Return how far below the gain at a place another still equals it."""

    def add(self, index: int) -> None:
        """Count a pick."""


class Ties(Protocol):
    """Who is taken of several candidates with the same gain."""

    def take(self, tied: Bools) -> int:
        """Return the place of one of them; it is not offered again."""


class BestRanked:
    """Takes the best ranked."""

    def take(self, tied: Bools) -> int:
        """Return the first place."""
        return int(tied.argmax())


class Marginal:
    """Lambda times relevance less the largest similarity to a pick, 0 before the first.

    Args:
        weighed: Shape ``(c,)``, relevance.
        lambda_: From 0 to 1.
        row: Similarities.
        index: Shape ``(c,)``, the candidates compared.
        last_only: Whether only the last pick counts, not all of them.
    """

    def __init__(
        self, weighed: Floats, lambda_: float, row: Row, index: Ints, *, last_only: bool = False
    ) -> None:
        self._weighted = lambda_ * weighed
        self._minus = 1.0 - lambda_
        self._row, self._index = row, index
        self._forgets = last_only
        self._redundancy: Floats | None = None

    def gains(self) -> Floats:
        """Return the marginal relevance of each candidate; shape ``(c,)``."""
        if self._redundancy is None:
            return self._weighted
        gains: Floats = self._weighted - self._minus * self._redundancy
        return gains

    def slack(self, place: int) -> float:
        """Return the tolerance on the scale of the terms."""
        return TOLERANCE * (abs(float(self._weighted[place])) + self._minus)

    def add(self, index: int) -> None:
        """Count a pick."""
        row = self._row(index)[self._index]
        if self._redundancy is None or self._forgets:
            self._redundancy = row
        else:
            self._redundancy = np.maximum(self._redundancy, row)


def climb(
    task: Task,
    draft: Draft,
    index: Ints,
    objective: Objective,
    *,
    rule: Rule = Rule.GAIN,
    ties: Ties | None = None,
) -> Floats | None:
    """Take the candidate that adds most, until there is no room or nobody left.

    Args:
        task: What is selected from; of the candidates compared only those eligible are taken.
        draft: What is filled; its picks are counted first.
        index: Shape ``(c,)``, the candidates compared, rising.
        objective: What each would add.
        rule: What admits a pick.
        ties: Who is taken among equals; the best ranked by default.

    Returns:
        Shape ``(n,)``, the gains at the last pick, ``nan`` for who was not compared then;
        ``None`` without any pick.
    """
    ties = ties or BestRanked()
    waiting = task.eligible[index].copy()
    for pick in draft.picks:
        objective.add(pick)
    last = None
    while draft.has_room() and waiting.any():
        gains = np.where(waiting, objective.gains(), -np.inf)
        top = int(gains.argmax())
        slack = objective.slack(top)
        place = ties.take(gains >= gains[top] - slack)
        waiting[place] = False
        runner_up, margin = _runner_up(draft, index, gains, place, slack)
        if draft.admit(int(index[place]), rule, runner_up=runner_up, margin=margin):
            last = gains
            objective.add(int(index[place]))
    if last is None:
        return None
    whole = np.full(len(task.pool), np.nan)
    whole[index] = np.where(np.isneginf(last), np.nan, last)
    return whole


def _runner_up(
    draft: Draft, index: Ints, gains: Floats, place: int, slack: float
) -> tuple[int, float]:
    others = gains.copy()
    others[place] = -np.inf
    others = draft.rivals(others, index)
    second = float(others.max())
    if second == -np.inf:
        return -1, np.nan
    runner_up = int(index[int((others >= second - slack).argmax())])
    if draft.stops_at_misfit and not draft.fits(runner_up):
        return -1, np.nan
    return runner_up, max(float(gains[place]) - second, 0.0)


def explain(
    draft: Draft,
    gains: Floats | None,
    row: Row,
    *,
    measure: str = "cosine",
    last_only: bool = False,
    clip: bool = False,
) -> None:
    """Note in the draft what each pick is most like, and what lost on merit is most like.

    Args:
        draft: What was filled.
        gains: Shape ``(n,)``, as ``climb`` returns them.
        row: Similarities.
        measure: What they are.
        last_only: Whether only the pick before counts.
        clip: Whether a similarity below 0 counts as 0.
    """
    if not draft.picks:
        return
    picks = np.array(draft.picks)
    rows = np.stack([row(index) for index in draft.picks])
    if clip:
        rows = np.maximum(rows, 0.0)
    found = rows[:, picks].T.copy()
    slot = np.arange(len(picks))
    hidden = slot[:, None] <= slot
    if last_only:
        hidden = slot[:, None] != slot + 1
    found[hidden] = -np.inf
    slots = (found >= found.max(axis=1, keepdims=True) - TOLERANCE).argmax(axis=1)
    redundancies = found[slot, slots]
    redundancies[0], slots[0] = np.nan, -1
    draft.explain(redundancies, slots)
    if gains is None:
        return
    earlier = rows[:-1] if len(picks) > 1 else rows
    earlier = earlier[-1:] if last_only else earlier
    names = (picks[:-1] if len(picks) > 1 else picks)[-len(earlier) :]
    nearest = earlier.argmax(axis=0)
    draft.compare(
        Merits(
            values=gains,
            last=float(gains[picks[-1]]),
            blockers=names[nearest],
            similarities=earlier[nearest, np.arange(earlier.shape[1])],
            measure=measure,
        )
    )


def run(task: Task, draft: Draft, objective: Callable[[Ints], Objective]) -> None:
    """Select by an objective over cosines; the first pick is the most relevant, lambda 1 is top-k.

    Args:
        task: What is selected from.
        draft: What is filled.
        objective: Made for the candidates compared: those eligible and those in already, rising.
    """
    row = similarities(task.pool).row
    gains = None
    if task.policy.lambda_ == 1.0:
        draft.fill(task.order.tolist(), Rule.GAIN)
    else:
        if not draft.picks:
            draft.fill(task.order.tolist(), Rule.GAIN, most=1)
        if draft.has_room() and draft.picks:
            index = np.union1d(np.flatnonzero(task.eligible), draft.picks).astype(np.intp)
            gains = climb(task.without(draft.picks), draft, index, objective(index))
    explain(draft, gains, row, clip=task.policy.clip_negative)
