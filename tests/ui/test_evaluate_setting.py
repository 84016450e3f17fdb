"""What Evaluate takes over from the setting on Inspect, and what it says of it."""

import dataclasses
from collections.abc import Callable

from poolscope.model import NearCopy, Policy, Pool
from poolscope.ui.evaluate_setting import CARRIED, LEFT_ASIDE, carried, from_inspect


def test_every_field_of_a_policy_is_carried_or_left_aside() -> None:
    names = [item.name for item in dataclasses.fields(Policy)]
    assert sorted((*CARRIED, *LEFT_ASIDE)) == sorted(names)


def test_the_cut_of_the_arms_is_carried_and_said(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(3, fields={"found_by": ["a", "a", "b"]})
    held = Policy(arm_cap=2, arm_key="found_by", near_copies=(NearCopy.TEXT,), cap=1)
    found = carried(pool, held)
    assert (found.arm_cap, found.arm_key, found.cap) == (2, "found_by", Policy().cap)
    assert "each found_by cut at 2 and fused" in from_inspect(pool, found)
    assert carried(pool, held.changed(arm_cap=None, near_copies=())) == Policy()
    assert from_inspect(pool, Policy()).startswith("Nothing set on Inspect changes")
