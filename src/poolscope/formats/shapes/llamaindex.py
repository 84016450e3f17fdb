"""LlamaIndex: nodes with scores, bare nodes, and the source nodes of a response.

Its own loader cannot read what its writer wrote; here the fields are taken as they stand, from
the releases that call them ``doc_id``, ``extra_info`` and ``node_info`` to today's.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from poolscope.counts import counted
from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
STORE = "docstore/data"
RELATED = {
    "1": "ref_doc_id",
    "2": "previous_node_id",
    "3": "next_node_id",
    "4": "parent_id",
    "SOURCE": "ref_doc_id",
    "PREVIOUS": "previous_node_id",
    "NEXT": "next_node_id",
    "PARENT": "parent_id",
}
IDS = ("id_", "node_id", "doc_id", "id")
METADATA = ("metadata", "extra_info")
SPAN = ("start_char_idx", "end_char_idx")
PLUMBING = frozenset(
    (
        *IDS,
        *METADATA,
        *SPAN,
        "text",
        "embedding",
        "relationships",
        "text_resource",
        "node_info",
        "class_name",
        "hash",
        "mimetype",
        "metadata_template",
        "metadata_separator",
        "metadata_seperator",
        "text_template",
        "excluded_embed_metadata_keys",
        "excluded_llm_metadata_keys",
    )
)
"""Fields of a node that are read here, or that say how it is written into a prompt."""


def _inner(value: Json) -> Mapping[str, Json] | None:
    """Return the node of a node with its score; ``None`` where it is none."""
    if not isinstance(value, dict) or "node" not in value:
        return None
    node = roles.mapping(_bare(value["node"]))
    return node if node and ("score" in value or _is_node(node)) else None


def _bare(value: Json) -> Json:
    """Take a node out of what a document store wraps around it."""
    return value["__data__"] if isinstance(value, dict) and "__data__" in value else value


def _is_node(value: Json) -> bool:
    value = _bare(value)
    if not isinstance(value, dict):
        return False
    named = str(value.get("class_name", "")).endswith("Node")
    telling = "id_" in value or "relationships" in value
    return (named or telling) and ("text" in value or "text_resource" in value)


def passage(value: Json) -> Passage:
    """Read a node with its score, or a node alone."""
    node = _inner(value)
    score = value.get("score") if node is not None and isinstance(value, dict) else None
    if node is None and isinstance(value, dict) and _is_node(value):
        node = roles.mapping(_bare(value))
    if node is None:
        return Passage(problem="This is not a LlamaIndex node.")
    resource = roles.mapping(node.get("text_resource"))
    text = node.get("text")
    return Passage(
        text=text if text else resource.get("text", text),
        id=next((node[name] for name in IDS if roles.is_label(node.get(name))), None),
        score=score,
        vector=node.get("embedding"),
        metadata=_metadata(node),
    )


def _metadata(node: Mapping[str, Json]) -> dict[str, Json]:
    """Return a node's metadata, its relations by name, and where it stands in its document."""
    found: dict[str, Json] = {}
    for name in METADATA:
        found.update(roles.mapping(node.get(name)))
    related, of_source = _related(node.get("relationships"))
    info = roles.mapping(node.get("node_info"))
    ends = {
        name: node[name] if node.get(name) is not None else info.get(short)
        for name, short in zip(SPAN, ("start", "end"), strict=True)
        if name in node or short in info
    }
    rest = {name: value for name, value in node.items() if name not in PLUMBING}
    for others in (of_source, related, ends, rest):
        for name, value in others.items():
            found.setdefault(name, value)
    return found


def _related(value: Json) -> tuple[dict[str, Json], Mapping[str, Json]]:
    """Return the related nodes' ids by relation, and the metadata of the source document.

    A relation is an object with ``node_id``, or in old releases the bare id.
    """
    ids: dict[str, Json] = {}
    of_source: Mapping[str, Json] = {}
    for key, entry in roles.mapping(value).items():
        name = RELATED.get(str(key).rpartition(".")[2].upper())
        if name is None:
            continue
        ids[name] = entry.get("node_id") if isinstance(entry, dict) else entry
        if name == "ref_doc_id" and isinstance(entry, dict):
            of_source = roles.mapping(entry.get("metadata"))
    return ids, of_source


