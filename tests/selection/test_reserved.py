"""Reserved slots: some for the best, some for its neighbours, the rest to the rule."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Cause, NearCopy, OnBudget, Policy, Pool, Rule
from poolscope.selection import SELECTORS, Selector, select

MakePool: TypeAlias = Callable[..., Pool]

every = pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: selector.name)


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Eight of two documents and a stray: ranks 1, 4 and 6 are positions 5, 4 and 6 of ``a``."""
    return make_pool(
        scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2],
        vectors=np.random.default_rng(2).normal(size=(8, 4)),
        sources=["a", "a", "b", "a", "b", "a", None, "c"],
        positions=(5, 8, 4, 4, 6, 6, 4, None),
        tokens=[5, 4, 3, 6, 2, 5, 1, 3],
    )


def picks(pool: Pool, **settings: object) -> list[int]:
    return [index + 1 for index in select(pool, Policy(k=5).changed(**settings)).indices.tolist()]


def test_the_best_come_first_by_relevance_alone(pool: Pool) -> None:
    selection = select(pool, Policy(selector="two_pass_cap", cap=1, k=4, best=2))
    assert [index + 1 for index in selection.indices] == [1, 2, 3, 8 - 1]
    assert selection.rules[:2] == (Rule.BEST, Rule.BEST)
    # They count toward the cap but are not held to it.
    assert picks(pool, selector="grouped_cap", cap=1, best=2) == [1, 2, 3, 7, 8]
    assert picks(pool, selector="grouped_cap", cap=1) == [1, 3, 7, 8]


def test_neighbours_are_one_position_off_in_the_same_source(pool: Pool) -> None:
    selection = select(pool, Policy(k=4, best=1, neighbours=2))
    assert [index + 1 for index in selection.indices] == [1, 4, 6, 2]
    assert selection.rules == (Rule.BEST, Rule.NEIGHBOUR, Rule.NEIGHBOUR, Rule.RELEVANCE)
    assert picks(pool, neighbours=1) == [1, 4, 2, 3, 5]
    assert picks(pool, best=2, neighbours=2, k=3) == [1, 2, 4]


def test_the_better_neighbour_is_first_and_knows_the_other(pool: Pool) -> None:
    first, second = select(pool, Policy(k=3, neighbours=2)).picks[1:]
    assert first.runner_up == 5
    assert first.margin == pytest.approx(0.2)
    assert (second.runner_up, second.margin) == (None, None)


def test_slots_without_neighbours_go_to_the_rule_and_that_is_said(
    make_pool: MakePool,
) -> None:
    lone = make_pool(4, positions=(5, 7, 4, 6), sources="abcd")
    selection = select(lone, Policy(k=3, best=1, neighbours=2))
    assert selection.indices.tolist() == [0, 1, 2]
    assert selection.rules == (Rule.BEST, Rule.RELEVANCE, Rule.RELEVANCE)
    assert selection.notes == (
        "0 of 2 slots reserved for neighbours of the best pick found one that fits: the same "
        "source, one position before or behind.",
    )
    bare = make_pool(3, sources=[None, None, None], positions=(1, 2, 3))
    assert select(bare, Policy(k=2, neighbours=1)).rules == (Rule.BEST, Rule.RELEVANCE)


def test_the_best_pick_may_be_a_pin(pool: Pool) -> None:
    selection = select(pool, Policy(k=5, pinned=("d1",), best=1, neighbours=1))
    assert [index + 1 for index in selection.indices] == [1, 2, 4, 3, 5]
    assert selection.rules[:3] == (Rule.PINNED, Rule.BEST, Rule.NEIGHBOUR)


def test_a_ban_or_a_copy_gives_its_slot_to_the_next(pool: Pool, make_pool: MakePool) -> None:
    assert picks(pool, best=1, neighbours=2, banned=("d4",)) == [1, 6, 2, 3, 5]
    same = make_pool(3, texts=("x", "x", "y"), positions=(1, 2, 9))
    selection = select(same, Policy(k=3, neighbours=1, near_copies=(NearCopy.TEXT,)))
    assert selection.indices.tolist() == [0, 2]


def test_a_reserved_slot_keeps_to_the_token_budget(pool: Pool) -> None:
    skip = select(pool, Policy(k=8, best=1, neighbours=2, budget=12))
    assert [index + 1 for index in skip.indices] == [1, 4, 7]
    why = skip.reason(5)
    assert why is not None
    assert (why.cause, why.value, why.limit) == (Cause.OVER_BUDGET, 5.0, 1.0)
    stop = select(pool, Policy(k=8, best=1, neighbours=2, budget=12, on_budget=OnBudget.STOP))
    assert [index + 1 for index in stop.indices] == [1, 4]


@every
@pytest.mark.parametrize("k", range(10))
def test_every_rule_fills_the_rest(pool: Pool, selector: Selector, k: int) -> None:
    policy = Policy(selector=selector.name, k=k, cap=8, best=2, neighbours=1)
    selection = select(pool, policy)
    assert len(set(selection.indices.tolist())) == len(selection) == min(k, 8)
    assert [index + 1 for index in selection.indices][:3] == [1, 2, 4][:k]
    reserved = [rule for rule in selection.rules if rule in (Rule.BEST, Rule.NEIGHBOUR)]
    assert len(reserved) == min(k, 3)


@pytest.mark.parametrize(
    "selector", [s for s in SELECTORS if s.reads_similarity], ids=lambda s: s.name
)
def test_picks_after_the_reserved_pay_for_their_likeness_to_them(
    make_pool: MakePool, selector: Selector
) -> None:
    twins = make_pool(
        scores=[0.9, 0.8, 0.7, 0.69], vectors=[[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    )
    policy = Policy(selector=selector.name, k=3, cap=9, lambda_=0.5, best=2)
    assert select(twins, policy).indices.tolist() == [0, 1, 3]
