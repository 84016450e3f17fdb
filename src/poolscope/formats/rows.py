"""Rows checked and converted: their ids, scores and vectors, and what is set aside with a reason.

A row is set aside for: a reader's problem; no text where others have one; a score that
is not finite or not a number, or is missing where at least half of the rows have one; a vector
that is not finite, not a list of numbers, or of another dimension than most; an id that an
earlier row of the same source has.
"""

import dataclasses
import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.counts import agreed, counted
from poolscope.errors import FormatError, Place
from poolscope.formats import aliases, identity, sources, values
from poolscope.formats.base import RawRow
from poolscope.geometry import Floats

MAJORITY = 0.5
"""Share of rows with a score from which a row without one is set aside."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A raw row with its numbers read.

    Args:
        raw: As the reader met it.
        id: Its id, or one made from its source and text.
        source: What it belongs to; ``None`` where that is not said.
        label: The same as the file has it, before labels were merged.
        score: ``None`` where it is missing.
        vector: ``None`` where it is missing.
        problem: Why it is set aside; empty if it is kept.
    """

    raw: RawRow
    id: str
    source: str | None
    label: str | None = None
    score: float | None = None
    vector: Floats | None = None
    problem: str = ""


def identified(
    rows: Sequence[RawRow], field: str, merges: Sequence[str]
) -> tuple[list[Row], tuple[str, ...]]:
    """Give every row an id and a source; ids that repeat across sources are told apart.

    Ids are told apart by the labels as they are loaded, so that merging them loses no row.
    """
    labels = sources.labels(rows, field) if field else (None,) * len(rows)
    ids = [row.id for row in rows]
    notes: tuple[str, ...] = ()
    if not any(ids):
        ids, notes = _document_ids(rows)
    if _is_local(ids, labels):
        ids = [
            f"{label}#{name}" if name and label else name
            for name, label in zip(ids, labels, strict=True)
        ]
        notes = ("The ids repeat across sources, so each was read together with its source.",)
    made: Counter[str] = Counter()
    found: list[Row] = []
    merged = identity.merged(labels, merges)
    for row, name, label, source in zip(rows, ids, labels, merged, strict=True):
        if not name:
            stem = hashlib.sha256(f"{label}\x1f{row.text}".encode()).hexdigest()[:12]
            made[stem] += 1
            name = stem if made[stem] == 1 else f"{stem}-{made[stem]}"
        found.append(Row(row, name, source, label))
    if made:
        rows_have = f"{counted(made.total(), 'row')} {agreed(made.total(), 'has', 'have')}"
        notes = (*notes, f"{rows_have} no id; it was made from source and text.")
    return found, notes


def _document_ids(rows: Sequence[RawRow]) -> tuple[list[str | None], tuple[str, ...]]:
    """Take document ids for ids where they are all distinct: then each is of one candidate."""
    names = tuple(dict.fromkeys(name for row in rows for name in row.fields))
    name = aliases.first(names, aliases.DOCUMENT_ID)
    found = [row.fields.get(name) for row in rows] if name is not None else []
    if not found or None in found or len(set(found)) < len(found):
        return [None] * len(rows), ()
    return found, (f"The ids were read from “{name}”.",)


def _is_local(ids: Sequence[str | None], labels: Sequence[str | None]) -> bool:
    """Whether an id names a passage only together with its source."""
    homes: dict[str, set[str]] = {}
    for name, label in zip(ids, labels, strict=True):
        if name and label:
            homes.setdefault(name, set()).add(label)
    return any(len(found) > 1 for found in homes.values())


def checked(rows: list[Row], query: object) -> tuple[list[Row], tuple[str, ...]]:
    """Read every row's numbers and mark the rows that cannot be used."""
    rows = [_problem(row, row.raw.problem) if row.raw.problem else row for row in rows]
    rows, text_warnings = _with_texts(rows)
    rows, score_warnings = _with_scores(rows)
    rows, vector_warnings = _with_vectors(rows, query)
    return _without_repeats(rows), (*text_warnings, *score_warnings, *vector_warnings)


def _with_texts(rows: list[Row]) -> tuple[list[Row], tuple[str, ...]]:
    if not any(row.raw.text for row in rows):
        warning = "No candidate has a text: only ids, scores and vectors can be looked at."
        return rows, (warning,) if rows else ()
    return [_problem(row, "The row has no text.") if not row.raw.text else row for row in rows], ()


