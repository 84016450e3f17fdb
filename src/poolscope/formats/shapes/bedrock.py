"""Amazon Bedrock knowledge bases: what ``Retrieve`` found, and what an answer cites.

Citations are passages that an answer rests on, not the pool that was retrieved: they carry no
score, and one passage may be cited several times.
"""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats import values
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
CHUNK_ID = "x-amz-bedrock-kb-chunk-id"
SOURCE = "x-amz-bedrock-kb-source-uri"
KNOWN = Known("score", Direction.HIGHER, "Bedrock's score is higher for what is more relevant.")
PLACES = ("uri", "url", "id", "query")
Result = Mapping[str, Json]


def _are_results(value: Json) -> bool:
    entries = mappings(value, most=LOOKED_AT)
    return bool(entries) and all(
        isinstance(entry.get("content"), dict)
        and any(name in entry for name in ("location", "score", "metadata"))
        for entry in entries
    )


def _recognises(value: Json) -> str | None:
    if _are_results(value) and any(
        "location" in entry for entry in mappings(value, most=LOOKED_AT)
    ):
        return "each entry has “content” and “location”, as results of Bedrock do"
    if not isinstance(value, dict):
        return None
    for name in ("retrievalResults", "retrievedReferences"):
        if _are_results(value.get(name)):
            return f"“{name}” holds “content” and “location”, as Bedrock's does"
        if value.get(name) == []:
            return f"“{name}” is there, and empty"
    if any("retrievedReferences" in entry for entry in mappings(value.get("citations"))):
        return "“citations” holds “retrievedReferences”, as Bedrock's answers do"
    return None


def _read(value: Json) -> Sequence[Question]:
    if not isinstance(value, dict):
        return [_question(listing(value))]
    if "retrievalResults" in value:
        return [_question(listing(value["retrievalResults"]))]
    if "retrievedReferences" in value:
        return [_question(listing(value["retrievedReferences"]))]
    met, repeated = _cited(value)
    note = "These are the passages that the answer cites, not the pool it was retrieved from."
    again = f"{repeated} further citations of the same passages were left out."
    return [_question(met, (note, again) if repeated else (note,))]


def _cited(value: Mapping[str, Json]) -> tuple[list[Json], int]:
    """Return the passages cited, each once, and how many citations repeat one."""
    found: dict[str, Json] = {}
    met = 0
    for reference in _references(value):
        met += 1
        key = repr((mapping(reference.get("content")).get("text"), reference.get("location")))
        found.setdefault(key, reference)
    return list(found.values()), met - len(found)


def _references(value: Mapping[str, Json]) -> Iterator[Result]:
    for citation in mappings(value.get("citations")):
        yield from mappings(citation.get("retrievedReferences"))


def _question(results: Sequence[Json], notes: tuple[str, ...] = ()) -> Question:
    entries = [_entry(result) for result in results]
    if entries and not any(entry.score is not None for entry in entries):
        notes = (*notes, "There is no score; the list order is the rank.")
    names = Names(CHUNK_ID, "content", "score")
    return question(entries, names, known=KNOWN, notes=notes)


def _entry(result: Json) -> Entry:
    if not isinstance(result, dict):
        return Entry(problem="This is not a result of Bedrock.")
    content, metadata = mapping(result.get("content")), mapping(result.get("metadata"))
    text = _text(content)
    kind = values.text(content.get("type") or "an unknown kind")
    location = mapping(result.get("location"))
    return Entry(
        payload=metadata,
        id=metadata.get(CHUNK_ID),
        text=text,
        score=result.get("score"),
        beside={
            "uri": _uri(location) or metadata.get(SOURCE),
            "location_type": location.get("type"),
            "document_id": result.get("documentId"),
        },
        problem="" if text else f"The content is of type {values.shown(kind)} and has no text.",
    )


def _text(content: Mapping[str, Json]) -> str:
    written = content.get("text")
    if isinstance(written, str) and written.strip():
        return written
    cells = mappings(content.get("row"))
    parts = [
        f"{values.text(cell.get('columnName'))}: {values.text(cell.get('columnValue'))}"
        for cell in cells
    ]
    spoken = [mapping(content.get(name)).get("transcription") for name in ("audio", "video")]
    heard = [text for text in spoken if isinstance(text, str)]
    return "; ".join(parts) or "".join(heard)


def _uri(location: Mapping[str, Json]) -> Json:
    for inner in location.values():
        for name in PLACES:
            found = mapping(inner).get(name) if isinstance(inner, dict) else None
            if not values.missing(found):
                return found
    return None


BEDROCK = wrapped(Shape("bedrock", "Bedrock knowledge base", _recognises, _read, Tried.CLASSES))
