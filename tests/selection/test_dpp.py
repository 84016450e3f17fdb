"""Greedy DPP: three cases by hand, determinants by numpy, and pyversity."""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from pyversity import Strategy, diversify

from poolscope.model import Policy, Pool, Relevance
from poolscope.selection import select
from poolscope.selection.dpp import SPANNED

MakePool: TypeAlias = Callable[..., Pool]


def picks(pool: Pool, **changes: object) -> list[int]:
    policy = Policy(selector="dpp", k=3, lambda_=0.5, relevance=Relevance.SCORE)
    return [int(index) for index in select(pool, policy.changed(**changes)).indices]


def test_a_copy_comes_after_everything_else(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.1, 0.05], vectors=[[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    )
    assert picks(pool, k=4) == [0, 2, 3, 1]


def test_the_gain_is_the_log_of_the_squared_distance(make_pool: MakePool) -> None:
    # Cosine 0.6: squared distance 0.64, log -0.446; half of it and half of the relevance.
    pool = make_pool(scores=[0.9, 0.8, 0.3], vectors=[[1, 0], [0.6, 0.8], [0, 1]])
    selection = select(pool, Policy(selector="dpp", k=2, lambda_=0.5))
    assert selection.indices.tolist() == [0, 1]
    expected = 0.5 * (0.8 + math.log(0.64)) - 0.5 * 0.3
    assert selection.picks[1].margin == pytest.approx(expected)
    # Equal where 0.5 lambda is 0.446 (1 - lambda): at 0.4716.
    assert picks(pool, k=2, lambda_=0.475) == [0, 1]
    assert picks(pool, k=2, lambda_=0.468) == [0, 2]


def test_once_the_span_is_full_relevance_decides(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6, 0.5], vectors=[[1, 0], [0, 1], [1, 1], [1, 2], [2, 1]]
    )
    assert picks(pool, k=5, lambda_=0.1) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("lambda_", [0.0, 0.4, 0.8])
def test_each_step_is_the_best_determinant(make_pool: MakePool, seed: int, lambda_: float) -> None:
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.uniform(size=10))[::-1]
    pool = make_pool(vectors=rng.normal(size=(10, 4)), scores=scores)
    assert pool.vectors is not None
    gram = pool.vectors @ pool.vectors.T
    chosen = [0]
    while len(chosen) < 6:

        def total(index: int, chosen: list[int] = chosen) -> float:
            own = [*chosen, index]
            before = np.linalg.det(gram[np.ix_(chosen, chosen)])
            after = np.linalg.det(gram[np.ix_(own, own)])
            left = after / before if len(chosen) < 4 else 0.0
            return float(lambda_ * scores[index] + (1 - lambda_) * math.log(max(left, SPANNED)))

        rest = [index for index in range(10) if index not in chosen]
        chosen.append(max(rest, key=total))
    assert picks(pool, k=6, lambda_=lambda_) == chosen


@pytest.mark.parametrize("seed", range(4))
def test_pyversity_spans_the_same_where_scores_are_equal(make_pool: MakePool, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(20, 12))
    theirs = diversify(rows, np.ones(20), 8, strategy=Strategy.DPP, diversity=0.5)
    pool = make_pool(vectors=rows, scores=np.ones(20))
    assert picks(pool, k=8, lambda_=0.5) == theirs.indices.tolist()
