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
from poolscope.model import MissingVector, Policy, Rule
from poolscope.selection.base import Draft, Parameter, Prefix, Selector, Task
from poolscope.selection.contenders import Contenders, contenders
from poolscope.selection.full_groups import NOBODY, FullGroups
from poolscope.selection.similarities import similarities
from poolscope.selection.source_cap import CAP
from poolscope.selection.straight import Cosines, is_straight, straight

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
    _greedy(task, draft, capped=False)
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
    _greedy(task, draft, capped=True)
    return ()


def _greedy(task: Task, draft: Draft, *, capped: bool) -> None:
    lambda_ = task.policy.lambda_
    waiting = task.eligible[: task.depth].copy()
    groups = FullGroups(task) if capped else None
    for index in draft.picks:
        _close(draft, groups, index, waiting)
    # At lambda 1 relevance is compared unscaled: scaling can round distinct values together.
    if lambda_ == 1.0 or not draft.picks:
        _by_relevance(task, draft, waiting, groups, most=1 if lambda_ < 1.0 else task.policy.k)
    if not draft.picks:
        return
    if lambda_ < 1.0 and draft.has_room() and task.depth > 0:
        if is_straight(task):
            walk = straight(task, waiting, draft.picks, capped=capped)
            if groups is None:
                draft.admit_all(
                    walk.picks,
                    Rule.MARGINAL_RELEVANCE,
                    runners_up=walk.runners_up,
                    margins=walk.margins,
                )
            else:
                for step in zip(walk.picks, walk.runners_up, walk.margins, strict=True):
                    _admit(draft, groups, step, waiting)
            draft.explain(*_redundancies(walk.cosines, task.policy))
            return
        _by_score(draft, contenders(task, waiting, draft.picks), waiting, groups, lambda_)
    cosines = similarities(task.pool).among(np.array(draft.picks))
    draft.explain(*_redundancies(cosines[:-1], task.policy))


def _admit(
    draft: Draft, groups: FullGroups | None, step: tuple[int, int, float], waiting: Bools
) -> Ints:
    """Admit a pick if it fits; take it, and whom it closes out, off those waiting.

    Args:
        draft: What is filled.
        groups: The groups that a cap counts by; ``None`` without a cap.
        step: The pick, its runner-up, its margin.
        waiting: Shape ``(depth,)``, changed.

    Returns:
        Shape ``(f,)``: the candidates of a group that is full now.
    """
    index, runner_up, margin = step
    waiting[index] = False
    if draft.admit(index, Rule.MARGINAL_RELEVANCE, runner_up=runner_up, margin=margin):
        return _close(draft, groups, index, waiting)
    return NOBODY


def _close(draft: Draft, groups: FullGroups | None, index: int, waiting: Bools) -> Ints:
    """Count a pick; take whom it closes out off those waiting, and return them."""
    if groups is None:
        return NOBODY
    full = groups.add(index)
    groups.refuse(draft, full)
    waiting[full] = False
    return full


def _by_relevance(
    task: Task, draft: Draft, waiting: Bools, groups: FullGroups | None, *, most: int
) -> None:
    """Pick by relevance alone."""
    weighed = task.used.weighed
    if most == 1 and task.policy.budget is None and task.used.fused is None and draft.has_room():
        step = _most_relevant(task, waiting)
        if step[0] >= 0:
            _admit(draft, groups, step, waiting)
        return
    for place in range(len(task.order)):
        if len(draft.picks) == most or not draft.has_room():
            return
        index = task.order.item(place)
        if not waiting[index]:
            continue
        runner_up, margin = draft.runner_up(task.order, place, waiting.item)
        if runner_up >= 0:
            margin = max(float(weighed[index] - weighed[runner_up]), 0.0)
        _admit(draft, groups, (index, runner_up, margin), waiting)


def _most_relevant(task: Task, waiting: Bools) -> tuple[int, int, float]:
    """Find the most relevant of those waiting, the next, and by how much it is less.

    Returns:
        Two candidates, -1 for none, and a margin, ``nan`` for none.
    """
    weighed = task.used.weighed
    values = task.used.values[: task.depth].copy()
    if not task.is_open:
        values[~waiting] = -math.inf
    best = int(values.argmax()) if values.size else 0
    if not values.size or values.item(best) == -math.inf:
        return -1, -1, math.nan
    values[best] = -math.inf
    later = int(values.argmax())
    if values.item(later) == -math.inf:
        return best, -1, math.nan
    return best, later, max(weighed.item(best) - weighed.item(later), 0.0)


def _by_score(
    draft: Draft, running: Contenders, waiting: Bools, groups: FullGroups | None, lambda_: float
) -> None:
    """Pick by relevance less redundancy."""
    while draft.has_room():
        step = _step(draft, running, lambda_)
        if step[0] < 0:
            return
        full = _admit(draft, groups, step, waiting)
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


def _redundancies(cosines: Cosines, policy: Policy) -> tuple[Sequence[float], Sequence[int]]:
    """Find each pick's largest similarity to an earlier one, and the earliest that has it.

    Args:
        cosines: Each earlier pick's cosine to every pick, shape ``(p - 1, p)``, or to those
            behind it, as lists.
        policy: Says what a negative cosine counts.

    Returns:
        Length ``p``: the similarities, ``nan`` for the first pick; slots from 0, -1 for none.
    """
    if isinstance(cosines, np.ndarray):
        return _redundancies_of_many(cosines, policy)
    redundancies, slots = [math.nan], [-1]
    for slot in range(len(cosines)):
        found = [row[slot - earlier] for earlier, row in enumerate(cosines[: slot + 1])]
        if policy.clip_negative:
            found = [max(value, 0.0) for value in found]
        least, earliest = max(found) - TOLERANCE, 0
        while found[earliest] < least:
            earliest += 1
        redundancies.append(found[earliest])
        slots.append(earliest)
    return redundancies, slots


def _redundancies_of_many(cosines: Floats, policy: Policy) -> tuple[list[float], list[int]]:
    """Do the same in a few operations on all picks at once."""
    if not len(cosines):
        return [math.nan], [-1]
    found = cosines[:, 1:]
    if policy.clip_negative:
        found = np.maximum(found, 0.0)
    slot, is_earlier = _slots(len(found))
    found = np.where(is_earlier, found, -np.inf)
    nearest = np.maximum.reduce(found, axis=0)
    slots = (found >= nearest - TOLERANCE).argmax(axis=0)
    return [math.nan, *found[slots, slot].tolist()], [-1, *slots.tolist()]


@functools.lru_cache(maxsize=256)
def _slots(picks: int) -> tuple[Ints, Bools]:
    """Slots from 0, and whether a row's is not behind a column's; shapes ``(p,)``, ``(p, p)``."""
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
