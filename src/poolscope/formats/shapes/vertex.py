"""Google Vertex AI: Discovery Engine chunks and segments, RAG contexts, Vector Search neighbours.

The wire writes camel case, the client's ``to_dict`` snake case. Neighbours have no text, and a
RAG context's score is a distance or a similarity: the order of the list tells.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
RELEVANCE = Known(
    "relevance score", Direction.HIGHER, "Discovery Engine's relevance score is higher for better."
)
SEGMENTS = ("extractive_segments", "extractive_answers")
NEIGHBOUR = frozenset(("feature_vector", "crowding_tag", "restricts", "sparse_distance"))
Fields = Mapping[str, Json]


def _snake(value: Json) -> Fields:
    """Return an object with its names in snake case, at this level only."""
    return {
        re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", str(name)).lower(): inner
        for name, inner in mapping(value).items()
    }


def _recognises_chunks(value: Json) -> str | None:
    results = _results(value)[:LOOKED_AT]
    if results and all("content" in mapping(entry.get("chunk")) for entry in results):
        return "each result has a “chunk” with “content”, as Discovery Engine's do"
    if any(True for entry in results for _ in _segments(entry)):
        return "results hold documents with extracted segments, as Discovery Engine's do"
    return None


def _results(value: Json) -> list[Fields]:
    return mappings(value.get("results") if isinstance(value, dict) else value)


def _segments(result: Fields) -> Iterator[tuple[Fields, Fields]]:
    """Yield the passages taken out of a document, with what is known of the document."""
    document = _snake(result.get("document"))
    derived = _snake(document.get("derived_struct_data"))
    for name in SEGMENTS:
        found = mappings(derived.get(name))
        for segment in found:
            yield _snake(segment), {**derived, "document_id": document.get("id")}
        if found:
            return


def _read_chunks(value: Json) -> Sequence[Question]:
    results = _results(value)
    entries = [entry for result in results for entry in _of_result(result)]
    return [question(entries, Names("id", "content", "relevance score"), known=RELEVANCE)]


def _of_result(result: Fields) -> Iterator[Entry]:
    chunk = _snake(result.get("chunk"))
    if not chunk:
        for segment, document in _segments(result):
            said = {name: document.get(name) for name in ("link", "title", "document_id")}
            said["uri"] = said.pop("link")
            yield Entry(payload=segment, score=segment.get("relevance_score"), beside=said)
        return
    document, page = _snake(chunk.get("document_metadata")), _snake(chunk.get("page_span"))
    yield Entry(
        payload=mapping(document.get("struct_data")),
        id=chunk.get("id") or result.get("id"),
        text=chunk.get("content"),
        score=chunk.get("relevance_score"),
        beside={
            "uri": document.get("uri"),
            "title": document.get("title"),
            "document_id": _document_of(chunk.get("name")),
            "page_start": page.get("page_start"),
            "page_end": page.get("page_end"),
        },
    )


def _document_of(name: Json) -> Json:
    """Return the document's id out of a chunk's full name."""
    found = re.search(r"/documents/([^/]+)/chunks/", name) if isinstance(name, str) else None
    return None if found is None else found[1]


def _recognises_contexts(value: Json) -> str | None:
    found = [_snake(entry) for entry in _contexts(value)[:LOOKED_AT]]
    if found and all("text" in entry and "source_uri" in entry for entry in found):
        return "“contexts” holds “text” and “sourceUri”, as Vertex' RAG engine gives"
    return None


def _contexts(value: Json) -> list[Fields]:
    if not isinstance(value, dict):
        return mappings(value)
    grounded = _grounded(value)
    if grounded:
        return grounded
    inner = value.get("contexts")
    return mappings(inner.get("contexts") if isinstance(inner, dict) else inner)


def _grounding(value: Json) -> Fields:
    """Return what a grounded answer says of its retrieval; empty where it is none."""
    whole = mapping(value)
    for answer in mappings(whole.get("candidates"))[:1] or [whole]:
        found = _snake(answer).get("grounding_metadata")
        if isinstance(found, dict):
            return _snake(found)
    return {}


def _grounded(value: Json) -> list[Fields]:
    """Return the passages that a grounded answer rests on, named as contexts are."""
    chunks = map(_snake, mappings(_grounding(value).get("grounding_chunks")))
    found = [_snake(chunk.get("retrieved_context")) for chunk in chunks]
    return [
        {"source_uri": one.get("uri"), "source_display_name": one.get("title"), **one}
        for one in found
        if "text" in one
    ]


def _read_contexts(value: Json) -> Sequence[Question]:
    entries = []
    for context in map(_snake, _contexts(value)):
        page = _snake(_snake(context.get("chunk")).get("page_span"))
        said = {
            name: inner
            for name, inner in context.items()
            if name not in ("text", "score", "chunk", "sparse_score")
        }
        entries.append(
            Entry(
                text=context.get("text"),
                score=context.get("score", context.get("distance")),
                beside={**said, "page_start": page.get("first_page")},
            )
        )
    asked = listing(_grounding(value).get("retrieval_queries"))
    query = asked[0] if len(asked) == 1 else ""
    return [question(entries, Names("", "text", "score"), query=query)]


def _recognises_neighbours(value: Json) -> str | None:
    groups = _groups(value)
    first = [entry for group in groups for entry in group][:LOOKED_AT]
    if first and all(map(_is_neighbour, first)):
        return "its entries are neighbours with “datapoint” and “distance”, as Vector Search gives"
    return None


def _is_neighbour(entry: Json) -> bool:
    fields = _snake(entry)
    if "distance" not in fields:
        return False
    return "datapoint" in fields or ("id" in fields and bool(NEIGHBOUR & set(fields)))


def _groups(value: Json) -> list[Sequence[Json]]:
    """Return the neighbours of each question."""
    if isinstance(value, dict):
        fields = _snake(value)
        several = mappings(fields.get("nearest_neighbors"))
        if several:
            return [listing(group.get("neighbors")) for group in several]
        return [listing(fields.get("neighbors"))] if "neighbors" in fields else []
    entries = listing(value)
    if entries and all(isinstance(entry, list) for entry in entries):
        return [listing(entry) for entry in entries]
    return [entries] if entries else []


def _read_neighbours(value: Json) -> Sequence[Question]:
    groups = _groups(value)
    return [
        question(
            [_of_neighbour(entry) for entry in group],
            Names("datapoint id", "", "distance", "feature vector"),
            query_id=_query_id(value, number) if len(groups) > 1 else "",
        )
        for number, group in enumerate(groups)
    ]


def _query_id(value: Json, number: int) -> str:
    several = mappings(_snake(value).get("nearest_neighbors")) if isinstance(value, dict) else []
    found = several[number].get("id") if number < len(several) else None
    return str(found) if isinstance(found, (str, int)) else str(number + 1)


def _of_neighbour(entry: Json) -> Entry:
    fields = _snake(entry)
    point = _snake(fields.get("datapoint")) or fields
    restricts = {
        str(tag.get("namespace")): ", ".join(map(str, listing(tag.get("allow_list"))))
        for tag in map(_snake, mappings(point.get("restricts")))
    }
    return Entry(
        id=point.get("datapoint_id", point.get("id")),
        score=fields.get("distance"),
        vector=point.get("feature_vector"),
        payload={**mapping(point.get("embedding_metadata")), **restricts},
        problem="" if _is_neighbour(entry) else "This is not a neighbour of Vector Search.",
    )


CHUNKS = wrapped(
    Shape(
        "vertex-search", "Vertex AI Search chunks", _recognises_chunks, _read_chunks, Tried.SCHEMA
    )
)
CONTEXTS = wrapped(
    Shape("vertex-rag", "Vertex RAG contexts", _recognises_contexts, _read_contexts, Tried.SCHEMA)
)
NEIGHBOURS = wrapped(
    Shape(
        "vertex-neighbours",
        "Vertex Vector Search neighbours",
        _recognises_neighbours,
        _read_neighbours,
        Tried.SCHEMA,
    )
)
