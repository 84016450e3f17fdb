"""MLflow: traces whose attributes are each JSON once more."""

from collections.abc import Sequence

from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles, spans, steps
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.spans import Span


def _recognises(value: Json) -> str | None:
    for span in spans.first(value):
        if any(name.startswith("mlflow.span") for name in span.attributes):
            return "its spans have “mlflow.spanType” and “mlflow.spanOutputs”, as MLflow's do"
    return None


def _read(value: Json) -> Sequence[Question]:
    return steps.questions(_step(span) for span in spans.spans(value))


def _step(span: Span) -> steps.Step:
    kind = _plain(span.attributes.get("mlflow.spanType")) or span.kind
    return steps.Step(
        name=span.name,
        id=span.id,
        trace=span.trace,
        input=_given(span, "mlflow.spanInputs", "inputs"),
        output=_given(span, "mlflow.spanOutputs", "outputs"),
        retrieves=kind.upper() == "RETRIEVER",
        reranks=kind.upper() == "RERANKER",
    )


def _given(span: Span, name: str, field: str) -> Json:
    found = span.attributes.get(name)
    return roles.parsed(span.fields.get(field) if found is None else found)


def _plain(value: Json) -> str:
    """Return a text that may be quoted once more."""
    return values.text(value).strip('"') if isinstance(value, str) else ""


SPANS = Shape("mlflow", "MLflow traces", _recognises, _read, Tried.LIBRARY, holds=True)
