"""The headline measures of many selections at once against each measure by itself."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from poolscope.geometry import Floats
from poolscope.measures import MEASURES
from poolscope.measures.batch import HEADLINE, headline, table
from poolscope.model import Facet, Policy, Pool
from poolscope.selection import select

ONE_BY_ONE = {item.name: item.function for item in MEASURES}


@pytest.fixture
def drawn(make_pool: Callable[..., Pool]) -> Callable[..., Pool]:
    """Draw a pool with copies, missing vectors, missing sources and half-judged rows."""

    def draw(seed: int, n: int = 40, *, facets: int = 3, vectors: bool = True) -> Pool:
        random = np.random.default_rng(seed)
        rows = random.normal(size=(n, 6))
        rows[random.integers(n, size=n // 4)] = rows[0]
        has = random.random(n) < 0.8
        labels = [None, "a", "b", "c", "d"]
        return make_pool(
            n,
            scores=np.sort(random.random(n))[::-1],
            vectors=np.where(has[:, None], rows, 0.0) if vectors else None,
            has_vector=has if vectors else None,
            sources=[labels[i] for i in random.integers(len(labels), size=n)],
            tokens=random.integers(0, 900, size=n).tolist(),
            facets=tuple(Facet(f"f{i}", f"facet {i}") for i in range(facets)),
            judgements=random.integers(-1, 2, size=(n, facets)).astype(np.int8),
        )

    return draw


def tables(pool: Pool, slots: int, seed: int, count: int = 60) -> list[list[int]]:
    """Draw selections of nothing up to a number of slots, some of them twice."""
    random = np.random.default_rng(seed)
    picks = [
        random.permutation(len(pool))[: random.integers(slots + 1)].tolist() for _ in range(count)
    ]
    return [*picks, *picks[:5], []]


def hold(pool: Pool, picks: list[list[int]], slots: int) -> None:
    """Compare every headline value with the measure's own."""
    whole = select(pool, Policy(k=max(slots, 1)))
    table = np.full((len(picks), slots), -1)
    for row, chosen in zip(table, picks, strict=True):
        row[: len(chosen)] = chosen
    found = headline(pool, whole.relevances, table)
    assert tuple(found) == HEADLINE
    for number, chosen in enumerate(picks):
        selection = replace(whole, indices=np.array(chosen, dtype=np.intp))
        for name in HEADLINE:
            alone = ONE_BY_ONE[name](selection)
            assert found[name][number] == pytest.approx(alone, abs=1e-9, nan_ok=True), (
                name,
                chosen,
            )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("slots", [0, 1, 2, 12])
def test_random_selections_measure_as_alone(
    drawn: Callable[..., Pool], seed: int, slots: int
) -> None:
    pool = drawn(seed)
    hold(pool, tables(pool, slots, seed), slots)


@pytest.mark.parametrize("facets", [0, 1])
@pytest.mark.parametrize("vectors", [False, True])
def test_without_facets_or_vectors_the_same_is_undefined(
    drawn: Callable[..., Pool], facets: int, *, vectors: bool
) -> None:
    pool = drawn(7, facets=facets, vectors=vectors)
    hold(pool, tables(pool, 5, 7), 5)


def test_the_path_of_a_real_pool_measures_as_alone(sample: Callable[[str], Pool]) -> None:
    pool = sample("monograph")
    policy = Policy(selector="mmr", k=5)
    picks = [
        select(pool, policy.changed(lambda_=value)).indices.tolist()
        for value in np.linspace(0, 1, 21).tolist()
    ]
    hold(pool, picks, 5)


@pytest.mark.parametrize("n", [0, 1])
def test_the_smallest_pools(make_pool: Callable[..., Pool], n: int) -> None:
    hold(make_pool(n), [[], list(range(n))], 3)


def test_no_selection_at_all_gives_empty_arrays(make_pool: Callable[..., Pool]) -> None:
    relevances: Floats = np.ones(3)
    found = headline(make_pool(3), relevances, np.empty((0, 2), dtype=np.intp))
    assert all(len(values) == 0 for values in found.values())


def test_a_mean_cosine_of_copies_is_one(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(vectors=[[1.0, 2.0, 3.0]] * 4)
    found = headline(pool, np.ones(4), np.array([[0, 1, 2], [3, -1, -1]]))
    assert found["mean_pairwise_cosine"][0] == pytest.approx(1.0, abs=1e-12)
    assert math.isnan(found["mean_pairwise_cosine"][1])


def test_selections_as_a_table_have_their_empty_slots_marked() -> None:
    assert table([(3, 1), (), (2,)]).tolist() == [[3, 1], [-1, -1], [2, -1]]
    assert table([]).shape == (0, 1)
