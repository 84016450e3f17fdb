"""What the planted pools are made of: prose, vectors, scores, and the value that holds a pool.

Numpy only. Nothing here is shared with ``poolscope``: the pools judge its findings.
Shapes are written in ``n`` (passages of a pool) and ``d`` (dimensions).
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Space: TypeAlias = Callable[[Floats], Floats]
"""Turns the rows of a pool, the question's first, into rows of another embedder."""

FOLDER = Path(__file__).resolve().parent
SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwxz" for vowel in "aeiou"]


@dataclass(frozen=True)
class Passage:
    """A passage of a topic: its source, the facets it supports, its text."""

    source: str
    facets: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Topic:
    """A question with written passages; ``facets`` maps ids to labels."""

    query: str
    facets: Mapping[str, str]
    passages: tuple[Passage, ...]

    def of(self, facet: str) -> tuple[Passage, ...]:
        """Return the passages that support a facet."""
        return tuple(passage for passage in self.passages if facet in passage.facets)

    def of_source(self, source: str) -> tuple[Passage, ...]:
        """Return the passages of a source."""
        return tuple(passage for passage in self.passages if passage.source == source)


@dataclass(frozen=True, eq=False)
class Row:
    """One candidate; ``facets`` is ``None`` where nobody judged it."""

    text: str
    source: str | None
    facets: tuple[str, ...] | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    vector: Floats | None = None
    score: float | None = None
    id: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Planted:
    """A pool with what a careful engineer would say of it first.

    Args:
        name: Distinct.
        expect: The first finding's kind.
        why: Why, in a sentence.
        rows: Candidates in rank order.
        accept: Other kinds that the specification allows here; ``why`` says why.
        alarm: Whether an alarm is allowed.
        policy: Settings that differ from plain top-5.
        query: The question.
        query_vector: Shape ``(d,)``; ``None`` without vectors.
        facets: Id to label; empty where unknown.
        source_field: The field that sources are read from.
        real: Whether its prose was written by a person about something.
        embedder: Where its vectors come from.
        scores: What its scores are.
    """

    name: str
    expect: str
    why: str
    rows: Sequence[Row]
    accept: tuple[str, ...] = ()
    alarm: bool = True
    policy: Mapping[str, Any] = field(default_factory=dict)
    query: str = ""
    query_vector: Floats | None = None
    facets: Mapping[str, str] = field(default_factory=dict)
    source_field: str = "source"
    real: bool = True
    embedder: str = "none"
    scores: str = "none"


def topics() -> dict[str, Topic]:
    """Read ``texts.txt``: ``#`` topic, ``?`` question, ``=`` facet, ``>`` source and facets."""
    found: dict[str, Topic] = {}
    for block in (FOLDER / "texts.txt").read_text(encoding="utf-8").split("# ")[1:]:
        lines = block.strip().split("\n")
        facets = dict(line[2:].split(": ", 1) for line in lines if line.startswith("= "))
        passages = []
        for number, line in enumerate(lines):
            if line.startswith("> "):
                source, supported = line[2:].split("|")
                text = lines[number + 1]
                passages.append(Passage(source.strip(), tuple(supported.split()), text))
        found[lines[0]] = Topic(lines[1][2:], facets, tuple(passages))
    return found


def windows(passage: Passage, size: int = 4, stride: int = 2) -> list[Row]:
    """Cut a document into windows of sentences that share half; spans are in ``start``, ``end``."""
    sentences = passage.text.replace(". ", ".\n").split("\n")
    starts = np.concatenate(([0], np.cumsum([len(sentence) + 1 for sentence in sentences])))
    rows = []
    for first in range(0, max(len(sentences) - stride, 1), stride):
        last = min(first + size, len(sentences))
        text = " ".join(sentences[first:last])
        start = int(starts[first])
        span = {"start": str(start), "end": str(start + len(text))}
        rows.append(Row(text, passage.source, fields=span))
    return rows


def units(rows: Floats) -> Floats:
    """Scale rows to unit length."""
    scaled: Floats = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return scaled


def whole(rows: Floats) -> Floats:
    """Leave the embedder as it is."""
    return rows


def turned(rows: Floats) -> Floats:
    """Turn rows into the space that they span: every cosine stays, the file is short."""
    coordinates: Floats = np.linalg.qr(rows.T).R.T
    return coordinates


def anisotropic(strength: float) -> Space:
    """Give every row one common direction: a cosine c becomes (c + strength) / (1 + strength)."""

    def space(rows: Floats) -> Floats:
        common = np.full((len(rows), 1), np.sqrt(strength))
        return units(np.hstack([turned(rows), common]))

    return space


