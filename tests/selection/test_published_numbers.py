"""The numbers of the texts that the tool illustrates, from the sample files and from scratch."""

import itertools
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Facet, Policy, Pool, Relevance
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]
Sample: TypeAlias = Callable[[str], Pool]

# The grouping document: six candidates, and the eight of its opening paragraph


@pytest.fixture(params=["by hand", "sample file"])
def six(request: pytest.FixtureRequest, make_pool: MakePool, sample: Sample) -> Pool:
    if request.param == "sample file":
        return sample("deploy-guide-6")
    return make_pool(
        ids=["a1", "a2", "a3", "a4", "b1", "c1"],
        scores=[0.92, 0.91, 0.90, 0.89, 0.88, 0.87],
        sources=["deploy-guide"] * 4 + ["incident-2024-11", "runbook-cache"],
    )


@pytest.fixture(params=["by hand", "sample file"])
def eight(request: pytest.FixtureRequest, make_pool: MakePool, sample: Sample) -> Pool:
    if request.param == "sample file":
        return sample("deploy-guide-8")
    return make_pool(
        ids=["a1", "a2", "a3", "a4", "a5", "b1", "c1", "b2"],
        scores=[0.92, 0.91, 0.90, 0.89, 0.885, 0.88, 0.87, 0.86],
        sources=["guide"] * 5 + ["review-1", "review-2", "review-1"],
    )


def ids(pool: Pool, policy: Policy) -> list[str]:
    return [pool.ids[index] for index in select(pool, policy).indices]


def test_six_top_k_holds_two_sources_whatever_the_text_says(six: Pool) -> None:
    assert ids(six, Policy(k=5)) == ["a1", "a2", "a3", "a4", "b1"]
    assert len({six.sources[index] for index in select(six, Policy(k=5)).indices}) == 2


def test_six_grouped_leaves_one_slot_empty(six: Pool) -> None:
    policy = Policy(selector="grouped_cap", k=5, cap=2)
    assert ids(six, policy) == ["a1", "a2", "b1", "c1"]
    selection = select(six, policy)
    assert selection.empty_slots == 1
    assert selection.notes == (
        "1 of 5 slots stayed empty: 6 in the pool. Left out: over the cap (2).",
    )


@pytest.mark.parametrize(
    ("cap", "picks"),
    [
        (1, ["a1", "b1", "c1"]),
        (2, ["a1", "b1", "c1", "a2"]),
        (3, ["a1", "b1", "c1", "a2", "a3"]),
    ],
)
def test_six_two_pass_without_backfill(six: Pool, cap: int, picks: list[str]) -> None:
    policy = Policy(selector="two_pass_cap", k=5, cap=cap, backfill=False)
    assert ids(six, policy) == picks
    assert select(six, policy).empty_slots == 5 - len(picks)


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_six_two_pass_with_backfill_fills_up_by_rank(six: Pool, cap: int) -> None:
    policy = Policy(selector="two_pass_cap", k=5, cap=cap)
    assert ids(six, policy) == ["a1", "b1", "c1", "a2", "a3"]


def test_six_grouped_by_three(six: Pool) -> None:
    policy = Policy(selector="grouped_cap", k=5, cap=3)
    assert ids(six, policy) == ["a1", "a2", "a3", "b1", "c1"]


def test_six_a_cap_of_two_for_two_slots_can_be_one_source(six: Pool) -> None:
    assert ids(six, Policy(selector="grouped_cap", k=2, cap=2)) == ["a1", "a2"]
    assert ids(six, Policy(selector="two_pass_cap", k=2, cap=2)) == ["a1", "b1"]


def test_eight_top_five_is_one_source(eight: Pool) -> None:
    assert ids(eight, Policy(k=5)) == ["a1", "a2", "a3", "a4", "a5"]
    assert len({eight.sources[index] for index in select(eight, Policy(k=5)).indices}) == 1


