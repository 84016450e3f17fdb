"""Responses inside something else: a list of them, or each beside the question that it answers.

Software writes one response; people log many. A log line is an object with the question in one
field and the response in another, whatever the names are.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from poolscope.formats import aliases, values
from poolscope.formats.shapes.base import Json, Question, Shape

LOOKED_AT = 20
MOST_FIELDS = 64
"""Most fields of a log line; an object of more is a table of its own, not looked through."""
LONGEST_TEXT = 1_000_000
"""Longest text that is looked into for a response."""
QUERIES = (*aliases.QUERY, "queries", "query_texts", "questions", "search_query", "prompt", "input")


def wrapped(shape: Shape) -> Shape:
    """Return a shape that also reads lists of its responses, and responses with their question."""

    def recognises(value: Json) -> str | None:
        if isinstance(value, dict):
            return shape.recognises(value) or _inside(shape, value)
        reason = shape.recognises(value)
        if reason is not None or not isinstance(value, list) or not value:
            return reason
        if not all(_of_entry(shape, entry) is not None for entry in value[:LOOKED_AT]):
            return None
        return f"in each entry of the list, {_of_entry(shape, value[0])}"

    def read(value: Json) -> Sequence[Question]:
        if shape.recognises(value) is not None:
            return shape.read(value)
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            return [question for entry in value for question in _read_entry(shape, entry)]
        return _read_entry(shape, value)

    return dataclasses.replace(shape, recognises=recognises, read=read)


def _of_entry(shape: Shape, entry: Json) -> str | None:
    if not isinstance(entry, dict):
        return None
    return shape.recognises(entry) or _inside(shape, entry)


def _inside(shape: Shape, value: Mapping[str, Json]) -> str | None:
    if _by_question(shape, value):
        first = shape.recognises(_opened(next(iter(value.values()))))
        return f"under each name of the object, {first}"
    name = _holder(shape, value)
    reason = None if name is None else shape.recognises(_opened(value[name]))
    return None if reason is None else f"under “{values.shown(name)}”, {reason}"


def _by_question(shape: Shape, value: Mapping[str, Json]) -> bool:
    """Whether an object holds several responses and nothing else."""
    return len(value) > 1 and all(
        shape.recognises(_opened(inner)) is not None for inner in value.values()
    )


def _holder(shape: Shape, value: Mapping[str, Json]) -> str | None:
    """Return the one field that holds a response; ``None`` where none or several do."""
    if len(value) > MOST_FIELDS:
        return None
    found = [name for name, inner in value.items() if shape.recognises(_opened(inner)) is not None]
    return found[0] if len(found) == 1 else None


def _opened(inner: Json) -> Json:
    """Return a field's value, out of its text where it is JSON; scalars are no response."""
    is_short = isinstance(inner, str) and len(inner) <= LONGEST_TEXT
    read = values.structure(str(inner)) if is_short else inner
    return read if isinstance(read, (dict, list)) else None


def _read_entry(shape: Shape, entry: Json) -> Sequence[Question]:
    if not isinstance(entry, dict) or shape.recognises(entry) is not None:
        return shape.read(entry)
    if _by_question(shape, entry):
        return [
            _keyed(question, name)
            for name, inner in entry.items()
            for question in shape.read(_opened(inner))
        ]
    name = _holder(shape, entry)
    if name is None:
        return shape.read(entry)
    found = shape.read(_opened(entry[name]))
    head = {key: value for key, value in entry.items() if key != name}
    return [_headed(question, head, number) for number, question in enumerate(found)]


def _keyed(question: Question, name: str) -> Question:
    note = "Each entry of the object was read as a question of its own, named by its key."
    return dataclasses.replace(question, query_id=name, notes=(note, *question.notes))


def _headed(question: Question, head: Mapping[str, Json], number: int) -> Question:
    """Give a question what stands beside its response."""
    return dataclasses.replace(
        question,
        query=question.query or _one(head, QUERIES, number),
        query_id=question.query_id or _one(head, (*aliases.QUERY_ID, "id"), number),
        query_vector=_vector(question, head),
    )


def _vector(question: Question, head: Mapping[str, Json]) -> Json:
    if question.query_vector is not None:
        return question.query_vector
    name = aliases.first(tuple(head), aliases.QUERY_VECTOR)
    return None if name is None else head[name]


def _one(head: Mapping[str, Json], wanted: tuple[str, ...], number: int) -> Json:
    for alias in wanted:
        name = aliases.first(tuple(head), (alias,))
        value = None if name is None else head[name]
        if isinstance(value, list) and number < len(value):
            value = value[number]
        if isinstance(value, (str, int)) and not values.missing(value):
            return value
    return ""
