"""LangChain: lists of documents, and of documents with scores, from Python and from JavaScript.

Documents come as ``Document.model_dump`` writes them, inside the envelope of ``dumps``, and with
camel case from JavaScript. Nothing is instantiated: the envelope's ``kwargs`` are the document.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20


def document(value: Json) -> Mapping[str, Json] | None:
    """Return a document's fields, out of its envelope; ``None`` where it is no document."""
    if not isinstance(value, Mapping):
        return None
    if value.get("lc") == 1 and value.get("type") == "constructor":
        path, inner = value.get("id"), value.get("kwargs")
        named = isinstance(path, list) and path[-1:] == ["Document"]
        return inner if named and isinstance(inner, Mapping) else None
    return value if "page_content" in value or "pageContent" in value else None


def passage(value: Json, score: Json = None) -> Passage:
    """Read one document, with the score beside it or in its metadata."""
    fields = document(value)
    if fields is None:
        return Passage(problem="This is not a LangChain document.")
    metadata = fields.get("metadata")
    known = metadata if isinstance(metadata, Mapping) else {}
    if score is None:
        score = next((known[name] for name in ("score", "relevance_score") if name in known), None)
    return Passage(
        text=fields.get("page_content", fields.get("pageContent")),
        id=next((entry for entry in _ids(fields, known) if entry is not None), None),
        score=score,
        metadata=known,
    )


def _ids(fields: Mapping[str, Json], metadata: Mapping[str, Json]) -> Sequence[Json]:
    return [fields.get("id"), *(metadata.get(name) for name in ("chunk_id", "_id"))]


def _recognises_documents(value: Json) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    if any(document(entry) is None for entry in value[:LOOKED_AT]):
        return None
    return "each entry has “page_content”, as LangChain's documents do"


def _read_documents(value: Json) -> Sequence[Question]:
    entries = value if isinstance(value, list) else []
    return [Question([passage(entry) for entry in entries], columns=COLUMNS)]


def _recognises_pairs(value: Json) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    if not all(_is_pair(entry) for entry in value[:LOOKED_AT]):
        return None
    return "each entry is a pair of a LangChain document and a number"


def _is_pair(entry: Json) -> bool:
    return isinstance(entry, (list, tuple)) and len(entry) == 2 and document(entry[0]) is not None


def _read_pairs(value: Json) -> Sequence[Question]:
    entries = value if isinstance(value, list) else []
    read = [
        passage(entry[0], entry[1])
        if isinstance(entry, (list, tuple)) and len(entry) == 2
        else Passage(problem="This is not a pair of a document and a score.")
        for entry in entries
    ]
    return [Question(read, columns={**COLUMNS, "score": "the pair's second part"})]


COLUMNS = {"text": "page_content", "id": "id", "score": "metadata"}

DOCUMENTS = Shape("langchain", "LangChain documents", _recognises_documents, _read_documents)
PAIRS = Shape("langchain-pairs", "LangChain documents with scores", _recognises_pairs, _read_pairs)
