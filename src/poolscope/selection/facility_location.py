"""Facility location: the picks that stand in best for the whole pool, relevance weighed in.

Lin and Bilmes, "A class of submodular functions for document summarization", ACL 2011. Shapes are
written in ``n`` (candidates of the pool) and ``c`` (those compared).
"""

from collections.abc import Iterable

import numpy as np

from poolscope import geometry
from poolscope.errors import PolicyError
from poolscope.geometry import TOLERANCE, Floats, Ints
from poolscope.model import MissingVector
from poolscope.selection.base import Draft, Selector, Task
from poolscope.selection.greedy import run
from poolscope.selection.mmr import GREEDY, LAMBDA, MISSING_VECTOR
from poolscope.selection.similarities import similarities

MOST = 4_000
"""Candidates up to which every pair is held: 128 MB."""


def facility_location(
    task: Task,
    draft: Draft,
    *,
    lambda_: float,
    missing_vector: MissingVector,  # noqa: ARG001 - read by Task
) -> Iterable[str]:
    """Pick by ``lambda * relevance + (1 - lambda) * what the pick adds to the pool's likeness``.

    The pool's likeness to the picks is the mean, over the eligible candidates and the picks, of
    each one's largest cosine to a pick; below 0 counts as 0. A candidate stands in for itself
    whatever its vector.

    Args:
        task: What is selected from.
        draft: What is filled.
        lambda_: From 0 to 1; 1 is top-k.
        missing_vector: Read by ``Task``: whether candidates without a vector are eligible.

    Raises:
        PolicyError: More than ``MOST`` candidates are to be compared.
    """
    if lambda_ < 1.0 and len(task.order) > MOST:
        raise PolicyError(
            f"Facility location compares every pair, and there are {len(task.order):,} candidates.",
            f"Set the pool depth to {MOST:,} or less.",
        )
    run(task, draft, lambda index: _Served(task, index, lambda_))
    return ()


class _Served:
    """How well each candidate is stood in for by the picks."""

    def __init__(self, task: Task, index: Ints, lambda_: float) -> None:
        rows = similarities(task.pool).vectors[index]
        self._likeness = np.maximum(geometry.pairwise(rows), 0.0)
        np.fill_diagonal(self._likeness, 1.0)
        self._place = {int(item): place for place, item in enumerate(index)}
        self._weighted = lambda_ * np.nan_to_num(task.used.weighed[index])
        self._share = 1.0 - lambda_
        self._served = np.zeros(len(index))

    def gains(self) -> Floats:
        added = np.maximum(self._likeness - self._served, 0.0).mean(axis=1)
        gains: Floats = self._weighted + self._share * added
        return gains

    def slack(self, place: int) -> float:
        return TOLERANCE * (abs(float(self._weighted[place])) + self._share)

    def add(self, index: int) -> None:
        np.maximum(self._served, self._likeness[self._place[index]], out=self._served)


FACILITY_LOCATION = Selector(
    name="facility_location",
    label="Facility location",
    summary="Each pick weighs its relevance against how much of the pool it newly stands for.",
    differs="What a passage newly stands for counts, not how near it lies to a pick.",
    function=facility_location,
    prefix=GREEDY,
    parameters=(LAMBDA, MISSING_VECTOR),
    reads_similarity=True,
    cut_is_free=False,
)
