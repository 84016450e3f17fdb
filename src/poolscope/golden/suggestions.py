"""What a golden set may still lack: possible facets, possible support. Offered, never counted.

A suggestion is no mark: it reaches the golden set only where a person makes a facet or a mark of
it, in a stroke of their own.
"""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from poolscope import geometry, wording
from poolscope.geometry import Floats, Ints
from poolscope.golden.adjudication import settled
from poolscope.golden.clusters import clusters
from poolscope.golden.key_phrases import key_phrases, word_rows
from poolscope.golden.model import Cell, Mark, Passage, Record, Role
from poolscope.golden.passages import keys_of
from poolscope.model import Pool

MOST_PASSAGES = 1_000
"""Passages that are looked at, the best ranks first: every pair of them is compared."""

MOST_OFFERED = 8
"""Suggestions of each kind that are made."""


class Basis(StrEnum):
    """By what two passages are alike."""

    VECTORS = "vectors"
    WORDS = "words in common"


WAY = 0.4
"""How far, on the way from the median likeness of two passages to 1, possible support begins.

No one cosine fits two embedders. On three sets that people had assigned to facets, with half of the
supporting passages known, 31, 48 and 50 of 100 that were suggested by vectors were right, and 49,
57 and 82 of 100 by words, which suggest fewer.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """How alike the passages of a question are.

    Args:
        keys: ``n`` keys of passages.
        matrix: Shape ``(n, n)``, cosines.
        basis: Of what.
        missing: What was lacking for a better one, a sentence; empty where nothing was.
    """

    keys: tuple[str, ...]
    matrix: Floats
    basis: Basis
    missing: str = ""

    @property
    def begins(self) -> float:
        """Cosine from which on two passages count as alike here, from 0 to 1."""
        n = len(self.keys)
        if n < 2:
            return 1.0
        median = float(np.median(self.matrix[np.triu_indices(n, 1)]))
        return float(np.clip(median + WAY * (1.0 - median), 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class PossibleFacet:
    """Passages that are alike and support nothing yet.

    Args:
        phrases: What they share and the others do not, the most telling first; may be empty.
        passages: Keys, the one nearest to all the others first.
        likeness: Mean cosine of two of them.
    """

    phrases: tuple[str, ...]
    passages: tuple[str, ...]
    likeness: float


@dataclass(frozen=True, slots=True)
class PossibleSupport:
    """A passage that is very similar to one that supports a facet.

    Args:
        cell: The facet and the passage.
        nearest: Key of the supporting passage.
        likeness: Their cosine.
        mark: What the one who is asked said of the cell; ``None`` where nothing.
    """

    cell: Cell
    nearest: str
    likeness: float
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What may be looked at again. None of it is a mark.

    Args:
        facets: Possible facets, those of most passages first.
        support: Possible support, the likeliest first.
        alone: Passages that support nothing and are like no other such one.
        basis: By what passages were held to be alike.
        begins: Cosine from which on a passage is named as possible support.
        missing: What was lacking, a sentence; empty where nothing was.
    """

    facets: tuple[PossibleFacet, ...]
    support: tuple[PossibleSupport, ...]
    alone: int
    basis: Basis
    begins: float
    missing: str


def likeness(
    passages: tuple[Passage, ...], pool: Pool | None, basis: Basis = Basis.VECTORS
) -> Likeness:
    """Hold every two passages against each other.

    Args:
        passages: Of one question.
        pool: Where their vectors are; ``None`` where it is not open.
        basis: What is wanted; without vectors it is the words.
    """
    looked_at = [each for each in passages if each.text][:MOST_PASSAGES]
    keys = tuple(each.key for each in looked_at)
    left = len(passages) - len(looked_at)
    notes = []
    if left:
        said = wording.counted(left, "passage")
        notes.append(f"{said} without a text or past the first {MOST_PASSAGES:,} left out.")
    if basis is Basis.WORDS:
        rows = word_rows([each.text for each in looked_at])
        return Likeness(keys, geometry.pairwise(rows), basis, " ".join(notes))
    if pool is None or pool.vectors is None:
        by_words = likeness(passages, None, Basis.WORDS)
        lacks = "This question's pool is not open" if pool is None else "The pool has no vectors"
        missing = f"{lacks}: passages are compared by shared words, which misses other wordings."
        return dataclasses.replace(by_words, missing=" ".join((missing, *notes)))
    rows, without = _vector_rows(keys, pool, pool.vectors)
    if without:
        said = wording.counted(without, "passage")
        notes.append(f"Without a vector in the open pool, and so like no other: {said}.")
    return Likeness(keys, geometry.pairwise(rows), basis, " ".join(notes))


