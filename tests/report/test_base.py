"""What every snippet is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.model import OnBudget, Order, Policy
from poolscope.report.base import complement, depth_of, left_aside, same_rule

if TYPE_CHECKING:
    from tests.report.conftest import MakePool


@pytest.mark.parametrize(
    ("lambda_", "diversity"),
    [(0.6, 0.4), (0.9, 0.1), (0.7, 0.3), (0.0, 1.0), (1.0, 0.0), (1e-07, 0.9999999)],
)
def test_diversity_is_written_as_by_hand(lambda_: float, diversity: float) -> None:
    assert complement(lambda_) == diversity


@given(st.floats(0.0, 1.0))
def test_diversity_is_within_range_and_close(lambda_: float) -> None:
    assert 0.0 <= complement(lambda_) <= 1.0
    assert complement(lambda_) == pytest.approx(1.0 - lambda_, abs=1e-15)


def test_the_depth_is_the_policys_or_the_pools(make_pool: MakePool) -> None:
    pool = make_pool(8)
    assert depth_of(pool, Policy()) == 8
    assert depth_of(pool, Policy(depth=3)) == 3
    assert depth_of(pool, Policy(depth=30)) == 30
    assert depth_of(make_pool(0), Policy(k=4)) == 4


def test_nothing_is_said_of_what_the_rule_does_not_read() -> None:
    policy = Policy(cap=7, clip_negative=True, backfill=False, overrides=(("a", 2),), key="part")
    assert left_aside(policy) == ()
    capped = left_aside(policy.changed(selector="grouped_cap"), "cap", "key")
    assert capped == ("Not carried over: caps of their own for single values.",)


def test_what_is_left_aside_is_listed_once() -> None:
    policy = Policy(
        budget=1200,
        on_budget=OnBudget.STOP,
        first_item_always=True,
        order=Order.SCORE,
        pinned=("a",),
    )
    assert left_aside(policy) == (
        "Not carried over: the budget of 1,200 tokens, the order handed out and pins.",
    )
    assert left_aside(policy, "budget", "on_budget", "first_item_always", "order", "pinned") == ()
    assert left_aside(Policy(on_budget=OnBudget.STOP)) == ()


def test_a_plain_search_does_not_know_the_depth(make_pool: MakePool) -> None:
    pool = make_pool(2)
    assert same_rule(pool, Policy(k=5, depth=5)) == ("It is the same rule.",)
    assert same_rule(pool, Policy(k=5, depth=4)) == (
        "It returns up to 5, whatever the pool depth.",
    )
