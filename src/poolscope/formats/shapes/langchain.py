"""LangChain: lists of documents, and of documents with scores, from Python and from JavaScript.

Documents come as ``Document.model_dump`` writes them, inside the envelope of ``dumps``, and with
camel case from JavaScript. Nothing is instantiated: the envelope's ``kwargs`` are the document.
Many writers put a score, a vector or an id beside the text or into the metadata: they are used.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
OWN = frozenset(("page_content", "pageContent", "id", "metadata"))
CHUNK_IDS = ("chunk_id", "_id", "id")
"""Names in the metadata under which a document's own id may stand, most telling first."""
HELD = ("document", "doc", "chunk", "passage")
"""Names under which people write a document beside its score; a store's payload is none."""
SHAPE_OF_A_STORE = frozenset(("id", "vector", "text", "metadata"))


def document(value: Json) -> Mapping[str, Json] | None:
    """Return a document's fields, out of its envelope; ``None`` where it is no document."""
    if not isinstance(value, dict):
        return None
    if value.get("lc") == 1 and value.get("type") == "constructor":
        path, inner = value.get("id"), value.get("kwargs")
        named = isinstance(path, list) and path[-1:] == ["Document"]
        return inner if named and isinstance(inner, dict) else None
    return value if "page_content" in value or "pageContent" in value else None


def question(entries: Sequence[Json], scores: Sequence[Json] = ()) -> Question:
    """Read documents as the candidates of one question.

    Args:
        entries: The documents.
        scores: The scores beside them; empty where there are none.
    """
    documents = [document(entry) for entry in entries]
    fields = [_fields(found) for found in documents]
    score, vector = roles.field(fields, "score"), roles.field(fields, "vector")
    if scores:
        score = None
    ids, id_name = _ids(documents, fields)
    passages = [
        Passage(problem=_lacking(entries[index]))
        if found is None
        else Passage(
            text=found.get("page_content", found.get("pageContent")),
            id=ids[index],
            score=scores[index] if scores else fields[index].get(score or ""),
            vector=fields[index].get(vector or ""),
            metadata=roles.without(fields[index], score, vector),
        )
        for index, found in enumerate(documents)
    ]
    camel = any(found is not None and "pageContent" in found for found in documents)
    columns = {
        "text": "pageContent" if camel else "page_content",
        "id": id_name,
        "score": "the pair's second part" if scores else score or "",
        "vector": vector or "",
    }
    return Question(passages, columns={role: name for role, name in columns.items() if name})


def _lacking(entry: Json) -> str:
    if isinstance(entry, dict) and isinstance(entry.get("metadata"), dict):
        return "The document has no “page_content”."
    return "This is not a LangChain document."


def _fields(found: Mapping[str, Json] | None) -> dict[str, Json]:
    """Return everything but the text and the id: the metadata, and what stands beside it."""
    if found is None:
        return {}
    metadata = roles.mapping(found.get("metadata"))
    beside = {
        name: value
        for name, value in found.items()
        if name not in OWN and (name, value) != ("type", "Document")
    }
    clashing = {f"metadata.{name}": metadata[name] for name in metadata if name in beside}
    return {**metadata, **beside, **clashing}


def _ids(
    documents: Sequence[Mapping[str, Json] | None], fields: Sequence[Mapping[str, Json]]
) -> tuple[Sequence[Json], str]:
    """Return the ids and where they stood: a chunk's own id goes before the store's."""
    own = [None if found is None else found.get("id") for found in documents]
    chunk, *others = CHUNK_IDS
    candidates = [
        (f"metadata.{chunk}", [entry.get(chunk) for entry in fields]),
        ("id", own),
        *((f"metadata.{name}", [entry.get(name) for entry in fields]) for name in others),
    ]
    for name, found in candidates:
        if roles.distinct(found):
            return found, name
    return own, "id"


def _is_documents(value: Json) -> bool:
    """Whether a list holds documents; a flat table that names its text so is none."""
    if not isinstance(value, list) or not value:
        return False
    return all(_is_telling(entry) for entry in value[:LOOKED_AT])


