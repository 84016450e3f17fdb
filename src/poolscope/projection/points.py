"""What gets a place: the different vectors of a pool, in an order of their own.

UMAP's picture depends on the order of its rows and suffers from exact copies. So the rows of a
pool and its query are rounded to float32, sorted by their bytes and each kept once; copies share
a place. Shapes are written in ``m`` (different vectors, the query's among them) and ``d``.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from poolscope import geometry
from poolscope.counts import agreed
from poolscope.geometry import Bools, Floats, Ints
from poolscope.model.pool import Pool
from poolscope.projection.layout import Layout, Method

Singles: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Points:
    """The different vectors of a pool and where its candidates find theirs.

    Args:
        rows: Shape ``(m, d)``, in canonical order, read-only.
        weights: Shape ``(m,)``, how many candidates have this vector; 0 for the query's own.
        index: Shape ``(p,)``, the row of each placed candidate.
        query: The row of the query; ``None`` without a usable one.
        placed: Shape ``(n,)``, which candidates have a vector.
    """

    rows: Singles
    weights: Ints
    index: Ints
    query: int | None
    placed: Bools

    @property
    def distinct(self) -> int:
        """How many different vectors the candidates have."""
        return int(np.count_nonzero(self.weights))

    @cached_property
    def digest(self) -> str:
        """Fingerprint of everything that a layout of these rows depends on: 64 hex digits."""
        digest = hashlib.sha256(f"{self.rows.shape} {self.query}".encode())
        digest.update(self.rows.tobytes())
        digest.update(self.weights.astype(np.int64).tobytes())
        return digest.hexdigest()

    def layout(self, places: Floats, method: Method, note: str = "") -> Layout:
        """Spread places of the different vectors, shape ``(m, 2)``, over the candidates."""
        coordinates = np.full((len(self.placed), 2), np.nan)
        coordinates[self.placed] = places[self.index]
        query = None if self.query is None else places[self.query].astype(np.float64)
        notes = (note, self._without_direction(), self._without_place())
        return Layout(coordinates, self.placed, query, method, " ".join(filter(None, notes)))

    def _without_place(self) -> str:
        n, missing = len(self.placed), int(np.count_nonzero(~self.placed))
        if missing == 0:
            return ""
        if missing == n:
            return "No candidate has a vector, so none has a place."
        return (
            f"{missing} of {n} candidates {agreed(missing, 'has', 'have')} no "
            "vector and so no place."
        )

    def _without_direction(self) -> str:
        zero = int(self.weights[~self.rows.any(axis=1)].sum())
        return f"Zero vectors ({zero}) have no direction: their place says little." if zero else ""


def points(pool: Pool) -> Points:
    """Collect the different vectors of a pool and of its query."""
    vectors = pool.vectors
    if vectors is None or vectors.shape[1] == 0 or not pool.vector_mask.any():
        return Points(
            np.empty((0, 0), np.float32),
            np.empty(0, np.intp),
            np.empty(0, np.intp),
            None,
            np.zeros(len(pool), np.bool_),
        )
    placed = pool.vector_mask
    has_query = pool.query_vector is not None and bool(pool.query_vector.any())
    stacked = [vectors[placed]]
    if has_query and pool.query_vector is not None:
        stacked.append(pool.query_vector[None, :])
    # Adding zero turns -0.0 into 0.0: the same vector must have the same bytes.
    rows = np.concatenate(stacked).astype(np.float32) + np.float32(0.0)
    order = _by_bytes(rows)
    ranked = rows[order]
    first = np.concatenate(([True], (ranked[1:] != ranked[:-1]).any(axis=1)))
    index = np.empty(len(rows), np.intp)
    index[order] = np.cumsum(first) - 1
    query = int(index[-1]) if has_query else None
    index = index[: np.count_nonzero(placed)]
    distinct = ranked[first]
    weights = np.bincount(index, minlength=len(distinct))
    return Points(geometry.read_only(distinct), weights, index, query, placed)


def _by_bytes(rows: Singles) -> Ints:
    """Return the order of the rows by their bytes; equal rows keep their order."""
    whole = np.dtype((np.void, rows.shape[1] * rows.itemsize))
    return np.argsort(np.ascontiguousarray(rows).view(whole).ravel(), kind="stable")
