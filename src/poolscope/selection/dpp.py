"""Greedy determinantal point process: the picks that span the largest volume, relevance weighed in.

Chen, Zhang and Zhou, "Fast greedy MAP inference for determinantal point process to improve
recommendation diversity", NeurIPS 2018. Shapes are written in ``n`` (candidates of the pool) and
``c`` (those compared).
"""

from collections.abc import Iterable

import numpy as np

from poolscope.geometry import TOLERANCE, Floats, Ints
from poolscope.model import MissingVector
from poolscope.selection.base import Draft, Selector, Task
from poolscope.selection.greedy import run
from poolscope.selection.mmr import GREEDY, LAMBDA, MISSING_VECTOR
from poolscope.selection.similarities import similarities

SPANNED = 1e-8
"""Squared distance to the span of the picks below which a candidate lies in it."""
ROUNDING = 1e-14
"""How far rounding may move such a square."""


def dpp(
    task: Task,
    draft: Draft,
    *,
    lambda_: float,
    missing_vector: MissingVector,  # noqa: ARG001 - read by Task
) -> Iterable[str]:
    """Pick by ``lambda * relevance + (1 - lambda) * log(squared distance to the picks' span)``.

    The distances' product is the determinant of the cosines of the picks. Whoever lies in the span
    (a copy, or anyone once there are as many picks as dimensions) counts as ``SPANNED`` away; among
    those relevance decides. A candidate without a vector, or with a zero one, is a direction of
    its own.

    Args:
        task: What is selected from.
        draft: What is filled.
        lambda_: From 0 to 1; 1 is top-k.
        missing_vector: Read by ``Task``: whether candidates without a vector are eligible.
    """
    run(task, draft, lambda index: _Volume(task, index, lambda_))
    return ()


class _Volume:
    """Squared distances to the span of the picks, by an incremental Cholesky factor."""

    def __init__(self, task: Task, index: Ints, lambda_: float) -> None:
        self._known = similarities(task.pool)
        self._index = index
        self._place = {int(item): place for place, item in enumerate(index)}
        self._weighted = lambda_ * np.nan_to_num(task.used.weighed[index])
        self._share = 1.0 - lambda_
        self._left = np.ones(len(index))
        self._factor: list[Floats] = []

    def gains(self) -> Floats:
        gains: Floats = self._weighted + self._share * np.log(np.maximum(self._left, SPANNED))
        return gains

    def slack(self, place: int) -> float:
        scale = abs(float(self._weighted[place])) + self._share
        left = max(float(self._left[place]), SPANNED)
        return TOLERANCE * scale + self._share * ROUNDING / left

    def add(self, index: int) -> None:
        place = self._place[index]
        left = float(self._left[place])
        if left <= SPANNED:
            return
        row = self._known.row(index)[self._index].copy()
        row[place] = 1.0
        for column in self._factor:
            row -= column[place] * column
        column = row / np.sqrt(left)
        self._factor.append(column)
        self._left = np.maximum(self._left - column * column, 0.0)


DPP = Selector(
    name="dpp",
    label="Greedy DPP",
    summary="Each pick weighs its relevance against how far it lies from all that the picks span.",
    differs="A pick pays for all that the picks span together, not for the nearest of them.",
    function=dpp,
    prefix=GREEDY,
    parameters=(LAMBDA, MISSING_VECTOR),
    reads_similarity=True,
)
