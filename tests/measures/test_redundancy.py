import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from poolscope import geometry
from poolscope.measures import redundancy
from poolscope.measures.redundancy import (
    closest_pair,
    max_pairwise_cosine,
    mean_pairwise_cosine,
    near_copy_pairs,
)
from poolscope.model import Selection

# Cosines: 0-1 is 0.6, 0-2 is 0, 1-2 is 0.8, 3 is the opposite of 0, 4 has no length.
ROWS = [[1, 0], [0.6, 0.8], [0, 1], [-1, 0], [0, 0]]


@pytest.mark.parametrize(
    ("picks", "mean", "closest"),
    [
        ([0, 1], 0.6, (0, 1)),
        ([0, 2, 1], (0.6 + 0 + 0.8) / 3, (2, 1)),
        ([0, 3], -1, (0, 3)),
        ([0, 1, 4], 0.2, (0, 1)),
    ],
)
def test_mean_and_closest_pair_by_hand(
    picks: list[int],
    mean: float,
    closest: tuple[int, int],
    selection_of: Callable[..., Selection],
) -> None:
    selection = selection_of(5, picks, vectors=ROWS)
    assert mean_pairwise_cosine(selection) == pytest.approx(mean)
    pair = closest_pair(selection)
    assert pair is not None
    assert (pair.first, pair.second) == closest
    assert max_pairwise_cosine(selection) == pair.cosine


def test_a_pick_without_a_vector_is_in_no_pair(selection_of: Callable[..., Selection]) -> None:
    has_vector = [True, True, False, True, True]
    selection = selection_of(5, [0, 2, 1], vectors=ROWS, has_vector=has_vector)
    assert mean_pairwise_cosine(selection) == pytest.approx(0.6)
    alone = selection_of(5, [0, 2], vectors=ROWS, has_vector=has_vector)
    assert math.isnan(mean_pairwise_cosine(alone))
    assert math.isnan(max_pairwise_cosine(alone))
    assert math.isnan(near_copy_pairs(alone))
    assert closest_pair(alone) is None


def test_near_copies_from_the_threshold_on(selection_of: Callable[..., Selection]) -> None:
    rows = [[1, 0], [0.95, math.sqrt(1 - 0.95**2)], [1, 0], [0.94, -math.sqrt(1 - 0.94**2)]]
    selection = selection_of(4, [3, 1, 0, 2], vectors=rows)
    assert near_copy_pairs(selection) == 3


def test_ties_of_the_closest_go_to_the_pair_selected_earliest(
    selection_of: Callable[..., Selection], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    twins = np.repeat(rng.normal(size=(6, 64)), 2, axis=0)
    for block in (512, 3, 1):
        monkeypatch.setattr(redundancy, "BLOCK", block)
        pair = closest_pair(selection_of(12, [11, 4, 9, 5, 8, 10], vectors=twins))
        assert pair is not None
        assert (pair.first, pair.second) == (11, 10)


@pytest.mark.parametrize("block", [1, 4, 512])
def test_blocks_equal_pair_by_pair(
    block: int, selection_of: Callable[..., Selection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redundancy, "BLOCK", block)
    rows = np.random.default_rng(5).normal(size=(30, 3))
    selection = selection_of(30, list(range(0, 30, 2)), vectors=rows)
    unit = geometry.unit_rows(rows).rows
    cosines = [float(unit[a] @ unit[b]) for a, b in combinations(range(0, 30, 2), 2)]
    assert mean_pairwise_cosine(selection) == pytest.approx(np.mean(cosines))
    assert max_pairwise_cosine(selection) == pytest.approx(max(cosines))
    assert near_copy_pairs(selection) == sum(cosine >= 0.95 for cosine in cosines)
