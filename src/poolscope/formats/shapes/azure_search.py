"""Azure AI Search: documents with ``@search`` fields, over REST and from the Python client.

Semantic ranking orders the list by its own score. Where the retrieval's score orders the list too
it is the one that is read; the other stays beside it.
"""

from collections.abc import Sequence

from poolscope.formats import values
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import by_order, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
SCORE = "@search.score"
SCORES = (SCORE, "@search.rerankerScore", "@search.reranker_score", "@search.rerankerBoostedScore")
NEXT = "@odata.nextLink"
CAPTIONS = "@search.captions"


def _recognises(value: Json) -> str | None:
    entries = value.get("value") if isinstance(value, dict) else value
    rows = mappings(entries, most=LOOKED_AT) if isinstance(entries, list) else []
    if rows and all(SCORE in row for row in rows):
        return "each document has “@search.score”, as Azure AI Search gives"
    return None


def _read(value: Json) -> Sequence[Question]:
    rows = listing(value.get("value") if isinstance(value, dict) else value)
    chosen = by_order(SCORES, [mapping(row) for row in rows])
    entries = [_entry(row, chosen) for row in rows]
    known = Known(
        str(chosen), Direction.HIGHER, f"“{chosen}” of Azure AI Search is higher for better."
    )
    names = Names("id", "fields", str(chosen), "fields")
    notes = list(_notes(rows, chosen))
    if mapping(value).get(NEXT):
        notes.append("The response names a next page, which is not in it.")
    return [question(entries, names, known=known, notes=notes)]


def _notes(rows: Sequence[Json], chosen: str | None) -> tuple[str, ...]:
    others = [
        name
        for name in SCORES
        if name != chosen and any(mapping(row).get(name) is not None for row in rows)
    ]
    if chosen is None or not others:
        return ()
    listed = ", ".join(f"“{name}”" for name in others)
    return (f"The score is “{chosen}”, in whose order the list is; {listed} was kept beside it.",)


def _entry(row: Json, chosen: str | None) -> Entry:
    if not isinstance(row, dict):
        return Entry(problem="This is not a document of Azure AI Search.")
    fields: dict[str, Json] = {}
    said: dict[str, Json] = {}
    for name, value in row.items():
        (said if name.startswith("@") else fields)[name] = value
    captions = [values.text(entry.get("text")) for entry in mappings(row.get(CAPTIONS))]
    if captions:
        said[CAPTIONS] = " … ".join(captions)
    score = None if chosen is None else said.pop(chosen, None)
    return Entry(payload=fields, score=score, beside=said)


AZURE_SEARCH = wrapped(Shape("azure-search", "Azure AI Search", _recognises, _read, Tried.CLASSES))
