"""TREC's text files: runs of six columns, and judgements of four.

A run is read by its score, highest first, whatever its rank column says; equal scores keep the
file's order. Columns are split at white space, so an id with a space in it breaks its line.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from poolscope.counts import counted
from poolscope.errors import FormatError, Place
from poolscope.formats import values
from poolscope.formats.base import Format, Probe, RawPool, RawRow, Tried
from poolscope.formats.shapes.runs import GIVE_A_RUN, JUDGEMENTS_ALONE, RUN_SCORE

LOOKED_AT = 20
RUN_COLUMNS = 6
QRELS_COLUMNS = 4
PLAIN = frozenset(("0", "Q0", "q0"))
"""What stands in the second column of judgements that know no subtopics."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One line of judgements.

    Args:
        query_id: The question.
        subtopic: The second column.
        document: The document's id.
        grade: Above 0 is relevant.
    """

    query_id: str
    subtopic: str
    document: str
    grade: float


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if fields:
            yield number, fields


def _first(probe: Probe) -> list[list[str]]:
    if not probe.opening or probe.opening in "[{":
        return []
    head = probe.text[:20_000]
    found = [fields for _, fields in _lines(head)]
    return found[: -1 if len(head) < len(probe.text) else None][:LOOKED_AT]


def _recognises_run(probe: Probe) -> str | None:
    lines = _first(probe)
    if lines and all(len(line) == RUN_COLUMNS and _is_run(line) for line in lines):
        return (
            "each line has the six columns of a TREC run: question, Q0, document, rank, score, tag"
        )
    return None


def _is_run(line: Sequence[str]) -> bool:
    return values.whole(line[3]) is not None and _number(line[4]) is not None


def _number(written: str) -> float | None:
    try:
        return values.number(written)
    except ValueError:
        return None


def _recognises_judgements(probe: Probe) -> str | None:
    lines = _first(probe)
    if lines and all(len(line) == QRELS_COLUMNS and _is_grade(line[3]) for line in lines):
        return "each line has the four columns of TREC judgements"
    return None


def _is_grade(written: str) -> bool:
    return values.whole(written) is not None and "." not in written


def _read_run(probe: Probe) -> tuple[RawPool, ...]:
    groups: dict[tuple[str, str], list[RawRow]] = {}
    latest = ("", "")
    for number, line in _lines(probe.text):
        if len(line) == RUN_COLUMNS:
            latest = (line[0], line[5])
        rows = groups.setdefault(latest, [])
        rows.append(_row(line, Place(probe.name, line=number, row=len(rows) + 1)))
    if not any(query_id for query_id, _ in groups):
        raise FormatError(
            "No line has the six columns of a TREC run.",
            "Write: question, Q0, document, rank, score, tag, split at spaces.",
            probe.place,
        )
    tags = {tag for _, tag in groups}
    return tuple(
        _pool(query_id, tag if len(tags) > 1 else "", rows, probe.decoded.notes)
        for (query_id, tag), rows in groups.items()
    )


def _row(line: Sequence[str], place: Place) -> RawRow:
    if len(line) != RUN_COLUMNS:
        return RawRow(
            place, problem=f"The line has {counted(len(line), 'column')}, a run has {RUN_COLUMNS}."
        )
    _, _, document, rank, score, tag = line
    return RawRow(place, id=document, score=score, fields={"run_rank": rank, "run_tag": tag})


def _pool(query_id: str, tag: str, rows: list[RawRow], notes: tuple[str, ...]) -> RawPool:
    ordered = sorted(rows, key=lambda row: -_sortable(row))
    ranks = [values.whole(row.fields.get("run_rank")) for row in ordered]
    known = [rank for rank in ranks if rank is not None]
    if known != sorted(known):
        notes = (*notes, "The ranks do not follow the scores; a run is read by its scores.")
    if tag:
        notes = (*notes, f"It holds several runs; this is “{values.shown(tag)}”.")
    return RawPool(
        rows=ordered,
        query_id=query_id,
        columns={"id": "third column", "score": "fifth column"},
        notes=notes,
        known=RUN_SCORE,
    )


def _sortable(row: RawRow) -> float:
    found = _number(str(row.score)) if row.score is not None else None
    return float("-inf") if found is None or math.isnan(found) else found


def judgements(probe: Probe) -> list[Judgement] | None:
    """Return the lines of a file of judgements; ``None`` where it is none.

    Raises:
        FormatError: A line has other than four columns.
    """
    if _recognises_judgements(probe) is None:
        return None
    found = []
    for number, line in _lines(probe.text):
        grade = _number(line[-1])
        if len(line) != QRELS_COLUMNS or grade is None:
            raise FormatError(
                f"The line has {counted(len(line), 'column')}, judgements have {QRELS_COLUMNS}.",
                "Write: question, 0 or a subtopic, document, grade, split at spaces.",
                Place(probe.name, line=number),
            )
        found.append(Judgement(line[0], line[1], line[2], grade))
    return found


def _refuse(probe: Probe) -> tuple[RawPool, ...]:
    raise FormatError(JUDGEMENTS_ALONE, f"{GIVE_A_RUN}.", probe.place)


RUN = Format("trec-run", "TREC run", _recognises_run, _read_run, Tried.LIBRARY)
JUDGEMENTS = Format("trec-qrels", "TREC judgements", _recognises_judgements, _refuse, Tried.LIBRARY)
