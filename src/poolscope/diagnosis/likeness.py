"""How alike passages are by their vectors, held against what is usual in the pool.

No embedder's level decides anything. Shapes are written in ``p`` (picks).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poolscope.geometry import Floats
from poolscope.model import Pool


@dataclass(frozen=True, eq=False)
class Likeness:
    """The picks and their pool by cosine.

    Args:
        pool: The pool.
        picks: Pool indices of the picks in the order of selection.
        best: Pool indices of the candidates whose distances count as usual.
    """

    pool: Pool
    picks: tuple[int, ...]
    best: tuple[int, ...]

    @cached_property
    def has_vectors(self) -> bool:
        """Whether every pick but one, and two at least, have a vector."""
        if self.pool.vectors is None:
            return False
        with_vector = int(self.pool.vector_mask[list(self.picks)].sum())
        return with_vector >= max(2, len(self.picks) - 1)

    @cached_property
    def cosines(self) -> Floats:
        """Cosines of the picks with one another, shape ``(p, p)``; ``nan`` without vectors."""
        return self.similarities(self.picks, self.picks)

    def similarities(self, rows: Sequence[int], columns: Sequence[int]) -> Floats:
        """Return cosines of candidates, ``nan`` where either has no vector."""
        if self.pool.vectors is None:
            return np.full((len(rows), len(columns)), np.nan)
        vectors, known = self.pool.vectors, self.pool.vector_mask
        values = vectors[list(rows)] @ vectors[list(columns)].T
        values[~known[list(rows)]] = np.nan
        values[:, ~known[list(columns)]] = np.nan
        return np.clip(values, -1.0, 1.0)

    @cached_property
    def usual_distance(self) -> float:
        """Median of 1 - cosine over pairs of the best candidates within reach; ``nan`` for none."""
        some = self.best
        values = self.similarities(some, some)[np.triu_indices(len(some), 1)]
        values = values[~np.isnan(values)]
        return float(1.0 - np.median(values)) if values.size else float("nan")
