"""Quotas: three cases by hand, ties and missing values, and an oracle that merges lists."""

from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope.errors import PolicyError
from poolscope.model import Cause, Policy, Pool, Rule, Selection
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Ranks 1 to 7 of kinds e e e n p n and one without a kind."""
    return make_pool(
        scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3],
        fields={"kind": ["e", "e", "e", "n", "p", "n", None]},
    )


def chosen(pool: Pool, **changes: object) -> Selection:
    return select(pool, Policy(selector="quotas", key="kind", k=5).changed(**changes))


def ranks(selection: Selection) -> list[int]:
    return [index + 1 for index in selection.indices]


def test_each_value_gets_its_slots_merged_by_score(pool: Pool) -> None:
    selection = chosen(pool, quotas=(("n", 2), ("e", 1)))
    assert ranks(selection) == [1, 4, 6]
    assert selection.rules == (Rule.QUOTA,) * 3
    assert selection.notes == (
        "2 of 5 slots stayed empty: 7 in the pool. Left out: over the quota (4).",
    )


def test_slots_that_a_value_cannot_fill_are_lost_or_refilled(pool: Pool) -> None:
    settings = {"quotas": (("p", 3), ("n", 1)), "k": 4}
    assert ranks(chosen(pool, **settings)) == [4, 5]
    refilled = chosen(pool, refill=True, **settings)
    assert ranks(refilled) == [4, 5, 1, 2]
    assert refilled.rules == (Rule.QUOTA, Rule.QUOTA, Rule.REFILL, Rule.REFILL)


def test_more_slots_than_k_are_cut_by_score(pool: Pool) -> None:
    selection = chosen(pool, quotas=(("p", 1), ("n", 2), ("e", 2)), k=3)
    assert ranks(selection) == [1, 2, 4]
    reasons = [selection.reason(index) for index in (2, 4, 6)]
    assert [reason and reason.cause for reason in reasons] == [
        Cause.QUOTA_FULL,
        Cause.BELOW_K,
        Cause.BELOW_K,
    ]


def test_a_full_quota_says_of_whom_and_how_large(pool: Pool) -> None:
    selection = chosen(pool, quotas=(("e", 2), ("n", 0)))
    full, none, unlisted, missing = (selection.reason(index) for index in (2, 3, 4, 6))
    assert full is not None
    assert (full.cause, full.limit, full.group) == (Cause.QUOTA_FULL, 2, "e")
    for reason, group in ((none, "n"), (unlisted, "p"), (missing, None)):
        assert reason is not None
        assert (reason.cause, reason.limit, reason.group) == (Cause.QUOTA_FULL, 0, group)


def test_without_quotas_it_is_top_k(pool: Pool) -> None:
    assert ranks(chosen(pool)) == [1, 2, 3, 4, 5]


def test_a_pin_counts_toward_its_quota(pool: Pool) -> None:
    assert ranks(chosen(pool, quotas=(("e", 1), ("n", 1)), pinned=("d3",))) == [3, 4]
    assert ranks(chosen(pool, quotas=(("e", 2), ("n", 1)), best=2, k=3)) == [1, 2, 4]


def test_an_item_too_long_leaves_its_slot_to_the_next_of_its_value(make_pool: MakePool) -> None:
    pool = make_pool(4, fields={"kind": list("eene")}, tokens=[5, 9, 2, 3])
    selection = chosen(pool, quotas=(("e", 2), ("n", 1)), budget=10)
    assert ranks(selection) == [1, 3, 4]


def test_a_quota_is_a_whole_number_and_given_once() -> None:
    with pytest.raises(PolicyError, match="quota for “e” is -1"):
        Policy(quotas=(("e", -1),))
    with pytest.raises(PolicyError, match="Two quotas"):
        Policy(quotas=(("e", 1), ("e", 2)))


@settings(deadline=None, max_examples=100)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), max_size=12),
    slots=st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), min_size=1),
    k=st.integers(0, 12),
)
def test_it_is_the_lists_of_all_values_merged(
    make_pool: MakePool, rows: list[tuple[int, str]], slots: dict[str, int], k: int
) -> None:
    pool = make_pool(
        len(rows),
        scores=[score / 4 for score, _ in rows],
        fields={"kind": [kind for _, kind in rows]},
    )
    by_score = sorted(range(len(rows)), key=lambda i: (-rows[i][0], i))
    lists = [[i for i in by_score if rows[i][1] == kind][:n] for kind, n in slots.items()]
    merged = sorted((i for part in lists for i in part), key=by_score.index)
    found = chosen(pool, quotas=tuple(slots.items()), k=k)
    assert found.indices.tolist() == merged[:k]
