"""The two rules that cap a source: what holds for both, then each by hand."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.counts import counted
from poolscope.model import Cause, MissingKey, OnBudget, Policy, Pool, Rule
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]

both = pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap"])
capped = pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap", "mmr_cap"])


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Ranks 1 to 8 of the sources a a a b a b c b, with rank 3 scored above rank 2."""
    return make_pool(
        scores=[0.9, 0.7, 0.8, 0.65, 0.6, 0.55, 0.5, 0.45],
        vectors=np.eye(8),
        sources="aaababcb",
        fields={"section": ["x", "y", "x", "x", "y", "x", "x", None], "year": ["24"] * 8},
    )


# Both


@capped
@pytest.mark.parametrize("cap", [1, 2, 3])
def test_no_source_has_more_than_the_cap(pool: Pool, selector: str, cap: int) -> None:
    selection = select(pool, Policy(selector=selector, k=8, cap=cap, backfill=False))
    held = [pool.sources[index] for index in selection.indices]
    assert {source: held.count(source) for source in "abc"} == {
        "a": min(cap, 4), "b": min(cap, 3), "c": 1,
    }  # fmt: skip


@capped
def test_any_field_can_be_the_key(pool: Pool, selector: str) -> None:
    policy = Policy(selector=selector, k=8, cap=1, backfill=False)
    by_section = select(pool, policy.changed(key="section"))
    assert by_section.members == {0, 1, 7}
    assert select(pool, policy.changed(key="year")).members == {0}
    reason = by_section.reason(2)
    assert reason is not None
    assert (reason.cause, reason.group, reason.limit) == (Cause.CAP_REACHED, "x", 1)


@capped
def test_an_override_gives_one_source_its_own_cap(pool: Pool, selector: str) -> None:
    policy = Policy(
        selector=selector, k=8, cap=1, backfill=False, overrides=(("a", 3), ("unknown", 9))
    )
    selection = select(pool, policy)
    assert sorted(str(pool.sources[index]) for index in selection.indices) == list("aaabc")
    reason = selection.reason(4)
    assert reason is not None
    assert (reason.cause, reason.group, reason.limit) == (Cause.CAP_REACHED, "a", 3)


@capped
def test_an_override_can_also_be_below_the_cap(pool: Pool, selector: str) -> None:
    policy = Policy(selector=selector, k=8, cap=3, backfill=False, overrides=(("a", 1),))
    held = [pool.sources[index] for index in select(pool, policy).indices]
    assert held.count("a") == 1


@capped
def test_candidates_without_a_source_can_share_a_cap(make_pool: MakePool, selector: str) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6], vectors=np.eye(4), sources=[None, None, "a", None]
    )
    policy = Policy(selector=selector, k=4, cap=2, backfill=False, missing_key=MissingKey.SHARED)
    selection = select(pool, policy)
    assert selection.members == {0, 1, 2}
    reason = selection.reason(3)
    assert reason is not None
    assert (reason.cause, reason.limit) == (Cause.CAP_REACHED, 2)


@capped
def test_a_text_none_is_not_a_missing_source(make_pool: MakePool, selector: str) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], vectors=np.eye(3), sources=["None", None, ""])
    policy = Policy(selector=selector, k=3, missing_key=MissingKey.REJECT)
    assert select(pool, policy).members == {0, 2}


@both
def test_a_high_cap_on_one_source_is_top_k(make_pool: MakePool, selector: str) -> None:
    pool = make_pool(scores=[0.5, 0.9, 0.7, 0.8])
    top = select(pool, Policy(k=3)).indices.tolist()
    assert select(pool, Policy(selector=selector, k=3, cap=4)).indices.tolist() == top


# Two-pass


def test_two_pass_in_order_with_the_rule_of_each_pick(pool: Pool) -> None:
    selection = select(pool, Policy(selector="two_pass_cap", k=7, cap=2))
    assert selection.indices.tolist() == [0, 3, 6, 2, 5, 1, 4]
    assert list(selection.rules) == [
        *[Rule.FIRST_OF_SOURCE] * 3, *[Rule.DEPTH] * 2, *[Rule.BACKFILL] * 2,
    ]  # fmt: skip


def test_two_pass_without_backfill_returns_fewer_and_says_so(pool: Pool) -> None:
    selection = select(pool, Policy(selector="two_pass_cap", k=7, cap=2, backfill=False))
    assert selection.indices.tolist() == [0, 3, 6, 2, 5]
    assert selection.notes == (
        "2 of 7 slots stayed empty: 8 in the pool. Left out: over the cap (3).",
    )
    for index, group in ((1, "a"), (4, "a"), (7, "b")):
        reason = selection.reason(index)
        assert reason is not None
        assert (reason.cause, reason.group, reason.limit) == (Cause.CAP_REACHED, group, 2)


