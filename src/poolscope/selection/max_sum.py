"""Max-sum dispersion: the picks that lie far from each other in sum, relevance weighed in.

Gollapudi and Sharma, "An axiomatic approach for result diversification", WWW 2009. Shapes are
written in ``n`` (candidates of the pool) and ``c`` (those compared).
"""

from collections.abc import Iterable

import numpy as np

from poolscope.geometry import TOLERANCE, Floats, Ints
from poolscope.model import MissingVector
from poolscope.selection.base import Draft, Selector, Task
from poolscope.selection.greedy import run
from poolscope.selection.mmr import CLIP_NEGATIVE, GREEDY, LAMBDA, MISSING_VECTOR
from poolscope.selection.similarities import similarities


def max_sum(
    task: Task,
    draft: Draft,
    *,
    lambda_: float,
    clip_negative: bool,
    missing_vector: MissingVector,  # noqa: ARG001 - read by Task
) -> Iterable[str]:
    """Pick by ``lambda * relevance + (1 - lambda) * sum of (1 - cosine) to the picks``.

    The sum grows with every pick, so that difference weighs more the longer the list is; a single
    close copy among many distant picks is cheap, where MMR makes it pay in full.

    Args:
        task: What is selected from.
        draft: What is filled.
        lambda_: From 0 to 1; 1 is top-k.
        clip_negative: Whether a negative cosine counts as 0.
        missing_vector: Read by ``Task``: whether candidates without a vector are eligible.
    """
    run(task, draft, lambda index: _Distances(task, index, lambda_, clip=clip_negative))
    return ()


class _Distances:
    """Sums of distances to the picks."""

    def __init__(self, task: Task, index: Ints, lambda_: float, *, clip: bool) -> None:
        self._known = similarities(task.pool)
        self._index = index
        self._weighted = lambda_ * np.nan_to_num(task.used.weighed[index])
        self._share, self._clip = 1.0 - lambda_, clip
        self._sum = np.zeros(len(index))
        self._picks = 0

    def gains(self) -> Floats:
        gains: Floats = self._weighted + self._share * self._sum
        return gains

    def slack(self, place: int) -> float:
        scale = abs(float(self._weighted[place])) + self._share * max(self._picks, 1)
        return TOLERANCE * scale

    def add(self, index: int) -> None:
        row = self._known.row(index)[self._index]
        self._sum += 1.0 - (np.maximum(row, 0.0) if self._clip else row)
        self._picks += 1


MAX_SUM = Selector(
    name="max_sum",
    label="Max-sum dispersion",
    summary="Each pick weighs its relevance against its distances to all picks, added up.",
    differs="A pick is held against all picks added up, not against the nearest alone.",
    function=max_sum,
    prefix=GREEDY,
    parameters=(LAMBDA, CLIP_NEGATIVE, MISSING_VECTOR),
    reads_similarity=True,
)
