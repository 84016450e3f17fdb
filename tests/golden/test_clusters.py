"""Groups by hand, and the two parts against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import silhouette_score

from poolscope import geometry
from poolscope.golden.clusters import WAYS, clusters, mean_silhouette

PAIRS = np.array(
    [
        [1.0, 0.9, 0.1, 0.1, 0.0],
        [0.9, 1.0, 0.1, 0.1, 0.0],
        [0.1, 0.1, 1.0, 0.8, 0.0],
        [0.1, 0.1, 0.8, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0],
    ]
)


def grouped(cosines: np.ndarray) -> list[list[int]]:
    return [group.tolist() for group in clusters(cosines)]


def test_two_pairs_and_one_that_stays_alone() -> None:
    assert grouped(PAIRS) == [[0, 1], [2, 3]]
    order = [4, 2, 0, 3, 1]
    assert grouped(PAIRS[np.ix_(order, order)]) == [[1, 3], [2, 4]]


def test_a_silhouette_by_hand() -> None:
    # Rows 0 and 1: a = 0.1, b = 0.9; rows 2 and 3: a = 0.2, b = 0.9; row 4 is alone.
    found = mean_silhouette(1.0 - PAIRS, np.array([1, 1, 2, 2, 3]))
    assert found == pytest.approx((2 * 8 / 9 + 2 * 7 / 9) / 5)


def test_where_all_rows_are_alike_or_all_differ_nothing_stands_apart() -> None:
    assert grouped(np.ones((5, 5))) == []
    assert grouped(np.eye(5)) == []


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_rows_have_no_group(n: int) -> None:
    assert grouped(np.ones((n, n))) == []


def test_copies_are_one_group() -> None:
    rows = geometry.unit_rows([[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]).rows
    assert grouped(geometry.pairwise(rows)) == [[0, 1, 2]]


rows_ = st.lists(
    st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=3), min_size=3, max_size=12
)


@given(rows_, st.sampled_from(WAYS))
def test_a_mean_silhouette_is_scikit_learns(rows: list[list[float]], way: float) -> None:
    distances = np.clip(1.0 - geometry.pairwise(geometry.unit_rows(rows).rows), 0.0, None)
    np.fill_diagonal(distances, 0.0)
    model = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=1.0 - way
    )
    numbers = model.fit_predict(distances)
    if 1 < len(set(numbers.tolist())) < len(rows):
        wanted = silhouette_score(distances, numbers, metric="precomputed")
        assert mean_silhouette(distances, numbers) == pytest.approx(wanted, abs=1e-9)
    else:
        assert mean_silhouette(distances, numbers) == 0.0


def test_groups_are_those_of_scikit_learns_cut() -> None:
    """The best of all cuts, tried by another library's clustering and silhouette."""
    generator = np.random.default_rng(7)
    for _ in range(20):
        centres = generator.normal(size=(4, 8))
        noise = generator.normal(scale=0.5, size=(24, 8))
        cosines = geometry.pairwise(geometry.unit_rows(centres[np.arange(24) % 4] + noise).rows)
        assert grouped(cosines) == _by_scikit_learn(cosines)


def _by_scikit_learn(cosines: np.ndarray) -> list[list[int]]:
    distances = 1.0 - cosines
    np.fill_diagonal(distances, 0.0)
    median = np.median(cosines[np.triu_indices(len(cosines), 1)])
    best: tuple[float, list[list[int]]] = (0.0, [])
    for way in WAYS:
        numbers = AgglomerativeClustering(
            n_clusters=None,
            metric="precomputed",
            linkage="average",
            distance_threshold=(1.0 - way) * (1.0 - median),
        ).fit_predict(distances)
        if 1 < len(set(numbers.tolist())) < len(cosines):
            worth = silhouette_score(distances, numbers, metric="precomputed")
            groups = [np.flatnonzero(numbers == one).tolist() for one in set(numbers.tolist())]
            if worth >= best[0] - 1e-12:
                best = (worth, sorted(group for group in groups if len(group) > 1))
    return best[1]
