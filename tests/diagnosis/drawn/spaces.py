"""Embedders of a draw: invented directions, hashed words, latent semantics, and steering.

Numpy only. Shapes are written in ``n`` (passages) and ``d`` (dimensions).
"""

import re
import zlib
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tests.diagnosis.drawn.prose import DOMAINS, passage

Floats: TypeAlias = npt.NDArray[np.float64]
Embedder: TypeAlias = Callable[[Sequence[str], Sequence[int], np.random.Generator], Floats]
"""Texts and their themes to rows, shape ``(n, d)``, unit length."""

BUCKETS = 512
LATENT = 40


def units(rows: Floats) -> Floats:
    """Scale rows to unit length."""
    scaled: Floats = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12)
    return scaled


def directions(texts: Sequence[str], themes: Sequence[int], rng: np.random.Generator) -> Floats:
    """Give a theme a direction and every text one of its own; -1 has only its own."""
    d, share = int(rng.choice([64, 128, 384])), rng.uniform(0.35, 0.65)
    centres = units(rng.normal(size=(max(themes) + 2, d)))
    own = units(rng.normal(size=(len(texts), d)))
    shares = np.array([share if theme >= 0 else 0.0 for theme in themes])[:, None]
    return units(np.sqrt(shares) * centres[list(themes)] + np.sqrt(1.0 - shares) * own)


def hashed(texts: Sequence[str], themes: Sequence[int], rng: np.random.Generator) -> Floats:
    """Hash words into signed buckets, rare words heavier."""
    del themes, rng
    return units(_counts(texts) * _rarity(_counts(texts)))


def latent(texts: Sequence[str], themes: Sequence[int], rng: np.random.Generator) -> Floats:
    """Project hashed words onto the main directions of passages from every domain."""
    del themes
    some = [
        passage(rng, domain, theme) for domain in DOMAINS for theme in range(5) for _ in range(6)
    ]
    counts = _counts([*some, *texts])
    weighed = units(counts * _rarity(counts))
    _, _, axes = np.linalg.svd(weighed, full_matrices=False)
    rows: Floats = weighed[len(some) :] @ axes[:LATENT].T
    return units(rows + 0.02 * rng.normal(size=rows.shape))


def _counts(texts: Sequence[str]) -> Floats:
    rows = np.zeros((len(texts), BUCKETS))
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.lower()):
            code = zlib.crc32(word.encode())
            rows[row, code % BUCKETS] += 1.0 if code & 1024 else -1.0
    damped: Floats = np.sign(rows) * np.log1p(np.abs(rows))
    return damped


def _rarity(counts: Floats) -> Floats:
    rarity: Floats = np.log(len(counts) / (1.0 + (counts != 0.0).sum(axis=0))) + 0.2
    return np.maximum(rarity, 0.05)


EMBEDDERS: tuple[Embedder, ...] = (directions, hashed, latent)


def steered(rows: Floats, levels: Floats, common: float, rng: np.random.Generator) -> Floats:
    """Turn rows so that their cosines to a question are given, then lift all of them.

    Args:
        rows: Shape ``(n, d)``.
        levels: ``n`` cosines to the question before the lift.
        common: Of one direction that everything shares: c becomes (c + common) / (1 + common).
        rng: Draws the question.

    Returns:
        Shape ``(n + 1, d + 2)``: the question first.
    """
    n, d = rows.shape
    turned = np.zeros((n + 1, d + 2))
    turned[0, 0] = 1.0
    turned[1:, 0] = levels
    turned[1:, 1:-1] = units(rows) * np.sqrt(1.0 - levels**2)[:, None]
    turned[:, -1] = np.sqrt(common)
    rotation = np.linalg.qr(rng.normal(size=(d + 2, d + 2)))[0]
    rotated: Floats = units(turned) @ rotation
    return rotated
