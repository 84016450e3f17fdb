"""Full groups: who drops out with a group's last pick, and what is noted of it."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from poolscope.model import Cause, Policy, Pool, Rule
from poolscope.selection import named
from poolscope.selection.base import CODES, Draft, Task
from poolscope.selection.full_groups import FullGroups

MakePool: TypeAlias = Callable[..., Pool]


def _task(make_pool: MakePool, **changes: object) -> Task:
    pool = make_pool(sources="aabab", vectors=np.eye(5).tolist())
    policy = Policy(selector="mmr_cap", k=4, cap=2).changed(**changes)
    return Task.of(pool, policy, named("mmr_cap"))


def test_a_group_is_closed_by_its_last_pick_within_the_depth(make_pool: MakePool) -> None:
    groups = FullGroups(_task(make_pool, depth=4))
    assert groups.add(0).tolist() == []
    assert groups.add(2).tolist() == []
    assert groups.add(3).tolist() == [0, 1, 3]


def test_a_value_may_have_a_cap_of_its_own(make_pool: MakePool) -> None:
    groups = FullGroups(_task(make_pool, overrides=(("b", 1),)))
    assert groups.add(2).tolist() == [2, 4]
    assert groups.add(0).tolist() == []


def test_who_waited_is_refused_while_there_is_a_slot(make_pool: MakePool) -> None:
    task = _task(make_pool)
    draft, groups = Draft(task), FullGroups(task)
    for index in (0, 1):
        draft.admit(index, Rule.MARGINAL_RELEVANCE)
        groups.refuse(draft, groups.add(index))
    assert (draft.causes == CODES[Cause.CAP_REACHED]).tolist() == [False, False, False, True, False]
    assert draft.limits[3] == 2


def test_nobody_misses_a_slot_that_is_not_there(make_pool: MakePool) -> None:
    task = _task(make_pool, k=2)
    draft, groups = Draft(task), FullGroups(task)
    for index in (0, 1):
        draft.admit(index, Rule.MARGINAL_RELEVANCE)
        groups.refuse(draft, groups.add(index))
    assert CODES[Cause.CAP_REACHED] not in draft.causes.tolist()
