"""Chroma: ``query`` with one list a question, ``get`` with flat lists, in process and over REST.

Each part is a list beside the ids; a part that was not asked for is null or missing. A list of
arrays that was written as text is taken apart again.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence

from poolscope.counts import agreed, counted
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

PARTS = ("documents", "metadatas", "distances", "embeddings")
SCORES = "scores"
"""What its newer search gives instead of distances; its rank expression says what they mean."""
MARKS = ("included", "include", "uris")
KNOWN = Known(
    "distance",
    Direction.LOWER,
    "Chroma gives distances in every space: lower is better.",
)
INNER_ROW = re.compile(r"\[([^\[\]]+)\]")
NAMES = Names(id="ids", text="documents", score="distances", vector="embeddings")


def _recognises(value: Json) -> str | None:
    if isinstance(value, dict):
        if not isinstance(value.get("ids"), (list, tuple)):
            return None
        met = [name for name in (*PARTS, *MARKS) if name in value]
        if len(met) < 2 and not isinstance(value.get("documents"), (list, tuple)):
            return None
        if all(value.get(name) is None for name in PARTS) and not any(m in value for m in MARKS):
            return None
        return "it holds “ids” with lists beside it, " + ", ".join(f"“{name}”" for name in met[:4])
    rows = mappings(value, most=20)
    if rows and all(isinstance(row.get("ids"), str) and "documents" in row for row in rows):
        return "each row has “ids” and “documents”, as a table of Chroma's lists does"
    return None


def _read(value: Json) -> Sequence[Question]:
    if not isinstance(value, dict):
        return [_read_rows(mappings(value))]
    ids = listing(value.get("ids"))
    nested = bool(ids) and all(isinstance(entry, (list, tuple)) for entry in ids)
    if not nested:
        return [_question(value, ids, {name: value.get(name) for name in (*PARTS, SCORES, "uris")})]
    queries = listing(value.get("query_texts"))
    most = max(len(ids), *(len(listing(value.get(name))) for name in PARTS))
    return [
        _question(
            value,
            listing(_at(ids, number)),
            {name: _at(value.get(name), number) for name in (*PARTS, SCORES, "uris")},
            queries[number] if number < len(queries) else "",
            number if most > 1 else None,
        )
        for number in range(most)
    ]


def _read_rows(rows: Sequence[Mapping[str, Json]]) -> Question:
    parts = {name: [row.get(name) for row in rows] for name in (*PARTS, SCORES, "uris")}
    return _question({}, [row.get("ids") for row in rows], parts)


def _question(
    whole: Mapping[str, Json],
    ids: Sequence[Json],
    parts: Mapping[str, Json],
    query: Json = "",
    number: int | None = None,
) -> Question:
    lists = {name: _cells(parts.get(name), len(ids)) for name in parts}
    rows = max(len(ids), len(lists["documents"]))
    odd = [
        name
        for name, cells in lists.items()
        if isinstance(parts.get(name), (list, tuple)) and 0 < len(cells) != len(ids)
    ]
    notes = [
        f"“{name}” holds {len(lists[name])} {agreed(len(lists[name]), 'entry', 'entries')} for "
        f"{counted(len(ids), 'id')}; they were joined in order"
        f"{', and those past the last row left out' if len(lists[name]) > rows else ''}."
        for name in odd
    ]
    entries = [
        Entry(
            payload=mapping(_cell(lists["metadatas"], place)),
            id=_cell(ids, place),
            text=_cell(lists["documents"], place),
            score=_cell(lists["distances"] or lists[SCORES], place),
            vector=_cell(lists["embeddings"], place),
            beside={"uri": _cell(lists["uris"], place)},
        )
        for place in range(rows)
    ]
    if not any(entry.score is not None for entry in entries):
        notes.append(_without_scores(whole))
    return question(
        entries,
        NAMES if lists["distances"] else dataclasses.replace(NAMES, score=SCORES),
        known=KNOWN if lists["distances"] else None,
        query=query,
        query_id="" if number is None else str(number + 1),
        notes=notes,
    )


def _without_scores(whole: Mapping[str, Json]) -> str:
    if isinstance(whole.get("ids"), list) and any(
        isinstance(x, list) for x in listing(whole["ids"])
    ):
        return "The distances were not asked for; the list order is the rank."
    return "Chroma's “get” ranks nothing: the list order is the store's, not a retriever's."


def _at(part: Json, number: int) -> Json:
    """Return one question's list of a part; ``None`` where it is not there."""
    lists = listing(part)
    if number < len(lists):
        return lists[number]
    return None


def _cells(part: Json, n: int) -> Sequence[Json]:
    """Return a part's entries; a table of arrays that was written as text is split into rows."""
    if isinstance(part, str):
        rows = INNER_ROW.findall(part)
        return [f"[{row}]" for row in rows] if len(rows) == n else ()
    return listing(part)


def _cell(cells: Sequence[Json], place: int) -> Json:
    return cells[place] if place < len(cells) else None


CHROMA = wrapped(Shape("chroma", "Chroma query or get", _recognises, _read, Tried.LIBRARY))
