"""Paths: every interval against ``select`` itself, value by value."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope import geometry
from poolscope.errors import PolicyError
from poolscope.model import (
    Direction,
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Policy,
    Pool,
    Relevance,
    Scaling,
    ScoreKind,
)
from poolscope.selection import SELECTORS, paths, select
from poolscope.selection.paths import Axis, Guard, Interval, Path, over_depth, whole
from poolscope.selection.paths.sampled import every_value, some_values
from poolscope.selection.similarities import LARGE

MakePool: TypeAlias = Callable[..., Pool]
Sample: TypeAlias = Callable[[str], Pool]

LOGIT = ScoreKind(name="reranker logit", direction=Direction.HIGHER, evidence="a test")

every = pytest.mark.parametrize("name", [selector.name for selector in SELECTORS])
similar = pytest.mark.parametrize("name", ["mmr", "mmr_cap"])


def picks(pool: Pool, policy: Policy, **changes: object) -> tuple[int, ...]:
    return tuple(select(pool, policy.changed(**changes)).indices.tolist())


def assert_tiles(path: Path, low: float, high: float) -> None:
    """The intervals hold the whole range, without overlap, and neighbours differ."""
    assert (path.low, path.high) == (low, high)
    for left, right in pairwise(path.intervals):
        follows = math.nextafter(left.high, 2.0) if path.axis is Axis.LAMBDA else left.high + 1
        assert right.low == follows
        assert left.indices != right.indices
    assert all(interval.low <= interval.high for interval in path.intervals)


def assert_exact(pool: Pool, policy: Policy, path: Path, rng: np.random.Generator) -> None:
    """At both ends, at the middle and at random points ``select`` picks the same."""
    if pool.vectors is None or pool.vectors.size <= LARGE:
        pool.kept.clear()  # it agrees without what the path has kept
    for interval in path.intervals:
        width = interval.high - interval.low
        points = [interval.low + width * share for share in (0.5, *rng.random(2))]
        for point in (interval.low, interval.high, *points):
            assert path.at(point) is interval
            assert picks(pool, policy, lambda_=point) == interval.indices, point


def clustered(make_pool: MakePool, n: int, seed: int, **changes: Any) -> Pool:  # noqa: ANN401
    """A pool as retrieval gives it: clusters, sources, exact copies, scores that repeat."""
    rng = np.random.default_rng(seed)
    centres, query = rng.normal(size=(max(n // 12, 3), 16)), rng.normal(size=16)
    cluster = rng.integers(len(centres), size=n)
    rows = geometry.unit_rows(centres[cluster] + 0.4 * rng.normal(size=(n, 16)) + query).rows.copy()
    rows[n // 2 :: 7] = rows[0]
    scores = np.round(rows @ geometry.unit_rows(query).rows[0], 3)
    order = np.argsort(-scores, kind="stable")
    parts: dict[str, Any] = {
        "scores": scores[order],
        "vectors": rows[order],
        "query_vector": query,
        "sources": [f"s{number // 2}" for number in cluster[order]],
        "tokens": rng.integers(20, 200, size=n),
    }
    return make_pool(n, **{**parts, **changes})


def test_checkout_breaks(sample: Sample) -> None:
    pool, policy = sample("checkout"), Policy(selector="mmr", k=5)
    path = paths.path(pool, policy, Axis.LAMBDA)
    assert path.exact
    assert path.breaks[0] == pytest.approx(4 / 9, abs=1e-9)
    # A grid of step 0.0005 had found these, each halfway between two of its points.
    coarse = [0.83175, 0.835, 0.83825, 0.9315, 0.9365, 0.94175, 0.958, 0.9635, 0.96925, 0.97525]
    assert path.breaks[1:] == pytest.approx(coarse, abs=3e-4)
    assert path.at(0.6).indices == (0, 8, 13, 37, 38)
    assert path.at(0.9).indices == (0, 8, 13, 1, 2)
    assert path.at(0.0).indices == (0, 49, 48, 47, 46)
    assert path.at(1.0).indices == (0, 1, 2, 3, 4)


def test_breaks_by_hand(make_pool: MakePool) -> None:
    # Behind the first: 0.9 l - 0.8 (1 - l) against 0.5 l - 0 (1 - l), equal at l = 2 / 3.
    pool = make_pool(scores=[1.0, 0.9, 0.5], vectors=[[1, 0], [0.8, 0.6], [0, 1]])
    path = paths.path(pool, Policy(selector="mmr", k=2), Axis.LAMBDA)
    assert [interval.indices for interval in path.intervals] == [(0, 2), (0, 1)]
    assert path.breaks == pytest.approx((2 / 3,), abs=1e-11)
    # Equal within the tolerance just below the crossing already: the better ranked has it.
    assert path.at(2 / 3).indices == picks(pool, Policy(selector="mmr", k=2, lambda_=2 / 3))
    assert path.at(2 / 3).indices == (0, 1)


def test_three_that_cross_in_one_point(make_pool: MakePool) -> None:
    # At 1/2 all three behind the first score 0; by rank the middle slope wins there alone.
    scores = [1.0, 0.5, 0.75, 0.25]
    rows = [[1, 0], *([score, math.sqrt(1 - score**2)] for score in scores[1:])]
    pool, policy = make_pool(scores=scores, vectors=rows), Policy(selector="mmr", k=2)
    path = paths.path(pool, policy, Axis.LAMBDA)
    assert [interval.indices[1] for interval in path.intervals] == [3, 1, 2]
    middle = path.intervals[1]
    assert 0.5 in middle
    assert middle.high - middle.low < 1e-10
    assert path.breaks == pytest.approx((0.5,), abs=1e-10)
    assert_exact(pool, policy, path, np.random.default_rng(0))


def test_lambda_one_is_top_k_even_among_ties(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.5, 0.5], vectors=[[1, 0], [0.8, 0.6], [0, 1]])
    path = paths.path(pool, Policy(selector="mmr", k=2), Axis.LAMBDA)
    assert path.at(0.999).indices == (0, 2)
    assert path.at(1.0).indices == (0, 1)


@similar
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"budget": 700, "on_budget": OnBudget.SKIP},
        {"budget": 700, "on_budget": OnBudget.STOP},
        {"depth": 40, "clip_negative": True},
        {"relevance": Relevance.COSINE, "scaling": Scaling.MIN_MAX},
        {"relevance": Relevance.RANK, "cap": 1, "overrides": (("s1", 3),)},
        {"near_copies": (NearCopy.COSINE,), "copy_cosine": 0.9},
        {"best": 2, "neighbours": 1, "near_copies": (NearCopy.COSINE,)},
    ],
)
def test_realistic_pools(
    make_pool: MakePool, name: str, seed: int, changes: dict[str, object]
) -> None:
    pool = clustered(make_pool, 90, seed)
    policy = Policy(selector=name, k=8).changed(**changes)
    path = paths.path(pool, policy, Axis.LAMBDA)
    assert path.exact
    assert len(path.intervals) > 3
    assert_tiles(path, 0.0, 1.0)
    assert_exact(pool, policy, path, np.random.default_rng(seed))


@similar
def test_pool_whose_rank_is_not_its_relevance(make_pool: MakePool, name: str) -> None:
    pool = clustered(make_pool, 60, 3)
    mixed = np.random.default_rng(3).permutation(60)
    assert pool.scores is not None
    assert pool.vectors is not None
    pool = make_pool(60, scores=pool.scores[mixed], vectors=pool.vectors[mixed], sources="abc" * 20)
    policy = Policy(selector=name, k=6, cap=3)
    path = paths.path(pool, policy, Axis.LAMBDA)
    assert_tiles(path, 0.0, 1.0)
    assert_exact(pool, policy, path, np.random.default_rng(4))


@similar
def test_large_vectors(make_pool: MakePool, name: str) -> None:
    """Past ``LARGE`` similarities come from one product for many picks."""
    n = 400
    rows = np.random.default_rng(5).normal(size=(n, 2600)) + 0.5
    pool = make_pool(n, scores=np.linspace(0.9, 0.1, n), vectors=rows, sources="ab" * (n // 2))
    policy = Policy(selector=name, k=4)
    path = paths.path(pool, policy, Axis.LAMBDA)
    assert_tiles(path, 0.0, 1.0)
    assert_exact(pool, policy, path, np.random.default_rng(6))


COSINE = ScoreKind("c", Direction.HIGHER, "", "", is_cosine=True)
COORDINATE = st.integers(-2, 2).map(float)
PARTS = {
    "scores": st.integers(-4, 4).map(lambda quarter: quarter / 4),
    "vectors": st.tuples(COORDINATE, COORDINATE, COORDINATE),
    "has_vector": st.sampled_from([True, True, True, False]),
    "sources": st.sampled_from(["a", "b", "c", None]),
    "tokens": st.integers(0, 9),
    "positions": st.none() | st.integers(0, 3),
    "spans": st.sampled_from([None, (0, 10), (4, 12), (20, 24)]),
    "texts": st.sampled_from(["", "one two three four", "one two three five", "six"]),
}
"""Few values each, so that scores, rows and sources repeat."""

MOST = 9
LISTS = {
    n: st.fixed_dictionaries(
        {name: st.lists(values, min_size=n, max_size=n) for name, values in PARTS.items()}
    )
    for n in range(MOST + 1)
}
"""The parts of a pool by its size: built once, not for every example."""


@st.composite
def pools(draw: st.DrawFn, make_pool: MakePool) -> Pool:
    n = draw(st.integers(0, MOST))
    parts = draw(LISTS[n])
    has_vector = np.array(parts["has_vector"], dtype=np.bool_)
    rows = np.array(parts["vectors"]).reshape(n, 3)
    return make_pool(
        n,
        scores=parts["scores"],
        vectors=np.where(has_vector[:, None], rows, 0.0),
        has_vector=has_vector,
        query_vector=[1.0, 0.5, -0.25],
        sources=parts["sources"],
        tokens=parts["tokens"],
        positions=tuple(parts["positions"]),
        spans=tuple(parts["spans"]),
        texts=tuple(parts["texts"]),
        score_kind=draw(st.sampled_from([LOGIT, COSINE])),
    )


@st.composite
def policies(draw: st.DrawFn, name: str, n: int) -> Policy:
    marked = draw(st.lists(st.integers(1, n + 1).map(lambda rank: f"d{rank}"), max_size=4))
    pins = draw(st.integers(0, len(set(marked))))
    marked = list(dict.fromkeys(marked))
    return Policy(
        pinned=tuple(marked[:pins]),
        banned=tuple(marked[pins:]),
        selector=name,
        k=draw(st.integers(0, n + 1)),
        depth=draw(st.none() | st.integers(0, n + 1)),
        cap=draw(st.integers(1, 3)),
        overrides=draw(st.sampled_from([(), (("a", 2),)])),
        backfill=draw(st.booleans()),
        relevance=draw(st.none() | st.sampled_from(Relevance)),
        scaling=draw(st.none() | st.sampled_from(Scaling)),
        clip_negative=draw(st.booleans()),
        missing_vector=draw(st.sampled_from(MissingVector)),
        missing_key=draw(st.sampled_from(MissingKey)),
        budget=draw(st.none() | st.integers(0, 25)),
        on_budget=draw(st.sampled_from(OnBudget)),
        first_item_always=draw(st.booleans()),
        near_copies=draw(st.just(()) | st.sets(st.sampled_from(NearCopy)).map(tuple)),
        copy_cosine=draw(st.sampled_from([0.5, 0.95, 1.0])),
        copy_words=draw(st.sampled_from([0.3, 1.0])),
        best=draw(st.sampled_from([0, 0, 1, 2])),
        neighbours=draw(st.sampled_from([0, 0, 1, 2])),
        quotas=draw(st.sampled_from([(), (("a", 1), ("b", 2)), (("a", 2), ("c", 0))])),
        refill=draw(st.booleans()),
    )


@similar
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_lambda_of_any_small_pool(make_pool: MakePool, name: str, data: st.DataObject) -> None:
    pool = data.draw(pools(make_pool))
    policy = data.draw(policies(name, len(pool)))
    path = paths.path(pool, policy, Axis.LAMBDA)
    assert path.exact
    assert_tiles(path, 0.0, 1.0)
    assert_exact(pool, policy, path, np.random.default_rng(len(pool)))


@every
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_whole_numbers_of_any_small_pool(
    make_pool: MakePool, name: str, data: st.DataObject
) -> None:
    pool = data.draw(pools(make_pool))
    policy = data.draw(policies(name, len(pool)))
    ranges = {
        Axis.CAP: (1, max(policy.k, policy.cap)),
        Axis.DEPTH: (0, len(pool)),
        Axis.K: (0, max(policy.k, len(pool))),
    }
    for axis, (low, high) in ranges.items():
        path = paths.path(pool, policy, axis)
        assert path.exact
        assert_tiles(path, low, high)
        for value in range(low, high + 1):
            assert path.at(value).indices == picks(pool, policy, **{axis.value: value}), axis


@every
@pytest.mark.parametrize("axis", [Axis.CAP, Axis.DEPTH, Axis.K])
def test_whole_numbers_of_a_realistic_pool(make_pool: MakePool, name: str, axis: Axis) -> None:
    pool = clustered(make_pool, 80, 7)
    policy = Policy(selector=name, k=9, cap=2, budget=800, on_budget=OnBudget.STOP)
    path = paths.path(pool, policy, axis)
    assert_tiles(path, 1 if axis is Axis.CAP else 0, path.high)
    for value in range(int(path.low), int(path.high) + 1):
        assert path.at(value).indices == picks(pool, policy, **{axis.value: value})


@similar
@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_depth_where_nothing_but_the_rule_decides(
    make_pool: MakePool, name: str, data: st.DataObject
) -> None:
    pool = data.draw(pools(make_pool))
    policy = data.draw(policies(name, len(pool)))
    lambda_ = data.draw(st.sampled_from([0.0, 0.3, 0.5, 0.999]))
    policy = policy.changed(
        pinned=(), budget=None, near_copies=(), best=0, neighbours=0, lambda_=lambda_
    )
    assert over_depth.is_plain(policy)
    path = paths.path(pool, policy, Axis.DEPTH)
    assert_tiles(path, 0, len(pool))
    for depth in range(len(pool) + 1):
        assert path.at(depth).indices == picks(pool, policy, depth=depth)


@similar
@pytest.mark.parametrize("lambda_", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("clip", ["clipped", "as it is"])
def test_depth_chosen_from_the_slot_of_the_cut_pick_on_is_that_chosen_anew(
    make_pool: MakePool, name: str, lambda_: float, clip: str
) -> None:
    pool = clustered(make_pool, 90, 3)
    policy = Policy(selector=name, k=12, cap=2, lambda_=lambda_, clip_negative=clip == "clipped")
    path = paths.path(pool, policy, Axis.DEPTH)
    assert len(path.intervals) > 8
    assert path == whole.over_depth(pool, policy)


def test_depth_of_the_checkout_sample(sample: Sample) -> None:
    path = paths.path(sample("checkout"), Policy(selector="mmr", k=5, lambda_=0.6), Axis.DEPTH)
    assert path.at(5).indices == (0, 1, 2, 3, 4)
    assert path.at(8).indices == path.at(5).indices
    assert path.at(9).indices == path.at(13).indices == (0, 8, 1, 2, 3)
    assert path.at(14).indices == (0, 8, 13, 1, 2)
    assert path.at(50).indices == (0, 8, 13, 37, 38)


def test_a_pin_that_ends_the_selection_does_so_at_every_depth(make_pool: MakePool) -> None:
    pool = make_pool(9, tokens=[1, 1, 1, 1, 1, 1, 1, 1, 50])
    policy = Policy(k=3, budget=10, on_budget=OnBudget.STOP, pinned=("d9",))
    path = paths.path(pool, policy, Axis.DEPTH)
    assert [(part.low, part.high, part.indices) for part in path.intervals] == [(0, 9, ())]


def test_k_of_a_large_pool_ends_at_fifty(make_pool: MakePool) -> None:
    pool = make_pool(80)
    assert paths.path(pool, Policy(k=5), Axis.K).high == 50
    assert paths.path(pool, Policy(k=70), Axis.K).high == 70


@every
def test_selectors_that_promise_nothing_are_asked(make_pool: MakePool, name: str) -> None:
    """The slow way, open to any selector, agrees with the quick one."""
    pool, policy = clustered(make_pool, 40, 8), Policy(selector=name, k=6)
    for axis in (Axis.DEPTH, Axis.K):
        quick = paths.path(pool, policy, axis)
        for value in range(int(quick.low), int(quick.high) + 1):
            assert quick.at(value).indices == picks(pool, policy, **{axis.value: value})


@every
def test_all_four_paths_cross_at_the_policy(make_pool: MakePool, name: str) -> None:
    pool, policy = clustered(make_pool, 50, 9), Policy(selector=name, k=6, depth=45)
    four = paths.through(pool, policy)
    here = picks(pool, policy)
    for axis in Axis:
        path = getattr(four, axis.value)
        assert path.axis is axis
        assert path.at(getattr(policy, axis.value)).indices == here


@pytest.mark.parametrize(("name", "axis"), [("top_k", Axis.LAMBDA), ("mmr", Axis.CAP)])
def test_a_parameter_that_is_not_read_changes_nothing(
    make_pool: MakePool, name: str, axis: Axis
) -> None:
    pool = clustered(make_pool, 30, 10)
    path = paths.path(pool, Policy(selector=name, k=4), axis)
    assert len(path.intervals) == 1
    assert path.breaks == ()
    assert path.exact


@pytest.mark.parametrize("guard", [Guard(intervals=10), Guard(cells=300)])
def test_the_guard_gives_way_to_an_approximate_path(make_pool: MakePool, guard: Guard) -> None:
    pool, policy = clustered(make_pool, 60, 11), Policy(selector="mmr", k=8)
    exact = paths.path(pool, policy, Axis.LAMBDA)
    path = paths.path(pool, policy, Axis.LAMBDA, guard)
    assert exact.exact
    assert exact.note == ""
    assert not path.exact
    assert path.note.startswith("Approximate, from ")
    assert_tiles(path, 0.0, 1.0)
    for point in np.linspace(0.0, 1.0, 65):
        assert path.at(point).indices == picks(pool, policy, lambda_=float(point))


def test_at_refuses_what_is_outside() -> None:
    path = Path(Axis.LAMBDA, (Interval(0.0, 1.0, (0,)),))
    with pytest.raises(PolicyError, match=r"lambda is 1\.5, outside 0\.0 to 1\.0"):
        path.at(1.5)
    assert 0.5 in path.at(0.5)


def test_breaks_that_nobody_can_tell_apart_are_one() -> None:
    ends = [0.0, 0.5, 0.5 + 1e-11, 0.7, 1.0]
    intervals = tuple(
        Interval(math.nextafter(low, 2.0) if low else low, high, (number,))
        for number, (low, high) in enumerate(pairwise(ends))
    )
    assert Path(Axis.LAMBDA, intervals).breaks == pytest.approx((0.5, 0.7))


def test_sampled_whole_numbers_meet_the_exact_ones() -> None:
    def ask(value: float) -> tuple[int, ...]:
        return (int(value >= 7) + int(value >= 70),)

    path = some_values(Axis.DEPTH, [0, 50, 100], ask, 40)
    assert not path.exact
    assert path.intervals == every_value(Axis.DEPTH, range(101), ask).intervals


def test_sampling_stops_at_the_number_of_questions() -> None:
    asked: list[float] = []

    def ask(value: float) -> tuple[int, ...]:
        asked.append(value)
        return (int(value > 1 / 3),)

    path = some_values(Axis.LAMBDA, [0.0, 1.0], ask, 10)
    assert len(asked) == 10
    assert path.breaks == pytest.approx((1 / 3,), abs=0.01)


growing = pytest.mark.parametrize(
    "name", [selector.name for selector in SELECTORS if selector.prefix.holds]
)


@growing
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_the_path_of_a_larger_k_holds_that_of_a_smaller(
    make_pool: MakePool, name: str, data: st.DataObject
) -> None:
    pool = data.draw(pools(make_pool))
    policy = data.draw(policies(name, len(pool)))
    more = policy.changed(k=policy.k + data.draw(st.integers(0, 4)))
    for axis in (Axis.LAMBDA, Axis.CAP, Axis.DEPTH):
        longer = paths.path(pool, more, axis)
        if longer.exact:
            assert paths.shortened(longer, policy) == paths.path(pool, policy, axis), axis


@growing
def test_a_shorter_path_of_a_realistic_pool(make_pool: MakePool, name: str) -> None:
    pool = clustered(make_pool, 60, 11)
    policy = Policy(selector=name, k=14, cap=2)
    for axis in (Axis.LAMBDA, Axis.CAP, Axis.DEPTH):
        longer = paths.path(pool, policy, axis)
        for k in (0, 1, 5, 13, 14):
            fewer = policy.changed(k=k)
            assert not longer.exact or paths.shortened(longer, fewer) == paths.path(
                pool, fewer, axis
            ), (axis, k)
