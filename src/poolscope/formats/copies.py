"""How many candidates repeat a better ranked one."""

import numpy as np

from poolscope.formats.report import Copies
from poolscope.geometry import NEAR_COPY, Bools, Floats

MOST = 5_000
"""Most candidates compared by vector: the work grows with their square."""
CHUNK = 512


def count(texts: tuple[str, ...], vectors: Floats | None, has_vector: Bools) -> Copies:
    """Count exact and near copies.

    Args:
        texts: ``n`` passages.
        vectors: Shape ``(n, d)``, unit rows.
        has_vector: Shape ``(n,)``.
    """
    seen: set[str] = set()
    exact = np.zeros(len(texts), dtype=bool)
    for index, text in enumerate(texts):
        plain = " ".join(text.split())
        exact[index] = bool(plain) and plain in seen
        seen.add(plain)
    if vectors is None:
        return Copies(int(exact.sum()), 0, NEAR_COPY, 0)
    near = _near(vectors[:MOST], has_vector[:MOST]) & ~exact[:MOST]
    return Copies(int(exact.sum()), int(near.sum()), NEAR_COPY, min(len(texts), MOST))


def _near(vectors: Floats, has_vector: Bools) -> Bools:
    """Mark the rows that have a near copy above them, a block of rows at a time."""
    n = len(vectors)
    near = np.zeros(n, dtype=bool)
    for start in range(0, n, CHUNK):
        stop = min(start + CHUNK, n)
        product = vectors[start:stop] @ vectors[:stop].T
        above = np.tri(stop - start, stop, k=start - 1, dtype=bool)
        near[start:stop] = ((product >= NEAR_COPY) & above).any(axis=1)
    return near & has_vector