def _is_telling(entry: Json) -> bool:
    found = document(entry)
    if found is None:
        return False
    asks = aliases.first(tuple(found), aliases.QUERY + aliases.QUERY_ID) is not None
    return found is not entry or (
        not asks and ("metadata" in found or found.get("type") == "Document")
    )


def _recognises_documents(value: Json) -> str | None:
    if not _is_documents(value):
        return None
    return "each entry has “page_content” and metadata, as LangChain's documents do"


def _read_documents(value: Json) -> Sequence[Question]:
    return [question(value if isinstance(value, list) else [value])]


def _pair(entry: Json) -> tuple[Json, Json] | None:
    """Return a document and its score, from a pair or from an object that holds the two."""
    if isinstance(entry, dict):
        return _held(entry)
    if not isinstance(entry, (list, tuple)) or len(entry) != 2 or document(entry[0]) is None:
        return None
    return entry[0], entry[1]


def _held(entry: Mapping[str, Json]) -> tuple[Json, Json] | None:
    """Return the one document of an object and the score beside it; the rest is metadata."""
    found = [name for name in HELD if document(entry.get(name)) is not None]
    if document(entry) is not None or len(found) != 1:
        return None
    beside = roles.without(entry, found[0])
    score = roles.field([beside], "score")
    if score is None and len(beside) == 1:
        score = next(iter(beside))
    own = document(entry[found[0]]) or {}
    return {**roles.without(beside, score), **own}, beside.get(score or "")


def _recognises_pairs(value: Json) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    pairs = [_pair(entry) for entry in value[:LOOKED_AT]]
    if not all(
        pair is not None and (pair[1] is None or roles.is_number(pair[1])) for pair in pairs
    ):
        return None
    return "each entry is a pair of a LangChain document and a number"


def _read_pairs(value: Json) -> Sequence[Question]:
    pairs = [
        _pair(entry) or _damaged(entry) for entry in (value if isinstance(value, list) else [])
    ]
    return [question([pair[0] for pair in pairs], [pair[1] for pair in pairs])]


def _damaged(entry: Json) -> tuple[Json, Json]:
    """Return what is left of a pair that lacks a part."""
    parts = entry if isinstance(entry, (list, tuple)) else [entry]
    return (parts[0] if parts else None), (parts[1] if len(parts) > 1 else None)


def _recognises_store(value: Json) -> str | None:
    if not isinstance(value, dict) or not value:
        return None
    entries = list(value.items())[:LOOKED_AT]
    if not all(
        isinstance(entry, dict) and set(entry) == SHAPE_OF_A_STORE and entry.get("id") == name
        for name, entry in entries
    ):
        return None
    return "each id holds “vector”, “text” and “metadata”, as InMemoryVectorStore.dump writes them"


def _read_store(value: Json) -> Sequence[Question]:
    entries = list(value.values()) if isinstance(value, dict) else []
    passages = [
        Passage(
            text=entry.get("text"),
            id=entry.get("id"),
            vector=entry.get("vector"),
            metadata=roles.mapping(entry.get("metadata")),
        )
        if isinstance(entry, dict)
        else Passage(problem="This is not an entry of a store.")
        for entry in entries
    ]
    return [
        Question(passages, columns={"text": "text", "id": "id", "vector": "vector"}, notes=STORE)
    ]


STORE = (
    "This is a store's content, not the answer to a question: it holds no question and no "
    "scores, and its order is that of writing.",
)

DOCUMENTS = Shape(
    "langchain", "LangChain documents", _recognises_documents, _read_documents, Tried.LIBRARY
)
PAIRS = Shape(
    "langchain-pairs",
    "LangChain documents with scores",
    _recognises_pairs,
    _read_pairs,
    Tried.LIBRARY,
)
STORED = Shape(
    "langchain-store", "LangChain in-memory store", _recognises_store, _read_store, Tried.LIBRARY
)
