"""Rerankers: Cohere, Jina, Voyage, Bedrock and their kin, over REST and from their clients.

A result names its passage by its place in the list that was sent. Some give the passage back; the
others can only be read with the pool before them.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats import values
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import is_number, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
HOLDERS = ("results", "data")
SCORES = ("relevance_score", "relevanceScore", "score")
DOCUMENTS = ("document", "input", "text")
FIELDS = frozenset(
    (*SCORES, *DOCUMENTS, "index", "object", "embedding", "relevant_spans", "logits")
)
TELLING = frozenset(("relevance_score", "relevanceScore"))
KNOWN = Known(
    "relevance by a reranker", Direction.HIGHER, "A reranker's score is higher for better."
)
Fields = Mapping[str, Json]


def _is_result(entry: Fields) -> bool:
    if values.whole(entry.get("index")) is None or not FIELDS.issuperset(entry):
        return False
    return any(is_number(entry.get(name)) for name in SCORES)


def _recognises(value: Json) -> str | None:
    if isinstance(value, dict):
        for name in HOLDERS:
            entries = mappings(value.get(name), most=LOOKED_AT)
            if entries and all(map(_is_result, entries)):
                return f"“{name}” holds “index” and a score, as rerankers give"
        return None
    entries = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    if not entries or not all(map(_is_result, entries)):
        return None
    # Rows of a table may have an index, a score and a text too: they are no reranker's.
    if all(TELLING & set(entry) or not {"text"} & set(entry) for entry in entries):
        return "its entries hold “index” and a score, as rerankers give"
    return None


def _read(value: Json) -> Sequence[Question]:
    found = listing(value)
    if isinstance(value, dict):
        name = next((name for name in HOLDERS if mappings(value.get(name))), "")
        found = listing(value.get(name))
    entries = [_entry(result) for result in found]
    return [question(entries, Names("index", "document", "relevance score"), known=KNOWN)]


def _entry(result: Json) -> Entry:
    if not isinstance(result, dict):
        return Entry(problem="This is not a result of a reranker.")
    index = values.whole(result.get("index"))
    document = next((result[name] for name in DOCUMENTS if name in result), None)
    payload = mapping(document) if not isinstance(document, str) else {}
    return Entry(
        payload=payload,
        text=document if isinstance(document, str) else None,
        score=next((result[name] for name in SCORES if is_number(result.get(name))), None),
        index=index,
        problem="" if index is not None else "The result has no “index”.",
    )


RERANKER = wrapped(Shape("reranker", "Reranker results", _recognises, _read, Tried.CLASSES))
