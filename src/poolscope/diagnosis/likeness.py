"""How alike passages are by their vectors, held against what is usual in the pool.

No embedder's level decides anything. Shapes are written in ``p`` (picks).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poolscope.geometry import Floats
from poolscope.model import Pool

LEAST_LEFT = 1e-9
"""Least product of squared lengths without the question's direction."""


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

    @cached_property
    def to_question(self) -> Floats | None:
        """Cosines to the question, shape ``(n,)``; ``None`` where they are not known."""
        pool = self.pool
        if pool.vectors is not None and pool.query_vector is not None:
            cosines: Floats = pool.vectors @ pool.query_vector
            return cosines
        if pool.scores is not None and pool.score_kind is not None and pool.score_kind.is_cosine:
            return pool.scores
        return None

    def beyond_question(self, rows: Sequence[int], columns: Sequence[int]) -> Floats | None:
        """Return cosines of what is left of candidates without the question's direction.

        Passages that are near the question are near one another for that alone; what they share
        beyond it is what they say. A partial correlation, in the terms of statistics.
        """
        relevance = self.to_question
        if relevance is None or self.pool.vectors is None:
            return None
        first, second = relevance[list(rows)], relevance[list(columns)]
        left = np.sqrt(np.maximum(np.outer(1.0 - first**2, 1.0 - second**2), LEAST_LEFT))
        shared = self.similarities(rows, columns) - np.outer(first, second)
        return np.clip(shared / left, -1.0, 1.0)

    def shared_by(self, rows: Sequence[int]) -> float:
        """Return the mean likeness of some candidates beyond the question; ``nan`` if unknown."""
        values = self.beyond_question(rows, rows)
        if values is None or len(rows) < 2:
            return float("nan")
        pairs = values[np.triu_indices(len(rows), 1)]
        return float(np.nanmean(pairs)) if (~np.isnan(pairs)).any() else float("nan")
