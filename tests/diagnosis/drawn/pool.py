"""A pool as it is drawn, and the way into the program that a user's file takes."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poolscope.errors import Place
from poolscope.formats import RawPool, RawRow, assemble
from poolscope.model import Policy, Pool
from tests.diagnosis.drawn import spaces
from tests.diagnosis.drawn.prose import DOMAINS, Domain, passage
from tests.diagnosis.drawn.spaces import Embedder, Floats


@dataclass(frozen=True, eq=False)
class Entry:
    """One candidate in rank order.

    Args:
        text: The passage.
        source: Its label.
        theme: What it is about; -1 for nothing shared.
        level: Cosine to the question before the embedder's lift.
        fields: Further metadata.
        facets: Facets it supports; ``None`` where nobody judged.
        id: Given or numbered.
    """

    text: str
    source: str | None
    theme: int = -1
    level: float = 0.0
    fields: Mapping[str, str] = field(default_factory=dict)
    facets: tuple[str, ...] | None = None
    id: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawn:
    """A pool, and what a careful engineer would say of it first.

    Args:
        name: Distinct within a draw.
        accept: Kinds that may lead, the expected one first.
        alarm: Whether it should alarm; ``None`` where either is right.
        pool: As the program loads it.
        policy: The setting looked at.
        why: Why, in a sentence.
    """

    name: str
    accept: tuple[str, ...]
    alarm: bool | None
    pool: Pool
    policy: Policy
    why: str


SCORES: Mapping[str, Callable[[Floats], Floats]] = {
    "cosine": lambda levels: levels,
    "cosine distance": lambda levels: 1.0 - levels,
    "l2 distance": lambda levels: np.sqrt(np.maximum(2.0 - 2.0 * levels, 0.0)),
    "logit": lambda levels: 14.0 * levels - 8.0,
    "bm25": lambda levels: 30.0 * levels,
}
"""What a level is written as."""


@dataclass(frozen=True)
class Look:
    """How a drawn pool looks from outside, whatever is wrong with it.

    Args:
        embedder: ``None`` for a pool without vectors.
        common: What every vector shares.
        score: One of ``SCORES``, or ``none``.
    """

    embedder: Embedder | None
    common: float
    score: str


def some_look(rng: np.random.Generator, *, vectors: bool = True) -> Look:
    """Draw an embedder, its level, and a score."""
    if not vectors:
        return Look(None, 0.0, str(rng.choice(["logit", "bm25"])))
    embedder = spaces.EMBEDDERS[int(rng.integers(len(spaces.EMBEDDERS)))]
    return Look(embedder, float(rng.choice([0.0, 0.0, 0.6, 2.0])), str(rng.choice(list(SCORES))))


def some_domain(rng: np.random.Generator) -> Domain:
    """Draw what the question is about."""
    return DOMAINS[int(rng.integers(len(DOMAINS)))]


def levels(rng: np.random.Generator, count: int, high: float, low: float) -> list[float]:
    """Draw falling levels between two ends, not evenly."""
    inner = np.sort(rng.uniform(low, high, size=max(count - 2, 0)))[::-1]
    return [high, *inner.tolist(), low][:count] if count > 1 else [high] * count


def off_topic(rng: np.random.Generator, domain: Domain, count: int, high: float) -> list[Entry]:
    """Draw a tail about other things, each from its own source."""
    others = [other for other in DOMAINS if other is not domain]
    fall = levels(rng, count, high, max(high - 0.3, 0.02))
    return [
        Entry(
            passage(rng, others[int(rng.integers(len(others)))], int(rng.integers(5))),
            f"elsewhere-{chr(97 + at % 26)}{chr(97 + at // 26)}",
            level=fall[at],
        )
        for at in range(count)
    ]


def made(
    rng: np.random.Generator,
    domain: Domain,
    entries: Sequence[Entry],
    look: Look,
    *,
    facets: Mapping[str, str] | None = None,
    source_field: str = "source",
    blank: Sequence[int] = (),
) -> Pool:
    """Embed, score and load a pool; ``blank`` lists rows whose vector is left out."""
    fall = np.array([entry.level for entry in entries])
    vectors: Floats | None = None
    lifted = fall
    if look.embedder is not None:
        themes = [entry.theme for entry in entries]
        rows = look.embedder([entry.text for entry in entries], themes, rng)
        vectors = spaces.steered(rows, fall, look.common, rng)
        lifted = vectors[1:] @ vectors[0]
    scores = None if look.score == "none" else np.round(SCORES[look.score](lifted), 9)
    rows_ = [
        RawRow(
            place=Place("drawn", row=number + 1),
            id=entry.id or f"n{number + 1:04d}",
            text=entry.text,
            score=None if scores is None else float(scores[number]),
            vector=None if vectors is None or number in blank else vectors[number + 1],
            facets=None if entry.facets is None else list(entry.facets),
            fields=_fields(entry, source_field),
        )
        for number, entry in enumerate(entries)
    ]
    raw = RawPool(
        rows=rows_,
        query=domain.query,
        query_id="drawn",
        query_vector=None if vectors is None else vectors[0],
        facets=None if facets is None else dict(facets),
    )
    has_sources = any(entry.source is not None for entry in entries)
    loaded = assemble(raw, source_field=source_field if has_sources else "")
    assert not loaded.report.set_aside
    return loaded.pool


def _fields(entry: Entry, source_field: str) -> dict[str, Any]:
    fields: dict[str, Any] = dict(entry.fields)
    if entry.source is not None:
        fields[source_field] = entry.source
    return fields


def marked(entries: Sequence[Entry], facets: Mapping[int, str]) -> list[Entry]:
    """Let every entry support the facet of its theme, where that is one."""
    return [
        dataclasses.replace(entry, facets=(facets[entry.theme],) if entry.theme in facets else ())
        for entry in entries
    ]
