"""Selectors against what nobody here tuned: exact arithmetic, other libraries, a case by hand."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import pytest
import pyversity
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from poolscope.model import Direction, OnBudget, Policy, Pool, Relevance, Scaling, ScoreKind
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]
Row: TypeAlias = tuple[Fraction, Fraction, Fraction]

UNIT: tuple[Row, ...] = tuple(
    (Fraction(a, q), Fraction(b, q), Fraction(c, q))
    for a, b, c, q in [
        (1, 0, 0, 1), (0, 1, 0, 1), (-1, 0, 0, 1), (0, 0, 0, 1), (3, 4, 0, 5), (4, -3, 0, 5),
        (0, 5, 12, 13), (2, 2, 1, 3), (1, -2, 2, 3), (-2, 1, 2, 3), (2, 3, 6, 7), (6, 2, -3, 7),
    ]
)  # fmt: skip
"""Rows whose lengths and cosines are rational: ties can be exact, and are."""

LAMBDAS = (
    Fraction(0),
    Fraction(1, 4),
    Fraction(4, 9),
    Fraction(1, 2),
    Fraction(3, 5),
    Fraction(9, 10),
    Fraction(1),
)


@dataclasses.dataclass(frozen=True)
class Item:
    row: Row
    score: Fraction
    source: str
    tokens: int


items = st.lists(
    st.builds(
        Item,
        row=st.sampled_from(UNIT),
        score=st.integers(0, 10).map(lambda tenth: Fraction(tenth, 10)),
        source=st.sampled_from("abc"),
        tokens=st.sampled_from([0, 3, 5, 8]),
    ),
    min_size=0,
    max_size=9,
)


def pool_of(make_pool: MakePool, chosen: Sequence[Item]) -> Pool:
    """Build the pool in floating point."""
    return make_pool(
        len(chosen),
        scores=[float(item.score) for item in chosen],
        vectors=[[float(x) for x in item.row] for item in chosen],
        query_vector=[1.0, 0.0, 0.0],
        sources=[item.source for item in chosen],
        tokens=[item.tokens for item in chosen],
    )


def by_relevance(relevance: Sequence[Fraction]) -> list[int]:
    return sorted(range(len(relevance)), key=lambda i: (-relevance[i], i))


def exact_mmr(
    chosen: Sequence[Item],
    relevance: Sequence[Fraction],
    lambda_: Fraction,
    k: int,
    *,
    cap: int | None = None,
    clip: bool = False,
    budget: int | None = None,
    stop: bool = False,
) -> list[int]:
    """The formula of the design, in fractions, one candidate at a time."""
    picks: list[int] = []
    passed: set[int] = set()
    while len(picks) < k:
        best, best_score = None, None
        for i, item in enumerate(chosen):
            full = cap is not None and sum(chosen[p].source == item.source for p in picks) >= cap
            if i in picks or i in passed or full:
                continue
            score = relevance[i]
            if picks:
                dots = [
                    sum((a * b for a, b in zip(item.row, chosen[p].row, strict=True)), Fraction(0))
                    for p in picks
                ]
                nearest = max(max(dot, Fraction(0)) if clip else dot for dot in dots)
                score = lambda_ * relevance[i] - (1 - lambda_) * nearest
            if best_score is None or score > best_score:
                best, best_score = i, score
        if best is None:
            break
        if budget is not None and sum(chosen[p].tokens for p in (*picks, best)) > budget:
            if stop:
                break
            passed.add(best)
            continue
        picks.append(best)
    return picks


def exact_two_pass(
    chosen: Sequence[Item], relevance: Sequence[Fraction], k: int, cap: int, *, backfill: bool
) -> list[int]:
    """The two passes as the pattern's text gives them, then the rest by rank."""
    ranked = by_relevance(relevance)
    picks: list[int] = []
    taken = dict.fromkeys("abc", 0)
    for limit in (1, cap):
        for i in ranked:
            if len(picks) < k and i not in picks and taken[chosen[i].source] < limit:
                picks.append(i)
                taken[chosen[i].source] += 1
    if backfill:
        picks += [i for i in ranked if i not in picks]
    return picks[:k]


