import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.measures.relevance import (
    jaccard_with_top_k,
    mean_raw_score,
    mean_relevance,
    overlap_with_top_k,
    rank_biased_overlap,
    relevance_kept,
    shared_with_top_k,
)
from poolscope.model import Selection

RELEVANCES = [0.8, 0.6, 0.4, 0.2]


def test_means_are_over_the_selected(selection_of: Callable[..., Selection]) -> None:
    selection = selection_of(4, [0, 3], relevances=RELEVANCES, raw_scores=[2.0, 3.0, 5.0, 7.0])
    assert mean_relevance(selection) == pytest.approx(0.5)
    assert mean_raw_score(selection) == pytest.approx(4.5)


@pytest.mark.parametrize(
    ("picks", "k", "depth", "expected"),
    [
        ([0, 1], 2, None, 1.0),
        ([0, 3], 2, None, 0.5 / 0.7),
        ([3], 1, None, 0.2 / 0.8),
        # One of two slots stayed empty: the pick is held against both.
        ([0], 2, None, 0.8 / 0.7),
        ([1], 1, 1, 0.6 / 0.8),
    ],
)
def test_relevance_kept_is_against_top_k_at_the_same_k(
    picks: list[int],
    k: int,
    depth: int | None,
    expected: float,
    selection_of: Callable[..., Selection],
) -> None:
    selection = selection_of(4, picks, k=k, depth=depth, relevances=RELEVANCES)
    assert relevance_kept(selection) == pytest.approx(expected)


def test_relevance_kept_is_undefined_where_a_ratio_says_nothing(
    selection_of: Callable[..., Selection],
) -> None:
    assert math.isnan(relevance_kept(selection_of(2, [1], relevances=[-1.0, -2.0])))
    assert math.isnan(relevance_kept(selection_of(2, [1], relevances=[0.0, -2.0])))
    assert relevance_kept(selection_of(2, [1], relevances=[1.0, -2.0])) == -2.0


@pytest.mark.parametrize(
    ("picks", "k", "shared", "jaccard"),
    [
        ([0, 1], 2, 2, 1),
        ([1, 0], 2, 2, 1),
        ([0, 3], 2, 1, 1 / 3),
        ([2, 3], 2, 0, 0),
        ([0], 3, 1, 1 / 3),
    ],
)
def test_overlap_as_sets(
    picks: list[int], k: int, shared: int, jaccard: float, selection_of: Callable[..., Selection]
) -> None:
    selection = selection_of(4, picks, k=k, relevances=RELEVANCES)
    assert shared_with_top_k(selection) == shared
    assert jaccard_with_top_k(selection) == jaccard


def test_overlap_as_rankings_reads_the_order_of_selection(
    selection_of: Callable[..., Selection],
) -> None:
    assert overlap_with_top_k(selection_of(4, [0, 1])) == pytest.approx(1)
    # Agreement 0 at rank 1, complete from rank 2 on: all weight but the first 1 - p.
    assert overlap_with_top_k(selection_of(4, [1, 0])) == pytest.approx(0.9)
    assert overlap_with_top_k(selection_of(4, [2, 3])) == 0
    assert overlap_with_top_k(selection_of(4, [], k=2)) == 0


# Printed by William Webber's own program for the first 26 letters against these; kept with the
# Rust implementation of Petri (github.com/mpetri/rbo, test_data/uneven_abc.json).
WEBBER = [
    ("vyecmpuxw", 0.9, 0.231648),
    ("oswx", 0.9, 0.024994),
    ("n", 0.9, 0.013063),
    ("mhlarxun", 0.9, 0.230254),
    ("eiucgnqjvhmxozslpabtdwr", 0.9, 0.402054),
    ("kxcnarvmwyp", 0.99, 0.529392),
    ("awcshi", 0.99, 0.490611),
]


@pytest.mark.parametrize(("other", "persistence", "expected"), WEBBER)
def test_rank_biased_overlap_as_its_author_computes_it(
    other: str, persistence: float, expected: float
) -> None:
    letters = [ord(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]
    value = rank_biased_overlap(letters, [ord(letter) for letter in other], persistence)
    # Six decimals, the last one cut or rounded.
    assert value == pytest.approx(expected, rel=0, abs=1e-6)


def infinite_sum(first: list[int], second: list[int], persistence: float) -> float:
    """Average the agreement over 3,000 depths, continued as the extrapolation supposes."""
    short, long = sorted((first, second), key=len)
    last = len(set(short) & set(long[: len(short)])) / len(short)
    total = 0.0
    for depth in range(1, 3001):
        d = min(depth, len(long))
        shared = len(set(short[:d]) & set(long[:d])) + max(d - len(short), 0) * last
        total += (1 - persistence) * persistence ** (depth - 1) * shared / d
    return total


rankings = st.lists(st.integers(0, 9), min_size=1, max_size=8, unique=True)


@given(first=rankings, second=rankings)
def test_rank_biased_overlap_is_the_infinite_sum(first: list[int], second: list[int]) -> None:
    value = rank_biased_overlap(first, second)
    assert value == pytest.approx(infinite_sum(first, second, 0.9), abs=1e-9)
    assert value == pytest.approx(rank_biased_overlap(second, first), abs=1e-12)


def test_rank_biased_overlap_of_nothing() -> None:
    assert rank_biased_overlap([], [1, 2]) == 0
    assert math.isnan(rank_biased_overlap([], []))