def _vector_rows(keys: tuple[str, ...], pool: Pool, vectors: Floats) -> tuple[Floats, int]:
    """Return a row a passage, zero where there is none, and how many have none."""
    places = {key: at for at, key in enumerate(keys_of(pool)) if pool.vector_mask[at]}
    rows = np.zeros((len(keys), vectors.shape[1]))
    for row, key in enumerate(keys):
        if key in places:
            rows[row] = vectors[places[key]]
    return rows, sum(key not in places for key in keys)


def suggestions(
    record: Record, alike: Likeness, annotator: str, *, begins: float | None = None
) -> Suggestions:
    """Return what may be looked at again after a first pass.

    Args:
        record: The question with the marks that may be seen.
        alike: How alike its passages are.
        annotator: Who is asked.
        begins: Cosine from which on a passage is possible support; ``None`` for the one that suits
            the pool.
    """
    least = alike.begins if begins is None else begins
    spoken_for = {one.cell for one in record.judgements if one.mark is Mark.SUPPORTS}
    has_support = {cell.passage for cell in spoken_for}
    free = np.array([at for at, key in enumerate(alike.keys) if key not in has_support], np.intp)
    groups = [free[cluster] for cluster in clusters(alike.matrix[np.ix_(free, free)])]
    found = _facets(record, alike, groups)
    return Suggestions(
        tuple(sorted(found, key=lambda each: (-len(each.passages), -each.likeness)))[:MOST_OFFERED],
        _support(record, alike, annotator, least),
        alone=len(free) - sum(len(group) for group in groups),
        basis=alike.basis,
        begins=least,
        missing=alike.missing,
    )


def _facets(record: Record, alike: Likeness, groups: list[Ints]) -> list[PossibleFacet]:
    texts = {passage.key: passage.text for passage in record.passages}
    told = [[texts[alike.keys[at]] for at in group] for group in groups]
    within = {alike.keys[at] for group in groups for at in group}
    rest = [text for key, text in texts.items() if key not in within]
    return [
        _facet(alike, group, phrases)
        for group, phrases in zip(groups, key_phrases(told, rest), strict=True)
    ]


def _facet(alike: Likeness, cluster: Ints, phrases: tuple[str, ...]) -> PossibleFacet:
    part = alike.matrix[np.ix_(cluster, cluster)]
    order = np.argsort(-part.sum(axis=1), kind="stable")
    mean = float(part[np.triu_indices(len(cluster), 1)].mean())
    return PossibleFacet(phrases, tuple(alike.keys[at] for at in cluster[order]), mean)


def _support(
    record: Record, alike: Likeness, annotator: str, least: float
) -> tuple[PossibleSupport, ...]:
    places = {key: at for at, key in enumerate(alike.keys)}
    own = {
        one.cell: one.mark
        for one in record.judgements
        if one.annotator == annotator and one.role is Role.ANNOTATOR
    }
    closed = {
        one.cell
        for one in record.judgements
        if one.mark is Mark.SUPPORTS or (one.role is Role.ADJUDICATOR and one.mark is not None)
    }
    supporting = [cell for cell, is_support in settled(record.judgements).items() if is_support]
    found: list[PossibleSupport] = []
    for facet in record.facets:
        known = [c.passage for c in supporting if c.facet == facet.id and c.passage in places]
        if not known:
            continue
        columns = alike.matrix[:, [places[key] for key in known]]
        nearest = columns.argmax(axis=1)
        for at, key in enumerate(alike.keys):
            cell, cosine = Cell(facet.id, key), float(columns[at, nearest[at]])
            if cosine >= least and cell not in closed:
                found.append(PossibleSupport(cell, known[nearest[at]], cosine, own.get(cell)))
    return tuple(sorted(found, key=lambda each: -each.likeness)[:MOST_OFFERED])