def exact_grouped(
    chosen: Sequence[Item], relevance: Sequence[Fraction], k: int, cap: int
) -> list[int]:
    """Group, keep the best of each group, merge by score, cut."""
    ranked = by_relevance(relevance)
    kept = [i for source in "abc" for i in [j for j in ranked if chosen[j].source == source][:cap]]
    return sorted(kept, key=lambda i: (-relevance[i], i))[:k]


@settings(max_examples=150, deadline=None)
@given(
    chosen=items,
    lambda_=st.sampled_from(LAMBDAS),
    k=st.integers(0, 10),
    cap=st.none() | st.integers(1, 3),
    clip=st.booleans(),
    cosine=st.booleans(),
    budget=st.none() | st.integers(0, 25),
    stop=st.booleans(),
)
def test_mmr_is_the_formula_ties_included(
    make_pool: MakePool,
    chosen: list[Item],
    lambda_: Fraction,
    k: int,
    cap: int | None,
    clip: bool,  # noqa: FBT001 - drawn by hypothesis
    cosine: bool,  # noqa: FBT001 - drawn by hypothesis
    budget: int | None,
    stop: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    policy = Policy(
        selector="mmr" if cap is None else "mmr_cap",
        lambda_=float(lambda_),
        k=k,
        cap=cap or 1,
        clip_negative=clip,
        relevance=Relevance.COSINE if cosine else Relevance.SCORE,
        budget=budget,
        on_budget=OnBudget.STOP if stop else OnBudget.SKIP,
    )
    relevance = [item.row[0] if cosine else item.score for item in chosen]
    wanted = exact_mmr(chosen, relevance, lambda_, k, cap=cap, clip=clip, budget=budget, stop=stop)
    assert select(pool_of(make_pool, chosen), policy).indices.tolist() == wanted


@settings(max_examples=80, deadline=None)
@given(
    chosen=items, k=st.integers(0, 10), cap=st.integers(1, 4), backfill=st.booleans(),
    depth=st.none() | st.integers(0, 9),
)  # fmt: skip
def test_the_caps_are_what_their_texts_say(
    make_pool: MakePool,
    chosen: list[Item],
    k: int,
    cap: int,
    backfill: bool,  # noqa: FBT001 - drawn by hypothesis
    depth: int | None,
) -> None:
    pool = pool_of(make_pool, chosen)
    seen = chosen if depth is None else chosen[:depth]
    relevance = [item.score for item in seen]
    policy = Policy(k=k, cap=cap, backfill=backfill, depth=depth)
    top = select(pool, policy.changed(selector="top_k"))
    two = select(pool, policy.changed(selector="two_pass_cap"))
    grouped = select(pool, policy.changed(selector="grouped_cap"))
    assert top.indices.tolist() == by_relevance(relevance)[:k]
    assert two.indices.tolist() == exact_two_pass(seen, relevance, k, cap, backfill=backfill)
    assert grouped.indices.tolist() == exact_grouped(seen, relevance, k, cap)


SIZES = [(5, 3, 3), (20, 8, 5), (60, 16, 10), (200, 32, 12), (200, 384, 8)]


@pytest.mark.parametrize(("n", "d", "k"), SIZES)
@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.5, 0.6, 0.9, 1.0])
def test_langchain_picks_the_same(
    make_pool: MakePool, n: int, d: int, k: int, lambda_: float
) -> None:
    rng = np.random.default_rng(n * d)
    rows, query = rng.normal(size=(n, d)), rng.normal(size=d)
    pool = make_pool(vectors=rows, query_vector=query.tolist())
    policy = Policy(selector="mmr", k=k, lambda_=lambda_, relevance=Relevance.COSINE)
    theirs = maximal_marginal_relevance(query, rows.tolist(), lambda_mult=lambda_, k=k)
    assert select(pool, policy).indices.tolist() == theirs


