"""Cosines of a pool's candidates to those that were picked, worked out once a candidate.

Every rule that weighs similarity, and every path, reads the same numbers from here: two runs over
one pool then differ by no rounding, whatever depth or product they would have used themselves.
Shapes are written in ``n`` (candidates of the pool) and ``d`` (dimensions).
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from poolscope import geometry
from poolscope.geometry import Floats, Ints
from poolscope.model import Pool

ROOM = 4_000_000
"""Most numbers that are kept for one pool: 32 MB."""
LARGE = 1_000_000
"""Numbers in the vectors up to which a row is always the same product, to the last bit. Beyond,
one product for many picks pays, since it reads memory once, and rounds a little differently."""

_NAME = "similarities"


class Similarities:
    """The similarities of one pool; filled as they are asked for.

    Args:
        vectors: Shape ``(n, d)``, unit rows, zero where there is none.
    """

    def __init__(self, vectors: Floats) -> None:
        self._vectors = vectors
        self._rows: dict[int, Floats] = {}
        self._room = ROOM // max(len(vectors), 1)

    @property
    def vectors(self) -> Floats:
        """Shape ``(n, d)``: the rows compared."""
        return self._vectors

    def known(self, index: int) -> Floats | None:
        """Return every candidate's cosine to one, if it is kept; shape ``(n,)``."""
        return self._rows.get(index)

    def row(self, index: int) -> Floats:
        """Return every candidate's cosine to one; shape ``(n,)``, read-only."""
        row = self._rows.get(index)
        if row is None:
            row = self._kept(index, geometry.cosines(self._vectors, self._vectors[index]))
        return row

    def largest(self, rows: Floats, picks: Sequence[int]) -> Floats:
        """Return the largest cosine of some candidates to some picks; nothing is kept.

        Args:
            rows: Shape ``(c, d)``, the candidates' unit rows.
            picks: Candidates, at least one.

        Returns:
            Shape ``(c,)``.
        """
        if len(picks) == 1:
            return geometry.cosines(rows, self._vectors[picks[0]])
        found: Floats = (self._vectors[list(picks)] @ rows.T).max(axis=0)
        return found

    def among(self, indices: Ints) -> Floats:
        """Return the cosines of some candidates to each other; nothing is kept.

        Args:
            indices: Shape ``(a,)``, candidates.

        Returns:
            Shape ``(a, a)``.
        """
        rows = self._vectors.take(indices, axis=0)
        found: Floats = rows @ rows.T
        return found

    @cached_property
    def single(self) -> npt.NDArray[np.float32]:
        """Shape ``(n, d)``: the rows in single precision, to look ahead with; read-only."""
        return geometry.read_only(self._vectors.astype(np.float32))

    def rows(self, indices: Sequence[int]) -> list[Floats]:
        """Return every candidate's cosine to several; each of shape ``(n,)``, read-only."""
        missing = [index for index in indices if index not in self._rows]
        if len(missing) < 2 or self._vectors.size <= LARGE:
            return [self.row(index) for index in indices]
        made = dict(zip(missing, self._vectors[missing] @ self._vectors.T, strict=True))
        kept = {index: self._kept(index, row.copy()) for index, row in made.items()}
        return [kept[index] if index in kept else self.row(index) for index in indices]

    def _kept(self, index: int, row: Floats) -> Floats:
        """Keep a row where there is room; of two that were made at once the first stands."""
        row.setflags(write=False)
        return self._rows.setdefault(index, row) if len(self._rows) < self._room else row


def similarities(pool: Pool) -> Similarities:
    """Return the similarities of a pool; all 0 where it has no vectors."""
    found = pool.kept.get(_NAME)
    if not isinstance(found, Similarities):
        vectors = np.zeros((len(pool), 1)) if pool.vectors is None else pool.vectors
        found = pool.kept.setdefault(_NAME, Similarities(vectors))
        assert isinstance(found, Similarities)  # noqa: S101 - for the type checker
    return found
