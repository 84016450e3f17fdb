"""Maximal marginal relevance: each pick pays for its likeness to the picks before it.

Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and
producing summaries", SIGIR 1998. Lambda 1 is relevance only, lambda 0 difference only.
Shapes are written in ``n`` (candidates within the pool depth) and ``d`` (dimensions).
"""

import functools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from poolscope import geometry
from poolscope.geometry import TOLERANCE, Bools, Floats, Ints
from poolscope.model import OPEN, Cause, MissingVector, Policy, Rule
from poolscope.selection.base import Draft, Parameter, Prefix, Selector, Task
from poolscope.selection.contenders import Contenders, contenders
from poolscope.selection.similarities import Similarities, similarities
from poolscope.selection.source_cap import CAP

FEW = 12
"""Picks up to which plain numbers are faster than arrays."""

LAMBDA = Parameter(
    name="lambda_",
    label="Lambda",
    help="1 weighs relevance only, which is top-k; 0 weighs difference only.",
    low=0.0,
    high=1.0,
    step=0.01,
)
CLIP_NEGATIVE = Parameter(
    name="clip_negative",
    label="Clip negative cosines",
    help="Count opposites as unrelated (0) instead of rewarding them.",
)
MISSING_VECTOR = Parameter(
    name="missing_vector",
    label="Without a vector",
    help="Leave such candidates out, or let them in as similar to nothing.",
    choices=MissingVector,
)


def mmr(
    task: Task,
    draft: Draft,
    *,
    lambda_: float,  # noqa: ARG001 - read from the policy, as are the others
    clip_negative: bool,  # noqa: ARG001
    missing_vector: MissingVector,  # noqa: ARG001
) -> Iterable[str]:
    """Pick by ``lambda * relevance - (1 - lambda) * largest similarity to a pick``.

    Args:
        task: What is selected from.
        draft: What is filled.
        lambda_: From 0 to 1.
        clip_negative: Whether a negative cosine counts as 0.
        missing_vector: Read by ``Task``: whether candidates without a vector are eligible.
    """
    _greedy(task, draft, quota=None)
    return ()


def mmr_cap(
    task: Task,
    draft: Draft,
    *,
    lambda_: float,  # noqa: ARG001 - read from the policy, as are the others
    cap: int,  # noqa: ARG001
    clip_negative: bool,  # noqa: ARG001
    missing_vector: MissingVector,  # noqa: ARG001
) -> Iterable[str]:
    """Pick as MMR does among the candidates whose source is not full.

    Args:
        task: What is selected from; ``task.caps`` holds ``cap`` with the policy's overrides.
        draft: What is filled.
        lambda_: From 0 to 1.
        cap: Most picks for one value of the key, at least 1.
        clip_negative: Whether a negative cosine counts as 0.
        missing_vector: Read by ``Task``: whether candidates without a vector are eligible.
    """
    _greedy(task, draft, quota=_Quota(task, draft))
    return ()


class _Quota:
    """Takes a group's candidates out of the running when the group is full."""

    def __init__(self, task: Task, draft: Draft) -> None:
        self._groups = task.groups
        self._depth = task.depth
        self._caps = task.caps
        self._draft = draft
        self._taken: dict[int, int] = {}

    def add(self, index: int) -> Ints:
        """Count a pick; return the candidates that cannot be picked any more."""
        group = int(self._groups[index])
        self._taken[group] = self._taken.get(group, 0) + 1
        if self._taken[group] < self._caps[index]:
            return np.empty(0, dtype=np.intp)
        full = np.flatnonzero(self._groups[: self._depth] == group)
        if self._draft.has_room():
            waiting = full[self._draft.causes[full] == OPEN]
            self._draft.refuse(waiting, Cause.CAP_REACHED, int(self._caps[index]))
        return full


def _greedy(task: Task, draft: Draft, *, quota: _Quota | None) -> None:
    lambda_ = task.policy.lambda_
    waiting = task.eligible[: task.depth].copy()
    if quota is not None:
        for index in draft.picks:
            waiting[quota.add(index)] = False
    # At lambda 1 relevance is compared unscaled: scaling can round distinct values together.
    if lambda_ == 1.0 or not draft.picks:
        _by_relevance(task, draft, waiting, quota, most=1 if lambda_ < 1.0 else task.policy.k)
    if not draft.picks:
        return
    if lambda_ < 1.0 and draft.has_room() and task.depth > 0:
        _by_score(draft, contenders(task, waiting, draft.picks), waiting, quota, lambda_)
    draft.explain(*_redundancies(similarities(task.pool), draft.picks, task.policy))


def _by_relevance(
    task: Task, draft: Draft, waiting: Bools, quota: _Quota | None, *, most: int
) -> None:
    """Pick by relevance alone."""
    weighed = task.used.weighed
    for place in range(len(task.order)):
        if len(draft.picks) == most or not draft.has_room():
            return
        index = task.order.item(place)
        if not waiting[index]:
            continue
        runner_up, margin = draft.runner_up(task.order, place, waiting.item)
        if runner_up >= 0:
            margin = max(float(weighed[index] - weighed[runner_up]), 0.0)
        waiting[index] = False
        admitted = draft.admit(index, Rule.MARGINAL_RELEVANCE, runner_up=runner_up, margin=margin)
        if admitted and quota is not None:
            waiting[quota.add(index)] = False


