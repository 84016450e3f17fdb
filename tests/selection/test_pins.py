"""Pins and bans: what is in or out by hand, under every selector."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.model import Cause, Policy, Pool, Rule, Selection
from poolscope.selection import SELECTORS, Selector, select

MakePool: TypeAlias = Callable[..., Pool]

every = pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: selector.name)
similar = pytest.mark.parametrize(
    "selector", [s for s in SELECTORS if s.reads_similarity], ids=lambda selector: selector.name
)
capped = pytest.mark.parametrize(
    "selector",
    [s for s in SELECTORS if "cap" in {parameter.name for parameter in s.parameters}],
    ids=lambda selector: selector.name,
)


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Twelve candidates, d1 to d12, of four sources in general position."""
    rng = np.random.default_rng(12)
    return make_pool(
        12,
        scores=np.sort(rng.uniform(0.2, 0.9, 12))[::-1],
        vectors=rng.normal(size=(12, 5)),
        sources="aabacbdabcdd",
        tokens=[7, 3, 9, 4, 5, 8, 2, 6, 7, 3, 4, 5],
    )


def policy_of(selector: Selector, **settings: Any) -> Policy:  # noqa: ANN401 - any setting
    """Return a policy whose cap is out of the way unless it is given."""
    return Policy(selector=selector.name, cap=100).changed(**settings)


def cause(selection: Selection, index: int) -> Cause | None:
    reason = selection.reason(index)
    return None if reason is None else reason.cause


@every
def test_pinned_come_first_by_rank_whatever_the_depth(pool: Pool, selector: Selector) -> None:
    policy = policy_of(selector, k=4, depth=6, pinned=("d11", "d3"))
    selection = select(pool, policy)
    assert selection.indices[:2].tolist() == [2, 10]
    assert selection.rules[:2] == (Rule.PINNED, Rule.PINNED)
    assert Rule.PINNED not in selection.rules[2:]
    assert len(selection) == 4
    assert max(selection.indices[2:]) < 6


@every
def test_banned_is_never_chosen_and_says_so(pool: Pool, selector: Selector) -> None:
    first = int(select(pool, policy_of(selector, k=3)).indices[0])
    selection = select(pool, policy_of(selector, k=12, banned=(pool.ids[first],)))
    assert first not in selection
    assert cause(selection, first) is Cause.BANNED
    assert "banned (1)" in selection.notes[-1]


@every
def test_more_pins_than_slots_fill_the_slots_by_rank(pool: Pool, selector: Selector) -> None:
    selection = select(pool, policy_of(selector, k=2, pinned=("d9", "d5", "d7")))
    assert selection.indices.tolist() == [4, 6]
    assert cause(selection, 8) is Cause.BELOW_K


@every
def test_a_pin_keeps_to_the_token_budget(pool: Pool, selector: Selector) -> None:
    selection = select(pool, policy_of(selector, k=3, budget=8, pinned=("d3",)))
    assert 2 not in selection
    assert cause(selection, 2) is Cause.OVER_BUDGET
    assert pool.tokens[selection.indices].sum() <= 8


@capped
def test_pins_count_toward_the_cap_of_their_group(pool: Pool, selector: Selector) -> None:
    pinned = ("d12", "d11")
    selection = select(pool, policy_of(selector, k=12, cap=1, backfill=False, pinned=pinned))
    assert [pool.sources[index] for index in selection.indices].count("d") == 2
    assert cause(selection, 6) is Cause.CAP_REACHED


@similar
def test_picks_after_a_pin_pay_for_their_likeness_to_it(
    make_pool: MakePool, selector: Selector
) -> None:
    policy = policy_of(selector, k=2, lambda_=0.5, pinned=("d3",))
    twins = make_pool(scores=[0.9, 0.8, 0.7], vectors=[[1, 0], [0, 1], [1, 0]])
    selection = select(twins, policy)
    assert selection.indices.tolist() == [2, 1]
    assert selection.picks[1].blocker == 2
    assert select(twins, policy.changed(pinned=())).indices.tolist() == [0, 1]


@every
def test_ids_of_another_pool_are_said_and_change_nothing(pool: Pool, selector: Selector) -> None:
    policy = policy_of(selector, k=4)
    strange = select(pool, policy.changed(pinned=("x1",), banned=("x2",)))
    assert strange.indices.tolist() == select(pool, policy).indices.tolist()
    assert strange.notes[:2] == (
        "Not in this pool, so not pinned: “x1”.",
        "Not in this pool, so not banned: “x2”.",
    )
