"""Langfuse: observations, as OpenTelemetry spans and as its API and its exports write them."""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles, spans, steps
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.spans import Span

DEEPEST = 6
LOOKED_AT = 2_000
PREFIX = "langfuse.observation."
TYPES = frozenset(
    (
        "SPAN",
        "EVENT",
        "GENERATION",
        "RETRIEVER",
        "EMBEDDING",
        "CHAIN",
        "TOOL",
        "AGENT",
        "EVALUATOR",
        "GUARDRAIL",
    )
)
TRACES = ("traceId", "trace_id")
HOLDERS = ("data", "observations", "traces", "trace")


def _recognises_spans(value: Json) -> str | None:
    for span in spans.first(value):
        if any(name.startswith(PREFIX) for name in span.attributes):
            return "its spans have “langfuse.observation.” attributes, as Langfuse's do"
    return None


def _read_spans(value: Json) -> Sequence[Question]:
    return steps.questions(_of_span(span) for span in spans.spans(value))


def _of_span(span: Span) -> steps.Step:
    kind = values.text(span.attributes.get(f"{PREFIX}type", "")).upper()
    return steps.Step(
        name=span.name,
        id=span.id,
        trace=span.trace,
        input=span.attributes.get(f"{PREFIX}input"),
        output=span.attributes.get(f"{PREFIX}output"),
        retrieves=kind == "RETRIEVER",
    )


def _observations(value: Json, depth: int = DEEPEST) -> Iterator[Mapping[str, Json]]:
    """Yield the observations of a list, of a trace, or of a page of either."""
    if depth == 0:
        return
    if isinstance(value, list):
        for entry in value:
            yield from _observations(entry, depth - 1)
    elif isinstance(value, dict):
        if _is_observation(value):
            yield value
            return
        for name in HOLDERS:
            yield from _observations(roles.parsed(value.get(name)), depth - 1)


def _is_observation(value: Mapping[str, Json]) -> bool:
    kind = value.get("type")
    typed = isinstance(kind, str) and kind.upper() in TYPES
    return typed and any(name in value for name in TRACES) and "output" in value


def _recognises_observations(value: Json) -> str | None:
    looked = value[:LOOKED_AT] if isinstance(value, list) else value
    if next(_observations(looked), None) is None:
        return None
    return "it has observations with “type”, “traceId” and “output”, as Langfuse's do"


def _read_observations(value: Json) -> Sequence[Question]:
    return steps.questions(_of_observation(entry) for entry in _observations(value))


def _of_observation(entry: Mapping[str, Json]) -> steps.Step:
    trace = next((entry[name] for name in TRACES if name in entry), "")
    return steps.Step(
        name=values.text(entry.get("name") or ""),
        id=values.text(entry.get("id") or ""),
        trace=values.text(trace),
        input=entry.get("input"),
        output=entry.get("output"),
        retrieves=_retrieves(entry),
    )


def _retrieves(entry: Mapping[str, Json]) -> bool:
    """Whether an observation is a retrieval: by its type, else by the name of a plain span."""
    kind = values.text(entry.get("type")).upper()
    named = "retriev" in values.text(entry.get("name") or "").lower()
    return kind == "RETRIEVER" or (kind == "SPAN" and named)


SPANS = Shape(
    "langfuse-spans", "Langfuse spans", _recognises_spans, _read_spans, Tried.LIBRARY, holds=True
)
OBSERVATIONS = Shape(
    "langfuse",
    "Langfuse observations",
    _recognises_observations,
    _read_observations,
    Tried.SCHEMA,
    holds=True,
)
