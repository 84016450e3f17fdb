"""Facility location: three cases by hand, the objective by brute force, its guarantee."""

import itertools
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.model import Policy, Pool, Relevance
from poolscope.selection import facility_location, select

MakePool: TypeAlias = Callable[..., Pool]


def picks(pool: Pool, **changes: object) -> list[int]:
    policy = Policy(selector="facility_location", k=3, lambda_=0.0, relevance=Relevance.SCORE)
    return [int(index) for index in select(pool, policy.changed(**changes)).indices]


def test_the_larger_group_is_stood_for_first(make_pool: MakePool) -> None:
    # Behind the first one its group is served; the three of the last direction add most.
    rows = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 1]]
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], vectors=rows)
    assert picks(pool, k=4) == [0, 3, 2, 1]
    selection = select(pool, Policy(selector="facility_location", k=2, lambda_=0.0))
    assert selection.picks[1].margin == pytest.approx(0.0)  # any of the three would do


def test_relevance_weighs_against_it(make_pool: MakePool) -> None:
    rows = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 1]]
    pool = make_pool(scores=[0.9, 0.8, 0.7, 0.2, 0.1, 0.1], vectors=rows)
    # .5 x .7 + .5 x 1/6 = .433 against .5 x .2 + .5 x 3/6 = .35, and .4 for the copy.
    assert picks(pool, lambda_=0.5, k=2) == [0, 2]


def test_an_opposite_adds_what_it_stands_for_and_no_more(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8, 0.7], vectors=[[1, 0], [0, 1], [-1, 0]])
    selection = select(pool, Policy(selector="facility_location", k=2, lambda_=0.0))
    assert selection.indices.tolist() == [0, 1]


def served(likeness: np.ndarray, chosen: list[int]) -> float:
    return float(likeness[:, chosen].max(axis=1).mean())


@pytest.mark.parametrize("seed", range(6))
def test_each_step_adds_most_and_the_whole_is_near_the_best(make_pool: MakePool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pool = make_pool(vectors=rng.normal(size=(10, 3)), scores=np.linspace(0.9, 0.1, 10))
    assert pool.vectors is not None
    likeness = np.maximum(pool.vectors @ pool.vectors.T, 0.0)
    chosen = [0]
    while len(chosen) < 4:
        rest = [index for index in range(10) if index not in chosen]
        chosen.append(max(rest, key=lambda index: served(likeness, [*chosen, index])))
    assert picks(pool, k=4) == chosen
    best = max(served(likeness, [0, *three]) for three in itertools.combinations(range(1, 10), 3))
    assert served(likeness, chosen) >= (1 - 1 / np.e) * best


def test_more_than_it_can_hold_is_refused(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facility_location, "MOST", 4)
    pool = make_pool(vectors=np.eye(5), scores=np.linspace(0.9, 0.5, 5))
    with pytest.raises(PolicyError) as caught:
        picks(pool)
    assert "5 candidates" in caught.value.problem
    assert "4 or less" in caught.value.remedy
    assert len(picks(pool, depth=4)) == 3
    assert picks(pool, lambda_=1.0) == [0, 1, 2]
