"""Any other trace: spans whose attributes hold passages as a known framework writes them."""

from collections.abc import Mapping, Sequence

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import genai, inner, openinference, roles, spans, steps
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.spans import Span

NAMES_SHOWN = 5


def _recognises(value: Json) -> str | None:
    found = spans.first(value)
    telling = any(span.trace or span.id for span in found)
    return "it holds spans with attributes, as OpenTelemetry does" if telling else None


def _read(value: Json) -> Sequence[Question]:
    listed = list(spans.spans(value))
    found = [met for span in listed for met in openinference.retrievals(span)]
    found += [met for span in listed for met in genai.retrievals(span)]
    found = found or [met for span in listed for met in _held(span)]
    read = openinference.with_vectors(steps.once(found), listed)
    if read:
        return read
    names = ", ".join(f"“{values.shown(name)}”" for name in _names(listed))
    problem = (
        f"None of {counted(len(listed), 'span')} holds the passages of a retrieval; met: {names}."
    )
    return [Question([], problem=problem, remedy=REMEDY)]


REMEDY = "Record the retriever's output in the trace, and export its spans with their attributes."


def _names(listed: Sequence[Span]) -> list[str]:
    return list(dict.fromkeys(span.name for span in listed if span.name))[:NAMES_SHOWN]


def _held(span: Span) -> Sequence[steps.Met]:
    """Return the first known list in an attribute of a span or of its events."""
    query = ""
    for attributes in (span.attributes, *(event for _, event in span.events)):
        query = query or _asked(attributes)
        for value in attributes.values():
            parsed = roles.parsed(value)
            read = inner.telling(parsed) if isinstance(parsed, (Mapping, list)) else ()
            if read:
                asked = inner.with_query(read, query, span.id)
                return [steps.Met(question, span.name, span.trace) for question in asked]
    return ()


def _asked(attributes: Mapping[str, Json]) -> str:
    named = (
        value
        for name, value in attributes.items()
        if name.rpartition(".")[2] in ("query", "question", "input") and isinstance(value, str)
    )
    return inner.asked(next(named, ""))


SPANS = Shape("trace", "OpenTelemetry spans", _recognises, _read, Tried.LIBRARY, holds=True)
