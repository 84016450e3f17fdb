"""A file as a plain value, whatever holds it: JSON, JSON Lines, CSV, Parquet, pasted Python.

Shapes are recognised in this value, so that a framework's rows read the same from each.
"""

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from poolscope.counts import counted
from poolscope.errors import FormatError
from poolscope.formats import csv_table, json_lines, literals, parquet, python_repr, unread
from poolscope.formats.base import Format, Probe, RawPool
from poolscope.formats.records import Record
from poolscope.formats.shapes import SHAPES, Shape, milvus_printed, nearly, raw_pools


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """What a file holds.

    Args:
        value: A plain value; a table is a list of objects.
        notes: Sentences about rows that could not be read.
    """

    value: object
    notes: tuple[str, ...] = ()


def contents(probe: Probe) -> Contents | None:
    """Return what a file holds; ``None`` where it is no such file or cannot be read."""
    if CONTENTS not in probe.kept:
        probe.kept[CONTENTS] = _opened(probe)
    found = probe.kept[CONTENTS]
    return found if isinstance(found, Contents) else None


def of_shape(shape: Shape) -> Format:
    """Make a format of a shape: it is met in any file that holds a plain value."""

    def recognises(probe: Probe) -> str | None:
        found = contents(probe)
        return None if found is None else shape.recognises(found.value)

    def read(probe: Probe) -> tuple[RawPool, ...]:
        found = contents(probe) or _delimited(probe)
        if found is None:
            raise FormatError(
                f"This cannot be read as {shape.label}: it is no JSON, no table of CSV or Parquet, "
                "no Python value.",
                "Let the format be recognised, or choose another.",
                probe.place,
            )
        try:
            questions = nearly.read(shape, found.value)
            left = () if shape.holds else unread.notes(found.value, questions)
            return raw_pools(questions, probe.name, (*found.notes, *left))
        except FormatError as error:
            if error.place.file:
                raise
            raise FormatError(error.problem, error.remedy, probe.place) from error

    return Format(shape.name, shape.label, recognises, read, shape.tried)


def nearly_of(probe: Probe) -> tuple[Shape, str] | None:
    """Return the first shape that a file has but for a few damaged entries, with the reason."""
    found = contents(probe)
    if found is None:
        return None
    told = ((shape, nearly.recognised(shape, found.value)) for shape in SHAPES)
    return next(((shape, reason) for shape, reason in told if reason is not None), None)


CONTENTS = "contents"
PRINTED = re.compile(r"\s*data:\s*(?=\[)")
REMAINING = re.compile(r"\.\.\. and (\d{1,9}) results? remaining")
LONGEST_GAP = 4_096
"""Most spaces and line ends between two JSON values that follow each other."""


def _opened(probe: Probe) -> Contents | None:
    try:
        return _table(probe) or _document(probe)
    except FormatError:
        return None


def _table(probe: Probe) -> Contents | None:
    """Read a table; the formats whose files are one are asked in the order of ``FORMATS``."""
    readers: Sequence[tuple[Format, Callable[[Probe], list[Record]]]] = (
        (parquet.FORMAT, parquet.records),
        (json_lines.FORMAT, json_lines.records),
        (csv_table.FORMAT, csv_table.records),
    )
    for known, read in readers:
        if known.recognises(probe) is not None:
            return _listed(read(probe))
    return None


def _delimited(probe: Probe) -> Contents | None:
    """Read a text as a table although nothing in its first line says that it is one."""
    if not probe.opening or probe.opening in "[{":
        return None
    try:
        return _listed(csv_table.records(probe))
    except FormatError:
        return None


def _listed(records: Sequence[Record]) -> Contents:
    broken = sum(bool(record.problem) for record in records)
    note = f"{broken} of {counted(len(records), 'row')} could not be read."
    return Contents(
        [record.values for record in records if not record.problem],
        (note,) if broken else (),
    )


def _several(probe: Probe) -> Contents | None:
    """Read JSON values that follow each other, as an exporter to the console prints them."""
    found: list[object] = []
    decoder, text = json.JSONDecoder(), probe.text
    at = len(text) - len(text.lstrip())
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            found.append(value)
            at += len(text[at : at + LONGEST_GAP]) - len(text[at : at + LONGEST_GAP].lstrip())
    except (ValueError, RecursionError):
        return None
    return Contents(found, probe.decoded.notes) if len(found) > 1 else None


def _document(probe: Probe) -> Contents | None:
    notes = probe.decoded.notes if probe.opening else ()
    if probe.opening and probe.opening in "[{":
        with contextlib.suppress(FormatError):
            return Contents(probe.document, notes)
        several = _several(probe)
        if several is not None:
            return several
    try:
        return Contents(python_repr.pasted(probe), notes)
    except literals.NotPythonError:
        return _printed_result(probe) or _printed_hits(probe)


def _printed_hits(probe: Probe) -> Contents | None:
    """Read what Milvus prints of one hit after the other, each on a line of its own."""
    if not probe.opening or not milvus_printed.is_hit(probe.text.lstrip()[:LONGEST_GAP]):
        return None
    lines = [line for line in probe.text.splitlines() if line.strip()]
    return Contents(lines, probe.decoded.notes)


def _printed_result(probe: Probe) -> Contents | None:
    """Read what Milvus prints of a result: “data:” before its lists, whose rows may be texts."""
    if not probe.opening or PRINTED.match(probe.text) is None:
        return None
    lists = PRINTED.sub("", probe.text.strip(), count=1)
    told = lists.rfind("extra_info:")
    end = lists.rfind("]", 0, told if told > 0 else len(lists))
    cut = REMAINING.search(lists, end + 1)
    try:
        found = literals.value(lists[: end + 1])
        rows = found if isinstance(found, list) else [found]
        value = [literals.value(row) if isinstance(row, str) else row for row in rows]
    except literals.NotPythonError:
        return None
    notes = []
    if milvus_printed.lists(value) is None:
        notes.append(milvus_printed.NOTE)
    if cut is not None:
        notes.append(f"Left out by printing: {counted(int(cut[1]), 'further result')}.")
    return Contents(value, (*probe.decoded.notes, *notes))
