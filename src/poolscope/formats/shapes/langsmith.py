"""LangSmith: runs from the API, from a collector, and from a bulk export with JSON in its cells."""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles, steps
from poolscope.formats.shapes.base import Json, Question, Shape

DEEPEST = 30
LOOKED_AT = 2_000
HOLDERS = ("runs", "data", "child_runs", "post", "patch")


def _runs(value: Json, depth: int = DEEPEST) -> Iterator[Mapping[str, Json]]:
    """Yield every run of a list, of a page or of a batch, and the runs inside each."""
    if depth == 0:
        return
    if isinstance(value, list):
        for entry in value:
            yield from _runs(entry, depth - 1)
    elif isinstance(value, dict):
        if _is_run(value):
            yield value
        for name in HOLDERS:
            held = value.get(name)
            if held:
                yield from _runs(roles.parsed(held), depth - 1)


def _is_run(value: Mapping[str, Json]) -> bool:
    return isinstance(value.get("run_type"), str) and ("inputs" in value or "outputs" in value)


def _recognises(value: Json) -> str | None:
    looked = value[:LOOKED_AT] if isinstance(value, list) else value
    if next(_runs(looked), None) is None:
        return None
    return "it has runs with “run_type”, “inputs” and “outputs”, as LangSmith's do"


def _read(value: Json) -> Sequence[Question]:
    return steps.questions(_step(run) for run in _runs(value))


def _step(run: Mapping[str, Json]) -> steps.Step:
    return steps.Step(
        name=values.text(run.get("name") or ""),
        id=values.text(run.get("id") or ""),
        trace=values.text(run.get("trace_id") or ""),
        input=run.get("inputs"),
        output=run.get("outputs"),
        retrieves=values.text(run.get("run_type")).lower() == "retriever",
    )


RUNS = Shape("langsmith", "LangSmith runs", _recognises, _read, Tried.LIBRARY, holds=True)
