"""Settings that do not fit a pool: too much difference, unlike scales, no vectors."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.diagnosis import Kind, diagnose
from poolscope.model import Direction, Facet, Policy, Pool, Scaling, ScoreKind

MakePool: TypeAlias = Callable[..., Pool]

N = 20
LOGITS = ScoreKind(
    name="reranker logit", direction=Direction.HIGHER, evidence="built by a test", is_cosine=False
)
TEXTS = tuple(f"passage number{i} about thing{i} and matter{i} with detail{i}" for i in range(N))


def varied(make_pool: MakePool, **rest: Any) -> Pool:  # noqa: ANN401
    """Twenty passages that differ, four sources, falling scores."""
    rng = np.random.default_rng(4)
    parts = {
        "scores": np.linspace(0.8, 0.2, N),
        "vectors": rng.normal(size=(N, 30)),
        "sources": [f"s{i % 7}" for i in range(N)],
        "texts": TEXTS,
        **rest,
    }
    return make_pool(**parts)


def kinds(pool: Pool, policy: Policy) -> list[Kind]:
    return [finding.kind for finding in diagnose(pool, policy).findings]


def test_picks_far_below_the_rest_are_over_diversified(make_pool: MakePool) -> None:
    scores = [*np.linspace(0.8, 0.6, 10), *np.linspace(0.3, 0.1, 10)]
    vectors = np.vstack([np.full((10, 10), 1.0), np.eye(10)])
    pool = varied(make_pool, vectors=vectors, scores=scores)
    verdict = diagnose(pool, Policy(selector="mmr", lambda_=0.1))
    assert verdict.first.kind is Kind.OVER_DIVERSIFIED
    assert verdict.first.step is not None
    assert verdict.first.step.policy.selector == "top_k"
    before, after = verdict.first.step.effect.relevance
    assert before < after


def test_picks_no_better_than_the_pools_rest_are_over_diversified_in_a_steep_pool(
    make_pool: MakePool,
) -> None:
    scores = [0.74, 0.45, 0.40, 0.36, 0.33, *np.linspace(0.22, 0.12, 25)]
    rows = np.eye(31)[:30] * np.sqrt(1.0 - np.array(scores) ** 2)[:, None]
    rows[:, 30] = scores
    pool = make_pool(
        vectors=rows,
        query_vector=np.eye(31)[30],
        scores=scores,
        sources=[f"s{i}" for i in range(30)],
        texts=tuple(f"passage {i} says {i * 7} things about {i * 13}" for i in range(30)),
    )
    assert kinds(pool, Policy(selector="mmr", lambda_=0.1))[0] is Kind.OVER_DIVERSIFIED
    assert Kind.OVER_DIVERSIFIED not in kinds(pool, Policy(selector="mmr", lambda_=0.95))


@pytest.mark.parametrize(("selector", "lambda_"), [("top_k", 0.6), ("mmr", 1.0), ("mmr", 0.95)])
def test_what_stays_near_the_top_is_not(make_pool: MakePool, selector: str, lambda_: float) -> None:
    assert kinds(varied(make_pool), Policy(selector=selector, lambda_=lambda_)) == [Kind.HEALTHY]


def test_difference_that_buys_coverage_is_not_too_much(make_pool: MakePool) -> None:
    vectors = np.vstack([np.full((10, 10), 1.0), np.eye(10)])
    facets = tuple(Facet(f"f{i}", f"cause {i}") for i in range(11))
    judgements = np.vstack([np.eye(11, dtype=np.int8)[[0] * 10], np.eye(11, dtype=np.int8)[1:]])
    pool = varied(make_pool, vectors=vectors, facets=facets, judgements=judgements)
    found = kinds(pool, Policy(selector="mmr", lambda_=0.1))
    assert Kind.OVER_DIVERSIFIED not in found


def test_unlike_scales_that_a_rule_weighs_are_an_alarm(make_pool: MakePool) -> None:
    pool = varied(make_pool, scores=np.linspace(9.0, -4.0, N), score_kind=LOGITS)
    verdict = diagnose(pool, Policy(selector="mmr", scaling=Scaling.NONE))
    assert verdict.first.kind is Kind.SCALE
    assert verdict.first.is_alarm
    assert "reranker logit runs from -4 to 9" in verdict.first.sentence
    mapped = diagnose(pool, Policy(selector="mmr", lambda_=0.95))
    assert [(f.kind, f.is_alarm) for f in mapped.findings] == [
        (Kind.HEALTHY, False),
        (Kind.SCALE, False),
    ]
    assert kinds(pool, Policy()) == [Kind.HEALTHY]


def test_cosines_are_on_the_scale_of_cosines(make_pool: MakePool) -> None:
    policy = Policy(selector="mmr", lambda_=0.95, scaling=Scaling.NONE)
    assert kinds(varied(make_pool), policy) == [Kind.HEALTHY]


def test_no_vectors_at_all_is_a_remark(make_pool: MakePool) -> None:
    verdict = diagnose(varied(make_pool, vectors=None), Policy())
    assert [(f.kind, f.is_alarm) for f in verdict.findings] == [
        (Kind.HEALTHY, False),
        (Kind.NO_VECTORS, False),
    ]


def test_vectors_missing_here_and_there(make_pool: MakePool) -> None:
    rows = np.random.default_rng(4).normal(size=(N, 30))
    known = np.ones(N, dtype=np.bool_)
    known[[2, 7, 11]] = False
    rows[~known] = 0.0
    pool = varied(make_pool, vectors=rows, has_vector=known)
    first, found = diagnose(pool, Policy()).findings
    assert first.kind is Kind.HEALTHY
    assert (found.kind, found.is_alarm) == (Kind.NO_VECTORS, False)
    assert "3 of 20 passages" in found.sentence
    found = diagnose(pool, Policy(selector="mmr", lambda_=0.9)).first
    assert (found.kind, found.is_alarm) == (Kind.NO_VECTORS, True)
    assert "never looked at" in found.sentence


def test_a_budget_that_leaves_slots_empty_comes_first(make_pool: MakePool) -> None:
    pool = varied(make_pool, tokens=60)
    starved = diagnose(pool, Policy(budget=100)).first
    assert (starved.kind, starved.is_alarm) == (Kind.STARVED, True)
    assert "1 of 5 slots is filled: 19 passages did not fit into 100 tokens" in starved.sentence
    assert "Plain top-5 takes 300 tokens." in starved.evidence
    assert diagnose(pool, Policy(budget=300)).first.kind is Kind.HEALTHY
