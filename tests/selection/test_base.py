"""What the task and the draft decide for every selector, where a hand case says it best."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Cause, MissingKey, MissingVector, OnBudget, Policy, Pool
from poolscope.selection import SELECTORS, named, select
from poolscope.selection.base import Task

MakePool: TypeAlias = Callable[..., Pool]

every = pytest.mark.parametrize("name", [selector.name for selector in SELECTORS])


def task_of(pool: Pool, policy: Policy) -> Task:
    return Task.of(pool, policy, named(policy.selector))


@every
def test_a_runner_up_must_fit_what_the_pick_left_untouched(make_pool: MakePool, name: str) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], vectors=np.eye(3), sources="abc", tokens=[4, 9, 8])
    policy = Policy(selector=name, k=1, budget=8)
    assert select(pool, policy).picks[0].runner_up == 2
    stopping = select(pool, policy.changed(on_budget=OnBudget.STOP))
    assert stopping.picks[0].runner_up is None


@every
def test_where_the_first_item_is_free_so_is_its_runner_up(make_pool: MakePool, name: str) -> None:
    pool = make_pool(scores=[0.9, 0.8], vectors=np.eye(2), sources="ab", tokens=[40, 90])
    policy = Policy(selector=name, k=1, budget=8, first_item_always=True)
    assert select(pool, policy).picks[0].runner_up == 1


@pytest.mark.parametrize(("depth", "wanted"), [(None, 3), (0, 0), (2, 2), (3, 3), (9, 3)])
def test_a_depth_is_at_most_the_pool(make_pool: MakePool, depth: int | None, wanted: int) -> None:
    assert task_of(make_pool(3), Policy(depth=depth)).depth == wanted


def test_one_candidate_has_one_cause_the_outermost(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6],
        vectors=[[1.0], [0.0], [0.0], [0.0]],
        has_vector=np.array([True, False, True, False]),
        sources=["a", None, None, None],
    )
    policy = Policy(selector="mmr_cap", depth=3, missing_key=MissingKey.REJECT)
    reasons = [select(pool, policy).reason(index) for index in range(4)]
    causes = [None if reason is None else reason.cause for reason in reasons]
    assert causes == [None, Cause.NO_VECTOR, Cause.NO_SOURCE, Cause.BEYOND_DEPTH]


def test_groups_number_missing_keys_apart_or_together(make_pool: MakePool) -> None:
    pool = make_pool(sources=["x", None, "y", None, "x"])
    alone = task_of(pool, Policy(missing_key=MissingKey.ALONE)).groups
    shared = task_of(pool, Policy(missing_key=MissingKey.SHARED)).groups
    assert len(set(alone.tolist())) == 4
    assert len(set(shared.tolist())) == 3
    assert shared[1] == shared[3]
    assert alone[0] == alone[4]
    assert shared[0] == shared[4] != shared[2]


def test_groups_of_a_pool_without_any_source(make_pool: MakePool) -> None:
    pool = make_pool(sources=[None, None])
    assert len(set(task_of(pool, Policy()).groups.tolist())) == 2
    assert len(set(task_of(pool, Policy(missing_key=MissingKey.SHARED)).groups.tolist())) == 1


def test_caps_hold_the_overrides(make_pool: MakePool) -> None:
    pool = make_pool(sources=["x", None, "y"])
    caps = task_of(pool, Policy(cap=2, overrides=(("y", 5), ("z", 9)))).caps
    assert caps.tolist() == [2, 2, 5]


def test_eligible_candidates_in_order(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.1, 0.9, 0.5, 0.9, 1.0], vectors=np.diag([1.0, 1.0, 0.0, 1.0, 1.0]),
        sources="abcde", has_vector=np.array([True, True, False, True, True]),
    )  # fmt: skip
    policy = Policy(selector="mmr", depth=4)
    assert task_of(pool, policy).order.tolist() == [1, 3, 0]
    let_in = policy.changed(missing_vector=MissingVector.NO_REDUNDANCY)
    assert task_of(pool, let_in).order.tolist() == [1, 3, 2, 0]
