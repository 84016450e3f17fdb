"""A question that holds a framework's list: the output of a chain, a log line, a file by id.

``{"query": …, "source_documents": [LangChain documents]}`` is no format of any software, but
what people write. Flat candidates under a question are left to the flat readers.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import islice

from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes import inner, roles
from poolscope.formats.shapes.base import Json, Question, Shape

LOOKED_AT = 20
MOST_FIELDS = 64
"""Fields of an object that are looked into to recognise it."""


def _entries(value: Json) -> list[Json]:
    listed = value if isinstance(value, list) else [value]
    return [roles.parsed(entry) for entry in listed]


def _lists(entry: Json, most: int | None = None) -> dict[str, Sequence[Question]]:
    """Return the known shapes among an object's values, by their names."""
    if not isinstance(entry, dict) or _has_text(entry):
        return {}
    found = {}
    for name, value in islice(entry.items(), most):
        parsed = roles.parsed(value)
        read = inner.known(parsed)
        if not read and isinstance(parsed, dict) and name in inner.LISTS:
            read = inner.telling(parsed)
        if read:
            found[name] = read
    return found


def _has_text(entry: Mapping[str, Json]) -> bool:
    return any(isinstance(entry.get(name), str) for name in ("text", "page_content", "chunk"))


def _recognises(value: Json) -> str | None:
    if not isinstance(value, (dict, list)):
        return None
    for entry in (value if isinstance(value, list) else [value])[:LOOKED_AT]:
        found = _lists(roles.parsed(entry), MOST_FIELDS)
        if found:
            return f"“{next(iter(found))}” holds passages as a framework writes them"
    texts = isinstance(value, list) and all(isinstance(entry, str) for entry in value)
    if texts and inner.known(_entries(value)):
        return "each entry is a text that holds what a framework writes"
    return None


def _read(value: Json) -> Sequence[Question]:
    entries = _entries(value)
    whole = inner.known(entries) if isinstance(value, list) else ()
    if whole:
        return whole
    return [question for entry in entries for question in _questions(entry)]


def _questions(entry: Json) -> Sequence[Question]:
    lists = _lists(entry)
    if not lists or not isinstance(entry, dict):
        return [Question([], problem="There is no list of passages in it.", remedy=REMEDY)]
    query = inner.asked(_field(entry, (*aliases.QUERY, "query_str", "input", "prompt")))
    query_id = _field(entry, (*aliases.QUERY_ID, "id"))
    if len(lists) == 1:
        name, read = next(iter(lists.items()))
        label = "" if aliases.normal(name) in inner.LISTS else name
        return inner.with_query(read, query, query_id or label)
    named = [
        dataclasses.replace(question, query_id=name, query=question.query or query)
        for name, read in lists.items()
        for question in read
    ]
    if not query:
        return named
    listed = ", ".join(f"“{name}”" for name in lists)
    note = f"The question has several lists, {listed}; each is read as a question of its own."
    return [dataclasses.replace(question, notes=(*question.notes, note)) for question in named]


REMEDY = "Give every question its list, or leave it out."


def _field(entry: Mapping[str, Json], names: tuple[str, ...]) -> Json:
    found = aliases.first(tuple(entry), names)
    return "" if found is None else entry[found]


QUESTIONS = Shape(
    "asked", "Questions with a framework's passages", _recognises, _read, Tried.SCHEMA, holds=True
)
