"""Analysis: three rules on one pool, and the sentence about plain top-k."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from poolscope import analysis, selection
from poolscope.errors import PolicyError
from poolscope.model import UNJUDGED, Facet, Policy, Pool

MakePool = Callable[..., Pool]
RULES = ("two_pass_cap", "grouped_cap", "mmr", "mmr_cap")
ONE_TWO = (Facet("one", "The first"), Facet("two", "The second"))


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    return make_pool(
        vectors=[[1, 0, 0], [0.99, 0.1, 0], [0.98, 0.2, 0], [0.4, 0.9, 0], [0.3, 0, 0.95]],
        scores=[0.95, 0.93, 0.91, 0.6, 0.5],
        sources=["a", "a", "a", "b", "c"],
        facets=ONE_TWO,
        judgements=np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 0]], dtype=np.int8),
    )


def test_the_baseline_comes_first_and_the_rules_in_their_order(pool: Pool) -> None:
    found = analysis.compare(pool, Policy(k=3), RULES)
    assert [c.selection.policy.selector for c in found.columns] == ["top_k", *RULES]
    labels = [selection.named(name).label for name in ("top_k", *RULES)]
    assert [c.title for c in found.columns] == labels
    assert found.baseline is found.columns[0]
    assert all(c.baseline is found.baseline.measured for c in found.columns)


def test_entered_and_left_are_the_two_differences(pool: Pool) -> None:
    top, capped = analysis.compare(pool, Policy(k=3, cap=1), ("two_pass_cap",)).columns
    assert capped.selection.members == {0, 3, 4}
    assert capped.entered == {3, 4}
    assert capped.left == (1, 2)
    assert (top.entered, top.left) == (frozenset(), ())


def test_changes_are_held_against_top_k(pool: Pool) -> None:
    top, capped = analysis.compare(pool, Policy(k=3, cap=1), ("two_pass_cap",)).columns
    assert capped.change("distinct_sources") == 2
    assert capped.change("facet_coverage") == pytest.approx(0.5)
    assert capped.change("mean_relevance") == pytest.approx((0.6 + 0.5 - 0.93 - 0.91) / 3)
    assert top.change("mean_relevance") == 0


def test_an_undefined_measure_has_no_change(make_pool: MakePool) -> None:
    (_, capped) = analysis.compare(make_pool(4, sources="aabb"), Policy(k=2), ("mmr",)).columns
    assert math.isnan(capped.change("facet_coverage"))


@pytest.mark.parametrize(("depth", "seen"), [(None, 5), (3, 3), (99, 5), (0, 0)])
def test_depth_is_what_the_rules_see(pool: Pool, depth: int | None, seen: int) -> None:
    assert analysis.compare(pool, Policy(depth=depth), ()).depth == seen


def test_a_field_that_does_not_exist_is_refused(pool: Pool) -> None:
    with pytest.raises(PolicyError, match="team"):
        analysis.compare(pool, Policy(key="team"), ("two_pass_cap",))


def test_supported_gives_labels(pool: Pool) -> None:
    assert analysis.supported(pool, 0) == ("The first",)
    assert analysis.supported(pool, 4) == ()


def said(pool: Pool, **settings: object) -> str:
    policy = Policy().changed(**settings)
    return analysis.finding(analysis.compare(pool, policy, ()), policy.key)


def test_finding_counts_slots_and_facets(pool: Pool) -> None:
    assert said(pool, k=3) == (
        "Plain top-3 takes 3 of 3 slots from a. "
        "It covers 1 of 2 facets; the best 3 of these 5 would cover 2 of 2."
    )
    assert "the best 3 of these 3 would cover 1 of 2." in said(pool, k=3, depth=3)


@pytest.mark.parametrize(
    ("sources", "k", "sentence"),
    [
        ("abcd", 3, "Plain top-3 takes every slot from a different source."),
        ("abcd", 1, "Plain top-1 takes its one slot from a."),
        ("aabb", 4, "Plain top-4 takes 2 of 4 slots from a."),
        ([None] * 4, 3, "Plain top-3: no pick has a source."),
        ([None, None, "a", None], 4, "Plain top-4 takes no two slots from one source."),
        ([None, "a", "a", None], 4, "Plain top-4 takes 2 of 4 slots from a."),
    ],
)
def test_finding_on_sources(make_pool: MakePool, sources: str, k: int, sentence: str) -> None:
    assert said(make_pool(sources=sources), k=k) == sentence


def test_finding_counts_by_the_key_asked_for(make_pool: MakePool) -> None:
    pool = make_pool(sources="abcd", fields={"team": ["x", "x", "x", None]})
    assert said(pool, k=4, key="team") == "Plain top-4 takes 3 of 4 slots from x."


@pytest.mark.parametrize("settings", [{"k": 0}, {"depth": 0}, {"budget": 0}])
def test_finding_on_nothing(make_pool: MakePool, settings: dict[str, object]) -> None:
    assert said(make_pool(sources="abcd"), **settings) == "Plain top-k selects nothing here."


def test_finding_where_nothing_is_marked(make_pool: MakePool) -> None:
    pool = make_pool(
        sources="aab", facets=ONE_TWO, judgements=np.full((3, 2), UNJUDGED, dtype=np.int8)
    )
    assert said(pool, k=2) == (
        "Plain top-2 takes 2 of 2 slots from a. "
        "None of these 3 is marked as supporting any of the 2 facets."
    )


def test_finding_gives_no_advice(pool: Pool) -> None:
    words = said(pool).lower()
    assert not any(word in words for word in ("should", "better", "good", "bad", "try", "raise"))