def test_two_pass_over_the_cap_and_not_needed_is_cap_reached(pool: Pool) -> None:
    reason = select(pool, Policy(selector="two_pass_cap", k=6, cap=2)).reason(4)
    assert reason is not None
    assert (reason.cause, reason.group) == (Cause.CAP_REACHED, "a")


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("cap", [1, 2, 5])
def test_two_pass_says_that_the_cap_does_nothing_when_pass_one_fills_all(
    pool: Pool, k: int, cap: int
) -> None:
    selection = select(pool, Policy(selector="two_pass_cap", k=k, cap=cap))
    assert selection.indices.tolist() == [0, 3, 6][:k]
    assert len(selection.notes) == 1
    assert f"The cap of {cap} does nothing here" in selection.notes[0]
    assert "3 values of “source”" in selection.notes[0]
    assert f"for {counted(k, 'slot')}, the first pass" in selection.notes[0]


def test_two_pass_says_so_too_where_every_candidate_has_its_own_source(
    make_pool: MakePool,
) -> None:
    selection = select(make_pool(sources="abcdefg"), Policy(selector="two_pass_cap", k=3))
    assert "does nothing here: with 7 values" in selection.notes[0]


def test_two_pass_says_nothing_when_depth_is_bought_back(pool: Pool) -> None:
    assert select(pool, Policy(selector="two_pass_cap", k=4)).notes == ()


def test_two_pass_names_what_a_full_first_pass_passed_over(pool: Pool) -> None:
    selection = select(pool, Policy(selector="two_pass_cap", k=2))
    reasons = [selection.reason(index) for index in range(8)]
    causes = [None if reason is None else reason.cause for reason in reasons]
    assert causes[2] == causes[1] == causes[4] == causes[5] == causes[7] == Cause.SOURCE_SERVED
    assert causes[6] == Cause.BELOW_K
    assert reasons[1] is not None
    assert reasons[1].group == "a"


def test_two_pass_runner_up_of_a_source_s_first_may_be_its_second(make_pool: MakePool) -> None:
    selection = select(
        make_pool(scores=[0.9, 0.8, 0.7], sources="aab"), Policy(selector="two_pass_cap", k=2)
    )
    first, second = selection.picks
    assert first.runner_up == 1
    assert first.margin == pytest.approx(0.1)
    assert second.index == 2


def test_two_pass_skips_a_first_that_does_not_fit_for_the_next_of_its_source(
    make_pool: MakePool,
) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], sources="aab", tokens=[50, 5, 5])
    selection = select(pool, Policy(selector="two_pass_cap", k=3, cap=1, budget=10))
    assert selection.indices.tolist() == [1, 2]
    assert list(selection.rules) == [Rule.FIRST_OF_SOURCE] * 2


def test_two_pass_stops_in_the_second_pass_and_in_the_backfill(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6, 0.5], sources="aabaa", tokens=[5, 50, 5, 1, 1])
    policy = Policy(selector="two_pass_cap", k=5, budget=20, on_budget=OnBudget.STOP)
    for cap in (1, 2):
        selection = select(pool, policy.changed(cap=cap))
        assert selection.indices.tolist() == [0, 2]
        reason = selection.reason(1)
        assert reason is not None
        assert (reason.cause, reason.value, reason.limit) == (Cause.OVER_BUDGET, 50, 10)


def test_two_pass_stopped_by_the_budget_in_the_first_pass_blames_the_budget(
    make_pool: MakePool,
) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], sources="aab", tokens=[5, 1, 50])
    policy = Policy(selector="two_pass_cap", k=3, budget=20, on_budget=OnBudget.STOP)
    assert select(pool, policy).notes == (
        "2 of 3 slots stayed empty: 3 in the pool. Left out: over the token budget (2).",
    )


# Grouped


def test_grouped_in_order_of_score_without_refill(pool: Pool) -> None:
    selection = select(pool, Policy(selector="grouped_cap", k=7, cap=2))
    assert selection.indices.tolist() == [0, 2, 3, 5, 6]
    assert set(selection.rules) == {Rule.WITHIN_CAP}
    assert selection.empty_slots == 2


def test_grouped_does_not_guarantee_breadth(pool: Pool) -> None:
    selection = select(pool, Policy(selector="grouped_cap", k=2, cap=2))
    assert {pool.sources[index] for index in selection.indices} == {"a"}


def test_grouped_ignores_backfill(pool: Pool) -> None:
    policy = Policy(selector="grouped_cap", k=7, cap=1)
    with_it, without = select(pool, policy), select(pool, policy.changed(backfill=False))
    assert with_it.indices.tolist() == without.indices.tolist() == [0, 3, 6]


def test_grouped_runner_up_passes_over_a_full_source(pool: Pool) -> None:
    selection = select(pool, Policy(selector="grouped_cap", k=3, cap=2))
    third = selection.picks[2]
    assert (third.index, third.runner_up) == (3, 5)
    assert third.margin == pytest.approx(0.1)


def test_grouped_causes(pool: Pool) -> None:
    selection = select(pool, Policy(selector="grouped_cap", k=3, cap=2))
    over, below = selection.reason(1), selection.reason(6)
    assert over is not None
    assert below is not None
    assert (over.cause, over.group, over.limit) == (Cause.CAP_REACHED, "a", 2)
    assert (below.cause, below.limit) == (Cause.BELOW_K, 3)
