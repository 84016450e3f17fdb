"""TruLens: events of its OpenTelemetry spans, and records of its older releases."""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import inner, roles, spans, steps, table
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 2_000
CONTEXTS = (
    "ai.observability.retrieval.retrieved_contexts",
    "gen_ai.retrieval.documents",
)
ASKED = ("ai.observability.retrieval.query_text", "gen_ai.retrieval.query.text")
IDS = ("app_id", "record_id", "app_name")


def _events(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield the attributes of every event, which may stand as text."""
    for row in table.rows(value):
        if "record_attributes" in row:
            yield roles.mapping(row["record_attributes"])
    for span in spans.spans(value):
        if any(name.startswith("ai.observability.") for name in span.attributes):
            yield span.attributes


def _recognises_events(value: Json) -> str | None:
    looked = value[:LOOKED_AT] if isinstance(value, list) else value
    if not isinstance(looked, (Mapping, list)):
        return None
    for attributes in _events(looked):
        if any(name.startswith("ai.observability.") for name in attributes):
            return "its events have “ai.observability.” attributes, as TruLens' do"
    return None


def _read_events(value: Json) -> Sequence[Question]:
    found = []
    for attributes in _events(value):
        name = next((name for name in CONTEXTS if attributes.get(name)), None)
        listed = None if name is None else table.listed(attributes[name])
        if listed is None:
            continue
        asked = next((attributes[key] for key in ASKED if attributes.get(key)), "")
        record = values.text(attributes.get("ai.observability.record_id") or "")
        passages = [_passage(entry) for entry in listed]
        question = Question(passages, asked, record, columns={"text": name or ""})
        found.append(steps.Met(question, trace=record))
    return steps.once(found)


def _passage(entry: Json) -> Passage:
    if isinstance(entry, str):
        return Passage(entry)
    return Passage(problem=f"The context is {values.kind(entry)}, not a text.")


def _recognises_records(value: Json) -> str | None:
    rows = table.rows(value)[:1]
    if not rows or not any(name in rows[0] for name in IDS):
        return None
    if "record_json" not in rows[0] and "perf_json" not in rows[0]:
        return None
    return "it has “record_json” or “perf_json”, as the records of TruLens do"


def _read_records(value: Json) -> Sequence[Question]:
    rows = table.rows(value)
    read = steps.retrievals([step for row in rows for step in _steps(row)])
    if read:
        return read
    problem = f"There are inputs and outputs in {counted(len(rows), 'record')}, but no contexts."
    return [Question([], problem=problem, remedy=EVENTS)]


EVENTS = "Export the events of TruLens, which hold them, instead of its table of records."


def _steps(row: table.Row) -> Iterator[steps.Step]:
    """Yield the calls of a record; those of a method that is called as retrievers are."""
    record = roles.mapping(row.get("record_json"))
    calls = record.get("calls")
    asked = record.get("main_input", row.get("input"))
    for call in calls if isinstance(calls, list) else []:
        fields = roles.mapping(call)
        name = _method(fields)
        retrieves = any(word in name.lower() for word in ("retriev", "search", "get_relevant"))
        yield steps.Step(
            name=name,
            id=values.text(row.get("record_id") or ""),
            trace=values.text(row.get("record_id") or ""),
            input=inner.asked(asked),
            output=fields.get("rets"),
            retrieves=retrieves,
        )


def _method(call: Mapping[str, Json]) -> str:
    stack = call.get("stack")
    top = roles.mapping(stack[-1]) if isinstance(stack, list) and stack else {}
    name = roles.mapping(top.get("method")).get("name")
    return name if isinstance(name, str) else ""


EVENTS_OF_SPANS = Shape(
    "trulens", "TruLens events", _recognises_events, _read_events, Tried.LIBRARY, holds=True
)
RECORDS = Shape(
    "trulens-records",
    "TruLens records",
    _recognises_records,
    _read_records,
    Tried.SCHEMA,
    holds=True,
)
