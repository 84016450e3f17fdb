"""Weave: calls, whose output is whatever the operation gave back."""

from collections.abc import Mapping, Sequence

from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import steps, table
from poolscope.formats.shapes.base import Json, Question, Shape

LOOKED_AT = 20
MARKS = ("inputs", "trace_id", "started_at", "summary", "project_id")


def _calls(value: Json) -> list[Mapping[str, Json]]:
    found = value
    if isinstance(value, dict):
        found = next((value[name] for name in ("calls", "data") if name in value), [value])
    return table.rows(found)


def _recognises(value: Json) -> str | None:
    calls = _calls(value)[:LOOKED_AT]
    if not calls or not all(
        "op_name" in call and any(name in call for name in MARKS) for call in calls
    ):
        return None
    return "each call has “op_name”, “inputs” and “output”, as Weave's do"


def _read(value: Json) -> Sequence[Question]:
    return steps.questions(_step(call) for call in _calls(value))


def _step(call: Mapping[str, Json]) -> steps.Step:
    name = values.text(call.get("op_name") or "")
    short = name.rpartition("/op/")[2].partition(":")[0]
    retrieves = any(word in short.lower() for word in ("retriev", "search"))
    return steps.Step(
        name=short,
        id=values.text(call.get("id") or ""),
        trace=values.text(call.get("trace_id") or ""),
        input=call.get("inputs"),
        output=call.get("output"),
        retrieves=retrieves,
    )


CALLS = Shape("weave", "Weave calls", _recognises, _read, Tried.SCHEMA, holds=True)
