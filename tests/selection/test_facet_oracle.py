"""The facet oracle: three cases by hand, all subsets as the oracle, and the measured ceiling."""

import itertools
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope.measures.maximum_coverage import most_covered
from poolscope.model import Facet, Policy, Pool, Relevance, Rule
from poolscope.selection import facet_oracle, select

MakePool: TypeAlias = Callable[..., Pool]
Sample: TypeAlias = Callable[[str], Pool]


def faceted(make_pool: MakePool, rows: list[str], **parts: object) -> Pool:
    """Build candidates from the letters of the facets that each supports."""
    letters = sorted(set("".join(rows)))
    marks = np.array([[int(letter in row) for letter in letters] for row in rows], dtype=np.int8)
    return make_pool(
        len(rows),
        facets=tuple(Facet(letter, letter) for letter in letters),
        judgements=marks.reshape(len(rows), len(letters)),
        **parts,
    )


def picks(pool: Pool, **changes: object) -> list[int]:
    policy = Policy(selector="facet_oracle").changed(**changes)
    return [int(index) for index in select(pool, policy).indices]


def test_two_halves_beat_the_best_single_one(make_pool: MakePool) -> None:
    # The greedy step takes abc first and then needs two more.
    pool = faceted(make_pool, ["abc", "abd", "ce", "df", "cef"])
    assert picks(pool, k=1) == [0]
    assert picks(pool, k=2) == [1, 4]


def test_of_equal_coverage_the_most_relevant(make_pool: MakePool) -> None:
    pool = faceted(make_pool, ["", "a", "a", "b", ""], scores=[0.9, 0.5, 0.4, 0.3, 0.2])
    selection = select(pool, Policy(selector="facet_oracle", k=3))
    assert selection.indices.tolist() == [0, 1, 3]
    assert selection.rules == (Rule.RELEVANCE, Rule.COVERAGE, Rule.COVERAGE)
    assert selection.notes == ()


def test_without_facets_it_is_top_k_and_says_so(make_pool: MakePool) -> None:
    selection = select(make_pool(4), Policy(selector="facet_oracle", k=2))
    assert selection.indices.tolist() == [0, 1]
    assert selection.notes == ("No facets are annotated, so this is top-k.",)


def test_pins_and_reserved_slots_count_as_covering(make_pool: MakePool) -> None:
    pool = faceted(make_pool, ["", "ab", "c", "ac", "d"])
    assert picks(pool, k=2, pinned=("d2",)) == [1, 2]
    assert picks(pool, k=3, best=1) == [0, 1, 2]
    assert picks(pool, k=2, depth=1) == [0]


def test_a_budget_is_applied_to_the_chosen_set(make_pool: MakePool) -> None:
    pool = faceted(make_pool, ["a", "bc", "d"], tokens=[5, 50, 5])
    selection = select(pool, Policy(selector="facet_oracle", k=2, budget=10))
    assert selection.indices.tolist() == [0, 2]
    assert selection.notes[0].startswith("The token budget is applied to the chosen set")


@settings(deadline=None, max_examples=120)
@given(
    rows=st.lists(st.text("abcde", max_size=3), min_size=1, max_size=8),
    quarters=st.lists(st.integers(-4, 4), min_size=8, max_size=8),
    k=st.integers(0, 5),
)
def test_no_subset_is_better(
    make_pool: MakePool, rows: list[str], quarters: list[int], k: int
) -> None:
    scores = [quarter / 4 for quarter in quarters[: len(rows)]]
    pool = faceted(make_pool, rows, scores=scores)

    def worth(chosen: tuple[int, ...]) -> tuple[int, float]:
        held = set().union(*(rows[index] for index in chosen))
        return len(held), sum(scores[index] for index in chosen)

    found = picks(pool, k=k, relevance=Relevance.SCORE)
    subsets = itertools.combinations(range(len(rows)), min(k, len(rows)))
    assert worth(tuple(found)) == max(map(worth, subsets))
    assert worth(tuple(found))[0] == most_covered(pool.marks == 1, k)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_it_reaches_the_measured_ceiling_of_a_sample(sample: Sample, k: int) -> None:
    pool = sample("checkout")
    chosen = picks(pool, k=k)
    assert (pool.marks[chosen] == 1).any(axis=0).sum() == most_covered(pool.marks == 1, k)


def test_too_many_facets_are_covered_step_by_step_and_that_is_said(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facet_oracle, "MOST", 10)
    pool = faceted(make_pool, ["abc", "abd", "ce", "df", "cef"])
    selection = select(pool, Policy(selector="facet_oracle", k=2))
    assert selection.indices.tolist() == [0, 3]
    assert selection.notes == (
        "Too many facets for an exact choice: found step by step, more may be possible.",
    )


def test_a_larger_k_may_drop_a_pick(make_pool: MakePool) -> None:
    pool = faceted(make_pool, ["abc", "abd", "ce", "df", "cef"])
    assert picks(pool, k=2)[:1] != picks(pool, k=1)