@pytest.mark.parametrize(("n", "d", "k"), SIZES)
@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.5, 0.6, 0.9, 1.0])
def test_pyversity_picks_the_same(
    make_pool: MakePool, n: int, d: int, k: int, lambda_: float
) -> None:
    rng = np.random.default_rng(n + d)
    # A common direction keeps the cosines apart: clipped at 0 they would tie by the dozen.
    rows, scores = rng.normal(size=(n, d)) + 0.7, rng.uniform(size=n)
    pool = make_pool(vectors=rows, scores=scores)
    policy = Policy(selector="mmr", k=k, lambda_=lambda_, clip_negative=True, scaling=Scaling.NONE)
    theirs = pyversity.mmr(rows, scores, k, diversity=1.0 - lambda_)
    assert select(pool, policy).indices.tolist() == theirs.indices.tolist()


def test_pyversity_clips_as_clip_negative_does(make_pool: MakePool) -> None:
    rows = [[1.0, 0.0], [-0.6, 0.8], [0.0, 1.0]]
    scores = [1.0, 0.3, 0.4]
    pool = make_pool(vectors=rows, scores=scores)
    policy = Policy(selector="mmr", k=2, lambda_=0.5, scaling=Scaling.NONE)
    theirs = pyversity.mmr(np.array(rows), np.array(scores), 2, diversity=0.5)
    clipped = select(pool, policy.changed(clip_negative=True))
    assert clipped.indices.tolist() == theirs.indices.tolist() == [0, 2]
    assert select(pool, policy).indices.tolist() == [0, 1]


BOUNDARY = (math.sqrt(3) - 1) / 2
"""Where rows at 45 and 75 degrees tie behind one at 30: 0.366..., between 25/71 and 27/71."""


@pytest.mark.parametrize(
    ("lambda_", "picks"),
    [
        (25 / 71, [0, 2]),
        (27 / 71, [0, 1]),
        (BOUNDARY - 1e-9, [0, 2]),
        (BOUNDARY + 1e-9, [0, 1]),
        (BOUNDARY, [0, 1]),
    ],
)
def test_the_boundary_of_lambda_in_closed_form(
    make_pool: MakePool, lambda_: float, picks: list[int]
) -> None:
    angles = [math.radians(angle) for angle in (30, 45, 75)]
    pool = make_pool(vectors=[[math.cos(a), math.sin(a)] for a in angles], query_vector=[1.0, 0.0])
    policy = Policy(selector="mmr", k=2, lambda_=lambda_, relevance=Relevance.COSINE)
    assert select(pool, policy).indices.tolist() == picks


@pytest.mark.parametrize("lambda_", [0.2, 0.6])
def test_scaling_by_the_policy_is_scaling_by_hand(make_pool: MakePool, lambda_: float) -> None:
    """Scaled by hand first, the raw scores must give the same as the policy's own scaling."""
    rng = np.random.default_rng(9)
    rows, logits = rng.normal(size=(30, 6)), rng.normal(scale=4.0, size=30)
    kind = ScoreKind(name="reranker logit", direction=Direction.HIGHER, evidence="a test")
    by_hand = (logits - logits.min()) / (logits.max() - logits.min())
    policy = Policy(selector="mmr", k=6, lambda_=lambda_)
    ours = select(make_pool(vectors=rows, scores=logits, score_kind=kind), policy)
    scaled = select(make_pool(vectors=rows, scores=by_hand), policy)
    raw = select(
        make_pool(vectors=rows, scores=logits, score_kind=kind),
        policy.changed(scaling=Scaling.NONE),
    )
    assert ours.indices.tolist() == scaled.indices.tolist() != raw.indices.tolist()
