from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from poolscope.model.pool import Pool
from poolscope.projection.layout import Method
from poolscope.projection.points import points

MakePool = Callable[..., Pool]
Clouds = Callable[..., npt.NDArray[np.float64]]


def test_copies_and_the_query_share_a_row(make_pool: MakePool) -> None:
    found = points(make_pool([[1, 0], [0, 1], [1, 0]], [0, 1]))
    assert len(found.rows) == 2
    assert found.distinct == 2
    assert found.index[0] == found.index[2] != found.index[1]
    assert found.query == found.index[1]
    assert sorted(found.weights) == [1, 2]


def test_a_query_of_its_own_is_no_candidate(make_pool: MakePool) -> None:
    found = points(make_pool([[1, 0], [0, 1]], [1, 1]))
    assert len(found.rows) == 3
    assert found.distinct == 2
    assert found.query is not None
    assert found.weights[found.query] == 0


def test_every_candidate_finds_its_vector(make_pool: MakePool, clouds: Clouds) -> None:
    pool = make_pool(np.concatenate([clouds(40), clouds(9)]))
    found = points(pool)
    assert pool.vectors is not None
    np.testing.assert_array_equal(found.rows[found.index], pool.vectors.astype(np.float32))
    assert found.distinct == found.weights.sum() - 1 - 8 == len(np.unique(found.rows, axis=0))


def test_order_does_not_matter_and_copies_do(make_pool: MakePool, clouds: Clouds) -> None:
    rows = clouds(30)
    found = points(make_pool(rows, rows[3] + 1))
    turned = points(make_pool(rows[::-1], rows[3] + 1))
    np.testing.assert_array_equal(found.rows, turned.rows)
    assert found.digest == turned.digest
    assert found.digest != points(make_pool(rows)).digest
    assert found.digest != points(make_pool(np.concatenate([rows, rows[:1]]), rows[3] + 1)).digest


def test_minus_zero_is_zero(make_pool: MakePool) -> None:
    assert points(make_pool([[0.0, 1.0], [-0.0, 1.0]])).distinct == 1


def test_who_has_no_vector_is_counted(make_pool: MakePool) -> None:
    found = points(make_pool([[1, 0], [0, 0], [0, 0]], has_vector=[True, False, True]))
    layout = found.layout(np.zeros((2, 2)), Method.PCA)
    assert layout.placed.tolist() == [True, False, True]
    assert np.isnan(layout.coordinates[1]).all()
    assert layout.note == (
        "Zero vectors (1) have no direction: their place says little. "
        "1 of 3 candidates has no vector and so no place."
    )


def test_a_zero_query_has_no_place(make_pool: MakePool) -> None:
    assert points(make_pool([[1, 0]], [0, 0])).query is None
