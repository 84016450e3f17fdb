"""One UMAP fit, from rows to places. Runs in the worker only: two fits at once end a process.

``umap`` and ``numba`` are imported inside functions: together 4 s and 320 MB.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from poolscope.geometry import Floats
from poolscope.projection.points import Singles

NEIGHBOURS = 15
MIN_DIST = 0.3  # umap's 0.1 packs clusters so tightly that the dots of 500 candidates overlap
SEED = 20_180_209
SETTINGS = f"cosine neighbours={NEIGHBOURS} min_dist={MIN_DIST} seed={SEED} start=pca exact-knn"
"""Everything but the data and the versions that shapes a fit; part of the cache key."""

_CHUNK = 1024
_JITTER = 1e-4


def fit(rows: Singles, start: Singles) -> Floats:
    """Lay unit rows out in the plane.

    Starting from PCA keeps left and right where the first picture had them, preserves neighbours
    as well as umap's spectral start and cannot fail as that does on disconnected data.

    Args:
        rows: Shape ``(m, d)``, ``m`` at least 4, all different, of unit length or zero.
        start: Shape ``(m, 2)``, places to start from.

    Returns:
        Places, shape ``(m, 2)``.
    """
    with compiled_code_kept():
        import umap

    count = min(NEIGHBOURS, len(rows) - 1)
    indices, distances = nearest(rows, count)
    model = umap.UMAP(
        n_neighbors=count,
        min_dist=MIN_DIST,
        metric="cosine",
        random_state=SEED,
        n_jobs=1,
        init=_spread(start),
        precomputed_knn=(indices, distances),
    )
    return np.asarray(model.fit_transform(rows), dtype=np.float64)


def nearest(rows: Singles, count: int) -> tuple[npt.NDArray[np.int32], Singles]:
    """Return the exact nearest rows by cosine distance, each row its own first neighbour.

    Args:
        rows: Shape ``(m, d)``, unit or zero.
        count: Neighbours a row, at most ``m``.

    Returns:
        Indices and distances, both ``(m, count)``, nearest first; ties go to the lower index.
    """
    m = len(rows)
    indices = np.empty((m, count), np.int32)
    distances = np.empty((m, count), np.float32)
    for begin in range(0, m, _CHUNK):
        block = slice(begin, min(begin + _CHUNK, m))
        gaps = 1.0 - rows[block] @ rows.T
        np.maximum(gaps, 0.0, out=gaps)
        own = np.arange(block.stop - begin)
        gaps[own, own + begin] = -1.0  # before its twins, which may be at 0 as well
        near = np.sort(np.argpartition(gaps, count - 1, axis=1)[:, :count], axis=1)
        order = np.argsort(np.take_along_axis(gaps, near, axis=1), axis=1, kind="stable")
        indices[block] = np.take_along_axis(near, order, axis=1)
        distances[block] = np.take_along_axis(gaps, indices[block], axis=1)
    return indices, np.maximum(distances, np.float32(0.0))


def _spread(start: Singles) -> Singles:
    """Part rows that start at one place: umap divides by the extent of each axis."""
    noise = np.random.default_rng(SEED).normal(size=start.shape)
    extent = float(np.ptp(start)) or 1.0
    return (start + _JITTER * extent * noise).astype(np.float32)


@contextmanager
def compiled_code_kept() -> Iterator[None]:
    """Make ``numba.njit`` keep its code on disk while a library is imported.

    umap asks for that in one function only; the others cost 5-15 s of compilation in every
    process. ``NUMBA_CACHE_DIR`` says where. A function that cannot be kept is compiled as before.
    """
    import numba

    plain = numba.njit

    def keeping(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - passes on what it gets
        if arguments and callable(arguments[0]):
            return _kept(plain, (), options)(arguments[0])
        return _kept(plain, arguments, options)

    numba.njit = keeping
    try:
        yield
    finally:
        numba.njit = plain


def _kept(
    plain: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> Callable[[Callable[..., Any]], Any]:
    def decorate(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - a numba dispatcher
        try:
            return plain(*arguments, **{"cache": True, **options})(function)
        except RuntimeError:  # "cannot cache function: no locator available"
            return plain(*arguments, **options)(function)

    return decorate
