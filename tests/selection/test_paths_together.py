"""Paths over lambda that are walked together, against each walked alone."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope import geometry
from poolscope.errors import PolicyError
from poolscope.model import MissingKey, MissingVector, NearCopy, OnBudget, Policy, Pool, Scaling
from poolscope.selection import paths
from poolscope.selection.paths import Axis, Guard

MakePool: TypeAlias = Callable[..., Pool]


def drawn(make_pool: MakePool, n: int, seed: int) -> Pool:
    """A pool of clusters, with copies, equal scores, missing sources and missing vectors."""
    if not n:
        return make_pool(0)
    rng = np.random.default_rng(seed)
    centres, query = rng.normal(size=(4, 8)), rng.normal(size=8)
    cluster = rng.integers(len(centres), size=n)
    rows = geometry.unit_rows(centres[cluster] + 0.5 * rng.normal(size=(n, 8)) + query).rows.copy()
    rows[n // 2 :: 5] = rows[0]
    scores = np.round(np.sort(rng.random(n))[::-1], 1)
    has_vector = rng.random(n) > 0.1
    rows[~has_vector] = 0.0
    return make_pool(
        n,
        scores=scores,
        vectors=rows,
        has_vector=has_vector,
        query_vector=query.tolist(),
        sources=[None if number == 3 else f"s{number}" for number in cluster],
        tokens=rng.integers(5, 60, size=n),
    )


@st.composite
def policies(draw: st.DrawFn) -> list[Policy]:
    """Several policies, some of which may be walked together."""
    shared = Policy(
        k=draw(st.integers(0, 7)),
        budget=draw(st.sampled_from([None, 0, 90, 200])),
        on_budget=draw(st.sampled_from(OnBudget)),
        first_item_always=draw(st.booleans()),
        missing_vector=draw(st.sampled_from(MissingVector)),
        missing_key=draw(st.sampled_from(MissingKey)),
        scaling=draw(st.sampled_from([None, *Scaling])),
        clip_negative=draw(st.booleans()),
    )
    return [
        shared.changed(
            selector=draw(st.sampled_from(["mmr", "mmr_cap", "mmr_cap", "top_k"])),
            depth=draw(st.sampled_from([None, 0, 1, 4, 9, 30])),
            cap=draw(st.integers(1, 4)),
            best=draw(st.sampled_from([0, 0, 0, 1])),
            near_copies=draw(st.sampled_from([(), (), (NearCopy.COSINE,)])),
            overrides=draw(st.sampled_from([(), (("s1", 3),)])),
        )
        for _ in range(draw(st.integers(1, 6)))
    ]


@settings(max_examples=60, deadline=None)
@given(made=policies(), n=st.integers(0, 18), seed=st.integers(0, 10_000))
def test_each_is_the_path_walked_alone(
    make_pool: MakePool, made: list[Policy], n: int, seed: int
) -> None:
    pool = drawn(make_pool, n, seed)
    found = paths.several(pool, made, Axis.LAMBDA)
    assert len(found) == len(made)
    for policy, together in zip(made, found, strict=True):
        alone = paths.path(pool, policy, Axis.LAMBDA)
        assert together.intervals == alone.intervals
        assert together.exact == alone.exact


def test_one_that_is_too_much_work_gives_way_alone(make_pool: MakePool) -> None:
    pool = drawn(make_pool, 40, 1)
    made = [Policy(selector="mmr", k=6, depth=depth) for depth in (1, 40)]
    guard = Guard(intervals=2)
    shallow, deep = paths.several(pool, made, Axis.LAMBDA, guard)
    assert shallow == paths.path(pool, made[0], Axis.LAMBDA, guard)
    assert shallow.exact
    assert not deep.exact


def test_over_whole_numbers_each_is_walked_alone(make_pool: MakePool) -> None:
    pool = drawn(make_pool, 12, 2)
    made = [Policy(selector="mmr", k=3, lambda_=value) for value in (0.2, 0.8)]
    for axis in (Axis.CAP, Axis.DEPTH, Axis.K):
        found = paths.several(pool, made, axis)
        assert found == tuple(paths.path(pool, policy, axis) for policy in made)


def test_what_one_policy_lacks_is_said(make_pool: MakePool) -> None:
    made = [Policy(selector="mmr_cap"), Policy(selector="mmr_cap", key="nowhere")]
    with pytest.raises(PolicyError, match="nowhere"):
        paths.several(drawn(make_pool, 6, 3), made, Axis.LAMBDA)
