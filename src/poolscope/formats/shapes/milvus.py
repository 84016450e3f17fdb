"""Milvus: ``search`` with one list of hits a question, over gRPC and REST, and its printed form.

A hit's ``distance`` is a similarity for the metrics COSINE and IP, a distance for L2: the order of
the list tells. The primary key has whatever name the user gave it.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats.base import Tried
from poolscope.formats.shapes import milvus_printed
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped

LOOKED_AT = 20
ROLES = frozenset(("distance", "score", "entity", "offset", "fields"))


def _is_hit(value: Json) -> bool:
    """Whether a value is a hit: a key, a distance, and the entity that was asked for."""
    if not isinstance(value, dict) or len(value) > 6:
        return False
    has_distance = "distance" in value or "score" in value
    return (
        has_distance
        and isinstance(value.get("entity"), (Mapping, type(None)))
        and "entity" in value
    )


def _are_hits(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_hit, value[:LOOKED_AT]))


def _recognises(value: Json) -> str | None:
    if milvus_printed.lists(value) is not None:
        return "it holds “id: …, distance: …, entity: …”, as Milvus prints hits"
    if isinstance(value, dict):
        return _recognises_rest(value)
    if _are_hits(value):
        return "each entry has “distance” and “entity”, as hits of Milvus do"
    first = value[:LOOKED_AT] if isinstance(value, list) else []
    if any(map(_are_hits, first)) and all(_are_hits(inner) or inner == [] for inner in first):
        return "each list's entries have “distance” and “entity”, as hits of Milvus do"
    return None


def _recognises_rest(value: Mapping[str, Json]) -> str | None:
    if "code" not in value:
        inner = value.get("data")
        is_printed = isinstance(inner, list) and bool(inner) and all(map(_are_hits, inner))
        return "“data” holds lists of hits with “distance” and “entity”" if is_printed else None
    rows = mappings(value.get("data"), most=LOOKED_AT)
    if rows and (all("distance" in row for row in rows) or "cost" in value):
        return "“code” stands beside “data” with rows, as Milvus' REST interface gives"
    return None


def _read(value: Json) -> Sequence[Question]:
    printed = milvus_printed.lists(value)
    if printed is not None:
        return [
            _question(
                [_printed(hit) for hit in hits],
                number if len(printed) > 1 else 0,
                _notes_of_printed(hits),
            )
            for number, hits in enumerate(printed, start=1)
        ]
    if isinstance(value, dict):
        data = listing(value.get("data"))
        if not data or isinstance(data[0], dict):
            return _read_rest(value, data)
        value = list(data)
    lists = listing(value)
    if lists and not all(isinstance(inner, (list, tuple)) for inner in lists):
        lists = [lists]
    return [
        _question([_entry(hit) for hit in listing(inner)], number if len(lists) > 1 else 0)
        for number, inner in enumerate(lists, start=1)
    ]


def _read_rest(whole: Mapping[str, Json], rows: Sequence[Json]) -> Sequence[Question]:
    """Split REST's flat rows by the number of hits of each question."""
    sizes = [size for size in listing(whole.get("topks")) if isinstance(size, int)]
    if sum(sizes) != len(rows) or min(sizes, default=0) < 0:
        sizes = [len(rows)]
    found, start = [], 0
    for number, size in enumerate(sizes, start=1):
        entries = [_row(row) for row in rows[start : start + size]]
        found.append(_question(entries, number if len(sizes) > 1 else 0))
        start += size
    return found


def _printed(hit: Json) -> Entry:
    found = milvus_printed.hit(hit) if isinstance(hit, str) else hit
    if found is None:
        return Entry(problem="The printed hit is cut off.")
    return _entry(found)


def _notes_of_printed(hits: Sequence[Json]) -> tuple[str, ...]:
    cut = len(hits) == milvus_printed.MOST_PRINTED
    return (milvus_printed.NOTE, milvus_printed.CUT) if cut else (milvus_printed.NOTE,)


def _question(entries: Sequence[Entry], number: int, notes: tuple[str, ...] = ()) -> Question:
    names = Names("the primary key", "entity", "distance", "entity")
    if entries and not any(entry.score is not None for entry in entries):
        notes = (
            *notes,
            "The rows carry no distance: the list order is the store's, not a retriever's.",
        )
    return question(entries, names, query_id=str(number) if number else "", notes=notes)


def _row(row: Json) -> Entry:
    fields = {name: value for name, value in mapping(row).items() if name != "distance"}
    return Entry(
        payload=fields,
        score=mapping(row).get("distance"),
        problem="" if isinstance(row, dict) else "This is not a row of Milvus.",
    )


def _entry(hit: Json) -> Entry:
    if not isinstance(hit, dict):
        return Entry(problem="This is not a hit of Milvus.")
    key = next((name for name in hit if name not in ROLES), None)
    return Entry(
        payload=mapping(hit.get("entity")),
        id=None if key is None else hit[key],
        score=hit.get("distance", hit.get("score")),
    )


MILVUS = wrapped(Shape("milvus", "Milvus search", _recognises, _read, Tried.LIBRARY))
