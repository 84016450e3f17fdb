"""OpenLLMetry (Traceloop): the output of retriever spans, and the results of vector databases."""

from collections.abc import Mapping, Sequence

from poolscope.formats.base import Tried
from poolscope.formats.shapes import inner, langchain, roles, spans, steps
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.spans import Span

OUTPUT = ("traceloop.entity.output", "gen_ai.task.output")
INPUT = ("traceloop.entity.input", "gen_ai.task.input")
RESULT = "db.query.result"
"""What the events of a vector database's span start with, one event a result."""
EMBEDDINGS = "db.query.embeddings"


def _recognises(value: Json) -> str | None:
    for span in spans.first(value):
        if any(name.startswith("traceloop.") for name in span.attributes):
            return "its spans have “traceloop.” attributes, as OpenLLMetry writes them"
        if any(name.startswith(RESULT) for name, _ in span.events):
            return "its spans have “db.query.result” events, as OpenLLMetry writes them"
    return None


def _read(value: Json) -> Sequence[Question]:
    listed = list(spans.spans(value))
    results = [met for span in listed for met in _results(span)]
    if not results:
        return steps.questions(_step(span) for span in listed)
    return [*steps.once(results), *steps.retrievals([_step(span) for span in listed])]


def _step(span: Span) -> steps.Step:
    name = str(span.attributes.get("traceloop.entity.name", span.name))
    operation = span.attributes.get("gen_ai.operation.name")
    kind = span.attributes.get("traceloop.span.kind")
    retrieves = operation == "vector_db_retrieve" or kind == "retriever"
    return steps.Step(
        name=name,
        id=span.id,
        trace=span.trace,
        input=_first(span.attributes, INPUT),
        output=_first(span.attributes, OUTPUT),
        retrieves=retrieves or "retriever" in name.lower(),
    )


def _first(attributes: Mapping[str, Json], names: Sequence[str]) -> Json:
    return next((attributes[name] for name in names if attributes.get(name)), None)


def _results(span: Span) -> Sequence[steps.Met]:
    """Return the results that a vector database's span keeps as events; empty without any."""
    entries: list[Json] = []
    vector: Json = None
    for name, attributes in span.events:
        if name.startswith(EMBEDDINGS):
            vector = next(iter(attributes.values()), None)
        elif name.startswith(RESULT):
            entries.append(_result(attributes))
    if not entries:
        return ()
    read = langchain.question(entries)
    query = inner.asked(_first(span.attributes, INPUT))
    columns = {
        role: f"{RESULT}.{name}"
        for role, name in (("text", "document"), ("id", "id"), ("score", "distance"))
    }
    asked = Question(
        read.passages, query, span.id, roles.parsed(vector), columns=columns, notes=read.notes
    )
    return [steps.Met(asked, span.name, span.trace)]


def _result(attributes: Mapping[str, Json]) -> Json:
    fields = {name.rpartition(".")[2]: value for name, value in attributes.items()}
    beside = roles.without(fields, "document", "id", "metadata")
    return {
        "page_content": fields.get("document"),
        "id": fields.get("id"),
        "metadata": roles.mapping(fields.get("metadata")),
        **beside,
    }


SPANS = Shape("traceloop", "OpenLLMetry spans", _recognises, _read, Tried.LIBRARY, holds=True)