@pytest.mark.parametrize(
    ("selector", "picks"),
    [
        ("grouped_cap", ["a1", "a2", "b1", "c1", "b2"]),
        ("two_pass_cap", ["a1", "b1", "c1", "a2", "b2"]),
    ],
)
def test_eight_cap_two_gives_five_from_three_sources(
    eight: Pool, selector: str, picks: list[str]
) -> None:
    policy = Policy(selector=selector, k=5, cap=2, backfill=False)
    assert ids(eight, policy) == picks
    assert len({eight.sources[index] for index in select(eight, policy).indices}) == 3


# The checkout set: fifty reports in closed form

SHARED = 0.1531965
SECOND = (9, 20, 27, 33, 40)
THIRD = (14, 24, 31, 44)


def cause(rank: int) -> int | None:
    """Cause 1 has the first thirty ranks that are not of cause 2 or 3; the last eleven none."""
    first = [r for r in range(1, 51) if r not in SECOND and r not in THIRD][:30]
    return 2 if rank in SECOND else 3 if rank in THIRD else 1 if rank in first else None


def relevance(rank: int) -> float:
    return 0.800 - 0.001 * (rank - 1)


def cosine(i: int, j: int) -> float:
    """The stated cosine of two different ranks."""
    same = cause(i) is not None and cause(i) == cause(j)
    return relevance(i) * relevance(j) + (SHARED if same else 0.0)


@pytest.fixture(params=["closed form", "sample file"])
def checkout(request: pytest.FixtureRequest, make_pool: MakePool, sample: Sample) -> Pool:
    if request.param == "sample file":
        return sample("checkout")
    rows = np.zeros((50, 54))
    for rank in range(1, 51):
        row, its = rows[rank - 1], cause(rank)
        row[0] = relevance(rank)
        if its is not None:
            row[its] = math.sqrt(SHARED)
        row[3 + rank] = math.sqrt(1.0 - relevance(rank) ** 2 - (SHARED if its else 0.0))
    return make_pool(
        scores=[relevance(rank) for rank in range(1, 51)],
        vectors=rows,
        query_vector=[1.0, *[0.0] * 53],
        sources=[f"report {rank}" for rank in range(1, 51)],
        facets=tuple(Facet(f"c{number}", "") for number in (1, 2, 3)),
        judgements=np.array(
            [[int(cause(rank) == number) for number in (1, 2, 3)] for rank in range(1, 51)],
            dtype=np.int8,
        ),
    )


def ranks(pool: Pool, **settings: object) -> list[int]:
    policy = Policy(selector="mmr", k=5).changed(**settings)
    return [int(index) + 1 for index in select(pool, policy).indices]


def mean_pairwise(chosen: list[int]) -> float:
    pairs = list(itertools.combinations(chosen, 2))
    return sum(cosine(i, j) for i, j in pairs) / len(pairs)


def coverage(chosen: list[int]) -> int:
    return len({cause(rank) for rank in chosen} - {None})


def test_checkout_has_the_stated_geometry(checkout: Pool) -> None:
    assert len(checkout) == 50
    assert checkout.scores is not None
    assert checkout.vectors is not None
    product = checkout.vectors @ checkout.vectors.T
    for i in range(1, 51):
        assert checkout.scores[i - 1] == pytest.approx(relevance(i), abs=1e-12)
        marks = [facet + 1 for facet in range(3) if checkout.marks[i - 1, facet] == 1]
        assert marks == ([] if cause(i) is None else [cause(i)])
        for j in range(i + 1, 51):
            assert product[i - 1, j - 1] == pytest.approx(cosine(i, j), abs=1e-12)


