"""Our own files: everything a pool holds, so that it is read back to the same pool.

One question is an object under the mark ``poolscope``; several are a list under ``questions``, or
one a line; a table has one row a candidate and what is said of the question in the first row.
Vectors are unit rows, whole numbers and fractions as many digits as they have.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.errors import FormatError, Place
from poolscope.formats import values
from poolscope.formats.base import Declared, Format, Probe, RawPool, RawRow, Tried
from poolscope.formats.contents import contents
from poolscope.model import SUPPORTS, UNJUDGED, Direction, Pool, ScoreKind

MARK = "poolscope"
VERSION = 1
KIND = ("name", "evidence", "conversion")

Fields = Mapping[str, object]


def question(pool: Pool) -> dict[str, object]:
    """Return a pool as an object of plain values, from which it is read back."""
    return {**head(pool), "candidates": list(candidates(pool))}


def head(pool: Pool) -> dict[str, object]:
    """Return what a pool says of its question, without its candidates."""
    return {
        MARK: VERSION,
        "query_id": pool.query_id,
        "query": pool.query,
        "query_vector": None if pool.query_vector is None else pool.query_vector.tolist(),
        "facets": {facet.id: facet.label for facet in pool.facets},
        **({} if pool.stratum is None else {"stratum": str(pool.stratum)}),
        "source_field": pool.source_field if any(pool.sources) else "",
        "score_kind": None if pool.score_kind is None else _written(pool.score_kind),
    }


def _written(kind: ScoreKind) -> dict[str, object]:
    return {
        **{name: getattr(kind, name) for name in KIND},
        "direction": str(kind.direction),
        "is_cosine": kind.is_cosine,
    }


def candidates(pool: Pool) -> Iterator[dict[str, object]]:
    """Yield a pool's candidates as objects, in rank order; what one lacks is left out."""
    for index in range(len(pool)):
        candidate = pool.candidate(index)
        row = {
            "id": candidate.id,
            "source": candidate.source,
            "text": candidate.text,
            "score": candidate.raw_score,
            "vector": _vector(pool, index),
            "facets": _marks(pool, index),
            "fields": dict(candidate.fields) or None,
        }
        yield {name: value for name, value in row.items() if value is not None}


def _vector(pool: Pool, index: int) -> list[float] | None:
    if pool.vectors is None or not pool.vector_mask[index]:
        return None
    numbers: list[float] = pool.vectors[index].tolist()
    return numbers


def _marks(pool: Pool, index: int) -> dict[str, bool] | None:
    found = {
        facet.id: bool(mark == SUPPORTS)
        for facet, mark in zip(pool.facets, pool.marks[index], strict=True)
        if mark != UNJUDGED
    }
    return found or None


def rows(pool: Pool) -> list[dict[str, object]]:
    """Return a pool as the rows of a table; objects in it are written as JSON.

    A pool without candidates is one row without an id.
    """
    found = [
        {
            **row,
            "query_id": pool.query_id,
            **{name: _json(row[name]) for name in ("facets", "fields") if name in row},
        }
        for row in candidates(pool)
    ] or [{"query_id": pool.query_id}]
    found[0][MARK] = _json(head(pool))
    return found


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """One question as a file of ours holds it; ``None`` where there is no list of candidates."""

    head: Fields
    candidates: Sequence[object] | None


def _recognises(probe: Probe) -> str | None:
    found = contents(probe)
    value = None if found is None else found.value
    first = value[0] if isinstance(value, list) and value else value
    is_ours = isinstance(first, dict) and values.structure(first.get(MARK)) is not None
    return f"it carries this app's mark, “{MARK}”" if is_ours and _questions(value) else None


def _version(entry: object) -> int | None:
    return values.whole(entry.get(MARK)) if isinstance(entry, dict) else None


def _questions(value: object) -> Sequence[Met]:
    """Take a file apart into its questions; empty where it is none of ours."""
    if isinstance(value, list):
        if any(_version(entry) is not None for entry in value):
            return [_met(entry) for entry in value]
        return _of_table(value)
    if not isinstance(value, dict) or _version(value) is None:
        return ()
    inner = value.get("questions")
    return [_met(entry) for entry in inner] if isinstance(inner, list) else [_met(value)]


