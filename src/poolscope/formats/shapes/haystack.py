"""Haystack: documents as ``Document.to_dict`` writes them, flat or nested, and pipeline results.

A pipeline's result holds one list a component; a snapshot of a pipeline wraps each value in its
schema. What the components gave is one question with several arms.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats.base import Tried
from poolscope.formats.shapes import arms, nearly, roles
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
DEEPEST = 12
MARKS = frozenset(("blob", "sparse_embedding", "dataframe"))
"""Fields that only Haystack's documents have beside ``content``."""
OWN = frozenset(("id", "content", "content_type", "meta", "score", "embedding", "type", *MARKS))
WRAPPED = frozenset(("serialization_schema", "serialized_data"))
ASKED = ("query", "question", "text")
STATE = ("pipeline_outputs", "pipeline_state", "original_input_data", "inputs", "documents")
"""Keys of a snapshot or a component that name no component."""


def is_document(value: Json) -> bool:
    """Whether a value is a document of Haystack 1, 2 or 3."""
    found = _fields(value)
    if "content" not in found:
        return False
    nested = "meta" in found and ("score" in found or "content_type" in found or "id" in found)
    return bool(MARKS & found.keys()) or nested


def _fields(value: Json) -> Mapping[str, Json]:
    """Return a document's fields, out of ``{"type": …, "init_parameters": {…}}`` if need be."""
    if not isinstance(value, dict):
        return {}
    inner = value.get("init_parameters")
    return inner if isinstance(inner, dict) else value


def passage(value: Json) -> Passage:
    """Read one document; what stands beside its own fields is metadata."""
    found = _fields(value)
    if not is_document(value):
        return Passage(problem="This is not a Haystack document.")
    beside = {name: entry for name, entry in found.items() if name not in OWN}
    return Passage(
        text=found.get("content"),
        id=found.get("id"),
        score=found.get("score"),
        vector=found.get("embedding"),
        metadata={**beside, **roles.mapping(found.get("meta"))},
    )


def question(entries: Sequence[Json], query: Json = "") -> Question:
    """Read documents as the candidates of one question."""
    return Question([passage(entry) for entry in entries], query, columns=COLUMNS)


COLUMNS = {"text": "content", "id": "id", "score": "score", "vector": "embedding"}


def _is_list(value: Json) -> bool:
    return isinstance(value, list) and nearly.mostly(value[:LOOKED_AT], is_document)


def _recognises_documents(value: Json) -> str | None:
    if not _is_list(value):
        return None
    return "each entry has “content” and “blob”, “sparse_embedding” or “meta”, as Haystack writes"


def _read_documents(value: Json) -> Sequence[Question]:
    return [question(value if isinstance(value, list) else [value])]


def _recognises_result(value: Json) -> str | None:
    if not isinstance(value, dict):
        return None
    for name, entry in value.items():
        inner = entry.get("documents") if isinstance(entry, dict) else None
        if _is_list(inner):
            return f"“{name}” holds “documents” of Haystack, as a component of a pipeline does"
    if value.keys() >= WRAPPED or "pipeline_state" in value:
        found = next(_lists(value, "", DEEPEST), None)
        return None if found is None else "it is a snapshot of a Haystack pipeline with documents"
    return None


def _read_result(value: Json) -> Sequence[Question]:
    met: dict[str, Question] = {}
    for name, entries in _lists(value, "", DEEPEST):
        met.setdefault(name or "documents", question(entries))
    query, vector = _asked(value, DEEPEST), _asked_vector(value)
    return [
        dataclasses.replace(found, query=query, query_vector=vector)
        for found in arms.questions(met)
    ]


def _lists(value: Json, name: str, depth: int) -> Iterator[tuple[str, list[Json]]]:
    """Yield every list of documents with the component that gave it.

    A component's input names its sender, whose output it is.
    """
    if depth == 0:
        return
    if isinstance(value, list):
        if _is_list(value):
            yield name, value
            return
        for entry in value:
            sender = entry.get("sender") if isinstance(entry, dict) else None
            if isinstance(sender, str):
                yield from _lists(entry, sender, depth - 1)
    if not isinstance(value, dict):
        return
    if value.keys() >= WRAPPED:
        yield from _lists(value["serialized_data"], name, depth - 1)
        return
    for key, entry in value.items():
        keeps = name and (key in STATE or key == "value" or not isinstance(entry, dict))
        yield from _lists(entry, name if keeps else _component(key), depth - 1)


def _component(key: str) -> str:
    return "" if key in STATE else key


def _asked(value: Json, depth: int) -> str:
    """Return the first question that any component was given; empty without one."""
    if depth == 0 or not isinstance(value, (dict, list)):
        return ""
    entries = list(value.items()) if isinstance(value, dict) else [("", x) for x in value]
    for key, entry in entries:
        if key in ASKED and isinstance(entry, str):
            return entry
        sent = entry[0] if key in ASKED and isinstance(entry, list) and entry else None
        if isinstance(sent, dict) and isinstance(sent.get("value"), str):
            return str(sent["value"])
    if isinstance(value, dict) and is_document(value):
        return ""
    return next((found for _, entry in entries if (found := _asked(entry, depth - 1))), "")


def _asked_vector(value: Json) -> Json:
    """Return the embedding that a text embedder of the pipeline gave for the question."""
    if not isinstance(value, dict):
        return None
    outputs = [entry for entry in value.values() if isinstance(entry, dict)]
    found = [entry["embedding"] for entry in outputs if isinstance(entry.get("embedding"), list)]
    return found[0] if len(found) == 1 else None


DOCUMENTS = Shape(
    "haystack", "Haystack documents", _recognises_documents, _read_documents, Tried.LIBRARY
)
RESULT = Shape(
    "haystack-pipeline", "Haystack pipeline result", _recognises_result, _read_result, Tried.LIBRARY
)
