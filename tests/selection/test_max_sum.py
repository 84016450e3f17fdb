"""Max-sum dispersion: three cases by hand, and pyversity."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from pyversity import Strategy, diversify

from poolscope.model import Policy, Pool, Relevance
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]


def picks(pool: Pool, **changes: object) -> list[int]:
    policy = Policy(selector="max_sum", k=3, lambda_=0.5, relevance=Relevance.SCORE)
    return [int(index) for index in select(pool, policy.changed(**changes)).indices]


def test_distances_are_added_up(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.6, 0.1], vectors=[[1, 0], [1, 0], [0.6, 0.8], [0, 1]])
    # Behind the first: .4, .3 + .5 x .4 = .5, .05 + .5 = .55; then .4 + .5, .3 + .5 x .6 = .6.
    assert picks(pool) == [0, 3, 1]
    selection = select(pool, Policy(selector="max_sum", k=2, lambda_=0.5))
    assert selection.picks[1].margin == pytest.approx(0.05)


def test_one_close_copy_among_distant_picks_is_cheap(make_pool: MakePool) -> None:
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [0.58, 0.58, 0.58]]
    pool = make_pool(scores=[0.9, 0.89, 0.88, 0.6, 0.55], vectors=rows)
    assert picks(pool, k=4) == [0, 1, 2, 3]
    assert picks(pool, k=4, selector="mmr") == [0, 1, 2, 4]


def test_opposites_are_farther_unless_clipped(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.5, 0.4], vectors=[[1, 0], [0, 1], [-1, 0]])
    assert picks(pool, k=2) == [0, 2]
    assert picks(pool, k=2, clip_negative=True) == [0, 1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.9])
def test_pyversity_picks_the_same(make_pool: MakePool, seed: int, lambda_: float) -> None:
    rng = np.random.default_rng(seed)
    rows, scores = rng.normal(size=(25, 6)), np.sort(rng.uniform(size=25))[::-1].copy()
    theirs = diversify(rows, scores, 8, strategy=Strategy.MSD, diversity=1.0 - lambda_)
    pool = make_pool(vectors=rows, scores=scores)
    assert picks(pool, k=8, lambda_=lambda_) == theirs.indices.tolist()
