from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Cause, Order, Policy, Pool, Selection
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]


def chosen(pool: Pool, indices: list[int], policy: Policy) -> Selection:
    """Build a selection by hand: nothing runs."""
    p, n = len(indices), len(pool)
    causes = np.full(n, -1, dtype=np.int8)
    causes[indices] = -2
    return Selection(
        pool=pool,
        policy=policy,
        indices=np.array(indices, dtype=np.intp),
        rules=(),
        relevances=np.zeros(n) if pool.scores is None else pool.scores,
        weighed=np.zeros(n) if pool.scores is None else pool.scores,
        redundancies=np.full(p, np.nan),
        blockers=np.full(p, -1),
        runners_up=np.full(p, -1),
        margins=np.full(p, np.nan),
        causes=causes,
        limits=np.full(n, np.nan),
    )


def test_as_picked(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7])
    assert chosen(pool, [2, 0], Policy(k=2)).ordered == (2, 0)


def test_by_score_ties_by_rank(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.7, 0.9, 0.7, 0.8])
    selection = chosen(pool, [2, 3, 0, 1], Policy(order=Order.SCORE))
    assert selection.ordered == (1, 3, 0, 2)


def test_by_document_then_position_in_it(make_pool: MakePool) -> None:
    pool = make_pool(sources="babab", positions=(2, 9, 1, 10, None))
    selection = chosen(pool, [0, 1, 2, 3, 4], Policy(order=Order.DOCUMENT))
    assert selection.ordered == (1, 3, 2, 0, 4)


def test_by_document_equal_places_stay_in_rank_order(make_pool: MakePool) -> None:
    pool = make_pool(sources=["a", "a", None, "a"], positions=(1, 1, 5, 0))
    selection = chosen(pool, [1, 3, 0, 2], Policy(order=Order.DOCUMENT))
    assert selection.ordered == (2, 3, 0, 1)


def test_members_length_and_empty_slots(make_pool: MakePool) -> None:
    selection = chosen(make_pool(4), [3, 1], Policy(k=5))
    assert selection.members == {1, 3}
    assert (len(selection), selection.empty_slots) == (2, 3)
    assert 3 in selection
    assert 0 not in selection
    assert "3" not in selection


def test_what_is_missing_is_none_in_the_trace(make_pool: MakePool) -> None:
    pick = select(make_pool(scores=[0.5]), Policy(k=1)).picks[0]
    assert (pick.redundancy, pick.blocker, pick.runner_up, pick.margin) == (None,) * 4


@pytest.mark.parametrize("selector", ["mmr", "mmr_cap"])
def test_at_the_first_pick_nobody_is_too_similar(make_pool: MakePool, selector: str) -> None:
    pool = make_pool(scores=[0.5, 0.9, 0.9], vectors=[[1.0, 0.0]] * 3, sources="abc")
    selection = select(pool, Policy(selector=selector, k=1))
    for index in (0, 2):
        reason = selection.reason(index)
        assert reason is not None
        assert (reason.cause, reason.rank) == (Cause.BELOW_K, index + 1)


def test_too_similar_names_the_nearest_pick_before_the_last(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.85, 0.8, 0.3],
        vectors=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]],
        sources="abcd",
    )
    selection = select(pool, Policy(selector="mmr", k=3, lambda_=0.5))
    assert selection.indices.tolist() == [0, 1, 3]
    reason = selection.reason(2)
    assert reason is not None
    assert (reason.cause, reason.blocker) == (Cause.TOO_SIMILAR, 1)
    assert reason.similarity == pytest.approx(0.8)
    assert reason.value == pytest.approx(0.5 * 0.8 - 0.5 * 0.8)
    assert reason.last_value == pytest.approx(0.5 * 0.3)


def test_too_similar_reads_the_clipped_cosine(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.6, 0.55, 0.5],
        vectors=[[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [-1.0, 0.0]],
        sources="abcd",
    )
    policy = Policy(selector="mmr", k=3, lambda_=0.5, clip_negative=True)
    reason = select(pool, policy).reason(2)
    assert reason is not None
    assert reason.last_value == pytest.approx(0.25)
    assert reason.value == pytest.approx(0.275 - 0.5)


def test_too_similar_is_judged_as_the_last_step_was_before_its_pick_was_in(
    make_pool: MakePool,
) -> None:
    pool = make_pool(
        scores=[0.9, 0.75, 0.7, 0.6],
        vectors=[[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]],
        sources="abcd",
    )
    selection = select(pool, Policy(selector="mmr", k=3, lambda_=0.5))
    assert selection.indices.tolist() == [0, 3, 1]
    reason = selection.reason(2)
    assert reason is not None
    assert (reason.cause, reason.blocker) == (Cause.TOO_SIMILAR, 0)
    assert reason.similarity == pytest.approx(0.8)
    assert reason.value == pytest.approx(0.5 * 0.7 - 0.5 * 0.8)
    assert reason.last_value == pytest.approx(0.5 * 0.75 - 0.5 * 0.8)