def _by_score(
    draft: Draft, running: Contenders, waiting: Bools, quota: _Quota | None, lambda_: float
) -> None:
    """Pick by relevance less redundancy."""
    while draft.has_room():
        index, runner_up, margin = _step(draft, running, lambda_)
        if index < 0:
            return
        waiting[index] = False
        admitted = draft.admit(index, Rule.MARGINAL_RELEVANCE, runner_up=runner_up, margin=margin)
        if admitted and quota is not None:
            full = quota.add(index)
            if full.size:
                running.close(full)


def _step(draft: Draft, running: Contenders, lambda_: float) -> tuple[int, int, float]:
    """Take the next pick out of the running; find who would be picked instead, and the margin.

    Returns:
        The pick, -1 for none; the runner-up, -1 for none; the margin, ``nan`` for none.
    """
    while True:
        tier = running.top()
        scores = tier.scores
        place = int(scores.argmax())
        best = scores.item(place)
        # A cosine's rounding is relative to the unit lengths, not to the cosine.
        slack = TOLERANCE * (abs(tier.weighted.item(place)) + 1.0 - lambda_)
        scores[place] = -math.inf
        later = int(scores.argmax())
        second = scores.item(later)
        if second >= best - slack:
            scores[place] = best
            place = int((scores >= best - slack).argmax())
            best = scores.item(place)
            scores[place] = -math.inf
            later = int(scores.argmax())
            second = scores.item(later)
        rivals = draft.rivals(scores, tier.index)
        if rivals is not scores:
            later = int(rivals.argmax())
            second = rivals.item(later)
        if tier.outside == -math.inf or second - slack > tier.outside:
            break
        scores[place] = best
        running.widen()
    if best == -math.inf:
        return -1, -1, math.nan
    index = tier.index.item(place)
    if second == -math.inf:
        return index, -1, math.nan
    later = int((rivals >= second - slack).argmax())
    runner_up = tier.index.item(later)
    if draft.stops_at_misfit and not draft.fits(runner_up):
        return index, -1, math.nan
    return index, runner_up, max(best - rivals.item(later), 0.0)


def _redundancies(
    known: Similarities, picks: list[int], policy: Policy
) -> tuple[Sequence[float] | Floats, Sequence[int] | Ints]:
    """Find each pick's largest similarity to an earlier one, and the earliest that has it.

    Args:
        known: The similarities of the pool.
        picks: The ``p`` picks in the order of selection.
        policy: Says what a negative cosine counts.

    Returns:
        Length ``p``: the similarities, ``nan`` for the first pick; slots from 0, -1 for none.
    """
    rows = [known.known(pick) for pick in picks[:-1]] if len(picks) <= FEW else [None]
    kept = [row for row in rows if row is not None]
    if len(kept) < len(rows):
        return _redundancies_of_many(known.vectors.take(picks, axis=0), policy)
    redundancies, slots = [math.nan], [-1]
    for slot in range(1, len(picks)):
        found = [row.item(picks[slot]) for row in kept[:slot]]
        if policy.clip_negative:
            found = [max(value, 0.0) for value in found]
        least, earliest = max(found) - TOLERANCE, 0
        while found[earliest] < least:
            earliest += 1
        redundancies.append(found[earliest])
        slots.append(earliest)
    return redundancies, slots


def _redundancies_of_many(rows: Floats, policy: Policy) -> tuple[Floats, Ints]:
    """Do the same by one product of the picks' rows, shape ``(p, d)``."""
    found = rows @ rows.T
    if policy.clip_negative:
        np.maximum(found, 0.0, out=found)
    slot, not_earlier = _slots(len(rows))
    np.copyto(found, -np.inf, where=not_earlier)
    nearest = np.maximum.reduce(found, axis=1, keepdims=True)
    slots = (found >= nearest - TOLERANCE).argmax(axis=1)
    redundancies = found[slot, slots]
    redundancies[0], slots[0] = np.nan, -1
    return redundancies, slots


@functools.lru_cache(maxsize=256)
def _slots(picks: int) -> tuple[Ints, Bools]:
    """Slots from 0, and which slot is not before which; shapes ``(p,)``, ``(p, p)``; read-only."""
    slot = np.arange(picks)
    return geometry.read_only(slot), geometry.read_only(slot[:, None] <= slot)


GREEDY = Prefix(holds=True, why="Each pick is made on the picks before it and none is taken back.")
MMR = Selector(
    name="mmr",
    label="MMR",
    summary="Each pick weighs its relevance against its likeness to the picks before it.",
    differs="It is plain MMR.",
    function=mmr,
    prefix=GREEDY,
    parameters=(LAMBDA, CLIP_NEGATIVE, MISSING_VECTOR),
    reads_similarity=True,
)
MMR_CAP = Selector(
    name="mmr_cap",
    label="MMR with a cap",
    summary="MMR among the candidates whose source still has room under the cap.",
    differs="A full source is closed whatever its passages say; else it is plain MMR.",
    function=mmr_cap,
    prefix=GREEDY,
    parameters=(LAMBDA, CAP, CLIP_NEGATIVE, MISSING_VECTOR),
    reads_similarity=True,
    reads_key=True,
)
