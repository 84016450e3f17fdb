import math
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.measures.sources import (
    adjacent_pairs,
    distinct_sources,
    effective_sources,
    largest_share,
    neighbours,
    source_rows,
    tokens,
)
from poolscope.model import Selection

SOURCES = ["a", "a", "b", None, None, "a"]


@pytest.mark.parametrize(
    ("picks", "distinct", "effective", "largest"),
    [
        ([0, 1], 1, 1, 1),
        ([0, 2], 2, 2, 0.5),
        ([0, 3, 4], 3, 3, 1 / 3),
        # Shares 3/4 and 1/4.
        ([0, 1, 5, 2], 2, 4 / 3**0.75, 0.75),
    ],
)
def test_shares_by_hand(
    picks: list[int],
    distinct: int,
    effective: float,
    largest: float,
    selection_of: Callable[..., Selection],
) -> None:
    selection = selection_of(6, picks, sources=SOURCES)
    assert distinct_sources(selection) == distinct
    assert effective_sources(selection) == pytest.approx(effective)
    assert largest_share(selection) == pytest.approx(largest)


def test_nothing_selected_has_no_shares(selection_of: Callable[..., Selection]) -> None:
    selection = selection_of(6, [], sources=SOURCES)
    assert distinct_sources(selection) == 0
    assert math.isnan(effective_sources(selection))
    assert math.isnan(largest_share(selection))
    assert source_rows(selection) == ()


def test_source_rows_give_count_scores_and_tokens(selection_of: Callable[..., Selection]) -> None:
    selection = selection_of(
        6,
        [5, 3, 0, 4],
        sources=SOURCES,
        raw_scores=[0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
        tokens=[10, 20, 30, 40, 50, 60],
    )
    rows = source_rows(selection)
    assert [row.source for row in rows] == ["a", None, None]
    assert [row.picks for row in rows] == [(5, 0), (3,), (4,)]
    assert [row.count for row in rows] == [2, 1, 1]
    assert [row.tokens for row in rows] == [70, 40, 50]
    assert [(row.low, row.high) for row in rows] == [(0.1, 0.6), (0.3, 0.3), (0.2, 0.2)]
    assert tokens(selection) == 160


def test_source_rows_without_scores(selection_of: Callable[..., Selection]) -> None:
    (row,) = source_rows(selection_of(2, [1]))
    assert (row.low, row.high) == (None, None)


@pytest.mark.parametrize(
    ("positions", "sources", "expected"),
    [
        ([3, 4], ["a", "a"], 1),
        ([4, 3], ["a", "a"], 1),
        ([3, 3], ["a", "a"], 1),
        ([3, 5], ["a", "a"], 0),
        ([3, 4], ["a", "b"], 0),
        ([3, 4], [None, None], 0),
        ([3, None], ["a", "a"], 0),
        ([1, 2, 3], ["a", "a", "a"], 2),
    ],
)
def test_adjacent_positions(
    positions: list[int | None],
    sources: list[str | None],
    expected: int,
    selection_of: Callable[..., Selection],
) -> None:
    n = len(positions)
    selection = selection_of(n, list(range(n)), positions=positions, sources=sources)
    assert adjacent_pairs(selection) == expected


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 10), (10, 20)], 1),
        ([(10, 20), (0, 10)], 1),
        ([(0, 10), (5, 20)], 1),
        ([(0, 100), (5, 20)], 1),
        ([(0, 10), (11, 20)], 0),
        ([(0, 10), None], 0),
        ([(0, 100), (5, 6), (50, 60)], 2),
    ],
)
def test_adjacent_spans(
    spans: list[tuple[int, int] | None], expected: int, selection_of: Callable[..., Selection]
) -> None:
    selection = selection_of(len(spans), list(range(len(spans))), spans=spans)
    assert adjacent_pairs(selection) == expected


def test_a_pair_that_touches_both_ways_counts_once(selection_of: Callable[..., Selection]) -> None:
    selection = selection_of(3, [2, 0], positions=[1, 5, 2], spans=[(0, 9), None, (9, 12)])
    assert [(pair.first, pair.second) for pair in neighbours(selection)] == [(2, 0)]


def test_undefined_where_the_pool_has_no_positions(selection_of: Callable[..., Selection]) -> None:
    assert math.isnan(adjacent_pairs(selection_of(2, [0, 1])))
    assert adjacent_pairs(selection_of(3, [0, 1], positions=[None, None, 4])) == 0


spans_drawn = st.tuples(st.integers(0, 12), st.integers(0, 5)).map(lambda t: (t[0], t[0] + t[1]))


@given(
    rows=st.lists(
        st.tuples(st.none() | st.integers(0, 6), st.none() | spans_drawn, st.sampled_from("ab")),
        max_size=7,
    )
)
def test_neighbours_equal_pair_by_pair(
    rows: list[tuple[int | None, tuple[int, int] | None, str]],
    selection_of: Callable[..., Selection],
) -> None:
    def meet(a: int, b: int) -> bool:
        (p, s, x), (q, t, y) = rows[a], rows[b]
        close = p is not None and q is not None and abs(p - q) <= 1
        touch = s is not None and t is not None and s[0] <= t[1] and t[0] <= s[1]
        return x == y and (close or touch)

    n = len(rows)
    picks = list(reversed(range(n)))
    selection = selection_of(
        n,
        picks,
        positions=[row[0] for row in rows],
        spans=[row[1] for row in rows],
        sources=[row[2] for row in rows],
    )
    expected = [(a, b) for a, b in combinations(picks, 2) if meet(a, b)]
    assert [(pair.first, pair.second) for pair in neighbours(selection)] == expected
