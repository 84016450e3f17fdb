"""Unit rows, cosine similarity and the one rule for what counts as equal.

Arrays only: nothing here knows of pools. Shapes are written in ``n`` (rows) and ``d`` (dimensions).
"""

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.intp]
Bools: TypeAlias = npt.NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)

TOLERANCE = 1e-12
"""Relative difference up to which two scores or similarities are equal."""

NEAR_COPY = 0.95
"""Cosine from which on two passages count as near copies, wherever that is asked."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitRows:
    """Rows scaled to unit length, and how far they were from it.

    Args:
        rows: Shape ``(n, d)``, each of length 1 or all zero; read-only.
        zero: Shape ``(n,)``, true where the row had no length.
        deviation: Largest ``|length - 1|`` over the rows that are not zero; 0 without any.
    """

    rows: Floats
    zero: Bools
    deviation: float


def unit_rows(rows: npt.ArrayLike) -> UnitRows:
    """Scale rows to unit length; a zero row stays zero.

    Args:
        rows: Shape ``(n, d)``, finite.
    """
    values = np.array(rows, dtype=np.float64, order="C", ndmin=2)
    # Scaling by the largest entry first keeps the squares of huge and tiny rows in range.
    largest = np.abs(values).max(axis=1, initial=0.0)
    zero = largest == 0.0
    scale = np.where(zero, 1.0, largest)
    values /= scale[:, None]
    lengths = np.sqrt(np.einsum("ij,ij->i", values, values))
    lengths[zero] = 1.0
    values /= lengths[:, None]
    deviations = np.abs(lengths * scale - 1.0)[~zero]
    return UnitRows(read_only(values), read_only(zero), float(deviations.max(initial=0.0)))


def cosines(rows: Floats, row: Floats) -> Floats:
    """Cosine of every unit row to one unit row, shape ``(n,)``; 0 where either is zero."""
    found: Floats = rows.dot(row)
    return found


def pairwise(rows: Floats) -> Floats:
    """Cosine of every pair of unit rows, shape ``(n, n)``, symmetric."""
    product = rows @ rows.T
    return (product + product.T) / 2.0


def canonical(values: Floats, *, scale: float = 0.0) -> Floats:
    """Make values that are equal within the tolerance exactly equal.

    Neighbours in sorted order that differ by at most ``TOLERANCE`` relative take the largest
    value of their run, so that a stable sort on the result breaks ties by position, whatever
    rounding produced the values.

    Args:
        values: Shape ``(n,)``; ``nan`` stays ``nan``.
        scale: Least magnitude that the tolerance is relative to: 1 for cosines, whose rounding
            does not shrink with them.
    """
    if values.size == 0:
        return read_only(values.astype(np.float64))
    order = np.argsort(-values, kind="stable")
    ranked = values[order]
    with np.errstate(over="ignore"):  # a gap past the largest float is a gap
        gaps = ranked[:-1] - ranked[1:]
    magnitude = np.abs(ranked)
    bound = TOLERANCE * np.maximum(np.maximum(magnitude[:-1], magnitude[1:]), scale)
    starts = np.concatenate(([True], ~(gaps <= bound)))
    snapped = np.empty_like(values, dtype=np.float64)
    snapped[order] = ranked[starts][np.cumsum(starts) - 1]
    return read_only(snapped)


def read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Return the array with writing switched off."""
    array.setflags(write=False)
    return array
