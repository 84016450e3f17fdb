"""How alike the selected are: geometry only, an alarm and never an objective.

Shapes are written in ``p`` (picks that have a vector).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poolscope.geometry import NEAR_COPY, TOLERANCE, Bools, Floats
from poolscope.measures.base import Better, Measure, Need
from poolscope.model import Selection

CROWDING_ALARM = 0.85
"""Mean pairwise cosine that is a default alarm elsewhere; here it is named and decides nothing."""

BLOCK = 512


@dataclass(frozen=True, slots=True)
class Pair:
    """Two picks and their cosine.

    Args:
        first: Index in the pool of the one selected earlier.
        second: Index in the pool of the one selected later.
        cosine: From -1 to 1; 0 where either vector is zero.
    """

    first: int
    second: int
    cosine: float


def mean_pairwise_cosine(selection: Selection) -> float:
    """Average the cosine over the unordered pairs of picks that have vectors."""
    total, pairs = 0.0, 0
    for block in _blocks(selection):
        values = block.cosines[block.upper]
        total += float(values.sum())
        pairs += values.size
    return total / pairs if pairs else math.nan


def max_pairwise_cosine(selection: Selection) -> float:
    """Return the cosine of the closest pair."""
    pair = closest_pair(selection)
    return math.nan if pair is None else pair.cosine


def near_copy_pairs(selection: Selection) -> float:
    """Count the pairs whose cosine is at or above ``NEAR_COPY``."""
    pairs, copies = 0, 0
    for block in _blocks(selection):
        pairs += int(block.upper.sum())
        copies += int(_alike(block).sum())
    return float(copies) if pairs else math.nan


def closest_pair(selection: Selection) -> Pair | None:
    """Return the closest pair; ties go to the pair selected earliest, ``None`` without a pair."""
    best: Pair | None = None
    for block in _blocks(selection):
        if not block.upper.any():
            continue
        values = np.where(block.upper, block.cosines, -np.inf)
        top = float(values.max())
        if best is None or top > best.cosine + TOLERANCE:
            row, column = divmod(int(np.argmax(values >= top - TOLERANCE)), values.shape[1])
            best = block.pair(row, column)
    return best


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Cosines of some picks to themselves and to all later ones.

    Args:
        members: Indices in the pool of this block's picks and all later ones, ``p - start``.
        cosines: Shape ``(block, p - start)``.
        upper: The same shape: true where a cell stands for a pair, each pair once.
    """

    members: tuple[int, ...]
    cosines: Floats
    upper: Bools

    def pair(self, row: int, column: int) -> Pair:
        cosine = float(self.cosines[row, column])
        return Pair(self.members[row], self.members[column], cosine)


def _blocks(selection: Selection) -> Iterator[_Block]:
    """Walk over all pairs in blocks, so that thousands of picks need no ``p * p`` matrix."""
    pool = selection.pool
    if pool.vectors is None:
        return
    picks = selection.indices[pool.vector_mask[selection.indices]]
    rows = pool.vectors[picks]
    for start in range(0, len(picks), BLOCK):
        cosines = np.clip(rows[start : start + BLOCK] @ rows[start:].T, -1.0, 1.0)
        upper = np.triu(np.ones(cosines.shape, dtype=np.bool_), k=1)
        yield _Block(tuple(picks[start:].tolist()), cosines, upper)


def _alike(block: _Block) -> Bools:
    return block.upper & (block.cosines >= NEAR_COPY - TOLERANCE)


MEAN_PAIRWISE_COSINE = Measure(
    name="mean_pairwise_cosine",
    label="Mean pairwise cosine",
    summary=(
        "Cosine of two selected passages, averaged over all pairs that have vectors. Lower is "
        "better as an alarm, never as a goal: it reads geometry only, and five unrelated passages "
        "score best on it."
    ),
    function=mean_pairwise_cosine,
    better=Better.DOWN,
    needs=frozenset({Need.VECTORS, Need.PAIR}),
    decimals=3,
    low=-1.0,
    high=1.0,
)

MAX_PAIRWISE_COSINE = Measure(
    name="max_pairwise_cosine",
    label="Closest pair",
    summary=(
        "Cosine of the two selected passages that are most alike, over all pairs that have "
        "vectors. Lower is better; near 1 the same thing stands in the context twice."
    ),
    function=max_pairwise_cosine,
    better=Better.DOWN,
    needs=frozenset({Need.VECTORS, Need.PAIR}),
    decimals=3,
    low=-1.0,
    high=1.0,
)

NEAR_COPY_PAIRS = Measure(
    name="near_copy_pairs",
    label="Near-copy pairs",
    summary=(
        f"Pairs of selected passages with a cosine of {NEAR_COPY} or more, out of all pairs that "
        "have vectors. A count; lower is better."
    ),
    function=near_copy_pairs,
    better=Better.DOWN,
    needs=frozenset({Need.VECTORS, Need.PAIR}),
    decimals=0,
)
