import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from poolscope import geometry
from poolscope.projection import cache
from poolscope.projection.fit import nearest

Clouds = Callable[..., npt.NDArray[np.float64]]


@pytest.mark.parametrize("n", [5, 40, 1500])
def test_nearest_agrees_with_a_full_sort(clouds: Clouds, n: int) -> None:
    rows = geometry.unit_rows(clouds(n)).rows.astype(np.float32)
    indices, distances = nearest(rows, 4)
    gaps = 1.0 - rows.astype(np.float64) @ rows.T
    np.fill_diagonal(gaps, -1.0)
    order = np.argsort(gaps, axis=1, kind="stable")[:, :4]
    expected = np.maximum(np.take_along_axis(gaps, order, axis=1), 0.0)
    np.testing.assert_array_equal(indices[:, 0], np.arange(n))
    np.testing.assert_allclose(distances, expected, atol=1e-6)


def test_a_row_is_its_own_first_neighbour_among_twins() -> None:
    rows = np.array([[1, 0], [1, 0], [0, 0], [0, 1]], np.float32)
    indices, distances = nearest(rows, 2)
    assert indices.tolist() == [[0, 1], [1, 0], [2, 0], [3, 0]]
    assert distances.tolist() == [[0, 0], [0, 0], [0, 1], [0, 1]]


FITS = """
import sys, hashlib, warnings
import numpy as np
if sys.argv[1] == "compiled anew":
    import umap   # before ours: its functions are then not kept
from poolscope.projection.fit import fit
import numba
plain = numba.njit
random = np.random.default_rng(0)
rows = random.normal(size=(60, 16)).astype(np.float32)
rows /= np.linalg.norm(rows, axis=1, keepdims=True)
rows[0] = 0
for start in (rows[:, :2], np.zeros((60, 2), np.float32)):   # apart, and all at one place
    places = fit(rows, start)
    assert places.shape == (60, 2) and np.isfinite(places).all()
    assert len(np.unique(places, axis=0)) == 60
    print(hashlib.sha256(places.tobytes()).hexdigest())
assert numba.njit is plain
"""


def _fit_elsewhere(how: str) -> list[str]:
    done = subprocess.run(  # noqa: S603 - our own interpreter and the script above
        [sys.executable, "-W", "ignore", "-c", FITS, how],
        check=True,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "NUMBA_CACHE_DIR": str(cache.compiled_folder()),
            "NUMBA_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        },
    )
    return done.stdout.split()


def test_kept_code_gives_the_pictures_of_code_compiled_anew() -> None:
    kept = _fit_elsewhere("kept")
    assert len(kept) == 2
    assert kept == _fit_elsewhere("compiled anew")
    assert list(cache.compiled_folder().rglob("umap_.*.nbi"))