def question(entries: Sequence[Json], query: Json = "") -> Question:
    """Read nodes as the candidates of one question."""
    passages = [passage(entry) for entry in entries]
    return Question(passages, query, columns=COLUMNS)


COLUMNS = {"text": "node.text", "id": "node.id_", "score": "score", "vector": "node.embedding"}


def _recognises_scored(value: Json) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    if any(_inner(entry) is None for entry in value[:LOOKED_AT]):
        return None
    return "each entry has “node” and “score”, as LlamaIndex's NodeWithScore does"


def _recognises_nodes(value: Json) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    if not all(_is_node(entry) for entry in value[:LOOKED_AT]):
        return None
    return "each entry is a LlamaIndex node: it has “id_” or “relationships”, and a text"


def _read_list(value: Json) -> Sequence[Question]:
    return [question(value if isinstance(value, list) else [value])]


def _responses(value: Json) -> list[Mapping[str, Json]]:
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, dict)]


def _recognises_stored(value: Json) -> str | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get(STORE), dict) and value[STORE]:
        return f"it has “{STORE}”, as LlamaIndex's document store does"
    nodes, similar = value.get("nodes"), value.get("similarities")
    if not isinstance(nodes, list) or not isinstance(similar, list):
        return None
    if not nodes or not all(map(_is_node, nodes[:LOOKED_AT])):
        return None
    return "it has “nodes” and “similarities”, as LlamaIndex's VectorStoreQueryResult does"


def _read_stored(value: Json) -> Sequence[Question]:
    whole = roles.mapping(value)
    if STORE in whole:
        notes = ["This is a document store: its order ranks nothing."]
        met = roles.mapping(whole[STORE]).values()
        kept = [entry for entry in met if _is_node(entry)]
        if len(kept) < len(met):
            without = counted(len(met) - len(kept), "node")
            notes.append(f"Left out: {without} without a text.")
        return [dataclasses.replace(question(kept), notes=tuple(notes))]
    nodes, similar = roles.listing(whole.get("nodes")), roles.listing(whole.get("similarities"))
    without_scores: tuple[str, ...] = ()
    if len(similar) != len(nodes):
        said = f"{counted(len(similar), 'score')} for {counted(len(nodes), 'node')}"
        without_scores = (f"The scores were left out: there is not one a node, but {said}.",)
        similar = [None] * len(nodes)
    read = question([{"node": node, "score": s} for node, s in zip(nodes, similar, strict=True)])
    return [dataclasses.replace(read, notes=without_scores)]


def _recognises_response(value: Json) -> str | None:
    found = _responses(value)[:LOOKED_AT]
    if not found or not all(isinstance(entry.get("source_nodes"), list) for entry in found):
        return None
    nodes = [node for entry in found for node in _nodes(entry)[:LOOKED_AT]]
    if any(_inner(node) is None and not _is_node(node) for node in nodes):
        return None
    return "it has “source_nodes”, as LlamaIndex's Response does"


def _nodes(response: Mapping[str, Json]) -> Sequence[Json]:
    nodes = response.get("source_nodes")
    return nodes if isinstance(nodes, list) else []


def _read_response(value: Json) -> Sequence[Question]:
    read = []
    for entry in _responses(value):
        asked = aliases.first(tuple(entry), (*aliases.QUERY, "query_str"))
        read.append(question(_nodes(entry), entry.get(asked or "", "")))
    return read


SCORED = Shape(
    "llamaindex", "LlamaIndex nodes with scores", _recognises_scored, _read_list, Tried.LIBRARY
)
NODES = Shape("llamaindex-nodes", "LlamaIndex nodes", _recognises_nodes, _read_list, Tried.LIBRARY)
STORED = Shape(
    "llamaindex-stored",
    "LlamaIndex store",
    _recognises_stored,
    _read_stored,
    Tried.SCHEMA,
)
RESPONSE = Shape(
    "llamaindex-response",
    "LlamaIndex response",
    _recognises_response,
    _read_response,
    Tried.LIBRARY,
)
