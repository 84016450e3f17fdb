"""Held against every choice of k, and the two exact methods against each other."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from poolscope.geometry import Bools
from poolscope.measures import maximum_coverage
from poolscope.measures.maximum_coverage import most_covered


def every_choice(supports: Bools, k: int) -> int:
    choices = combinations(range(len(supports)), min(k, len(supports)))
    return max(int(supports[list(choice)].any(axis=0).sum()) for choice in choices)


small = npst.arrays(np.bool_, st.tuples(st.integers(0, 9), st.integers(0, 8)))


@settings(max_examples=300, deadline=None)
@given(supports=small, k=st.integers(0, 10))
def test_equals_the_best_of_every_choice(supports: Bools, k: int) -> None:
    assert most_covered(supports, k) == every_choice(supports, k)


@settings(max_examples=300, deadline=None)
@given(supports=small, k=st.integers(1, 6))
def test_table_and_branches_each_equal_the_best_of_every_choice(supports: Bools, k: int) -> None:
    sets = maximum_coverage._distinct(supports)
    m = supports.shape[1]
    slots = min(k, len(sets))
    if slots:
        expected = every_choice(supports, k)
        assert maximum_coverage._by_table(sets, slots, m) == expected
        assert maximum_coverage._by_branches(sets, slots, m, 0) == expected


@pytest.mark.parametrize("seed", range(12))
def test_table_and_branches_agree_beyond_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, k = int(rng.integers(9, 15)), int(rng.integers(2, 7))
    supports = rng.random((int(rng.integers(20, 200)), m)) < rng.uniform(0.1, 0.3)
    sets = maximum_coverage._distinct(supports)
    table = maximum_coverage._by_table(sets, k, m)
    assert maximum_coverage._by_branches(sets, k, m, 0) == table


def test_greedy_would_miss_it() -> None:
    # The largest set spoils the two that together hold all six facets.
    supports = np.array(
        [[1, 1, 0, 1, 1, 0], [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], dtype=np.bool_
    )
    assert most_covered(supports, 1) == 4
    assert most_covered(supports, 2) == 6


def test_one_facet_of_each_kind_a_passage() -> None:
    # Each passage holds one facet of each of three kinds: 7 of them cover 6 + 6 + 7, not 20.
    supports = np.zeros((288, 20), dtype=np.bool_)
    for row, (a, b, c) in enumerate(product(range(6), range(6), range(8))):
        supports[row, [a, 6 + b, 12 + c]] = True
    assert most_covered(supports, 7) == 19


def test_more_facets_than_a_table_or_a_machine_word_holds() -> None:
    m = 90
    # Disjoint runs of three, and a run across each border, which greedy may fall for.
    supports = np.zeros((59, m), dtype=np.bool_)
    for row in range(30):
        supports[row, 3 * row : 3 * row + 3] = True
    for row in range(29):
        supports[30 + row, 3 * row + 2 : 3 * row + 4] = True
    assert most_covered(supports, 4) == 12
    assert most_covered(supports, 30) == m
    assert most_covered(supports, 1000) == m


def test_facets_that_nothing_supports_never_count() -> None:
    supports = np.zeros((4, 3), dtype=np.bool_)
    assert most_covered(supports, 3) == 0
    supports[1, 2] = True
    assert most_covered(supports, 3) == 1
    assert most_covered(np.zeros((0, 3), dtype=np.bool_), 3) == 0
    assert most_covered(np.zeros((3, 0), dtype=np.bool_), 3) == 0
