"""The kept rows' vectors stacked, and scaled to unit length.

Shapes are written in ``n`` (rows) and ``d`` (dimensions).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poolscope import geometry
from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.report import VectorReport
from poolscope.formats.rows import Row
from poolscope.geometry import Bools, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The kept rows' vectors, as loaded and as unit rows; ``None`` without any.

    Args:
        loaded: Shape ``(n, d)``, zero where there is none.
        units: The same as unit rows.
        has: Shape ``(n,)``.
        query: Shape ``(d,)``, as loaded.
        report: What the Data page shows.
        warnings: Sentences about vectors that cannot be used.
    """

    loaded: Floats | None
    units: Floats | None
    has: Bools
    query: Floats | None
    report: VectorReport | None
    warnings: tuple[str, ...] = ()


def stacked(rows: Sequence[Row], query: object) -> Vectors:
    """Stack the kept rows' vectors and scale them to unit length."""
    has = np.array([row.vector is not None for row in rows], dtype=bool)
    if not has.any():
        return Vectors(None, None, has, None, None)
    d = next(len(row.vector) for row in rows if row.vector is not None)
    loaded = np.zeros((len(rows), d))
    for index, row in enumerate(rows):
        if row.vector is not None:
            loaded[index] = row.vector
    asked, warnings = _query(query, d)
    units = geometry.unit_rows(loaded)
    report = VectorReport(
        dimension=d,
        missing=int((~has).sum()),
        zero=int((units.zero & has).sum()),
        deviation=units.deviation,
        has_query=asked is not None,
    )
    return Vectors(loaded, _kept(loaded, units.rows), has, asked, report, warnings)


def _kept(loaded: Floats, units: Floats) -> Floats:
    """Return unit rows; a row that has unit length but for rounding stays as it was loaded."""
    with np.errstate(over="ignore"):
        squares = np.einsum("ij,ij->i", loaded, loaded)
    exact = np.abs(squares - 1.0) <= geometry.TOLERANCE
    return geometry.read_only(np.where(exact[:, None], loaded, units))


def _query(query: object, d: int) -> tuple[Floats | None, tuple[str, ...]]:
    """Read the question's vector; one that does not fit is left out with a warning."""
    try:
        vector = values.vector(query)
    except ValueError as error:
        return None, (f"The question's vector {error}; it was left out.",)
    if vector is None:
        return None, ()
    if len(vector) != d:
        found = (
            f"The question's vector has {counted(len(vector), 'dimension')}, the "
            f"candidates have {d}"
        )
        return None, (f"{found}; it was left out.",)
    if not np.isfinite(vector).all() or float(np.abs(vector).max()) > values.LARGEST:
        return None, ("The question's vector is not finite; it was left out.",)
    return vector, ()


def unit(vector: Floats) -> Floats:
    """Scale one vector, shape ``(d,)``, as the rows are scaled."""
    row: Floats = _kept(vector[None, :], geometry.unit_rows(vector).rows)[0]
    return row
