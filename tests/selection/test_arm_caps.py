"""Caps by arm: three cases by hand, ties, several arms, and an oracle."""

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope.model import Cause, Policy, Pool, Rule, Selection
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]


def chosen(pool: Pool, **changes: object) -> Selection:
    return select(pool, Policy(selector="arm_caps", key="arm", k=9).changed(**changes))


def ranks(selection: Selection) -> list[int]:
    return [index + 1 for index in selection.indices]


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Four that the graph found lead, two of the vectors follow."""
    return make_pool(6, fields={"arm": ["graph"] * 4 + ["vector"] * 2})


def test_each_arm_is_cut_then_ranks_interleave(pool: Pool) -> None:
    # Both firsts score 1/61, both seconds 1/62: equal ones by rank.
    selection = chosen(pool, cap=2)
    assert ranks(selection) == [1, 5, 2, 6]
    assert set(selection.rules) == {Rule.FUSED_RANK}
    assert selection.picks[0].margin == 0.0
    assert selection.picks[1].margin == pytest.approx(1 / 61 - 1 / 62)
    reason = selection.reason(2)
    assert reason is not None
    assert (reason.cause, reason.limit, reason.group) == (Cause.CAP_REACHED, 2, "graph")


def test_a_cap_out_of_reach_is_plain_fusion(pool: Pool) -> None:
    assert ranks(chosen(pool, cap=4)) == [1, 5, 2, 6, 3, 4]
    assert ranks(chosen(pool, cap=4, k=3)) == [1, 5, 2]


def test_found_by_two_arms_scores_twice_and_is_out_only_when_cut_from_both(
    make_pool: MakePool,
) -> None:
    arms = ["dense", "dense", "dense, lexical", "lexical", "dense+lexical"]
    pool = make_pool(5, fields={"arm": arms})
    # Rank 3 is third of the one list and first of the other: 1/63 + 1/61.
    assert ranks(chosen(pool, cap=9))[0] == 3
    # Cut at two: it stands in the second list alone, first; rank 5 is third of that and out.
    assert ranks(chosen(pool, cap=2)) == [1, 3, 2, 4]
    assert ranks(chosen(pool, cap=2, overrides=(("lexical", 3),))) == [1, 3, 2, 4, 5]


def test_a_pin_counts_toward_the_cap_of_its_arm(pool: Pool) -> None:
    assert ranks(chosen(pool, cap=2, pinned=("d4",))) == [4, 1, 5, 6]


def test_a_banned_candidate_leaves_its_place_in_the_list(pool: Pool) -> None:
    assert ranks(chosen(pool, cap=1, banned=("d1",))) == [2, 5]


@settings(deadline=None, max_examples=80)
@given(
    arms=st.lists(st.sampled_from(["a", "b", "c", "a,b", "a, c", "c;b"]), max_size=12),
    cap=st.integers(1, 4),
)
def test_it_is_reciprocal_rank_fusion_of_cut_lists(
    make_pool: MakePool, arms: list[str], cap: int
) -> None:
    lists: defaultdict[str, list[int]] = defaultdict(list)
    for index, value in enumerate(arms):
        for arm in value.replace(";", ",").split(","):
            lists[arm.strip()].append(index)
    score: defaultdict[int, float] = defaultdict(float)
    for found in lists.values():
        for place, index in enumerate(found[:cap]):
            score[index] += 1 / (61 + place)
    expected = sorted(score, key=lambda index: (-round(score[index], 13), index))
    selection = chosen(make_pool(len(arms), fields={"arm": arms}), cap=cap, k=20)
    assert selection.indices.tolist() == expected
