"""A pool that is too shallow or too short, and the question of one source."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.diagnosis import Finding, Kind, diagnose
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED, Facet, Policy, Pool

MakePool: TypeAlias = Callable[..., Pool]

N = 20
SCORES = [round(0.9 - 0.03 * rank, 3) for rank in range(N)]


def first(pool: Pool, policy: Policy | None = None) -> Finding:
    return diagnose(pool, policy or Policy()).first


def judged(supports: dict[int, list[int]], m: int, rest: int = DOES_NOT) -> dict[str, Any]:
    """Facets 0 to m - 1, and the ranks from 1 that support each."""
    table = np.full((N, m), rest, dtype=np.int8)
    for facet, ranks in supports.items():
        table[[rank - 1 for rank in ranks], facet] = SUPPORTS
    return {"facets": tuple(Facet(f"f{i}", f"cause {i}") for i in range(m)), "judgements": table}


def mixed(make_pool: MakePool, **rest: Any) -> Pool:  # noqa: ANN401
    parts = {"scores": SCORES, "sources": [f"s{i % 7}" for i in range(N)], **rest}
    return make_pool(**parts)


def test_a_facet_beyond_the_depth_is_named_with_its_rank(make_pool: MakePool) -> None:
    pool = mixed(make_pool, **judged({0: [1, 2], 1: [14]}, 2))
    found = first(pool, Policy(depth=10))
    assert found.kind is Kind.SHALLOW
    assert "“cause 1” at rank 14 lies beyond the depth of 10" in found.sentence
    assert "14 candidates" in found.remedy
    assert first(pool, Policy(depth=14)).kind is not Kind.SHALLOW


def test_a_pool_of_one_source_and_hardly_more_than_k_is_too_shallow(make_pool: MakePool) -> None:
    pool = make_pool(scores=SCORES[:7], sources="aaaaaaa")
    assert first(pool).kind is Kind.SHALLOW
    assert first(make_pool(scores=SCORES, sources="a" * N)).kind is Kind.SHORTAGE
    assert first(make_pool(scores=SCORES[:7], sources="abcdefg")).kind is not Kind.SHALLOW


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (Policy(depth=0), "5 of 5 slots stayed empty: 20 in the pool. Left out: beyond the pool"),
        (Policy(k=0), "k is 0."),
        (Policy(k=2, banned=tuple(f"d{i}" for i in range(1, N + 1))), "banned (20)"),
    ],
)
def test_an_empty_selection_is_not_called_healthy(
    make_pool: MakePool, policy: Policy, why: str
) -> None:
    found = first(mixed(make_pool), policy)
    assert (found.kind, found.is_alarm) == (Kind.NOTHING, policy.k > 0)
    assert found.sentence.startswith("Nothing selected. ")
    assert why in found.sentence


def test_one_passage_without_a_source_is_not_said_to_be_from_one(make_pool: MakePool) -> None:
    found = first(make_pool(scores=[0.9], sources=(None,)), Policy(k=1))
    assert "from no source" not in found.sentence


def test_sources_that_begin_beyond_the_depth(make_pool: MakePool) -> None:
    pool = make_pool(scores=SCORES, sources="a" * 12 + "bcdefghi")
    found = first(pool, Policy(depth=12))
    assert found.kind is Kind.SHALLOW
    assert "other sources begin at rank 13" in found.sentence
    assert first(pool, Policy(depth=16)).kind is not Kind.SHALLOW


def test_a_facet_without_a_passage_is_a_shortage(make_pool: MakePool) -> None:
    found = first(mixed(make_pool, **judged({0: [1], 1: [2]}, 3)))
    assert found.kind is Kind.SHORTAGE
    assert "“cause 2”" in found.sentence
    assert "metadata filter" in found.remedy


@pytest.mark.parametrize(("likeness", "is_alarm"), [(0.0, False), (0.7, True)])
def test_a_pool_of_one_source_alarms_where_its_picks_say_one_thing(
    make_pool: MakePool,
    likeness: float,
    is_alarm: bool,  # noqa: FBT001
) -> None:
    n = 20
    r = np.linspace(0.8, 0.5, n)
    rows = np.zeros((n, n + 2))
    rows[:, 0] = r
    rows[:, 1] = np.sqrt((1.0 - r**2) * likeness)
    rows[np.arange(n), 2 + np.arange(n)] = np.sqrt((1.0 - r**2) * (1.0 - likeness))
    question = np.eye(n + 2)[0]
    pool = make_pool(vectors=rows, query_vector=question, scores=r, sources=["book"] * n)
    found = first(pool)
    assert found.kind is Kind.SHORTAGE
    assert found.is_alarm == is_alarm
    assert "If the store holds only this source, leave it." in found.remedy
    assert ("much alike" in found.evidence[0]) == is_alarm
    tail = make_pool(
        vectors=rows,
        query_vector=question,
        scores=[*r[:6], *(r[6:] - 0.35)],
        sources=["book"] * 6 + [f"other-{i}" for i in range(n - 6)],
    )
    single = first(tail)
    assert single.kind is Kind.SINGLE_SOURCE
    assert not single.is_alarm
    assert ("not decided" in single.sentence) == is_alarm


def test_a_second_source_that_is_as_good_leaves_no_single_source(make_pool: MakePool) -> None:
    scores = [0.9, 0.89, 0.88, 0.87, 0.86, 0.855, 0.85, *(0.4 - 0.01 * i for i in range(8))]
    sources = ["a", "a", "b", "a", "a", "b", "b", *(f"c{i}" for i in range(8))]
    assert first(make_pool(scores=scores, sources=sources)).kind is Kind.HEALTHY


def test_facets_that_nobody_judged_are_not_known_to_be_missing(make_pool: MakePool) -> None:
    pool = mixed(make_pool, vectors=np.eye(N), **judged({}, 3, rest=UNJUDGED))
    assert first(pool).kind is Kind.HEALTHY


def test_a_single_source_question_loses_facets_by_a_cap(make_pool: MakePool) -> None:
    supports = {0: [1], 1: [2], 2: [3], 3: [4], 4: [5]}
    sources = ["runbook"] * 5 + [f"s{i % 7}" for i in range(N - 5)]
    found = first(make_pool(scores=SCORES, sources=sources, **judged(supports, 5)))
    assert found.kind is Kind.SINGLE_SOURCE
    assert not found.is_alarm
    assert "reserve slots" in found.remedy
    assert "A cap of 1 would cover 4 fewer." in found.evidence


def test_one_source_that_says_one_thing_is_healthy_when_that_is_all(make_pool: MakePool) -> None:
    sources = ["runbook"] * 5 + [f"s{i % 7}" for i in range(N - 5)]
    pool = make_pool(scores=SCORES, sources=sources, **judged({0: [1, 2, 3, 4, 5]}, 1))
    assert first(pool).kind is Kind.HEALTHY


@pytest.mark.parametrize("k", [0, 1])
def test_few_slots_are_not_crowded(make_pool: MakePool, k: int) -> None:
    pool = make_pool(scores=SCORES, sources="a" * 10 + "b" * 10, vectors=np.ones((N, 3)))
    assert not first(pool, Policy(k=k)).is_alarm
