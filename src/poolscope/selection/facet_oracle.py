"""The facet oracle: the k candidates that cover most facets. A ceiling, not a way to retrieve.

It reads the annotations that a selection is measured by. Shapes are written in ``n`` (candidates
of the pool), ``c`` (those that may be needed), ``m`` (facets still open, alike ones as one) and
``j`` (slots).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poolscope.geometry import TOLERANCE, Bools, Floats, Ints
from poolscope.model import SUPPORTS, Rule
from poolscope.selection.base import Draft, Prefix, Selector, Task

MOST = 60_000_000
"""Cells of the table up to which the choice is exact: 60 MB and about a second."""


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """What is chosen from.

    Args:
        index: Shape ``(c,)``, candidates by relevance.
        masks: Shape ``(c,)``, the open facets that each supports, as bits.
        values: Shape ``(c,)``, relevance.
        weights: Shape ``(m,)``, how many facets each bit stands for.
        slots: How many are chosen.
    """

    index: Ints
    masks: npt.NDArray[np.int64]
    values: Floats
    weights: npt.NDArray[np.int64]
    slots: int


def facet_oracle(task: Task, draft: Draft) -> Iterable[str]:
    """Take the set that covers most facets, of those the most relevant; exact.

    Ties beyond that go to the better ranked. Picks are noted by relevance: the first that supports
    a facet takes it. A token budget is applied to the chosen set, by relevance, and slots that it
    leaves are filled by relevance. Without facets the rule is top-k.

    Args:
        task: What is selected from; what is in already counts as covering.
        draft: What is filled.
    """
    if not draft.has_room() or not len(task.order):
        return ()
    supports = task.pool.marks == SUPPORTS
    covered = supports[draft.picks].any(axis=0)
    problem = _problem(task, supports & ~covered, task.policy.k - len(draft.picks))
    cells = len(problem.index) * (problem.slots + 1) << len(problem.weights)
    chosen = _exact(problem) if cells <= MOST else _greedy(problem)
    held = set(chosen)
    walk = [*chosen, *(index for index in task.order.tolist() if index not in held)]
    for place, index in enumerate(walk):
        if not draft.has_room():
            break
        new = (supports[index] & ~covered).any()
        runner_up, margin = draft.runner_up(walk, place, lambda _: True)
        rule = Rule.COVERAGE if new else Rule.RELEVANCE
        if draft.admit(index, rule, runner_up=runner_up, margin=margin):
            covered = covered | supports[index]
    return _notes(task, is_exact=cells <= MOST)


def _notes(task: Task, *, is_exact: bool) -> Iterable[str]:
    if not task.pool.facets:
        yield "No facets are annotated, so this is top-k."
    elif not is_exact:
        yield "Too many facets for an exact choice: found step by step, more may be possible."
    if task.policy.budget is not None and task.pool.facets:
        yield "The token budget is applied to the chosen set, so another may cover more within it."


def _problem(task: Task, supports: Bools, slots: int) -> _Problem:
    """Leave out who cannot be needed: of those with the same facets only the best ``slots``."""
    columns = Counter(column.tobytes() for column in supports[task.order].T if column.any())
    sets = np.array([np.frombuffer(key, dtype=np.bool_) for key in columns])
    bits = 1 << np.arange(len(columns), dtype=np.int64)
    masks = bits @ sets.reshape(len(columns), len(task.order)) if columns else None
    masks = np.zeros(len(task.order), dtype=np.int64) if masks is None else masks.astype(np.int64)
    seen: Counter[int] = Counter()
    kept = []
    for place, mask in enumerate(masks.tolist()):
        seen[mask] += 1
        if seen[mask] <= slots:
            kept.append(place)
    return _Problem(
        task.order[kept],
        masks[kept],
        task.used.deciding[task.order[kept]],
        np.array(list(columns.values()), dtype=np.int64),
        min(slots, len(kept)),
    )


def _exact(problem: _Problem) -> list[int]:
    """Choose by a table over candidates, slots and sets of facets, from the last candidate on."""
    every = np.arange(1 << len(problem.weights), dtype=np.int64)
    facets = sum(
        (every >> bit & 1) * weight for bit, weight in enumerate(problem.weights.tolist())
    ) + np.zeros(len(every), dtype=np.int64)
    rows = problem.slots + 1
    covered = np.full((rows, len(every)), -1, dtype=np.int64)
    covered[0] = facets
    value = np.zeros((rows, len(every)))
    taken = np.zeros((len(problem.index), rows, len(every)), dtype=np.bool_)
    for place in range(len(problem.index) - 1, -1, -1):
        after = every | problem.masks[place]
        more, worth = covered[:-1, after], value[:-1, after] + problem.values[place]
        slack = TOLERANCE * np.maximum(np.abs(worth), np.abs(value[1:]))
        better = (more > covered[1:]) | ((more == covered[1:]) & (worth >= value[1:] - slack))
        better &= more >= 0
        taken[place, 1:] = better
        covered[1:] = np.where(better, more, covered[1:])
        value[1:] = np.where(better, worth, value[1:])
    return _followed(problem, taken)


def _followed(problem: _Problem, taken: npt.NDArray[np.bool_]) -> list[int]:
    chosen: list[int] = []
    slots, mask = problem.slots, 0
    for place, index in enumerate(problem.index.tolist()):
        if taken[place, slots, mask]:
            chosen.append(index)
            slots, mask = slots - 1, mask | int(problem.masks[place])
    return chosen


def _greedy(problem: _Problem) -> list[int]:
    """Take whoever adds most facets, then the most relevant, until the slots are full."""
    weights = problem.weights.tolist()
    open_: Sequence[int] = range(len(problem.index))
    chosen: list[int] = []
    mask = 0
    for _ in range(problem.slots):
        adds = [_weight(int(problem.masks[place]) & ~mask, weights) for place in open_]
        best = open_[adds.index(max(adds))]
        chosen.append(best)
        mask |= int(problem.masks[best])
        open_ = [place for place in open_ if place != best]
    return [int(problem.index[place]) for place in sorted(chosen)]


def _weight(mask: int, weights: Sequence[int]) -> int:
    return sum(weight for bit, weight in enumerate(weights) if mask >> bit & 1)


FACET_ORACLE = Selector(
    name="facet_oracle",
    label="Facet oracle",
    summary="The k candidates that cover most annotated facets: a ceiling that no retriever knows.",
    differs="It reads the facets of the answer, and no likeness.",
    function=facet_oracle,
    prefix=Prefix(
        holds=False, why="The best pair for two slots need not hold the best one for a single slot."
    ),
    reads_facets=True,
    cut_is_free=False,
)