def _problem(row: Row, reason: str) -> Row:
    return row if row.problem else dataclasses.replace(row, problem=reason)


def _with_scores(rows: list[Row]) -> tuple[list[Row], tuple[str, ...]]:
    read = [_with_score(row) for row in rows]
    given = sum(row.score is not None for row in read)
    if given == 0:
        unread = sum(row.raw.score is not None for row in read)
        warning = (
            f"None of {counted(unread, 'score')} is a finite number; the list order is the rank."
        )
        return rows, (warning,) if unread else ()
    if given < MAJORITY * len(rows):
        warning = (
            f"Only {given} of {len(rows)} rows {agreed(given, 'has', 'have')} a "
            "score: scores are left out."
        )
        return [dataclasses.replace(row, score=None) for row in read], (warning,)
    missing = "The score is missing, other rows have one."
    return [_problem(row, missing) if row.score is None else row for row in read], ()


def _with_score(row: Row) -> Row:
    try:
        score = values.number(row.raw.score)
    except ValueError as error:
        return _problem(row, f"The score {error}.")
    if score is None:
        return row
    if math.isnan(score):
        return _problem(row, "The score is NaN.")
    if math.isinf(score):
        return _problem(row, "The score is infinite.")
    if abs(score) > values.LARGEST:
        return _problem(row, f"The score is {score:.3g}, beyond {values.LARGEST:.0e}.")
    return dataclasses.replace(row, score=score)


def _with_vectors(rows: list[Row], query: object) -> tuple[list[Row], tuple[str, ...]]:
    read = [_with_vector(row) for row in rows]
    dimensions = Counter(len(row.vector) for row in read if row.vector is not None)
    if not dimensions:
        unread = sum(_is_unread(new, old) for new, old in zip(read, rows, strict=True))
        warning = f"None of {counted(unread, 'vector')} is a list of finite numbers: left out."
        return rows, (warning,) if unread else ()
    # Of equally frequent dimensions the question's own counts, else the one met first.
    most = dimensions.most_common(1)[0][1]
    tied = [size for size, count in dimensions.items() if count == most]
    asked = _size(query)
    usual = asked if asked in tied else tied[0]
    return [_of_dimension(row, usual) for row in read], ()


def _size(query: object) -> int:
    """Return the dimension of the question's vector, 0 without a readable one."""
    try:
        vector = values.vector(query)
    except (ValueError, values.LostVectorError):
        return 0
    return 0 if vector is None else len(vector)


def _is_unread(new: Row, old: Row) -> bool:
    return bool(new.problem) and not old.problem


def _with_vector(row: Row) -> Row:
    try:
        vector = values.vector(row.raw.vector)
    except values.LostVectorError as error:
        raise FormatError(
            "The vectors were lost on export: this one is cut with dots in the middle.",
            "Export to Parquet or JSON, which keep every number.",
            row.raw.place if row.raw.place.column else _at(row.raw.place, "vector"),
        ) from error
    except ValueError as error:
        return _problem(row, f"The vector {error}.")
    if vector is None:
        return row
    largest = float(np.abs(vector).max())  # NaN where any of them is
    if math.isnan(largest):
        return _problem(row, "The vector holds NaN.")
    if largest > values.LARGEST:
        return _problem(row, "The vector holds an infinite number.")
    return dataclasses.replace(row, vector=vector)


def _at(place: Place, column: str) -> Place:
    return dataclasses.replace(place, column=column)


def _of_dimension(row: Row, usual: int) -> Row:
    if row.vector is None or len(row.vector) == usual:
        return row
    return _problem(
        row, f"The vector has {counted(len(row.vector), 'dimension')}, most have {usual}."
    )


def _without_repeats(rows: list[Row]) -> list[Row]:
    """Set aside every usable row whose id an earlier usable row has."""
    first: dict[str, int] = {}
    checked: list[Row] = []
    for row in rows:
        if not row.problem:
            number = first.setdefault(row.id, row.raw.place.row or 0)
            if number != (row.raw.place.row or 0):
                row = _problem(row, f"The id is already that of row {number}.")
        checked.append(row)
    return checked
