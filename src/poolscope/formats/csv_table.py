"""CSV and its kin: one candidate a row, the delimiter found by what it does to the header."""

import csv
import io
import re
from collections.abc import Iterator

from poolscope.counts import counted
from poolscope.errors import FormatError, Place
from poolscope.formats import aliases
from poolscope.formats.base import MAX_BYTES, Format, Probe, RawPool, Tried
from poolscope.formats.ending import COMPLETE
from poolscope.formats.records import Record, once, questions

DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
BAR = "|"
RULE, LONG_RULE = re.compile(r":?-[-+:]*"), re.compile(r":?--[-+:]*")
COUNT = re.compile(r"\(\d+ rows?\)")
SUFFIXES = (".csv", ".tsv")
LONGEST_HEADER = 100_000
KNOWN = frozenset(alias for role in aliases.ROLES.values() for alias in role) | frozenset(
    aliases.SOURCE + aliases.DOCUMENT_ID
)


def _recognises(probe: Probe) -> str | None:
    if probe.suffix in SUFFIXES:
        return f"the name ends in {probe.suffix}"
    if not probe.opening or probe.opening in "[{":
        return None
    delimiter, header = _header(probe.text)
    names = [name for name in header if aliases.normal(name) in KNOWN]
    if len(names) < 2 and aliases.first(tuple(header), aliases.TEXT) is None:
        return None
    listed = ", ".join(f"“{name}”" for name in names[:4])
    return f"the first line, split at {DELIMITERS[delimiter]}, names {listed}"


def _header(text: str) -> tuple[str, list[str]]:
    """Return the delimiter under which the first line names most known fields, and its names."""
    best: tuple[tuple[int, int], str, list[str]] = ((-1, 0), ",", [])
    for delimiter in DELIMITERS:
        try:
            stream = io.StringIO(text[:LONGEST_HEADER], newline="")
            names = next(csv.reader(stream, delimiter=delimiter), [])
        except csv.Error:
            continue
        weight = (sum(aliases.normal(name) in KNOWN for name in names), len(names))
        if weight > best[0]:
            best = (weight, delimiter, names)
    return best[1], best[2]


def _read(probe: Probe) -> tuple[RawPool, ...]:
    return questions(records(probe), probe.name, probe.decoded.notes)


def records(probe: Probe) -> list[Record]:
    """Return the rows of the table.

    Raises:
        FormatError: It has no header or no row, or a quoted text is not closed.
    """
    return once(probe, FORMAT.name, _table)


def _table(probe: Probe) -> list[Record]:
    text = probe.text
    csv.field_size_limit(MAX_BYTES)
    delimiter, header = _header(text)
    if len(text) > LONGEST_HEADER and not {"\n", "\r"} & set(text[:LONGEST_HEADER]):
        raise FormatError(
            f"The first line is longer than {LONGEST_HEADER:,} characters: it names no columns.",
            "Give a header line, then one row for each candidate.",
            Place(probe.name, line=1),
        )
    if not any(name.strip() for name in header):
        raise FormatError(
            "The first line names no columns.",
            "Give a header line with at least “text”.",
            Place(probe.name, line=1),
        )
    found = list(_records(text, delimiter, _distinct(header), probe.name))
    if not found:
        raise FormatError(
            "There is a header line but no row under it.",
            "Give one row for each candidate.",
            Place(probe.name, line=1),
        )
    return found


def _distinct(header: list[str]) -> list[str]:
    """Number the repetitions of a column name."""
    seen: dict[str, int] = {}
    names = []
    for name in header:
        stripped = name.strip()
        seen[stripped] = seen.get(stripped, 0) + 1
        names.append(stripped if seen[stripped] == 1 else f"{stripped} ({seen[stripped]})")
    return names


def _records(text: str, delimiter: str, names: list[str], file: str) -> Iterator[Record]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for number, cells in enumerate(reader):
            if delimiter == BAR:
                cells = [cell.strip() for cell in cells]
            is_row = number > 0 and cells
            rule = RULE if number == 1 else LONG_RULE
            if is_row and not (delimiter == BAR and _is_ruled(cells, len(names), rule)):
                yield _record(cells, names, line)
            line = reader.line_num + 1
    except csv.Error as error:
        if str(error) == "unexpected end of data":
            raise FormatError(
                "A quoted text begins here that is not closed before the end.",
                f"{COMPLETE} Or close every quoted text, and double the quotation marks inside it.",
                Place(file, line=line),
            ) from error
        raise FormatError(
            f"The row cannot be split at {DELIMITERS[delimiter]}: {error}.",
            "Close every quoted text, and double the quotation marks inside it.",
            Place(file, line=line),
        ) from error


def _is_ruled(cells: list[str], width: int, rule: re.Pattern[str]) -> bool:
    """Whether a line only rules or counts a printed table: ``----+----``, ``(6 rows)``.

    Args:
        cells: The line's cells.
        width: How many columns the header has.
        rule: What a cell of a rule looks like: a lone dash only under the header.
    """
    if all(rule.fullmatch(cell) for cell in cells):
        return True
    return len(cells) == 1 < width and COUNT.fullmatch(cells[0]) is not None


def _record(cells: list[str], names: list[str], line: int) -> Record:
    fields: dict[str, object] = dict(zip(names, cells, strict=False))
    if len(cells) == len(names):
        return Record(fields, line)
    return Record(
        fields, line, f"The row has {counted(len(cells), 'cell')}, the header {len(names)}."
    )


FORMAT = Format("csv", "CSV", _recognises, _read, Tried.LIBRARY, guesses=True)
