"""The straight walk: what it skips and what it looks ahead with change neither picks nor trace."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.model import MissingVector, Policy, Pool, Scaling, Selection
from poolscope.selection import contenders, mmr, select, straight
from poolscope.selection.similarities import similarities

MakePool: TypeAlias = Callable[..., Pool]

N = 400
KEPT = ("indices", "runners_up", "blockers", "causes", "limits")


def drawn(make_pool: MakePool, seed: int, **changes: Any) -> Pool:  # noqa: ANN401
    """Clusters of 24 dimensions; no two scores are equal."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(20, 24))
    parts = {
        "scores": np.sort(rng.random(N))[::-1],
        "vectors": centres[rng.integers(20, size=N)] + 0.5 * rng.normal(size=(N, 24)),
        "sources": [f"s{number}" for number in rng.integers(30, size=N)],
    }
    return make_pool(N, **(parts | changes))


def step_by_step(monkeypatch: pytest.MonkeyPatch, pool: Pool, policy: Policy) -> Selection:
    """Select by the general loop with every similarity read, which keeps no scores."""
    with monkeypatch.context() as patched:
        patched.setattr(mmr, "is_straight", lambda _: False)
        patched.setattr(contenders, "LARGE", 10 * N * 24)
        selection = select(pool, policy)
    pool.kept.clear()
    return selection


@pytest.fixture
def confirmed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Note of every walk ahead whether double precision confirmed it."""
    noted: list[bool] = []
    ahead = straight.Walker.ahead

    def noting(walker: straight.Walker) -> straight.Walk | None:
        walk = ahead(walker)
        noted.append(walk is not None)
        return walk

    monkeypatch.setattr(straight.Walker, "ahead", noting)
    return noted


def assert_same(selection: Selection, expected: Selection) -> None:
    for name in KEPT:
        np.testing.assert_array_equal(getattr(selection, name), getattr(expected, name), name)
    assert selection.rules == expected.rules
    np.testing.assert_allclose(selection.margins, expected.margins, rtol=0, atol=1e-12)
    np.testing.assert_allclose(selection.redundancies, expected.redundancies, rtol=0, atol=1e-12)


@pytest.mark.parametrize("k", [5, 12, 60])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"lambda_": 0.0},
        {"lambda_": 0.97, "clip_negative": True, "depth": 300},
        {"selector": "mmr_cap", "cap": 3},
        {"pinned": ("d399", "d7"), "depth": 350},
        {"best": 3, "neighbours": 1},
    ],
)
def test_ahead_or_not_the_selection_is_the_same(
    make_pool: MakePool,
    monkeypatch: pytest.MonkeyPatch,
    confirmed: list[bool],
    k: int,
    changes: dict[str, object],
) -> None:
    pool = drawn(make_pool, k)
    policy = Policy(selector="mmr", k=k).changed(**changes)
    expected = step_by_step(monkeypatch, pool, policy)
    first = select(pool, policy)
    assert confirmed == ([] if k == 5 else [True])
    assert_same(first, expected)
    similarities(pool).row(int(expected.indices[0]))
    assert_same(select(pool, policy), expected)
    assert len(confirmed) == (k > 5)  # what is known is read, not looked ahead


def test_scores_that_are_equal_are_settled_by_rank_in_a_second_walk(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch, confirmed: list[bool]
) -> None:
    rows = np.eye(24)[np.arange(N) % 24]
    pool = drawn(make_pool, 1, vectors=rows, scores=np.repeat(np.linspace(1.0, 0.0, N // 4), 4))
    policy = Policy(selector="mmr", k=30)
    expected = step_by_step(monkeypatch, pool, policy)
    assert_same(select(pool, policy), expected)
    assert confirmed == [False]


def test_a_difference_below_single_precision_decides(
    make_pool: MakePool, confirmed: list[bool]
) -> None:
    scores = np.sort(np.random.default_rng(3).random(N))[::-1].copy()
    rows = np.random.default_rng(4).normal(size=(N, 24))
    rows[51] = rows[50]
    scores[:50] += 1.0
    scores[50], scores[51] = 0.999, 0.999 + 1e-10  # one part in ten to the tenth
    pool = drawn(make_pool, 1, vectors=rows, scores=scores)
    picked = select(pool, Policy(selector="mmr", k=60, lambda_=0.999)).indices.tolist()
    assert confirmed == [True]
    assert 51 in picked
    assert 50 not in picked or picked.index(51) < picked.index(50)


def test_with_fewer_candidates_than_slots_all_are_picked(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch, confirmed: list[bool]
) -> None:
    has = np.arange(N) % 2 == 0
    rows = np.random.default_rng(5).normal(size=(N, 24)) * has[:, None]
    pool = drawn(make_pool, 1, vectors=rows, has_vector=has)
    policy = Policy(selector="mmr", k=300)
    expected = step_by_step(monkeypatch, pool, policy)
    assert_same(select(pool, policy), expected)
    assert confirmed == [False]
    assert len(expected) == 200
    everybody = policy.changed(missing_vector=MissingVector.NO_REDUNDANCY)
    assert len(select(pool, everybody)) == 300


def test_huge_scores_leave_no_doubt_unsettled(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = np.sort(np.random.default_rng(6).random(N))[::-1] * 1e12
    pool = drawn(make_pool, 2, scores=scores)
    policy = Policy(selector="mmr", k=20, scaling=Scaling.NONE)
    expected = step_by_step(monkeypatch, pool, policy)
    assert_same(select(pool, policy), expected)


def test_the_walk_keeps_no_more_scores_than_there_is_room_for(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = drawn(make_pool, 3)
    policy = Policy(selector="mmr", k=12)
    expected = select(pool, policy)
    monkeypatch.setattr(straight, "ROOM", 12 * N - 1)
    monkeypatch.setattr(straight.Walker, "exact", None)
    monkeypatch.setattr(straight.Walker, "ahead", None)
    pool.kept.clear()
    assert_same(select(pool, policy), expected)
