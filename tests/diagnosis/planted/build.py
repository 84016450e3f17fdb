"""Puts written or invented passages, vectors and scores together into a planted pool."""

import dataclasses
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.diagnosis.planted import material
from tests.diagnosis.planted.material import Floats, Passage, Planted, Row, Space, Topic

LISTED: Mapping[str, Callable[[Floats], Floats]] = {
    "logits": material.logits,
    "bm25": material.bm25,
    "rrf": material.rrf,
}
"""Scores that follow the order given; the others are computed from the vectors and decide it."""

COMPUTED: Mapping[str, Callable[[Floats], Floats]] = {
    "cosine": lambda cosines: cosines,
    "cosine distance": lambda cosines: np.round(1.0 - cosines, 6),
    "l2 distance": material.l2_distances,
}

KEPT_OUT = ("letters", "nitrate", "plans")
"""Topics whose passages never fill the tail of another's pool."""


@dataclass(frozen=True)
class Book:
    """The topics and the MiniLM vector of every text."""

    topics: Mapping[str, Topic]
    vectors: Mapping[str, Floats]


def row(passage: Passage, **fields: str) -> Row:
    """Turn a passage into a candidate."""
    return Row(passage.text, passage.source, passage.facets, fields)


def rows(*groups: Sequence[Passage]) -> list[Row]:
    """Turn passages into candidates, group by group."""
    return [row(passage) for group in groups for passage in group]


def tail(book: Book, own: str, count: int, seed: int) -> list[Row]:
    """Fill a pool with passages of other topics, all from different sources."""
    others: dict[str, Row] = {}
    for name, topic in book.topics.items():
        if name != own and name not in KEPT_OUT:
            for passage in topic.passages:
                others[passage.source] = Row(passage.text, passage.source, ())
    chosen = np.random.default_rng(seed).permutation(len(others))[:count]
    listed = list(others.values())
    return [listed[index] for index in chosen]


def written(
    book: Book,
    name: str,
    expect: str,
    why: str,
    *,
    topic: str,
    listed: Sequence[Row],
    fill: int = 12,
    space: Space | None = material.turned,
    embedder: str = "MiniLM, turned into its own span",
    score: str = "cosine",
    levels: Floats | None = None,
    facets: Sequence[str] | None = None,
    **rest: Any,  # noqa: ANN401 - whatever else Planted takes
) -> Planted:
    """Plant a pool of written prose.

    Args:
        book: Topics and vectors.
        name: Distinct.
        expect: The kind expected first.
        why: Why.
        topic: Whose question is asked.
        listed: The head of the pool; in rank order where ``score`` follows the order.
        fill: How many passages of other topics come after it.
        space: What is done to the vectors; ``None`` for a pool without.
        embedder: What to call the result.
        score: One of ``LISTED`` or ``COMPUTED``, or ``none``.
        levels: Relevance from 0 to 1, row by row, for a score of ``LISTED``.
        facets: The facets asked for; ``None`` where they are unknown.
        rest: Further parts of ``Planted``.
    """
    asked = book.topics[topic]
    taken = {entry.text for entry in listed}
    others = tail(book, topic, fill + len(taken), zlib.crc32(name.encode()))
    everything = [*listed, *[entry for entry in others if entry.text not in taken][:fill]]
    marked = [_marked(entry, facets) for entry in everything]
    query_vector = None
    if space is not None:
        texts = [asked.query, *(entry.text for entry in marked)]
        turned = space(np.array([book.vectors[text] for text in texts]))
        query_vector, marked = turned[0], material.with_vectors(marked, turned[1:])
    return _finish(
        Planted(
            name=name,
            expect=expect,
            why=why,
            rows=_scored(marked, query_vector, score, levels),
            query=asked.query,
            query_vector=None if query_vector is None else material.stored(query_vector),
            facets={} if facets is None else {key: asked.facets[key] for key in facets},
            embedder="none" if space is None else embedder,
            scores=score,
            **rest,
        )
    )


def invented(
    name: str,
    expect: str,
    why: str,
    *,
    relevances: Sequence[float] | Floats,
    groups: Sequence[int],
    sources: Sequence[str | None],
    shared: float = 0.2,
    d: int = 48,
    strength: float = 0.0,
    vectors: bool = True,
    score: str = "cosine",
    levels: Floats | None = None,
    supports: Mapping[int, str] | None = None,
    facets: Mapping[str, str] | None = None,
    fields: Sequence[Mapping[str, str]] | None = None,
    **rest: Any,  # noqa: ANN401 - whatever else Planted takes
) -> Planted:
    """Plant a pool of invented prose over a mixture of vectors.

    Args:
        name: Distinct; it seeds the pool.
        expect: The kind expected first.
        why: Why.
        relevances: ``n`` cosines to the question, falling.
        groups: ``n`` groups of likeness, -1 for none.
        sources: ``n`` labels.
        shared: Cosine that a group shares beyond the question.
        d: Dimensions of what a passage has for itself.
        strength: Of the common direction, 0 for none.
        vectors: Whether the pool carries them.
        score: As for ``written``.
        levels: As for ``written``; the relevances if not given.
        supports: Rank to the facets supported, separated by spaces; ``None`` where unknown.
        facets: Id to label.
        fields: Metadata row by row.
        rest: Further parts of ``Planted``.
    """
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    n = len(groups)
    query_vector, mixed = material.mixture(rng, relevances, groups, shared, d)
    if strength:
        both = material.anisotropic(strength)(np.vstack([query_vector, mixed]))
        query_vector, mixed = both[0], both[1:]
    made = [
        Row(
            material.prose(rng, groups[index]),
            sources[index],
            None if supports is None else tuple(supports.get(index + 1, "").split()),
            {} if fields is None else fields[index],
        )
        for index in range(n)
    ]
    if vectors:
        made = material.with_vectors(made, mixed)
    query = query_vector if vectors else None
    given = np.asarray(relevances, dtype=np.float64) if levels is None else levels
    return _finish(
        Planted(
            name=name,
            expect=expect,
            why=why,
            rows=_scored(made, query, score, given),
            query=material.prose(rng, 0, 9),
            query_vector=None if query is None else material.stored(query),
            facets=facets or {},
            real=False,
            embedder=_called(strength, d) if vectors else "none",
            scores=score,
            **rest,
        )
    )


def _called(strength: float, d: int) -> str:
    return f"mixture, d {d}" + (f", common direction {strength}" if strength else "")


def _marked(entry: Row, facets: Sequence[str] | None) -> Row:
    if facets is None:
        return dataclasses.replace(entry, facets=None)
    kept = tuple(facet for facet in entry.facets or () if facet in facets)
    return dataclasses.replace(entry, facets=kept)


def _scored(
    made: Sequence[Row], query_vector: Floats | None, score: str, levels: Floats | None
) -> list[Row]:
    """Score rows in their order, or put them into the order of a score from their vectors."""
    if score == "none":
        return list(made)
    if score in LISTED:
        assert levels is not None
        return material.with_scores(made, LISTED[score](levels))
    assert query_vector is not None
    vectors = np.array([entry.vector for entry in made])
    cosines = material.cosine_scores(query_vector, vectors)
    order = np.argsort(-cosines, kind="stable")
    return material.with_scores([made[i] for i in order], COMPUTED[score](cosines[order]))


def _finish(pool: Planted) -> Planted:
    return dataclasses.replace(pool, rows=material.numbered(pool.rows))
