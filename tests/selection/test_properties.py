"""What holds for any pool: drawn by Hypothesis, small enough to shrink."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from poolscope.model import (
    Direction,
    MissingKey,
    MissingVector,
    OnBudget,
    Policy,
    Pool,
    Relevance,
    Scaling,
    ScoreKind,
    Selection,
)
from poolscope.selection import SELECTORS, select

MakePool: TypeAlias = Callable[..., Pool]

SCORE = ScoreKind(name="score", direction=Direction.HIGHER, evidence="a test")

every = pytest.mark.parametrize("name", [selector.name for selector in SELECTORS])
walked = pytest.mark.parametrize(
    "name", ["top_k", "two_pass_cap", "grouped_cap", "mmr", "mmr_cap", "quotas"]
)
"""Rules whose picks are ties only where scores are, and whose margins are on one known scale."""
similar = pytest.mark.parametrize("name", ["mmr", "mmr_cap"])


@dataclasses.dataclass(frozen=True)
class Case:
    """The parts of a pool, which a test may permute, cut or rotate before it is built."""

    scores: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    sources: tuple[str | None, ...]
    tokens: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.scores)

    def kept(self, order: Sequence[int]) -> "Case":
        """The candidates of some indices, in that order."""
        return Case(*(tuple(part[i] for i in order) for part in dataclasses.astuple(self)))

    def pool(self, make_pool: MakePool, ids: Sequence[int] | None = None, **changes: Any) -> Pool:  # noqa: ANN401
        """Build the pool; ids are the indices unless given."""
        given: dict[str, Any] = {
            "ids": [str(i) for i in (range(len(self)) if ids is None else ids)],
            "scores": self.scores,
            "vectors": self.rows,
            "query_vector": [1.0, 0.5, -0.25],
            "sources": self.sources,
            "tokens": self.tokens,
            "score_kind": SCORE,
        }
        given.update(changes)
        return make_pool(len(self), **given)


coordinate = st.integers(-3, 3).map(float)


@st.composite
def tied_cases(draw: st.DrawFn, least: int = 0) -> Case:
    """Few values each, so that scores, rows and sources repeat."""
    n = draw(st.integers(least, 8))

    def part(values: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(values, min_size=n, max_size=n)))

    return Case(
        scores=part(st.integers(-4, 4).map(lambda quarter: quarter / 4)),
        rows=part(st.tuples(coordinate, coordinate, coordinate)),
        sources=part(st.sampled_from(["a", "b", "c", None])),
        tokens=part(st.integers(0, 9)),
    )


@st.composite
def distinct_cases(draw: st.DrawFn) -> Case:
    """In general position: no two scores, cosines or marginal values are equal."""
    n = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return Case(
        scores=tuple(rng.normal(size=n).tolist()),
        rows=tuple(tuple(row) for row in rng.normal(size=(n, 3)).tolist()),
        sources=tuple(rng.choice(["a", "b", "c"], n).tolist()),
        tokens=tuple(rng.integers(1, 9, n).tolist()),
    )


policies = st.builds(
    Policy,
    k=st.integers(0, 9),
    cap=st.integers(1, 3),
    lambda_=st.sampled_from([0.0, 0.25, 0.5, 0.6, 0.9, 1.0]),
    backfill=st.booleans(),
    clip_negative=st.booleans(),
    missing_key=st.sampled_from(MissingKey),
    missing_vector=st.sampled_from(MissingVector),
    scaling=st.just(Scaling.NONE),
)
budgets = st.fixed_dictionaries(
    {
        "budget": st.none() | st.integers(0, 30),
        "on_budget": st.sampled_from(OnBudget),
        "first_item_always": st.booleans(),
    }
)


def ids(selection: Selection) -> list[str]:
    return [selection.pool.ids[index] for index in selection.indices]


@settings(max_examples=40, deadline=None)
@given(
    case=tied_cases(), policy=policies, scaling=st.sampled_from(Scaling),
    relevance=st.sampled_from(Relevance),
)  # fmt: skip
def test_lambda_one_is_top_k_by_the_score_given(
    make_pool: MakePool, case: Case, policy: Policy, scaling: Scaling, relevance: Relevance
) -> None:
    pool = case.pool(make_pool)
    policy = policy.changed(lambda_=1.0, scaling=scaling, relevance=relevance)
    top, plain, grouped, capped = (
        ids(select(pool, policy.changed(selector=name)))
        for name in ("top_k", "mmr", "grouped_cap", "mmr_cap")
    )
    assert plain == top
    assert capped == grouped


@every
@settings(max_examples=40, deadline=None)
@given(case=tied_cases(), policy=policies, limits=budgets)
def test_a_smaller_k_is_a_prefix(
    make_pool: MakePool, name: str, case: Case, policy: Policy, limits: dict[str, Any]
) -> None:
    pool = case.pool(make_pool)
    policy = policy.changed(selector=name, **limits)
    shorter, longer = select(pool, policy), select(pool, policy.changed(k=policy.k + 1))
    assert ids(longer)[: len(shorter)] == ids(shorter)
    assert len(longer) in (len(shorter), len(shorter) + 1)


@every
@settings(max_examples=40, deadline=None)
@given(case=tied_cases(), policy=policies, limits=budgets, depth=st.none() | st.integers(0, 9))
def test_picks_are_distinct_eligible_within_the_budget_and_explained(
    make_pool: MakePool,
    name: str,
    case: Case,
    policy: Policy,
    limits: dict[str, Any],
    depth: int | None,
) -> None:
    pool = case.pool(make_pool)
    selection = select(pool, policy.changed(selector=name, depth=depth, **limits))
    assert len(set(ids(selection))) == len(selection) <= policy.k
    assert depth is None or all(index < depth for index in selection.indices)
    assert {i for i in range(len(pool)) if selection.reason(i) is None} == selection.members
    assert (selection.empty_slots > 0) == any("stayed empty" in note for note in selection.notes)
    budget = limits["budget"]
    if budget is not None:
        free = limits["first_item_always"] and len(selection) > 0
        spent = [int(pool.tokens[index]) for index in selection.indices]
        assert sum(spent) <= (max(budget, spent[0]) if free else budget)


@pytest.mark.parametrize("name", ["top_k", "mmr"])
@settings(max_examples=40, deadline=None)
@given(case=tied_cases(), policy=policies)
def test_without_a_constraint_every_slot_that_can_be_is_filled(
    make_pool: MakePool, name: str, case: Case, policy: Policy
) -> None:
    selection = select(case.pool(make_pool), policy.changed(selector=name))
    assert len(selection) == min(policy.k, len(case))


@settings(max_examples=40, deadline=None)
@given(case=tied_cases(), policy=policies)
def test_a_cap_with_backfill_never_returns_fewer_than_it_could(
    make_pool: MakePool, case: Case, policy: Policy
) -> None:
    assume(policy.missing_key is not MissingKey.REJECT)
    selection = select(case.pool(make_pool), policy.changed(selector="two_pass_cap", backfill=True))
    assert len(selection) == min(policy.k, len(case))


@pytest.mark.parametrize("name", ["two_pass_cap", "grouped_cap", "mmr_cap"])
@settings(max_examples=40, deadline=None)
@given(
    case=tied_cases(), policy=policies, limits=budgets,
    own=st.dictionaries(st.sampled_from("ab"), st.integers(1, 4)),
)  # fmt: skip
def test_caps_are_respected(
    make_pool: MakePool,
    name: str,
    case: Case,
    policy: Policy,
    limits: dict[str, Any],
    own: dict[str, int],
) -> None:
    policy = policy.changed(selector=name, backfill=False, overrides=tuple(own.items()), **limits)
    held = [case.sources[index] for index in select(case.pool(make_pool), policy).indices]
    for source in "abc":
        assert held.count(source) <= own.get(source, policy.cap)
    if policy.missing_key is MissingKey.SHARED:
        assert held.count(None) <= policy.cap
    if policy.missing_key is MissingKey.REJECT:
        assert held.count(None) == 0


@walked
@settings(max_examples=20, deadline=None)
@given(case=distinct_cases(), policy=policies, data=st.data())
def test_the_order_of_the_rows_does_not_matter_without_ties(
    make_pool: MakePool, name: str, case: Case, policy: Policy, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(case))))
    policy = policy.changed(selector=name, clip_negative=False)
    # At lambda 0 a pick is redundant only by cosines, which are all different here.
    permuted = case.kept(order).pool(make_pool, ids=order)
    assert ids(select(permuted, policy)) == ids(select(case.pool(make_pool), policy))


@every
@pytest.mark.parametrize("relevance", [Relevance.SCORE, Relevance.COSINE])
@settings(max_examples=20, deadline=None)
@given(case=distinct_cases(), policy=policies, seed=st.integers(0, 2**32 - 1))
def test_a_rotation_of_all_vectors_does_not_matter(
    make_pool: MakePool, name: str, relevance: Relevance, case: Case, policy: Policy, seed: int
) -> None:
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    turned = case.pool(
        make_pool,
        vectors=np.array(case.rows) @ rotation,
        query_vector=(np.array([1.0, 0.5, -0.25]) @ rotation).tolist(),
    )
    policy = policy.changed(selector=name, relevance=relevance)
    assert ids(select(turned, policy)) == ids(select(case.pool(make_pool), policy))


@every
@settings(max_examples=20, deadline=None)
@given(case=tied_cases(1), policy=policies, scale=st.sampled_from([1e-6, 0.3, 7.0, 1e9]))
def test_a_common_scale_of_the_vectors_does_not_matter(
    make_pool: MakePool, name: str, case: Case, policy: Policy, scale: float
) -> None:
    scaled = case.pool(make_pool, vectors=np.array(case.rows) * scale)
    for relevance in (Relevance.SCORE, Relevance.COSINE):
        one = policy.changed(selector=name, relevance=relevance)
        assert ids(select(scaled, one)) == ids(select(case.pool(make_pool), one))


@pytest.mark.parametrize("name", ["top_k", "two_pass_cap", "grouped_cap"])
@settings(max_examples=20, deadline=None)
@given(case=tied_cases(1), policy=policies, scale=st.sampled_from([1e-6, 0.3, 7.0, 1e9]))
def test_a_common_scale_of_the_scores_does_not_matter_without_vectors(
    make_pool: MakePool, name: str, case: Case, policy: Policy, scale: float
) -> None:
    scaled = case.pool(make_pool, scores=np.array(case.scores) * scale)
    policy = policy.changed(selector=name)
    assert ids(select(scaled, policy)) == ids(select(case.pool(make_pool), policy))


@similar
@settings(max_examples=20, deadline=None)
@given(case=distinct_cases(), policy=policies, scale=st.sampled_from([1e-3, 0.3, 7.0, 1e6]))
def test_min_max_takes_any_scale_and_offset_of_the_scores(
    make_pool: MakePool, name: str, case: Case, policy: Policy, scale: float
) -> None:
    policy = policy.changed(selector=name, scaling=Scaling.MIN_MAX)
    moved = case.pool(make_pool, scores=np.array(case.scores) * scale + scale)
    assert ids(select(moved, policy)) == ids(select(case.pool(make_pool), policy))


def replacements(
    make_pool: MakePool, case: Case, policy: Policy
) -> list[tuple[str | None, str | None]]:
    """For each pick: the runner-up named, and who is picked there in a pool without the pick."""
    selection = select(case.pool(make_pool), policy)
    pairs = []
    for slot, pick in enumerate(selection.picks):
        others = [index for index in range(len(case)) if index != pick.index]
        without = select(case.kept(others).pool(make_pool, ids=others), policy)
        there = ids(without)[slot] if len(without) > slot else None
        assert ids(without)[:slot] == ids(selection)[:slot]
        pairs.append((None if pick.runner_up is None else str(pick.runner_up), there))
    return pairs


@pytest.mark.parametrize("name", ["top_k", "grouped_cap", "mmr", "mmr_cap"])
@settings(max_examples=40, deadline=None)
@given(case=tied_cases(), policy=policies, limits=budgets)
def test_the_runner_up_is_who_would_be_picked_instead(
    make_pool: MakePool, name: str, case: Case, policy: Policy, limits: dict[str, Any]
) -> None:
    for named, picked in replacements(make_pool, case, policy.changed(selector=name, **limits)):
        assert named == picked


@settings(max_examples=40, deadline=None)
@given(case=tied_cases(), policy=policies, limits=budgets)
def test_a_runner_up_that_two_passes_name_is_who_would_be_picked_instead(
    make_pool: MakePool, case: Case, policy: Policy, limits: dict[str, Any]
) -> None:
    """At the end of a pass none is named, though the next pass would have one."""
    two_pass = policy.changed(selector="two_pass_cap", **limits)
    for named, picked in replacements(make_pool, case, two_pass):
        assert named in (None, picked)


@walked
@settings(max_examples=20, deadline=None)
@given(case=tied_cases(), policy=policies, limits=budgets)
def test_the_trace_recomputed(
    make_pool: MakePool, name: str, case: Case, policy: Policy, limits: dict[str, Any]
) -> None:
    pool = case.pool(make_pool)
    selection = select(pool, policy.changed(selector=name, **limits))
    rows = pool.vectors
    assert rows is not None
    before: list[int] = []
    for pick in selection.picks:
        assert pick.relevance == case.scores[pick.index]
        cosines = [
            sum(a * b for a, b in zip(rows[pick.index], rows[j], strict=True)) for j in before
        ]
        if policy.clip_negative:
            cosines = [max(cosine, 0.0) for cosine in cosines]
        if name in ("mmr", "mmr_cap") and before:
            nearest = max(cosines)
            assert pick.redundancy == pytest.approx(nearest, abs=1e-12)
            assert pick.blocker == next(
                j for j, cosine in zip(before, cosines, strict=True) if cosine >= nearest - 1e-12
            )
            step = policy.lambda_ * pick.relevance - (1.0 - policy.lambda_) * nearest
        else:
            assert (pick.redundancy, pick.blocker) == (None, None)
            step = pick.relevance
        if pick.runner_up is not None:
            other = case.scores[pick.runner_up]
            if name in ("mmr", "mmr_cap") and before:
                likeness = [float(rows[pick.runner_up] @ rows[j]) for j in before]
                worst = max(max(x, 0.0) if policy.clip_negative else x for x in likeness)
                other = policy.lambda_ * other - (1.0 - policy.lambda_) * worst
            assert pick.margin == pytest.approx(step - other, abs=1e-12)
            assert pick.margin is not None
            assert pick.margin >= 0.0
        else:
            assert pick.margin is None
        before.append(pick.index)
