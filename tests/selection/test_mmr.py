"""MMR, plain and with a cap inside, by hand."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import (
    Cause,
    Direction,
    MissingKey,
    Policy,
    Pool,
    Relevance,
    Rule,
    Scaling,
    ScoreKind,
)
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]

LOGIT = ScoreKind(name="reranker logit", direction=Direction.HIGHER, evidence="a test")


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    """Two twins, one a little off, one apart: cosines to the first 1, 0.8 and 0."""
    return make_pool(
        scores=[0.9, 0.88, 0.8, 0.5],
        vectors=[[1.0, 0.0], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]],
        sources="aabb",
    )


@pytest.mark.parametrize(
    ("lambda_", "picks"),
    [
        # behind d1: d2 0.88 l - (1 - l), d3 0.8 l - 0.8 (1 - l), d4 0.5 l
        (1.0, [0, 1, 2, 3]),
        (0.9, [0, 1, 2, 3]),  # 0.692, 0.640, 0.450
        (0.7, [0, 3, 2, 1]),  # 0.316, 0.320, 0.350; then 0.316, 0.320
        (0.5, [0, 3, 2, 1]),  # -0.06, 0.000, 0.250; then -0.06, 0.000
        (0.0, [0, 3, 2, 1]),
    ],
)
def test_order_by_hand(pool: Pool, lambda_: float, picks: list[int]) -> None:
    assert select(pool, Policy(selector="mmr", k=4, lambda_=lambda_)).indices.tolist() == picks


def test_the_trace_by_hand(pool: Pool) -> None:
    first, second, third = select(pool, Policy(selector="mmr", k=3, lambda_=0.5)).picks
    assert (first.index, first.relevance) == (0, 0.9)
    assert (first.redundancy, first.blocker) == (None, None)
    assert first.runner_up == 1
    assert first.margin == pytest.approx(0.02)
    # 0.5 * 0.5 - 0.5 * 0 against 0.5 * 0.8 - 0.5 * 0.8
    assert (second.index, second.redundancy, second.blocker) == (3, 0.0, 0)
    assert second.rule is Rule.MARGINAL_RELEVANCE
    assert second.runner_up == 2
    assert second.margin == pytest.approx(0.25)
    # 0.4 - 0.5 * 0.8 = 0 against 0.44 - 0.5 = -0.06
    assert (third.index, third.blocker, third.runner_up) == (2, 0, 1)
    assert third.redundancy == pytest.approx(0.8)
    assert third.margin == pytest.approx(0.06)


def test_the_blocker_is_the_earlier_of_two_equally_near_picks(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7], vectors=[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], sources="abc"
    )
    picks = select(pool, Policy(selector="mmr", k=3)).picks
    assert [pick.index for pick in picks] == [0, 1, 2]
    assert picks[2].blocker == 0


def test_too_similar_carries_its_values(pool: Pool) -> None:
    selection = select(pool, Policy(selector="mmr", k=2, lambda_=0.5))
    assert selection.indices.tolist() == [0, 3]
    reason = selection.reason(1)
    assert reason is not None
    assert (reason.cause, reason.rank, reason.blocker) == (Cause.TOO_SIMILAR, 2, 0)
    assert reason.similarity == pytest.approx(1.0)
    assert reason.value == pytest.approx(0.5 * 0.88 - 0.5 * 1.0)
    assert reason.last_value == pytest.approx(0.5 * 0.5)


def test_less_relevant_than_every_pick_is_below_k(pool: Pool) -> None:
    reason = select(pool, Policy(selector="mmr", k=2, lambda_=1.0)).reason(3)
    assert reason is not None
    assert (reason.cause, reason.rank, reason.limit) == (Cause.BELOW_K, 4, 2)


def test_a_tie_goes_to_the_lower_rank_and_has_no_margin(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.5, 0.5], vectors=[[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    second = select(pool, Policy(selector="mmr", k=2)).picks[1]
    assert (second.index, second.runner_up, second.margin) == (1, 2, 0.0)


def test_no_margin_is_negative(make_pool: MakePool) -> None:
    rng = np.random.default_rng(2)
    pool = make_pool(scores=np.full(60, 0.4), vectors=np.repeat(rng.normal(size=(6, 31)), 10, 0))
    margins = select(pool, Policy(selector="mmr", k=59, lambda_=0.3)).margins
    assert (margins >= 0.0).all()


def test_a_negative_cosine_is_a_reward_unless_clipped(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.6, 0.5], vectors=[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], sources="abc"
    )
    policy = Policy(selector="mmr", k=2, lambda_=0.5)
    kept, clipped = select(pool, policy), select(pool, policy.changed(clip_negative=True))
    assert kept.indices.tolist() == [0, 2]
    assert kept.picks[1].redundancy == -1.0
    assert clipped.indices.tolist() == [0, 1]
    assert select(pool, policy.changed(clip_negative=True, k=3)).picks[2].redundancy == 0.0


@pytest.mark.parametrize("scaling", list(Scaling))
@pytest.mark.parametrize("selector", ["mmr", "mmr_cap"])
def test_lambda_one_is_top_k_also_where_scaling_rounds_scores_together(
    make_pool: MakePool, scaling: Scaling, selector: str
) -> None:
    for scores in ([40.0, 45.0, 1.0, 50.0], [-1.0, 0.0, 1e-13, 1.0], [1e9, 1e9 + 1, 3.0, 2.0]):
        pool = make_pool(scores=scores, vectors=np.eye(4), score_kind=LOGIT)
        top = select(pool, Policy(k=4)).indices.tolist()
        policy = Policy(selector=selector, k=4, cap=4, lambda_=1.0, scaling=scaling)
        assert select(pool, policy).indices.tolist() == top


@pytest.mark.parametrize("lambda_", [0.0, 0.5])
def test_the_first_pick_is_the_most_relevant_also_where_a_sigmoid_saturates(
    make_pool: MakePool, lambda_: float
) -> None:
    pool = make_pool(scores=[40.0, 45.0, 1.0], vectors=np.eye(3), score_kind=LOGIT)
    policy = Policy(selector="mmr", k=1, lambda_=lambda_, scaling=Scaling.SIGMOID)
    assert select(pool, policy).indices.tolist() == [1]


def test_scaling_decides_what_lambda_weighs(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[9.0, 8.0, 5.0], vectors=[[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], score_kind=LOGIT
    )
    policy = Policy(selector="mmr", k=2, lambda_=0.5)
    picks = {
        scaling: select(pool, policy.changed(scaling=scaling)).indices.tolist()
        for scaling in Scaling
    }
    assert picks == {
        Scaling.NONE: [0, 1],  # 4.0 - 0.5 against 2.5
        Scaling.MIN_MAX: [0, 2],  # 0.375 - 0.5 against 0
        Scaling.DIVIDE_BY_MAX: [0, 2],  # 0.444 - 0.5 against 0.278
        Scaling.SIGMOID: [0, 2],  # 0.4998 - 0.5 against 0.497
    }


def test_each_step_s_score_follows_from_the_picks_and_the_weighed_relevance(
    make_pool: MakePool,
) -> None:
    rng = np.random.default_rng(6)
    pool = make_pool(scores=rng.normal(size=20), vectors=rng.normal(size=(20, 4)), score_kind=LOGIT)
    assert pool.vectors is not None
    selection = select(pool, Policy(selector="mmr", k=8, lambda_=0.35))
    for slot in range(1, 8):
        chosen = selection.indices[:slot]
        score = {
            i: 0.35 * selection.weighed[i] - 0.65 * (pool.vectors[chosen] @ pool.vectors[i]).max()
            for i in range(20)
            if i not in chosen
        }
        ranked = sorted(score, key=lambda i: -score[i])
        pick = selection.picks[slot]
        assert [pick.index, pick.runner_up] == ranked[:2]
        assert pick.margin == pytest.approx(score[ranked[0]] - score[ranked[1]])


# The cap inside


def test_the_cap_is_neither_before_nor_after_the_greedy_loop(make_pool: MakePool) -> None:
    """Cut before, d1 and d3 would be the pool; cut after, only one pick would be left of two."""
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6],
        vectors=[[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.0, 1.0, 0.0], [0.9, 0.0, 0.435889894]],
        sources="aaab",
    )
    plain = select(pool, Policy(selector="mmr", k=3, lambda_=0.5))
    inside = select(pool, Policy(selector="mmr_cap", k=3, cap=2, lambda_=0.5))
    assert plain.indices.tolist() == [0, 2, 1]
    assert inside.indices.tolist() == [0, 2, 3]
    reason = inside.reason(1)
    assert reason is not None
    assert (reason.cause, reason.group, reason.limit) == (Cause.CAP_REACHED, "a", 2)


def test_no_runner_up_comes_from_a_full_source(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6], vectors=np.eye(4), sources="aabc")
    picks = select(pool, Policy(selector="mmr_cap", k=3, cap=1)).picks
    assert [(pick.index, pick.runner_up) for pick in picks] == [(0, 1), (2, 3), (3, None)]


def test_the_cap_leaves_slots_empty_and_says_so(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], vectors=np.eye(3), sources="aab")
    selection = select(pool, Policy(selector="mmr_cap", k=3, cap=1))
    assert selection.indices.tolist() == [0, 2]
    assert selection.notes == (
        "1 of 3 slots stayed empty: 3 in the pool. Left out: over the cap (1).",
    )


def test_a_last_pick_that_fills_its_source_caps_nobody(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], vectors=np.eye(3), sources="aab")
    reason = select(pool, Policy(selector="mmr_cap", k=1, cap=1)).reason(1)
    assert reason is not None
    assert reason.cause is Cause.BELOW_K


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_with_lambda_one_it_is_the_grouped_cap(make_pool: MakePool, cap: int) -> None:
    rng = np.random.default_rng(cap)
    pool = make_pool(
        scores=rng.normal(size=20),
        vectors=rng.normal(size=(20, 4)),
        sources=[None if label == "d" else label for label in rng.choice(list("abcd"), 20)],
        score_kind=LOGIT,
    )
    for missing_key in MissingKey:
        policy = Policy(selector="mmr_cap", k=9, cap=cap, lambda_=1.0, missing_key=missing_key)
        grouped = select(pool, policy.changed(selector="grouped_cap"))
        assert select(pool, policy).indices.tolist() == grouped.indices.tolist()


def test_a_high_cap_is_plain_mmr(make_pool: MakePool) -> None:
    rng = np.random.default_rng(1)
    pool = make_pool(vectors=rng.normal(size=(20, 4)), query_vector=rng.normal(size=4).tolist())
    policy = Policy(selector="mmr", k=9, cap=20, relevance=Relevance.COSINE, lambda_=0.5)
    capped = select(pool, policy.changed(selector="mmr_cap"))
    assert capped.picks == select(pool, policy).picks
