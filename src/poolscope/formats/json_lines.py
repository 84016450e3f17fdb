"""JSON Lines: one candidate a line, or one question a line with its candidates inside."""

import json
from collections.abc import Iterator

from poolscope.errors import FormatError, Place
from poolscope.formats import values
from poolscope.formats.base import EndsEarlyError, Format, Probe, RawPool, Tried, parse_json
from poolscope.formats.records import Record, once, questions

SUFFIXES = (".jsonl", ".ndjson")


def _recognises(probe: Probe) -> str | None:
    if probe.opening != "{":
        return None
    if probe.suffix in SUFFIXES:
        return f"the name ends in {probe.suffix} and it starts with a JSON object"
    lines = _lines(probe.text)
    first, second = next(lines, (0, "")), next(lines, None)
    if second is None or not _is_object(first[1]):
        return None
    return "the first of its lines is a JSON object of its own"


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield line numbers and lines that are not blank; only a line feed ends a line in JSON."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _read(probe: Probe) -> tuple[RawPool, ...]:
    return questions(records(probe), probe.name, probe.decoded.notes)


def records(probe: Probe) -> list[Record]:
    """Return the lines as records; one that is no object says so."""
    return once(probe, FORMAT.name, _records)


def _records(probe: Probe) -> list[Record]:
    last = probe.text.rstrip().count("\n") + 1
    return [_record(number, line, probe.name, last) for number, line in _lines(probe.text)]


def _record(number: int, line: str, file: str, last: int) -> Record:
    try:
        value = parse_json(line, Place(file, line=number))
    except EndsEarlyError as error:
        cut = "The last line is cut off: " if number == last else ""
        problem = f"{cut}{error.problem[0].lower() if cut else error.problem[0]}{error.problem[1:]}"
        return Record({}, number, problem)
    except FormatError as error:
        return Record({}, number, error.problem)
    if isinstance(value, dict):
        return Record(value, number)
    return Record({}, number, f"The line is {values.kind(value)}, not a JSON object.")


FORMAT = Format("jsonl", "JSON Lines", _recognises, _read, Tried.LIBRARY, guesses=True)