TABLE = [
    # settings, ranks, mean pairwise, causes covered
    ({"selector": "top_k"}, [1, 2, 3, 4, 5], 0.7900, 1),
    ({"lambda_": 0.6}, [1, 9, 14, 38, 39], 0.6096, 3),
    ({"lambda_": 0.6, "depth": 50}, [1, 9, 14, 38, 39], 0.6096, 3),
    ({"lambda_": 0.9, "depth": 50}, [1, 9, 14, 2, 3], 0.6783, 3),
    ({"lambda_": 0.8, "depth": 50}, [1, 9, 14, 38, 39], 0.6096, 3),
    ({"lambda_": 0.7, "depth": 50}, [1, 9, 14, 38, 39], 0.6096, 3),
    ({"lambda_": 0.5, "depth": 50}, [1, 9, 14, 38, 39], 0.6096, 3),
    ({"lambda_": 4 / 9, "depth": 50}, [1, 9, 14, 38, 39], 0.6096, 3),
    ({"lambda_": 0.4, "depth": 50}, [1, 50, 49, 48, 47], 0.5806, 1),
    ({"lambda_": 0.2, "depth": 50}, [1, 50, 49, 48, 47], 0.5806, 1),
    ({"lambda_": 0.0, "depth": 50}, [1, 50, 49, 48, 47], 0.5806, 1),
    ({"lambda_": 0.6, "depth": 14}, [1, 9, 14, 2, 3], 0.6783, 3),
    ({"lambda_": 0.6, "depth": 13}, [1, 9, 2, 3, 4], 0.7274, 2),
    ({"lambda_": 0.6, "depth": 10}, [1, 9, 2, 3, 4], 0.7274, 2),
    ({"lambda_": 0.6, "depth": 9}, [1, 9, 2, 3, 4], 0.7274, 2),
    ({"lambda_": 0.6, "depth": 8}, [1, 2, 3, 4, 5], 0.7900, 1),
    ({"lambda_": 0.6, "depth": 5}, [1, 2, 3, 4, 5], 0.7900, 1),
]


@pytest.mark.parametrize("scale", [Relevance.SCORE, Relevance.COSINE])
@pytest.mark.parametrize(("settings", "picks", "pairwise", "covered"), TABLE)
def test_checkout_table(
    checkout: Pool,
    scale: Relevance,
    settings: dict[str, object],
    picks: list[int],
    pairwise: float,
    covered: int,
) -> None:
    assert ranks(checkout, relevance=scale, **settings) == picks
    assert mean_pairwise(picks) == pytest.approx(pairwise, abs=5e-5)
    assert coverage(picks) == covered


def test_checkout_mean_relevance(checkout: Pool) -> None:
    for lambda_, mean in ((1.0, 0.7980), (0.6, 0.7808)):
        selection = select(checkout, Policy(selector="mmr", k=5, lambda_=lambda_))
        held = np.mean([pick.relevance for pick in selection.picks])
        assert held == pytest.approx(mean, abs=5e-5)


@pytest.mark.parametrize("depth", [9, 10, 13])
def test_checkout_no_lambda_reaches_a_cause_beyond_the_depth(checkout: Pool, depth: int) -> None:
    for step in range(101):
        assert 14 not in ranks(checkout, lambda_=step / 100, depth=depth)


@pytest.mark.parametrize(
    ("lambda_", "picks"),
    [(4 / 9 - 1e-9, [1, 50, 49, 48, 47]), (4 / 9 + 1e-9, [1, 9, 14, 38, 39])],
)
def test_checkout_turns_over_at_four_ninths(
    checkout: Pool, lambda_: float, picks: list[int]
) -> None:
    assert ranks(checkout, lambda_=lambda_) == picks


@pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap"])
@pytest.mark.parametrize("cap", [1, 2, 5])
def test_checkout_a_cap_changes_nothing(checkout: Pool, selector: str, cap: int) -> None:
    assert ranks(checkout, selector=selector, cap=cap) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("lambda_", [0.4, 0.6, 0.9])
def test_checkout_a_cap_inside_mmr_changes_nothing(checkout: Pool, lambda_: float) -> None:
    assert ranks(checkout, selector="mmr_cap", cap=1, lambda_=lambda_) == ranks(
        checkout, lambda_=lambda_
    )


@pytest.mark.parametrize(("k", "covered"), [(5, 1), (10, 2), (20, 3)])
def test_checkout_coverage_of_top_k(checkout: Pool, k: int, covered: int) -> None:
    assert coverage(ranks(checkout, selector="top_k", k=k)) == covered
