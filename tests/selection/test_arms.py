"""Caps by arm before another rule: what is cut, what is weighed, paths, reasons, and an oracle."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope import wording
from poolscope.errors import PolicyError
from poolscope.model import Cause, MissingKey, Policy, Pool, Relevance, Scaling, policy_toml
from poolscope.selection import SELECTORS, select
from poolscope.selection.arms import Arms
from poolscope.selection.paths import Axis, path, several
from tests.report.conftest import snippet

MakePool: TypeAlias = Callable[..., Pool]
ARMS = ["graph", "graph", "graph", "dense", "dense, lexical", "lexical"]


def ranks(pool: Pool, **changes: object) -> list[int]:
    return [i + 1 for i in select(pool, Policy(k=9, arm_cap=2).changed(**changes)).indices]


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Three that the graph found lead; rank 5 is a copy of rank 1 that two arms found."""
    return make_pool(
        vectors=[[1, 0, 0], [0.9, 0.3, 0], [0.9, 0, 0.3], [0, 1, 0], [1, 0, 0], [0, 0, 1]],
        query_vector=[1, 0.2, 0.1],
        scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
        sources=list("aabbcc"),
        fields={"arm": ARMS},
    )


def test_each_list_is_cut_and_the_fused_score_is_what_is_ordered_by(pool: Pool) -> None:
    # graph 1 2 | dense 4 5 | lexical 5 6; rank 5 has 1/62 + 1/61, ranks 1 and 4 have 1/61.
    assert ranks(pool) == [5, 1, 4, 2, 6]
    assert ranks(pool, arm_cap=1) == [1, 4, 5]
    assert ranks(pool, arm_cap=9) == [5, 1, 4, 2, 6, 3]
    selection = select(pool, Policy(k=2, arm_cap=2))
    assert selection.relevances.tolist() == [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    assert selection.picks[0].margin == pytest.approx(1 / 62)
    assert selection.notes == (
        "1 passage was cut from the lists by “arm”, 2 to a list; the rule reads the fused "
        "reciprocal ranks (k = 60) of the others.",
    )
    reason = selection.reason(2)
    assert reason is not None
    assert (reason.cause, reason.limit, reason.group) == (Cause.ARM_CUT, 2, "graph")
    assert wording.reason(selection, 2) == "cut from the list of its arm (graph), which is cut at 2"


def test_mmr_weighs_the_fused_score_on_the_scale_from_0_to_1(pool: Pool) -> None:
    # The fused scores of those left go from 1/62 to 0 to 1: .0325 is 1; 1/61 is .016, 1/62 is 0.
    selection = select(pool, Policy(selector="mmr", k=3, arm_cap=2, lambda_=0.5))
    low, high = 1 / 62, 1 / 61 + 1 / 62
    second = (1 / 61 - low) / (high - low)
    assert selection.weighed.tolist() == pytest.approx([second, 0, 0, second, 1, 0])
    # Behind rank 5: rank 1 has .008 - .5, rank 4 .008 - 0, rank 6 0 - 0.
    assert [index + 1 for index in selection.indices] == [5, 4, 6]
    raw = select(pool, Policy(selector="mmr", k=1, arm_cap=2, lambda_=0.5, scaling=Scaling.NONE))
    assert raw.weighed[4] == pytest.approx(high)
    assert "graph" in wording.reason(selection, 2)


def test_a_pin_takes_room_a_ban_does_not_and_a_depth_cuts_first(pool: Pool) -> None:
    assert ranks(pool, pinned=("d3",)) == [3, 5, 1, 4, 6]
    assert ranks(pool, banned=("d1",)) == [5, 2, 4, 3, 6]
    assert ranks(pool, depth=4) == [1, 4, 2]
    assert ranks(pool, best=1, selector="mmr", k=2) == [5, 4]


def test_who_has_no_arm(make_pool: MakePool) -> None:
    pool = make_pool(5, fields={"arm": [None, None, "a", "a", None]})
    assert ranks(pool, arm_cap=1) == [1, 2, 3, 5]
    assert ranks(pool, arm_cap=1, missing_key=MissingKey.SHARED) == [1, 3]
    rejected = select(pool, Policy(k=5, arm_cap=1, missing_key=MissingKey.REJECT))
    assert rejected.ordered == (2,)
    assert wording.reason(rejected, 0) == "it has no arm"
    assert "2 of 5 slots" not in rejected.notes[-1]
    assert "cut from their arms' lists (4)" in rejected.notes[-1]


def test_an_empty_pool_and_a_field_that_is_not_there(make_pool: MakePool) -> None:
    assert ranks(make_pool(0, fields={"arm": []})) == []
    with pytest.raises(PolicyError, match="no field “arm”"):
        ranks(make_pool(2))
    for cap in (0, -1, 1.5):
        with pytest.raises(PolicyError, match="arm cap"):
            Policy(arm_cap=cap)  # type: ignore[arg-type]


def drawn(make_pool: MakePool, seed: int, n: int = 14) -> Pool:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(n, 4)) + np.array([1.0, 0, 0, 0])
    rows[n // 2] = rows[1]
    return make_pool(
        n,
        vectors=rows,
        query_vector=[1.0, 0.1, 0, 0],
        scores=np.round(random.random(n), 1),  # ties, and another order than the ranks
        sources=random.choice(list("abc"), n).tolist(),
        fields={"arm": [("x", "y", "x, z", None)[number] for number in random.integers(0, 4, n)]},
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("relevance", list(Relevance))
def test_top_k_of_it_is_the_rule_of_arm_caps(
    make_pool: MakePool, seed: int, relevance: Relevance
) -> None:
    pool = drawn(make_pool, seed)
    for cap in (1, 2, 4, 20):
        own = Policy(selector="arm_caps", key="arm", cap=cap, k=9, relevance=relevance)
        before = Policy(arm_cap=cap, k=9, relevance=relevance)
        assert select(pool, before).ordered == select(pool, own).ordered


@pytest.mark.parametrize("selector", [item.name for item in SELECTORS])
@pytest.mark.parametrize("seed", range(2))
def test_every_rule_answers_as_its_paths_say(make_pool: MakePool, selector: str, seed: int) -> None:
    pool = drawn(make_pool, seed)
    policy = Policy(
        selector=selector, k=4, cap=2, arm_cap=2, quotas=(("a", 2), ("b", 1)), lambda_=0.55
    )
    chosen = select(pool, policy)
    assert pool.scores is not None
    lists = Arms(pool, "arm").fuse(np.argsort(-pool.scores, kind="stable").tolist(), 2)
    assert chosen.members <= set(lists.order)
    for axis in Axis:
        found = path(pool, policy, axis)
        (same,) = several(pool, (policy,), axis)
        assert same == found
        if not found.exact:  # sampled: no promise at the ends
            assert axis is Axis.LAMBDA
            continue
        values = [end for part in found.intervals for end in (part.low, part.high)]
        for value in values:
            moved = value if axis is Axis.LAMBDA else int(value)
            there = select(pool, policy.changed(**{axis.value: moved})).indices.tolist()
            assert tuple(there) == found.at(value).indices, (axis, value)


@settings(deadline=None, max_examples=60)
@given(
    arms=st.lists(st.sampled_from(["a", "b", "a,b", None]), min_size=1, max_size=10),
    cap=st.integers(1, 4),
    lambda_=st.sampled_from([0.0, 0.3, 0.8, 1.0]),
)
def test_mmr_of_it_by_the_definition(
    make_pool: MakePool, arms: list[str | None], cap: int, lambda_: float
) -> None:
    n = len(arms)
    rows = np.random.default_rng(n).normal(size=(n, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    lists: dict[str, list[int]] = {}
    for index, value in enumerate(arms):
        for arm in (value or f"alone {index}").split(","):
            lists.setdefault(arm, []).append(index)
    score = np.zeros(n)
    for found in lists.values():
        for place, index in enumerate(found[:cap]):
            score[index] += 1 / (61 + place)
    left = [i for i in range(n) if score[i] > 0]
    low, high = min(score[left]), max(score[left])
    level = high - low < 1e-12
    weighed = {i: 1.0 if level else float(score[i] - low) / (high - low) for i in left}
    picks: list[int] = []

    def worth(index: int) -> float:
        if not picks or lambda_ == 1.0:
            return round(float(score[index]), 12)
        likeness = max(float(rows[index] @ rows[pick]) for pick in picks)
        return round(lambda_ * weighed[index] - (1 - lambda_) * likeness, 9)

    while left and len(picks) < 4:
        best = max(left, key=lambda index: (worth(index), -index))
        picks.append(best)
        left.remove(best)
    pool = make_pool(n, vectors=rows, fields={"arm": arms})
    policy = Policy(selector="mmr", k=4, arm_cap=cap, lambda_=lambda_, relevance=Relevance.RANK)
    assert select(pool, policy).indices.tolist() == picks


def test_a_file_keeps_it_and_no_snippet_makes_as_if(pool: Pool) -> None:
    policy = Policy(selector="mmr", arm_cap=3, arm_key="source")
    assert policy_toml.read(policy_toml.write(policy)) == policy
    assert policy.plain.arm_cap is None
    assert wording.before(policy) == ["each source cut at 3 and fused"]
    for system in ("Plain Python", "LangChain", "Qdrant"):
        said = snippet(system, pool, policy).differs
        assert "Not carried over: the cut of each retrieval arm's list and their fusion." in said


@pytest.fixture
def swapped(make_pool: MakePool) -> Pool:
    """Rank 4 leads another list, so that rank 2 has a smaller fused score than it."""
    return make_pool(
        6,
        scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
        fields={"arm": ["graph", "graph", "graph", "dense, lexical", "dense", "lexical"]},
    )


@pytest.mark.parametrize(
    "policy",
    [Policy(k=2, arm_cap=4), Policy(selector="arm_caps", key="arm", k=2, cap=4)],
    ids=["before", "as the rule"],
)
def test_who_is_below_k_is_told_of_the_fused_score(swapped: Pool, policy: Policy) -> None:
    selection = select(swapped, policy)
    assert [index + 1 for index in selection.indices] == [4, 1]
    assert wording.reason(selection, 1) == (
        "not among the best 2 by fused score: it has 0.0161, the picks at least 0.0164"
    )
    reason = selection.reason(1)
    assert reason is not None
    assert reason.value == pytest.approx(1 / 62)
    assert reason.last_value == pytest.approx(1 / 61)
    pinned = select(swapped, policy.changed(pinned=("d6",), k=1))
    assert wording.reason(pinned, 1) == "not among the best 1"
    assert select(swapped, Policy()).fused is None


def test_separators_alone_name_no_arm(make_pool: MakePool) -> None:
    values = [" , ", "a", "a", "|", "a; b;", "b"]
    pool = make_pool(6, fields={"arm": values})
    assert ranks(pool, arm_cap=1) == [1, 2, 4, 5]
    assert ranks(pool, arm_cap=1, missing_key=MissingKey.SHARED) == [1, 2, 5]
    shared = select(pool, Policy(k=6, arm_cap=1, missing_key=MissingKey.SHARED))
    assert wording.reason(shared, 3) == ("cut from the list of its arm (no arm), which is cut at 1")
    rejecting = Policy(k=6, arm_cap=1, missing_key=MissingKey.REJECT)
    assert wording.reason(select(pool, rejecting), 0) == "it has no arm"
    own = Policy(selector="arm_caps", key="arm", k=6, cap=1, missing_key=MissingKey.REJECT)
    chosen = select(pool, own)
    assert chosen.ordered == select(pool, rejecting).ordered == (1, 4)
    assert wording.reason(chosen, 0) == "it has no arm"
    assert wording.reason(chosen, 2) == "cap of 1 reached for a"


def test_a_passage_in_several_arms_is_named_by_them(make_pool: MakePool) -> None:
    pool = make_pool(4, fields={"arm": ["a", "b", "b|a", "c"]})
    selection = select(pool, Policy(k=4, arm_cap=1))
    assert wording.reason(selection, 2) == (
        "cut from the lists of its arms (b, a), which are cut at 1"
    )
    own = select(pool, Policy(selector="arm_caps", key="arm", k=4, cap=1))
    assert wording.reason(own, 2) == "cap of 1 reached for b, a"
