from collections.abc import Callable
from typing import TypeAlias

import pytest

from poolscope.model import Cause, Policy, Pool, Relevance, Rule
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]


def test_by_score_not_by_rank(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.5, 0.9, 0.7, 0.8])
    assert select(pool, Policy(k=3)).indices.tolist() == [1, 3, 2]


def test_equal_scores_keep_their_rank(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.5, 0.9, 0.5, 0.9])
    assert select(pool, Policy(k=4)).indices.tolist() == [1, 3, 0, 2]


def test_negative_scores(make_pool: MakePool) -> None:
    pool = make_pool(scores=[-3.0, -1.0, -2.0])
    assert select(pool, Policy(k=2)).indices.tolist() == [1, 2]


def test_the_trace(make_pool: MakePool) -> None:
    first, second = select(make_pool(scores=[0.5, 0.9, 0.7]), Policy(k=2)).picks
    assert (first.slot, first.index, first.rule, first.relevance) == (1, 1, Rule.RELEVANCE, 0.9)
    assert (first.redundancy, first.blocker) == (None, None)
    assert first.runner_up == 2
    assert first.margin == pytest.approx(0.2)
    assert second.runner_up == 0
    assert second.margin == pytest.approx(0.2)


def test_the_last_candidate_has_no_runner_up(make_pool: MakePool) -> None:
    pick = select(make_pool(scores=[0.5, 0.9]), Policy(k=2)).picks[-1]
    assert (pick.runner_up, pick.margin) == (None, None)


def test_what_is_left_out_is_below_k(make_pool: MakePool) -> None:
    reason = select(make_pool(scores=[0.5, 0.9, 0.7]), Policy(k=2)).reason(0)
    assert reason is not None
    assert (reason.cause, reason.rank, reason.limit) == (Cause.BELOW_K, 1, 2)


def test_sources_and_vectors_are_not_read(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7], sources=[None, "a", None], vectors=[[1.0], [1.0], [0.0]]
    )
    selection = select(pool, Policy(k=2, key="no such field", cap=1))
    assert selection.indices.tolist() == [0, 1]
    assert selection.groups == ()
    assert not selection.reads_similarity


def test_by_cosine(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7], vectors=[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]],
        query_vector=[1.0, 0.0],
    )  # fmt: skip
    selection = select(pool, Policy(k=2, relevance=Relevance.COSINE))
    assert selection.indices.tolist() == [2, 1]
    assert selection.picks[0].relevance == pytest.approx(1.0)


def test_many_equal_scores_keep_their_rank(make_pool: MakePool) -> None:
    scores = [0.1 * (rank % 3) for rank in range(300)]
    wanted = [rank for third in (2, 1, 0) for rank in range(300) if rank % 3 == third]
    assert select(make_pool(scores=scores), Policy(k=300)).indices.tolist() == wanted
