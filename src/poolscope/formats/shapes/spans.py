"""Spans of OpenTelemetry in the files that hold them, as one value: names, ids, attributes.

They come from the SDK's ``to_json``, from OTLP in JSON (camel or snake case), from a REST answer,
and as rows of a data frame with one column an attribute.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from poolscope.formats import values
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json

DEEPEST = 8
LOOKED_AT = 2_000
"""Spans, and entries of a list, that are looked at to recognise a trace."""
HOLDERS = (
    "resourceSpans",
    "resource_spans",
    "batches",
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "spans",
    "data",
    "traces",
    "trace",
)
"""Names under which spans stand when something holds them, the outer ones first."""
COLUMN = "attributes."


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """One span.

    Args:
        name: Of the operation.
        id: Its own id, as the file writes it.
        trace: The id of its trace.
        kind: Where the file has a column for the kind of the software that wrote it.
        attributes: By their dotted names; values as they stand.
        events: Each event's name and attributes.
        fields: The span's other fields, for software that keeps more beside the attributes.
    """

    name: str = ""
    id: str = ""
    trace: str = ""
    kind: str = ""
    attributes: Mapping[str, Json] = field(default_factory=dict)
    events: Sequence[tuple[str, Mapping[str, Json]]] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)


def spans(value: Json) -> Iterator[Span]:
    """Yield the spans of a file, in its order; nothing where it holds none."""
    yield from _spans(value, DEEPEST, None)


def first(value: Json) -> Sequence[Span]:
    """Return the spans by which a trace is recognised."""
    if not isinstance(value, (dict, list)):
        return ()
    return list(islice(_spans(value, DEEPEST, LOOKED_AT), LOOKED_AT))


def _spans(value: Json, depth: int, most: int | None) -> Iterator[Span]:
    if depth == 0:
        return
    if isinstance(value, list):
        for entry in value[:most]:
            if isinstance(entry, (dict, list)):
                yield from _spans(entry, depth - 1, most)
    elif isinstance(value, dict):
        held = _held(value)
        if held is not None:
            yield from _spans(held, depth - 1, most)
        elif _is_span(value):
            yield _span(value)


def _held(value: Mapping[str, Json]) -> Json:
    """Return what holds the spans of a value that is no span itself; ``None`` without it."""
    for name in HOLDERS:
        found = value.get(name)
        if found is None or (name == "data" and _is_span(value)):
            continue
        parsed = roles.parsed(found)
        if isinstance(parsed, (list, dict)) and parsed:
            return parsed
    return None


def _is_span(value: Mapping[str, Json]) -> bool:
    if not any(name in value for name in ("name", "spanId", "span_id", "context.span_id")):
        return False
    attributes = value.get("attributes")
    if isinstance(attributes, str):
        attributes = roles.parsed(attributes)
    if isinstance(attributes, list):
        return any(isinstance(entry, dict) and "key" in entry for entry in attributes)
    return isinstance(attributes, dict) or any(name.startswith(COLUMN) for name in value)


def _span(value: Mapping[str, Json]) -> Span:
    context = roles.mapping(value.get("context"))
    return Span(
        name=_text(value.get("name")),
        id=_text(
            context.get("span_id")
            or value.get("context.span_id")
            or value.get("spanId")
            or value.get("span_id")
            or value.get("id")
        ),
        trace=_text(
            context.get("trace_id")
            or value.get("context.trace_id")
            or value.get("traceId")
            or value.get("trace_id")
        ),
        kind=_text(value.get("span_kind") or value.get("span_type")),
        attributes=_attributes(value),
        events=_events(value.get("events")),
        fields=value,
    )


def _text(value: Json) -> str:
    return values.text(value) if isinstance(value, (str, int)) else ""


def _attributes(value: Mapping[str, Json]) -> dict[str, Json]:
    found = pairs(roles.parsed(value.get("attributes")))
    columns = {
        name.removeprefix(COLUMN): entry
        for name, entry in value.items()
        if name.startswith(COLUMN) and entry is not None
    }
    return {**found, **columns}


def pairs(value: Json) -> dict[str, Json]:
    """Return attributes from an object, or from OTLP's list of keys with typed values."""
    if isinstance(value, dict):
        return dict(value)
    entries = value if isinstance(value, list) else []
    return {
        str(entry["key"]): typed(entry.get("value"), DEEPEST)
        for entry in entries
        if isinstance(entry, dict) and "key" in entry
    }


def typed(value: Json, depth: int) -> Json:
    """Return the value that OTLP wraps in its type; a whole number may be a text there."""
    if not isinstance(value, dict) or len(value) != 1 or depth == 0:
        return value
    kind, inner = next(iter(value.items()))
    listed = roles.mapping(inner).get("values")
    if kind in ("arrayValue", "array_value"):
        return [typed(entry, depth - 1) for entry in (listed if isinstance(listed, list) else [])]
    if kind in ("kvlistValue", "kvlist_value"):
        return pairs(listed)
    if kind in ("intValue", "int_value"):
        whole = values.whole(inner)
        return inner if whole is None else whole
    return inner if kind.lower().endswith("value") else value


def _events(value: Json) -> Sequence[tuple[str, Mapping[str, Json]]]:
    entries = roles.parsed(value)
    return [
        (_text(entry.get("name")), pairs(entry.get("attributes")))
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict)
    ]


def tree(attributes: Mapping[str, Json], root: str) -> Json:
    """Return what stands under a dotted name, with the dots of its own names opened.

    ``retrieval.documents.0.document.id`` and one attribute ``retrieval.documents`` with a list,
    an object or a text that holds one, give the same value.
    """
    nested: Json = attributes
    for part in root.split("."):
        nested = nested.get(part) if isinstance(nested, dict) else None
    whole = attributes.get(root, nested)
    if whole is not None:
        return _opened(roles.parsed(whole), DEEPEST)
    stem = f"{root}."
    inner = {
        name.removeprefix(stem): entry
        for name, entry in attributes.items()
        if name.startswith(stem)
    }
    return _opened(inner, DEEPEST) if inner else None


def _opened(value: Json, depth: int) -> Json:
    if depth == 0:
        return value
    if isinstance(value, list):
        return [_opened(entry, depth - 1) for entry in value]
    if not isinstance(value, dict):
        return value
    groups: dict[str, Json] = {}
    for name, entry in value.items():
        head, dot, rest = str(name).partition(".")
        if not dot:
            groups.setdefault(head, entry)
            continue
        group = groups.setdefault(head, {})
        if isinstance(group, dict):
            group[rest] = entry
    opened = {name: _opened(entry, depth - 1) for name, entry in groups.items()}
    if opened and all(name.isdecimal() for name in opened):
        return [opened[name] for name in sorted(opened, key=int)]
    return opened
