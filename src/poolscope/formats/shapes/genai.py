"""OpenTelemetry's conventions for generative AI: retrieval spans with their documents.

The convention asks for ids and scores, not for texts: what a trace does not hold is missing.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes import inner, langchain, roles, spans, steps
from poolscope.formats.shapes.base import Json, Passage, Question, Shape
from poolscope.formats.shapes.spans import Span

DOCUMENTS = "gen_ai.retrieval.documents"
ASKED = ("gen_ai.retrieval.query.text", "gen_ai.query.text", "gen_ai.input.messages")


def _recognises(value: Json) -> str | None:
    if not any(met for span in spans.first(value) for met in retrievals(span)):
        return None
    return "a span has “gen_ai.retrieval.documents”, as OpenTelemetry's convention names them"


def _read(value: Json) -> Sequence[Question]:
    return steps.once([met for span in spans.spans(value) for met in retrievals(span)])


def retrievals(span: Span) -> Sequence[steps.Met]:
    """Return what a span or its events retrieved; nothing for any other span."""
    found = []
    for attributes in _attributes(span):
        read = question(attributes)
        if read is not None:
            asked = dataclasses.replace(read, query_id=span.id)
            found.append(steps.Met(asked, span.name, span.trace))
    return found


def _attributes(span: Span) -> Iterator[Mapping[str, Json]]:
    yield span.attributes
    for _, attributes in span.events:
        yield {**span.attributes, **attributes} if DOCUMENTS in attributes else {}


def question(attributes: Mapping[str, Json]) -> Question | None:
    """Read the documents of a retrieval; ``None`` where there are none."""
    listed = spans.tree(attributes, DOCUMENTS)
    if not isinstance(listed, list) or not listed:
        return None
    named = next((name for name in ASKED if attributes.get(name)), "")
    query = inner.asked(attributes.get(named))
    listed = [roles.parsed(entry) for entry in listed]
    if all(isinstance(entry, str) for entry in listed):
        passages = [Passage(entry) for entry in listed]
        return Question(passages, query, columns={"text": DOCUMENTS})
    fields = [roles.mapping(entry) for entry in listed]
    names = tuple(dict.fromkeys(name for entry in fields for name in entry))
    text = aliases.first(names, aliases.TEXT)
    documents: list[Json] = [
        {"page_content": entry.get(text or ""), **roles.without(entry, text)} if entry else None
        for entry in fields
    ]
    columns = {"text": text or "", "id": "id", "score": "score"}
    read = langchain.question(documents)
    notes = () if text else NO_TEXTS
    return dataclasses.replace(read, query=query, columns=columns, notes=notes)


NO_TEXTS = (
    "The trace holds the ids of the documents, not their texts: join the corpus by id to see them.",
)

SPANS = Shape(
    "otel-genai", "OpenTelemetry GenAI spans", _recognises, _read, Tried.LIBRARY, holds=True
)
