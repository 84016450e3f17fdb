"""Tiers: reading few similarities changes nothing, neither the picks nor their trace."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import OnBudget, Policy, Pool, Selection
from poolscope.selection import contenders, select, straight

MakePool: TypeAlias = Callable[..., Pool]

N = 300


@pytest.fixture(params=[2, 20])
def small_tiers(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """Switch to tiers so small that every bound fails now and then."""

    def switch() -> None:
        monkeypatch.setattr(straight, "LARGE", 4)
        monkeypatch.setattr(contenders, "LARGE", 4)
        monkeypatch.setattr(contenders, "TOP", request.param)

    return switch


def whole(monkeypatch: pytest.MonkeyPatch, pool: Pool, policy: Policy) -> Selection:
    """Select with every similarity read, and keep none of them."""
    with monkeypatch.context() as patched:
        assert pool.vectors is not None
        patched.setattr(straight, "LARGE", 4)
        patched.setattr(contenders, "LARGE", pool.vectors.size)
        selection = select(pool, policy)
    pool.kept.clear()
    return selection


def drawn(make_pool: MakePool, seed: int) -> Pool:
    """Clusters, copies of one row, scores that repeat."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(20, 24))
    rows = centres[rng.integers(20, size=N)] + 0.5 * rng.normal(size=(N, 24))
    rows[5::40] = rows[5]
    return make_pool(
        N,
        scores=np.round(np.sort(rng.random(N))[::-1], 2),
        vectors=rows,
        sources=[f"s{number}" for number in rng.integers(30, size=N)],
        tokens=rng.integers(10, 100, size=N),
    )


@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.6, 0.95])
@pytest.mark.parametrize("k", [2, 12, 60])
@pytest.mark.parametrize(
    "changes",
    [
        {"selector": "mmr"},
        {"selector": "mmr", "clip_negative": True, "depth": 200},
        {"selector": "mmr_cap", "cap": 1},
        {"selector": "mmr_cap", "cap": 2, "budget": 900, "on_budget": OnBudget.SKIP},
        {"selector": "mmr", "budget": 900, "on_budget": OnBudget.STOP},
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_small_tiers_change_nothing(
    make_pool: MakePool,
    monkeypatch: pytest.MonkeyPatch,
    small_tiers: Callable[[], None],
    lambda_: float,
    k: int,
    changes: dict[str, object],
    seed: int,
) -> None:
    pool = drawn(make_pool, seed)
    policy = Policy(k=k, lambda_=lambda_).changed(**changes)
    expected = whole(monkeypatch, pool, policy)
    small_tiers()
    selection = select(pool, policy)
    for name in ("indices", "runners_up", "blockers", "causes"):
        np.testing.assert_array_equal(getattr(selection, name), getattr(expected, name), name)
    np.testing.assert_allclose(selection.margins, expected.margins, atol=1e-12)
    np.testing.assert_allclose(selection.redundancies, expected.redundancies, atol=1e-12)


def test_more_equals_than_a_tier_holds_are_settled_by_rank(
    make_pool: MakePool, small_tiers: Callable[[], None]
) -> None:
    rows = np.eye(8)[np.arange(N) % 8]
    pool = make_pool(N, scores=np.ones(N), vectors=rows, sources="s" * N)
    small_tiers()
    assert select(pool, Policy(selector="mmr", k=10)).indices.tolist() == list(range(10))


def test_a_large_pool_against_the_plain_loop(make_pool: MakePool) -> None:
    n = 6_000
    rng = np.random.default_rng(2)
    pool = make_pool(
        n, scores=np.linspace(1.0, 0.0, n), vectors=rng.normal(size=(n, 200)), sources="s" * n
    )
    rows = pool.vectors
    assert rows is not None
    selection = select(pool, Policy(selector="mmr", k=20, lambda_=0.5))
    chosen = [0]
    while len(chosen) < 20:
        redundancy = (rows @ rows[chosen].T).max(axis=1)
        scores = 0.5 * np.linspace(1.0, 0.0, n) - 0.5 * redundancy
        scores[chosen] = -np.inf
        chosen.append(int(scores.argmax()))
    assert selection.indices.tolist() == chosen
