import math
from collections.abc import Callable

import pytest

from poolscope.measures.baseline import depth_seen, mean_of_top_k, top_k
from poolscope.model import Selection

NAN = float("nan")


@pytest.mark.parametrize(
    ("relevances", "k", "depth", "expected"),
    [
        ([0.1, 0.9, 0.5], 2, None, [1, 2]),
        ([0.5, 0.9, 0.5], 2, None, [1, 0]),
        ([0.1, 0.2, 0.9], 2, 2, [1, 0]),
        ([0.1, NAN, 0.9], 3, None, [2, 0]),
        ([0.1, 0.2], 0, None, []),
        ([0.1, 0.2], 9, 0, []),
    ],
)
def test_top_k_is_by_relevance_then_rank_within_the_depth(
    relevances: list[float],
    k: int,
    depth: int | None,
    expected: list[int],
    selection_of: Callable[..., Selection],
) -> None:
    selection = selection_of(len(relevances), relevances=relevances, k=k, depth=depth)
    assert top_k(selection).tolist() == expected


def test_many_ties_go_to_the_lower_rank(selection_of: Callable[..., Selection]) -> None:
    # Short arrays are sorted stably by any method.
    relevances = [0.5, 0.7] * 200
    selection = selection_of(400, relevances=relevances, k=300)
    assert top_k(selection).tolist() == [*range(1, 400, 2), *range(0, 200, 2)]


@pytest.mark.parametrize(("depth", "expected"), [(None, 4), (2, 2), (9, 4), (0, 0)])
def test_depth_never_exceeds_the_pool(
    depth: int | None, expected: int, selection_of: Callable[..., Selection]
) -> None:
    assert depth_seen(selection_of(4, depth=depth)) == expected


@pytest.mark.parametrize(
    ("relevances", "expected"),
    [
        ([0.5, 0.1, 0.3], 0.4),
        ([1e-200, 1e-200], 1e-200),
        ([-1.0, -2.0], NAN),
        ([0.0, 0.0], NAN),
        # Not above 0 beyond rounding: 0.1 + 0.2 - 0.3.
        ([0.1 + 0.2, -0.3], NAN),
        ([NAN, NAN], NAN),
    ],
)
def test_mean_of_top_k_is_defined_above_0(
    relevances: list[float], expected: float, selection_of: Callable[..., Selection]
) -> None:
    mean = mean_of_top_k(selection_of(len(relevances), relevances=relevances, k=2))
    assert mean == pytest.approx(expected, rel=1e-12, abs=0, nan_ok=True)
    assert math.isnan(mean_of_top_k(selection_of(len(relevances), relevances=relevances, k=0)))
