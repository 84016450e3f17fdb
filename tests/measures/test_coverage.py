import math
from collections.abc import Callable

import pytest

from poolscope.measures.coverage import ceiling, facet_coverage, facet_support, judged_share
from poolscope.model import Selection

# Three facets: 0 and 1 have support, 2 has none in the pool.
MARKS = [[1, 0, 0], [1, -1, 0], [0, 1, -1], [0, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("picks", "expected"),
    [([], 0), ([3], 0), ([0, 1], 1 / 3), ([0, 2], 2 / 3), ([4], 2 / 3), ([0, 1, 2, 3, 4], 2 / 3)],
)
def test_coverage_counts_facets_once_and_keeps_the_unsupported_in_the_denominator(
    picks: list[int], expected: float, selection_of: Callable[..., Selection]
) -> None:
    assert facet_coverage(selection_of(5, picks, judgements=MARKS)) == expected


@pytest.mark.parametrize(
    ("k", "depth", "expected"),
    [(0, None, 0), (1, None, 2 / 3), (1, 4, 1 / 3), (2, 4, 2 / 3), (2, 2, 1 / 3), (5, 0, 0)],
)
def test_ceiling_is_what_the_best_k_within_the_depth_reach(
    k: int, depth: int | None, expected: float, selection_of: Callable[..., Selection]
) -> None:
    assert ceiling(selection_of(5, [], k=k, depth=depth, judgements=MARKS)) == expected


@pytest.mark.parametrize(("picks", "expected"), [([0], 1), ([1], 0), ([0, 1, 2, 3], 0.5)])
def test_judged_share_asks_for_a_judgement_of_every_facet(
    picks: list[int], expected: float, selection_of: Callable[..., Selection]
) -> None:
    assert judged_share(selection_of(5, picks, judgements=MARKS)) == expected


def test_undefined_without_facets(selection_of: Callable[..., Selection]) -> None:
    selection = selection_of(3, [0])
    assert math.isnan(facet_coverage(selection))
    assert math.isnan(ceiling(selection))
    assert math.isnan(judged_share(selection))
    assert facet_support(selection) == ()


def test_facet_support_names_the_picks_and_counts_who_else_could(
    selection_of: Callable[..., Selection],
) -> None:
    first, second, third = facet_support(selection_of(5, [1, 3, 0], depth=4, judgements=MARKS))
    assert first.facet.id == "f0"
    assert first.picks == (1, 0)
    assert (first.judged, first.in_pool) == (3, 3)
    assert first.is_covered
    assert second.picks == ()
    assert (second.judged, second.in_pool) == (2, 2)
    assert not second.is_covered
    assert (third.judged, third.in_pool) == (3, 0)
