"""What LlamaIndex writes into a store's payload: a node, as JSON inside a field.

The text may stand in the node, or beside it in the store's own field for texts; the other fields
repeat the node's metadata so that the store can filter by them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from poolscope.formats import aliases, values
from poolscope.formats.shapes.base import Json

CONTENT = "_node_content"
SOURCE = "1"
"""The key under which a node's relationships hold the document it was cut from."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node taken out of a payload.

    Args:
        id: Its own id.
        text: Its text; ``None`` where the store holds it in a field of its own.
        metadata: Its metadata and the payload's other fields.
        vector: Its embedding; usually ``None``.
    """

    id: Json
    text: Json
    metadata: Mapping[str, Json]
    vector: Json = None


def node(payload: Mapping[str, Json]) -> Node | None:
    """Take a node out of a payload; ``None`` where LlamaIndex did not write it."""
    holder = _holder(payload)
    if holder is None:
        return None
    content = _object(holder[CONTENT])
    beside = {} if holder is payload else _without_nodes(payload)
    rest = {**beside, **{name: value for name, value in holder.items() if name != CONTENT}}
    if content is None:
        return Node(None, None, rest)
    return Node(
        content.get("id_", content.get("node_id")),
        _text(content),
        {**_object_or_empty(content.get("metadata")), **rest, **_origin(content, rest)},
        content.get("embedding"),
    )


def holds_node(payload: Json) -> bool:
    """Whether a payload, or a mapping of metadata inside it, was written by LlamaIndex."""
    return isinstance(payload, dict) and _holder(payload) is not None


def _holder(payload: Mapping[str, Json]) -> Mapping[str, Json] | None:
    if CONTENT in payload:
        return payload
    for name, value in payload.items():
        if aliases.normal(str(name)) in aliases.CONTAINERS:
            inner = _object(value)
            if inner is not None and CONTENT in inner:
                return inner
    return None


def _without_nodes(payload: Mapping[str, Json]) -> dict[str, Json]:
    return {
        name: value for name, value in payload.items() if CONTENT not in _object_or_empty(value)
    }


def _object(value: Json) -> Mapping[str, Json] | None:
    read = values.structure(value)
    return read if isinstance(read, dict) else None


def _object_or_empty(value: Json) -> Mapping[str, Json]:
    return _object(value) or {}


def _text(content: Mapping[str, Json]) -> Json:
    resource = _object_or_empty(content.get("text_resource"))
    met = (content.get("text"), resource.get("text"))
    return next((text for text in met if isinstance(text, str) and text.strip()), None)


def _origin(content: Mapping[str, Json], rest: Mapping[str, Json]) -> dict[str, Json]:
    """Return the document that a node was cut from, and its place in it."""
    found = {
        name: content[name]
        for name in ("start_char_idx", "end_char_idx")
        if content.get(name) is not None and name not in rest
    }
    relations = _object_or_empty(content.get("relationships"))
    source = relations.get(SOURCE)
    origin = source.get("node_id") if isinstance(source, dict) else source
    if isinstance(origin, str) and values.missing(rest.get("ref_doc_id")):
        found["ref_doc_id"] = origin
    return found
