"""Maximal marginal relevance: each pick pays for its likeness to the picks before it.

Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and
producing summaries", SIGIR 1998. Lambda 1 is relevance only, lambda 0 difference only.
Shapes are written in ``n`` (candidates within the pool depth) and ``d`` (dimensions).
"""

from collections.abc import Iterable

import numpy as np

from poolscope import geometry
from poolscope.geometry import TOLERANCE, Floats, Ints
from poolscope.model import OPEN, Cause, MissingVector, Rule
from poolscope.selection.base import Draft, Parameter, Selector, Task
from poolscope.selection.source_cap import CAP

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
    lambda_: float,
    clip_negative: bool,
    missing_vector: MissingVector,  # noqa: ARG001 - decides who is eligible, in Task
) -> Iterable[str]:
    """Pick by ``lambda * relevance - (1 - lambda) * largest similarity to a pick``.

    Args:
        task: What is selected from.
        draft: What is filled.
        lambda_: From 0 to 1.
        clip_negative: Whether a negative cosine counts as 0.
        missing_vector: Read by ``Task``: whether candidates without a vector are eligible.
    """
    _greedy(task, draft, lambda_, _Similarity(task, clip_negative=clip_negative), quota=None)
    return ()


def mmr_cap(
    task: Task,
    draft: Draft,
    *,
    lambda_: float,
    cap: int,  # noqa: ARG001 - task.caps holds it with the overrides
    clip_negative: bool,
    missing_vector: MissingVector,  # noqa: ARG001 - decides who is eligible, in Task
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
    similarity = _Similarity(task, clip_negative=clip_negative)
    _greedy(task, draft, lambda_, similarity, quota=_Quota(task, draft))
    return ()


class _Similarity:
    """Largest similarity of each candidate to the picks so far, and the pick it comes from."""

    def __init__(self, task: Task, *, clip_negative: bool) -> None:
        vectors = task.pool.vectors
        depth = task.depth
        self._rows = np.zeros((depth, 1)) if vectors is None else vectors[:depth]
        self._clip = clip_negative
        self.values: Floats = np.zeros(depth)
        self.blockers: Ints = np.full(depth, -1, dtype=np.intp)

    def add(self, index: int) -> None:
        """Take a pick into account."""
        fresh = geometry.cosines(self._rows, self._rows[index])
        if self._clip:
            np.maximum(fresh, 0.0, out=fresh)
        if self.blockers[index] == -1 and not (self.blockers >= 0).any():
            self.values = fresh
            self.blockers[:] = index
            return
        nearer = fresh > self.values + TOLERANCE
        self.values[nearer] = fresh[nearer]
        self.blockers[nearer] = index


class _Quota:
    """Takes a group's candidates out of the running when the group is full."""

    def __init__(self, task: Task, draft: Draft) -> None:
        self._groups = task.groups[: task.depth]
        self._caps = task.caps
        self._draft = draft
        self._taken: dict[int, int] = {}

    def add(self, index: int) -> Ints:
        """Count a pick; return the candidates that cannot be picked any more."""
        group = int(self._groups[index])
        self._taken[group] = self._taken.get(group, 0) + 1
        if self._taken[group] < self._caps[index]:
            return np.empty(0, dtype=np.intp)
        full = np.flatnonzero(self._groups == group)
        if self._draft.has_room():
            waiting = full[self._draft.causes[full] == OPEN]
            self._draft.refuse(waiting, Cause.CAP_REACHED, int(self._caps[index]))
        return full


def _greedy(
    task: Task, draft: Draft, lambda_: float, similarity: _Similarity, *, quota: _Quota | None
) -> None:
    values, weighed = task.used.values[: task.depth], task.used.weighed[: task.depth]
    waiting = np.zeros(task.depth, dtype=np.bool_)
    waiting[task.order] = True
    while draft.has_room() and waiting.any():
        first = not draft.picks
        scores = weighed if first else lambda_ * weighed - (1.0 - lambda_) * similarity.values
        # Scaling can round distinct relevances together: relevance alone is compared unscaled.
        by_relevance = first or lambda_ == 1.0
        keys = np.where(waiting, values if by_relevance else scores, -np.inf)
        # A cosine's rounding is relative to the unit lengths, not to the cosine.
        best = abs(float(weighed[keys.argmax()]))
        slack = 0.0 if by_relevance else TOLERANCE * (lambda_ * best + 1.0 - lambda_)
        index = _first_within(keys, slack)
        waiting[index] = False
        runner_up, margin = _runner_up(keys, scores, index, slack, draft)
        admitted = draft.admit(
            index,
            Rule.MARGINAL_RELEVANCE,
            runner_up=runner_up,
            margin=margin,
            redundancy=np.nan if first else float(similarity.values[index]),
            blocker=int(similarity.blockers[index]),
        )
        if not admitted:
            continue
        if draft.has_room():
            similarity.add(index)
        if quota is not None:
            waiting[quota.add(index)] = False


def _first_within(keys: Floats, slack: float) -> int:
    """Index of the best key; among those equal to it, the best ranked."""
    return int((keys >= keys.max() - slack).argmax())


def _runner_up(
    keys: Floats, scores: Floats, index: int, slack: float, draft: Draft
) -> tuple[int, float]:
    """Find who would have been picked instead of ``index``, and by how much it lost."""
    left = keys.copy()
    left[index] = -np.inf
    while left[later := _first_within(left, slack)] > -np.inf:
        if draft.fits(later):
            return later, max(float(scores[index] - scores[later]), 0.0)
        if draft.stops_at_misfit:
            break
        left[later] = -np.inf
    return -1, float("nan")


MMR = Selector(
    name="mmr",
    label="MMR",
    summary="Each pick weighs its relevance against its likeness to the picks before it.",
    function=mmr,
    parameters=(LAMBDA, CLIP_NEGATIVE, MISSING_VECTOR),
    reads_similarity=True,
)
MMR_CAP = Selector(
    name="mmr_cap",
    label="MMR with a cap",
    summary="MMR among the candidates whose source still has room under the cap.",
    function=mmr_cap,
    parameters=(LAMBDA, CAP, CLIP_NEGATIVE, MISSING_VECTOR),
    reads_similarity=True,
    reads_key=True,
)
