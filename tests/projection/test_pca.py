import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from poolscope.model.pool import Pool
from poolscope.projection import Method, pca

MakePool = Callable[..., Pool]
Clouds = Callable[..., npt.NDArray[np.float64]]


@pytest.mark.parametrize(
    ("vectors", "method"),
    [
        (np.empty((0, 3)), Method.EMPTY),
        ([[1, 2, 3]], Method.POINT),
        ([[0, 0, 0]], Method.POINT),
        ([[1, 2, 3]] * 5, Method.POINT),
        ([[1, 2, 3], [1, 2, 3.0000001]], Method.POINT),
        ([[1, 0, 0], [0, 1, 0]], Method.LINE),
        ([[1, 0, 0], [0, 0, 0], [-1, 0, 0]], Method.LINE),
        ([[1], [-1], [1]], Method.LINE),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], Method.PCA),
    ],
)
def test_small_and_flat_pools(make_pool: MakePool, vectors: npt.ArrayLike, method: Method) -> None:
    layout = pca(make_pool(vectors))
    assert layout.method is method
    assert layout.placed.all()
    assert np.isfinite(layout.coordinates).all()


def test_without_vectors_nobody_has_a_place(make_pool: MakePool) -> None:
    layout = pca(make_pool(None, [1, 0], n=3))
    assert layout.method is Method.EMPTY
    assert layout.query is None
    assert np.isnan(layout.coordinates).all()
    assert layout.note == "No candidate has a vector, so none has a place."


def test_rows_without_a_vector_are_left_out(make_pool: MakePool, clouds: Clouds) -> None:
    rows = clouds(20)
    rows[[3, 7]] = 0
    has = np.ones(20, np.bool_)
    has[[3, 7]] = False
    layout = pca(make_pool(rows, has_vector=has))
    np.testing.assert_array_equal(layout.coordinates[has], pca(make_pool(rows[has])).coordinates)
    assert layout.note == "2 of 20 candidates have no vector and so no place."


@pytest.mark.parametrize(("n", "d"), [(60, 8), (8, 60), (30, 30), (3200, 4)])
def test_the_same_as_a_singular_value_decomposition(
    make_pool: MakePool, clouds: Clouds, n: int, d: int
) -> None:
    pool = make_pool(clouds(n, d))
    assert pool.vectors is not None
    left, sizes, _ = np.linalg.svd(pool.vectors - pool.vectors.mean(axis=0), full_matrices=False)
    expected = left[:, :2] * sizes[:2]
    found = pca(pool).coordinates
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected * signs, atol=1e-5)


def test_the_query_does_not_turn_the_axes(make_pool: MakePool, clouds: Clouds) -> None:
    rows = clouds(40)
    with_query = pca(make_pool(rows, clouds(1, seed=5)[0]))
    alone = pca(make_pool(rows))
    np.testing.assert_allclose(with_query.coordinates, alone.coordinates, atol=1e-9)
    assert with_query.query is not None
    assert np.isfinite(with_query.query).all()


def test_a_query_that_equals_a_candidate_lies_on_it(make_pool: MakePool, clouds: Clouds) -> None:
    rows = clouds(40)
    layout = pca(make_pool(rows, rows[7]))
    np.testing.assert_array_equal(layout.query, layout.coordinates[7])


def test_one_candidate_and_its_query_lie_apart(make_pool: MakePool) -> None:
    layout = pca(make_pool([[1, 0, 0]], [0, 1, 0]))
    assert layout.method is Method.LINE
    assert layout.query is not None
    assert np.linalg.norm(layout.query - layout.coordinates[0]) == pytest.approx(np.sqrt(2))


def test_the_sign_is_not_left_to_rounding(make_pool: MakePool) -> None:
    # The axis through these two is (1, -1) / sqrt 2: both entries are equally large.
    assert pca(make_pool([[1, 0], [0, 1]])).coordinates[0, 0] > 0


rows_of_any_kind = hnp.arrays(
    np.float64,
    st.tuples(st.integers(0, 8), st.integers(1, 4)),
    elements=st.sampled_from([-1.0, 0.0, 0.5, 1.0]),
)


@given(rows=rows_of_any_kind, data=st.data())
def test_any_pool_has_a_picture_that_ignores_the_order(
    make_pool: MakePool, rows: npt.NDArray[np.float64], data: st.DataObject
) -> None:
    n, d = rows.shape
    has = rows.any(axis=1) | data.draw(hnp.arrays(np.bool_, n))
    query = data.draw(st.none() | hnp.arrays(np.float64, d, elements=st.sampled_from([0.0, 1.0])))
    turn = np.array(data.draw(st.permutations(range(n))), np.intp)
    layout = pca(make_pool(rows, query, has_vector=has))
    turned = pca(make_pool(rows[turn], query, has_vector=has[turn]))
    np.testing.assert_array_equal(layout.placed, has)
    np.testing.assert_array_equal(np.isfinite(layout.coordinates).all(axis=1), has)
    np.testing.assert_array_equal(layout.coordinates[turn], turned.coordinates)


def test_nothing_heavy_is_imported_and_nothing_is_made(tmp_path: Path) -> None:
    script = """
import sys, threading
import poolscope.projection as projection
import numpy as np
from poolscope.model.pool import Pool
def look():
    heavy = {"umap", "numba", "sklearn", "pynndescent", "scipy", "streamlit"} & set(sys.modules)
    assert not heavy, heavy
    assert threading.active_count() == 1
look()
pool = Pool(query="", ids=("a", "b"), texts=("", ""), sources=(None, None),
            tokens=np.ones(2, int), tokenizer="", vectors=np.eye(2))
projection.pca(pool)
assert projection.request(pool).method == "line"
look()
"""
    folder = tmp_path / "never made"
    subprocess.run(  # noqa: S603 - our own interpreter and the script above
        [sys.executable, "-c", script],
        check=True,
        env={**os.environ, "POOLSCOPE_CACHE_DIR": str(folder)},
    )
    assert not folder.exists()
