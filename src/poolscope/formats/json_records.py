"""JSON: a list of candidates, a question with its candidates, several of them, or a data frame.

Shapes, tried in this order: ``{query, candidates: [...]}``; a list of questions or of candidates;
``{questions: [...]}``; pandas ``split``, ``columns``, ``list`` and ``index``; an object of
questions by id; one candidate alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poolscope.counts import counted
from poolscope.errors import FormatError
from poolscope.formats import aliases, values
from poolscope.formats.base import Format, Probe, RawPool, Tried
from poolscope.formats.records import (
    Record,
    candidates_key,
    flatten,
    has_passage,
    lifted,
    questions,
    record,
)

ROWS = ("data", "values", "rows")
"""Names under which the rows stand whose columns are named once."""
DEEPEST = 6
MOST_VISITED = 400
LOOKED_AT = 20
PASSAGE = frozenset(aliases.TEXT + aliases.ID)


def _recognises(probe: Probe) -> str | None:
    if probe.opening == "[":
        return "it starts with a JSON list"
    if probe.opening == "{":
        return "it starts with a JSON object"
    return None


def _read(probe: Probe) -> tuple[RawPool, ...]:
    notes = probe.decoded.notes
    problem: FormatError | None = None
    pools: tuple[RawPool, ...] = ()
    try:
        pools = questions(_records(probe), probe.name, notes)
    except FormatError as error:
        problem = error
    if problem is None and not all(pool.problem for pool in pools):
        return pools
    inside = _inside(probe.document)
    if inside is not None:
        note = f"The passages were found under “{values.shown(inside.path)}”."
        return questions(inside.records, probe.name, (*notes, note))
    if problem is not None:
        raise problem
    return pools


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
    if all(isinstance(item, list) and item for item in items):
        return _lists(items)
    return [record(item) for item in items]


def _lists(lists: Sequence[object]) -> list[Record]:
    """Read lists of candidates, one a question; a list alone is the candidates themselves."""
    if len(lists) == 1 and isinstance(lists[0], list):
        return [record(item) for item in lists[0]]
    first = aliases.CANDIDATES[0]
    return [
        Record({"query_id": str(number), first: inner})
        for number, inner in enumerate(lists, start=1)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """The one list of passages inside a response of a kind that is not known."""

    path: str
    records: Sequence[Record]


def _inside(document: object) -> Inside | None:
    """Find the passages of a response that nothing else reads; ``None`` where several lists fit.

    Objects are gone through level by level; the head of each level may hold the question.
    """
    level: list[tuple[str, object, Mapping[str, object]]] = [("", document, {})]
    for _ in range(DEEPEST):
        met = [(path, value, head) for path, value, head in level if _are_passages(value)]
        if met:
            path, value, head = met[0]
            found = [Record({**head, aliases.CANDIDATES[0]: value})]
            return Inside(path, found) if len(met) == 1 and path else None
        level = [inner for held in level for inner in _opened(*held)][:MOST_VISITED]
    return None


def _opened(
    path: str, value: object, head: Mapping[str, object]
) -> list[tuple[str, object, Mapping[str, object]]]:
    """Return what an object holds, each with the plain values that stand beside and above it."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return []
    plain = {
        name: inner
        for name, inner in value.items()
        if isinstance(inner, (str, int, float)) or aliases.normal(str(name)) in aliases.QUERY
    }
    beside = {**head, **plain}
    return [
        (f"{path}.{name}" if path else str(name), inner, beside)
        for name, inner in value.items()
        if isinstance(inner, (dict, list))
    ]


def _are_passages(value: object) -> bool:
    """Whether a value is a list of objects with a passage each; those of a talk are none."""
    first = value[:LOOKED_AT] if isinstance(value, list) else []
    entries = [record(entry) for entry in first if _is_found(entry)]
    if not entries or len(entries) < len(first):
        return False
    return all(has_passage(item.values) for item in lifted(entries))


def _is_found(entry: object) -> bool:
    """Whether an entry may be a candidate: an object that is no turn of a talk."""
    return isinstance(entry, dict) and not {"role", "content"} <= set(entry)


def _framed(document: Mapping[str, object]) -> list[Record]:
    """Read a data frame in one of the orientations of pandas; empty if it is none."""
    columns = document.get("columns")
    rows = next((document[name] for name in ROWS if isinstance(document.get(name), list)), None)
    if isinstance(columns, list) and isinstance(rows, list):
        names = [str(name.get("name") if isinstance(name, dict) else name) for name in columns]
        return [
            Record(dict(zip(names, row, strict=True)))
            if isinstance(row, list) and len(row) == len(names)
            else Record({}, problem=f"The row does not hold {counted(len(names), 'value')}.")
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
        if isinstance(value, list) and all(map(_is_found, value)):
            found.append(Record({"query_id": name, "candidates": value}))
        elif isinstance(value, dict) and candidates_key([Record(value)]) is not None:
            found.append(Record({"query_id": name, **value}))
        else:
            return []
    return found


FORMAT = Format("json", "JSON", _recognises, _read, Tried.LIBRARY, guesses=True)