def projected(d: int, seed: int) -> Space:
    """Project onto ``d`` random directions: another embedder that nearly agrees."""

    def space(rows: Floats) -> Floats:
        directions = np.random.default_rng(seed).normal(size=(rows.shape[1], d))
        return units(rows @ directions)

    return space


def mixture(
    rng: np.random.Generator,
    relevances: Sequence[float] | Floats,
    groups: Sequence[int],
    shared: float,
    d: int = 48,
) -> tuple[Floats, Floats]:
    """Build a question and passages with given cosines to it, in groups of likeness.

    Args:
        rng: Seeded.
        relevances: ``n`` cosines to the question.
        groups: ``n`` group numbers; -1 for a passage of its own.
        shared: What two passages of a group share beyond the question, as a part of their cosine.
        d: Dimensions of what a passage has for itself.

    Returns:
        The question's vector and the passages', shapes ``(d + groups + 1,)`` and ``(n, ...)``.
    """
    n, count = len(groups), max(groups) + 1
    relevance = np.asarray(relevances, dtype=np.float64)
    rows = np.zeros((n, 1 + count + d))
    rows[:, 0] = relevance
    common = np.array([shared if group >= 0 else 0.0 for group in groups])
    for index, group in enumerate(groups):
        if group >= 0:
            rows[index, 1 + group] = np.sqrt(shared)
    own = units(rng.normal(size=(n, d)))
    rows[:, 1 + count :] = own * np.sqrt(1.0 - relevance**2 - common)[:, None]
    query = np.zeros(1 + count + d)
    query[0] = 1.0
    return query, rows


def prose(rng: np.random.Generator, group: int = -1, words: int = 32) -> str:
    """Invent a passage; passages of a group draw a third of their words from the same thirty."""

    def word(generator: np.random.Generator) -> str:
        return "".join(generator.choice(SYLLABLES, size=int(generator.integers(2, 4))))

    topical = [word(np.random.default_rng([97, group + 1, number])) for number in range(30)]
    made = [
        str(rng.choice(topical)) if group >= 0 and rng.random() < 1 / 3 else word(rng)
        for _ in range(words)
    ]
    return " ".join(made).capitalize() + "."


def logits(levels: Floats) -> Floats:
    """Return a reranker's logits for levels of relevance from 0 to 1."""
    return np.round(9.0 * levels - 4.0, 3)


def bm25(levels: Floats) -> Floats:
    """Return scores as BM25 gives them."""
    return np.round(4.0 + 22.0 * levels, 3)


def l2_distances(cosines: Floats) -> Floats:
    """Return the distances of unit vectors with given cosines."""
    squared: Floats = np.maximum(2.0 - 2.0 * cosines, 0.0)
    distances: Floats = np.sqrt(squared)
    return np.round(distances, 6)


def rrf(levels: Floats) -> Floats:
    """Return fused reciprocal ranks: two arms that nearly agree; only the ranks count."""
    ranks = np.arange(1, len(levels) + 1)
    return np.round(1.0 / (60 + ranks) + 1.0 / (60 + ranks + ranks % 3), 6)


def falling(*parts: tuple[int, float, float]) -> Floats:
    """Return levels part by part: how many, from, to."""
    return np.concatenate([np.linspace(high, low, count) for count, high, low in parts])


def numbered(rows: Sequence[Row]) -> list[Row]:
    """Give an id to every row that has none."""
    return [
        row if row.id else dataclasses.replace(row, id=f"p{number:03d}")
        for number, row in enumerate(rows, start=1)
    ]


def with_scores(rows: Sequence[Row], scores: Sequence[float] | Floats) -> list[Row]:
    """Give scores to rows in their order."""
    return [
        dataclasses.replace(row, score=float(score))
        for row, score in zip(rows, scores, strict=True)
    ]


def with_vectors(rows: Sequence[Row], vectors: Floats) -> list[Row]:
    """Give vectors to rows in their order, rounded to the 16 bits of the file."""
    return [
        dataclasses.replace(row, vector=stored(vector))
        for row, vector in zip(rows, vectors, strict=True)
    ]


def stored(vector: Floats) -> Floats:
    """Round to the 16 bits that the file keeps."""
    return vector.astype(np.float16).astype(np.float64)


def cosine_scores(query: Floats, vectors: Floats) -> Floats:
    """Cosines of the vectors as stored, to six decimals."""
    return np.round(units(stored(vectors)) @ units(stored(query)), 6)
