from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Direction, Policy, Pool, Relevance, Scaling, ScoreKind
from poolscope.selection import available, scaling_of, select, used
from poolscope.selection.relevance import scaled

MakePool: TypeAlias = Callable[..., Pool]


def kind(direction: Direction, *, is_cosine: bool = False) -> ScoreKind:
    return ScoreKind(name="score", direction=direction, evidence="a test", is_cosine=is_cosine)


@pytest.mark.parametrize("direction", [Direction.HIGHER, Direction.LOWER])
def test_the_score_is_the_default_where_there_is_one(
    make_pool: MakePool, direction: Direction
) -> None:
    pool = make_pool(
        scores=[0.1, 0.9], vectors=np.eye(2), query_vector=[1.0, 0.0], score_kind=kind(direction)
    )
    assert available(pool)[0] is Relevance.SCORE
    assert set(available(pool)) == set(Relevance)
    assert select(pool, Policy(k=1)).indices.tolist() == [1]


def test_the_rank_is_the_default_where_the_order_is_authoritative(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.1, 0.9, 0.3], score_kind=kind(Direction.ORDER))
    assert available(pool) == (Relevance.RANK, Relevance.SCORE)
    selection = select(pool, Policy(k=2))
    assert selection.indices.tolist() == [0, 1]
    assert selection.relevance_name == "rank"
    by_score = select(pool, Policy(k=2, relevance=Relevance.SCORE))
    assert by_score.indices.tolist() == [1, 2]


def test_without_scores_it_is_the_rank(make_pool: MakePool) -> None:
    assert available(make_pool(3)) == (Relevance.RANK,)
    pool = make_pool(vectors=np.eye(2), query_vector=[0.0, 1.0])
    assert available(pool) == (Relevance.RANK, Relevance.COSINE)
    assert available(make_pool(vectors=np.eye(2))) == (Relevance.RANK,)


def test_a_rank_is_a_relevance_from_1_downwards(make_pool: MakePool) -> None:
    values = used(make_pool(4), Policy(relevance=Relevance.RANK)).values
    assert values.tolist() == [1.0, 0.75, 0.5, 0.25]


def test_a_cosine_is_taken_to_the_query_vector(make_pool: MakePool) -> None:
    pool = make_pool(
        vectors=[[3.0, 4.0], [0.0, -2.0], [0.0, 0.0]],
        query_vector=[0.0, 5.0],
        has_vector=np.array([True, True, False]),
    )
    values = used(pool, Policy(relevance=Relevance.COSINE)).values
    assert values[:2] == pytest.approx([0.8, -1.0])
    assert np.isnan(values[2])


def test_cosines_equal_but_for_rounding_are_equal(make_pool: MakePool) -> None:
    rows = np.repeat(np.random.default_rng(0).normal(size=(1, 129)), 50, axis=0)
    pool = make_pool(vectors=rows, query_vector=np.random.default_rng(1).normal(size=129).tolist())
    assert np.unique(used(pool, Policy(relevance=Relevance.COSINE)).values).size == 1


def test_a_score_on_the_scale_of_a_cosine_is_not_scaled_by_default(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.5], score_kind=kind(Direction.HIGHER, is_cosine=True))
    assert scaling_of(pool, Policy()) is Scaling.NONE
    assert used(pool, Policy()).weighed.tolist() == [0.9, 0.5]


def test_another_score_is_scaled_onto_0_to_1_by_default_and_the_name_says_so(
    make_pool: MakePool,
) -> None:
    pool = make_pool(scores=[8.0, 2.0, 5.0], score_kind=kind(Direction.HIGHER))
    reading = used(pool, Policy())
    assert scaling_of(pool, Policy()) is Scaling.MIN_MAX
    assert reading.values.tolist() == [8.0, 2.0, 5.0]
    assert reading.weighed == pytest.approx([1.0, 0.0, 0.5])
    assert "min-max" in reading.name


@pytest.mark.parametrize("relevance", [Relevance.COSINE, Relevance.RANK])
def test_cosine_and_rank_are_not_scaled_by_default(
    make_pool: MakePool, relevance: Relevance
) -> None:
    pool = make_pool(
        scores=[8.0, 2.0], vectors=np.eye(2), query_vector=[1.0, 0.0],
        score_kind=kind(Direction.HIGHER),
    )  # fmt: skip
    assert scaling_of(pool, Policy(relevance=relevance)) is Scaling.NONE


@pytest.mark.parametrize("scaling", list(Scaling))
def test_the_policy_s_own_scaling_is_used_and_named(make_pool: MakePool, scaling: Scaling) -> None:
    pool = make_pool(scores=[8.0, 2.0])
    policy = Policy(scaling=scaling)
    assert scaling_of(pool, policy) is scaling
    assert (scaling.value in used(pool, policy).name) == (scaling is not Scaling.NONE)


def test_the_conversion_of_a_distance_is_named(make_pool: MakePool) -> None:
    distance = ScoreKind(
        name="L2", direction=Direction.LOWER, evidence="a test", conversion="1 / (1 + distance)"
    )
    pool = make_pool(scores=[0.9, 0.5], score_kind=distance)
    assert "1 / (1 + distance)" in used(pool, Policy(scaling=Scaling.NONE)).name


@pytest.mark.parametrize(
    ("scaling", "wanted"),
    [
        (Scaling.NONE, [-2.0, 0.0, 4.0]),
        (Scaling.MIN_MAX, [0.0, 1 / 3, 1.0]),
        (Scaling.DIVIDE_BY_MAX, [-0.5, 0.0, 1.0]),
        (Scaling.SIGMOID, [1 / (1 + np.e**2), 0.5, 1 / (1 + np.e**-4)]),
    ],
)
def test_scaling_by_hand(scaling: Scaling, wanted: list[float]) -> None:
    assert scaled(np.array([-2.0, 0.0, 4.0]), scaling) == pytest.approx(wanted)


@pytest.mark.parametrize("scaling", list(Scaling))
def test_scaling_keeps_nan_and_nothing(scaling: Scaling) -> None:
    assert scaled(np.empty(0), scaling).size == 0
    assert np.isnan(scaled(np.array([np.nan, np.nan]), scaling)).all()
    assert np.isnan(scaled(np.array([1.0, np.nan, 2.0]), scaling)).tolist() == [False, True, False]


def test_min_max_of_equal_scores_is_1() -> None:
    assert scaled(np.array([3.0, 3.0]), Scaling.MIN_MAX).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("values", [[-2.0, -1.0], [0.0, -1.0]])
def test_dividing_by_a_largest_score_that_is_not_positive_changes_nothing(
    values: list[float],
) -> None:
    assert scaled(np.array(values), Scaling.DIVIDE_BY_MAX).tolist() == values


def test_scaling_of_huge_scores_stays_finite() -> None:
    huge = np.array([-1e308, 0.0, 1e308])
    for scaling in Scaling:
        assert np.isfinite(scaled(huge, scaling)).all()
    assert scaled(huge, Scaling.MIN_MAX) == pytest.approx([0.0, 0.5, 1.0])
    assert scaled(huge, Scaling.SIGMOID) == pytest.approx([0.0, 0.5, 1.0])


def test_min_max_reads_the_whole_pool_not_the_depth(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[8.0, 6.0, 4.0, 0.0], vectors=np.eye(4), score_kind=kind(Direction.HIGHER)
    )
    selection = select(pool, Policy(selector="mmr", k=2, depth=3))
    assert selection.weighed == pytest.approx([1.0, 0.75, 0.5, 0.0])