def _met(entry: object) -> Met:
    if not isinstance(entry, dict):
        return Met({}, None)
    listed = entry.get("candidates")
    return Met(entry, listed if isinstance(listed, list) else None)


def _of_table(entries: Sequence[object]) -> Sequence[Met]:
    """Start a question at every row that says something of one, or is of another question."""
    found: list[tuple[Fields, list[object]]] = []
    for entry in (entry for entry in entries if isinstance(entry, dict)):
        said, query_id = values.structure(entry.get(MARK)), entry.get("query_id")
        if isinstance(said, dict) and _version(said) is not None:
            found.append((said, []))
        elif not found:
            return ()
        elif _text(query_id) != _text(found[-1][0].get("query_id")):
            found.append(({"query_id": query_id}, []))
        if entry.get("id") is not None:
            found[-1][1].append(entry)
    return [Met(said, listed) for said, listed in found]


def _read(probe: Probe) -> tuple[RawPool, ...]:
    found = contents(probe)
    met = () if found is None else _questions(found.value)
    if not met or found is None:
        raise FormatError(
            f"There is no mark “{MARK}” in it.",
            "Let the format be recognised, or choose another.",
            probe.place,
        )
    return tuple(_pool(entry, probe.place, found.notes) for entry in met)


def _pool(met: Met, place: Place, notes: tuple[str, ...]) -> RawPool:
    version = _version(met.head)
    if version is not None and version > VERSION:
        raise FormatError(
            f"It is of version {version}, this app reads up to version {VERSION}.",
            "Update the app, or write it again.",
            place,
        )
    problem = FormatError("The question has no list of “candidates”.", "Write it again.", place)
    field = _text(met.head.get("source_field"))
    raws = tuple(
        _row(entry, field, Place(place.file, row=number))
        for number, entry in enumerate(met.candidates or (), start=1)
    )
    has_source = any(field in row.fields for row in raws)
    return RawPool(
        rows=raws,
        query=_text(met.head.get("query")),
        query_id=_text(met.head.get("query_id")),
        query_vector=met.head.get("query_vector"),
        facets=met.head.get("facets"),
        stratum=_text(met.head.get("stratum")),
        notes=notes,
        problem=problem if met.candidates is None else None,
        declared=Declared(field if has_source else "", _kind(met.head.get("score_kind"))),
    )


def _row(entry: object, field: str, place: Place) -> RawRow:
    if not isinstance(entry, dict):
        return RawRow(place, problem=f"This is {values.kind(entry)}, not an object with fields.")
    label = _text(entry.get("source"))
    return RawRow(
        place=place,
        id=_text(entry.get("id")) or None,
        text=_text(entry.get("text")) or None,
        score=entry.get("score"),
        vector=entry.get("vector"),
        facets=values.structure(entry.get("facets")),
        fields={
            **({field: label} if field and label else {}),
            **{
                values.text(name): values.text(value)
                for name, value in _fields(entry.get("fields")).items()
                if name != field and isinstance(value, (str, int, float))
            },
        },
    )


def _text(value: object) -> str:
    return values.text(value) if isinstance(value, (str, int, np.integer)) else ""


def _fields(value: object) -> Mapping[object, object]:
    found = values.structure(value)
    return found if isinstance(found, dict) else {}


def _kind(value: object) -> ScoreKind | None:
    """Read what a score measures; ``None`` where it is not said in full."""
    if not isinstance(value, dict):
        return None
    name, evidence, conversion = (value.get(part) for part in KIND)
    direction = next((end for end in Direction if end == value.get("direction")), None)
    if direction is None or not isinstance(name, str) or not isinstance(evidence, str):
        return None
    if not isinstance(conversion, str):
        return None
    is_cosine = value.get("is_cosine") is True
    return ScoreKind(
        values.text(name),
        direction,
        values.text(evidence),
        values.text(conversion),
        is_cosine=is_cosine,
    )


FORMAT = Format("poolscope", "Poolscope", _recognises, _read, Tried.LIBRARY)
