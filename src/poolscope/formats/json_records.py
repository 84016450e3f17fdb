"""JSON: a list of candidates, a question with its candidates, several of them, or a data frame.

Shapes, tried in this order: ``{query, candidates: [...]}``; a list of questions or of candidates;
``{questions: [...]}``; pandas ``split``, ``columns``, ``list`` and ``index``; an object of
questions by id; one candidate alone.
"""

from collections.abc import Mapping

from poolscope.errors import FormatError
from poolscope.formats import aliases, values
from poolscope.formats.base import Format, Probe, RawPool, Tried
from poolscope.formats.records import Record, candidates_key, flatten, questions, record

PASSAGE = frozenset(aliases.TEXT + aliases.ID)


def _recognises(probe: Probe) -> str | None:
    if probe.opening == "[":
        return "it starts with a JSON list"
    if probe.opening == "{":
        return "it starts with a JSON object"
    return None


def _read(probe: Probe) -> tuple[RawPool, ...]:
    return questions(_records(probe), probe.name, probe.decoded.notes)


def _records(probe: Probe) -> list[Record]:
    document = probe.document
    if isinstance(document, list):
        return _listed(document, probe)
    if not isinstance(document, dict):
        raise FormatError(
            f"The JSON is {values.kind(document)}.",
            "Give a list of candidates, or an object with “query” and “candidates”.",
            probe.place,
        )
    if candidates_key([Record(document)]) is not None:
        return [Record(document)]
    for name in aliases.QUESTIONS:
        inner = document.get(name)
        if isinstance(inner, list):
            return _listed(inner, probe)
        if isinstance(inner, dict):
            return _by_question(inner) or [Record(document)]
    return _framed(document) or _by_question(document) or [Record(document)]


def _listed(items: list[object], probe: Probe) -> list[Record]:
    if not items:
        raise FormatError(
            "The JSON is an empty list: there are no candidates in it.",
            "Give a list of candidates, each with a text.",
            probe.place,
        )
    return [record(item) for item in items]


def _framed(document: Mapping[str, object]) -> list[Record]:
    """Read a data frame in one of the orientations of pandas; empty if it is none."""
    columns, rows = document.get("columns"), document.get("data")
    if isinstance(columns, list) and isinstance(rows, list):
        names = [str(name) for name in columns]
        return [
            Record(dict(zip(names, row, strict=True)))
            if isinstance(row, list) and len(row) == len(names)
            else Record({}, problem=f"The row does not hold {len(names)} values.")
            for row in rows
        ]
    if _is_by_column(document):
        return _by_column(document)
    inner = list(document.values())
    if inner and all(isinstance(value, dict) and _is_candidate(value) for value in inner):
        return [_labelled(label, value) for label, value in document.items()]
    return []


def _is_by_column(document: Mapping[str, object]) -> bool:
    named = any(aliases.normal(name) in PASSAGE for name in document)
    first = next(iter(document.values()), None)
    alike = all(isinstance(value, type(first)) for value in document.values())
    return named and alike and isinstance(first, (dict, list))


def _by_column(document: Mapping[str, object]) -> list[Record]:
    columns: dict[str, Mapping[str, object]] = {
        name: value if isinstance(value, dict) else _numbered(value)
        for name, value in document.items()
    }
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    return [
        Record({name: column[label] for name, column in columns.items() if label in column})
        for label in labels
    ]


def _numbered(value: object) -> Mapping[str, object]:
    items = value if isinstance(value, list) else []
    return {str(number): item for number, item in enumerate(items)}


def _is_candidate(value: object) -> bool:
    if not isinstance(value, dict) or candidates_key([Record(value)]) is not None:
        return False
    return aliases.first(tuple(flatten(value)), aliases.TEXT) is not None


def _labelled(label: str, value: object) -> Record:
    """Make a record of an entry whose key may be all the id it has."""
    fields = dict(value) if isinstance(value, dict) else {}
    known = aliases.first(tuple(fields), aliases.ID + aliases.DOCUMENT_ID)
    return Record(fields if known or label.isdecimal() else {"id": label, **fields})


def _by_question(document: Mapping[str, object]) -> list[Record]:
    """Read an object whose keys are question ids; empty if it is none."""
    found: list[Record] = []
    for name, value in document.items():
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            found.append(Record({"query_id": name, "candidates": value}))
        elif isinstance(value, dict) and candidates_key([Record(value)]) is not None:
            found.append(Record({"query_id": name, **value}))
        else:
            return []
    return found


FORMAT = Format("json", "JSON", _recognises, _read, Tried.LIBRARY, guesses=True)
