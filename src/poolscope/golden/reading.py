"""What a golden set says now. Functions on a connection that sees one moment of the database."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from poolscope.golden import model
from poolscope.golden.model import (
    Attendance,
    Cell,
    GoldenFacet,
    GoldenSet,
    Guidelines,
    Judgement,
    Mark,
    Passage,
    Project,
    Question,
    Record,
    Role,
    Stroke,
    Weight,
    Who,
)
from poolscope.golden.rows import Key, Row, changes_of, key_of, row_of, stroke_of
from poolscope.golden.schema import (
    ADJUDICATED,
    ATTENDANCE,
    FACET,
    GUIDELINES,
    KINDS,
    MARK,
    NOTES,
    PASSAGE,
    PLACE,
    PROJECT,
    QUESTION,
    STROKE,
    Kind,
)
from poolscope.model import Stratum


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is with a question.

    Args:
        question: Its id.
        total: Passages times facets.
        settled: Marks that are made.
        later: Marks that were put off.
        seconds: Time spent.
        is_done: Whether the pass was said to be done.
    """

    question: str
    total: int
    settled: int
    later: int
    seconds: float
    is_done: bool

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left: it was said to be done, and nothing was added since."""
        return self.is_done and self.settled == self.total


def _rows(connection: sa.Connection, kind: Kind, question: str | None = None) -> dict[Key, Row]:
    query = sa.select(kind.table)
    if question is not None:
        query = query.where(kind.table.c[kind.keys[0]] == question)
    found = connection.execute(query).mappings()
    return {key_of(kind, row): row_of(kind, row) for row in found}


def project(connection: sa.Connection) -> Project:
    """Return what holds for the whole golden set."""
    found = Project()
    for row in _rows(connection, PROJECT).values():
        found = Project(
            bool(row.whole("hides_score")),
            bool(row.whole("hides_rank")),
            bool(row.whole("hides_source")),
            row.whole("seed"),
            row.version,
        )
    for row in _rows(connection, GUIDELINES).values():
        found = dataclasses.replace(
            found, guidelines=row.text("guidelines"), guidelines_version=row.version
        )
    return found


def guidelines(strokes: Iterable[Stroke]) -> tuple[Guidelines, ...]:
    """Return every version of a team's own guidelines, from the strokes on the whole set."""
    return tuple(
        Guidelines(change.version, str(change.after["guidelines"]), stroke.annotator, stroke.at)
        for stroke in strokes
        for change in stroke.changes
        if change.table == GUIDELINES.name
    )


def questions(connection: sa.Connection, question: str | None = None) -> tuple[Question, ...]:
    """Return the questions in the order in which they were added; or one, if it is there."""
    notes = _rows(connection, NOTES, question)
    rows = _rows(connection, QUESTION, question)
    alive = [(row.whole("place"), key[0], row) for key, row in rows.items() if not row.is_gone]
    return tuple(
        Question(
            id_,
            row.text("text"),
            Stratum(row.text("stratum")),
            notes[id_,].text("notes") if (id_,) in notes else "",
            row.version,
            notes[id_,].version if (id_,) in notes else 0,
        )
        for _, id_, row in sorted(alive, key=lambda item: item[:2])
    )


def passages(connection: sa.Connection, question: str) -> tuple[Passage, ...]:
    """Return a question's passages, by rank."""
    rows = _rows(connection, PASSAGE, question)
    found = [
        Passage(
            key[1],
            row.text("text"),
            None if row.values["source"] is None else row.text("source"),
            row.text("id"),
            row.whole("rank"),
            None if row.values["score"] is None else row.real("score"),
        )
        for key, row in rows.items()
        if not row.is_gone
    ]
    return tuple(sorted(found, key=lambda passage: (passage.rank, passage.key)))


def facets(connection: sa.Connection, question: str) -> tuple[GoldenFacet, ...]:
    """Return a question's facets in their order."""
    places = _rows(connection, PLACE, question)
    rows = _rows(connection, FACET, question)
    alive = sorted(
        (places[key].whole("place"), key[1], row) for key, row in rows.items() if not row.is_gone
    )
    return tuple(
        GoldenFacet(
            id_,
            row.text("label"),
            row.text("description"),
            Weight(row.text("weight")),
            place,
            row.version,
        )
        for place, (_, id_, row) in enumerate(alive)
    )


def all_marks(connection: sa.Connection, question: str) -> tuple[Judgement, ...]:
    """Return everybody's marks on what is there now: for agreement and export, not for a screen."""
    return _marks(connection, question)


def visible_marks(connection: sa.Connection, question: str, who: Who) -> tuple[Judgement, ...]:
    """Return the marks that somebody may see.

    An annotator sees the own ones; others' where the own pass is done, in cells that the own mark
    settles. An adjudicator sees all, unless an own pass on this question is begun and not done.
    """
    table = MARK.table.c
    done = sa.select(ATTENDANCE.table.c.is_done).where(
        ATTENDANCE.table.c.question == question, ATTENDANCE.table.c.annotator == who.name
    )
    is_done = bool(connection.scalar(done))
    own = _marks(connection, question, table.owner == who.name)
    is_begun = any(mark.mark is not None for mark in own)
    if who.role is Role.ADJUDICATOR:
        own_part = sa.or_(table.owner == ADJUDICATED, table.owner == who.name)
        return _marks(connection, question, *(() if is_done or not is_begun else (own_part,)))
    if not is_done:
        return own
    mine = MARK.table.alias("mine")
    settled = sa.exists().where(
        mine.c.question == table.question,
        mine.c.facet == table.facet,
        mine.c.passage == table.passage,
        mine.c.owner == who.name,
        mine.c.mark.is_not(None),
        mine.c.mark != Mark.LATER.value,
    )
    return _marks(connection, question, sa.or_(table.owner == who.name, settled))


def _marks(
    connection: sa.Connection, question: str, *where: sa.ColumnElement[bool]
) -> tuple[Judgement, ...]:
    mark, facet, passage = MARK.table.c, FACET.table.c, PASSAGE.table.c
    query = (
        sa.select(MARK.table)
        .join(FACET.table, sa.and_(facet.question == mark.question, facet.id == mark.facet))
        .join(
            PASSAGE.table, sa.and_(passage.question == mark.question, passage.key == mark.passage)
        )
        .where(mark.question == question, facet.gone == 0, passage.gone == 0, *where)
    )
    found = connection.execute(query).mappings()
    marks = [_judgement(key_of(MARK, row), row_of(MARK, row)) for row in found]
    return tuple(
        sorted(
            marks, key=lambda each: (each.cell.facet, each.cell.passage, each.role, each.annotator)
        )
    )


def _judgement(key: Key, row: Row) -> Judgement:
    return Judgement(
        Cell(key[1], key[2]),
        row.text("annotator"),
        Role.ADJUDICATOR if key[3] == ADJUDICATED else Role.ANNOTATOR,
        _mark(row.text("mark")),
        _mark(row.text("independent")),
        model.moment(row.text("made_at")),
        row.version,
    )


def _mark(text: str) -> Mark | None:
    return Mark(text) if text else None


def attendance(connection: sa.Connection, question: str) -> tuple[Attendance, ...]:
    """Return everybody's time on a question, by name."""
    return tuple(
        Attendance(name, row.real("seconds"), bool(row.whole("is_done")))
        for (_, name), row in sorted(_rows(connection, ATTENDANCE, question).items())
    )


def progress(connection: sa.Connection, annotator: str) -> tuple[Progress, ...]:
    """Return how far an annotator is with every question."""
    counts = {kind.name: _alive(connection, kind) for kind in (PASSAGE, FACET)}
    settled: Counter[str] = Counter()
    later: Counter[str] = Counter()
    for row in connection.execute(_mark_counts(annotator)):
        (later if row.mark == Mark.LATER else settled)[row.question] += row.number
    times = {
        key[0]: row for key, row in _rows(connection, ATTENDANCE).items() if key[1] == annotator
    }
    return tuple(
        Progress(
            question.id,
            counts[PASSAGE.name][question.id] * counts[FACET.name][question.id],
            settled[question.id],
            later[question.id],
            times[question.id].real("seconds") if question.id in times else 0.0,
            question.id in times and bool(times[question.id].whole("is_done")),
        )
        for question in questions(connection)
    )


def _alive(connection: sa.Connection, kind: Kind) -> Counter[str]:
    table = kind.table.c
    query = sa.select(table.question, sa.func.count()).where(table.gone == 0)
    found = connection.execute(query.group_by(table.question))
    return Counter({str(question): int(number) for question, number in found})


def _mark_counts(annotator: str) -> sa.Select[tuple[str, str, int]]:
    # Few facets and passages are gone: leaving those out asks less than joining all of them.
    mark, facet, passage = MARK.table.c, FACET.table.c, PASSAGE.table.c
    facets = sa.select(facet.question, facet.id).where(facet.gone == 1)
    passages = sa.select(passage.question, passage.key).where(passage.gone == 1)
    return (
        sa.select(mark.question, mark.mark, sa.func.count().label("number"))
        .where(
            mark.owner == annotator,
            mark.mark.is_not(None),
            sa.tuple_(mark.question, mark.facet).not_in(facets),
            sa.tuple_(mark.question, mark.passage).not_in(passages),
        )
        .group_by(mark.question, mark.mark)
    )


def next_unfinished(found: Iterable[Progress], after: str = "") -> str | None:
    """Return the next question that is not finished, from one onwards and round; ``None`` if all.

    Args:
        found: What ``progress`` said.
        after: The question that is open; empty to start at the first.
    """
    ordered = list(found)
    at = next((place for place, item in enumerate(ordered) if item.question == after), -1)
    turned = ordered[at + 1 :] + ordered[: at + 1]
    return next((item.question for item in turned if not item.is_finished), None)


def log(
    connection: sa.Connection,
    question: str | None = None,
    annotator: str | None = None,
    role: Role | None = None,
) -> tuple[Stroke, ...]:
    """Return the log from the first stroke on; of one question, one annotator, one part."""
    query = sa.select(STROKE).order_by(STROKE.c.number)
    if question is not None:
        query = query.where(STROKE.c.question == question)
    if annotator is not None:
        query = query.where(STROKE.c.annotator == annotator)
    if role is not None:
        query = query.where(STROKE.c.role == role.value)
    return tuple(stroke_of(row) for row in connection.execute(query).mappings())


def last_stroke(connection: sa.Connection) -> int:
    """Return the number of the last stroke of the log; 0 before the first."""
    return int(connection.scalar(sa.select(sa.func.max(STROKE.c.number))) or 0)


def standing(strokes: Iterable[Stroke]) -> tuple[Stroke, ...]:
    """Return the strokes that are not taken back, given the own strokes in order.

    One undo after another takes them back from the end.
    """
    stack: list[Stroke] = []
    met: dict[str, Stroke] = {}
    for stroke in strokes:
        met[stroke.token] = stroke
        at, holds = stroke, True
        while at.undoes:
            at, holds = met[at.undoes], not holds
        if not holds:
            stack.remove(at)
        elif any(change.table != ATTENDANCE.name for change in at.changes):
            stack.append(at)
    return tuple(stack)


def record(connection: sa.Connection, question: Question) -> Record:
    """Return all of one question."""
    return Record(
        question,
        passages(connection, question.id),
        facets(connection, question.id),
        tuple(mark for mark in all_marks(connection, question.id) if mark.mark or mark.independent),
        attendance(connection, question.id),
    )


def golden_set(connection: sa.Connection) -> GoldenSet:
    """Return everything but the log."""
    records = tuple(record(connection, question) for question in questions(connection))
    return GoldenSet(project(connection), records)


def hides_others(record: Record, who: Who) -> bool:
    """Whether others' marks are hidden from somebody, as ``visible_marks`` has it.

    Args:
        record: The question with the marks that they may see.
        who: Who looks.
    """
    is_done = any(one.is_done for one in record.attendance if one.annotator == who.name)
    is_begun = any(
        one.annotator == who.name and one.role is Role.ANNOTATOR and one.mark is not None
        for one in record.judgements
    )
    return not is_done and (is_begun or who.role is Role.ANNOTATOR)


def visible_record(connection: sa.Connection, question: Question, who: Who) -> Record:
    """Return all of one question, with the marks that somebody may see."""
    return Record(
        question,
        passages(connection, question.id),
        facets(connection, question.id),
        visible_marks(connection, question.id, who),
        attendance(connection, question.id),
    )


def visible_set(connection: sa.Connection, who: Who) -> GoldenSet:
    """Return everything but the log, with the marks that somebody may see."""
    records = tuple(visible_record(connection, question, who) for question in questions(connection))
    return GoldenSet(project(connection), records)


def faults(connection: sa.Connection) -> tuple[str, ...]:
    """Play the log from its beginning and say where the tables are not what it leads to."""
    state: dict[tuple[str, Key], Row] = {}
    found: list[str] = []
    query = sa.select(STROKE.c.number, STROKE.c.token, STROKE.c.changes).order_by(STROKE.c.number)
    for number, token, changes in connection.execute(query):
        for change in changes_of(changes):
            at = (change.table, change.key)
            row = state.get(at)
            before = None if row is None else row.values
            follows = change.version == (1 if row is None else row.version + 1)
            stood = "" if row is None else row.standing
            if not follows or (before, stood) != (change.before, change.stood):
                found.append(f"stroke {number} did not follow on {change.table} {change.key}")
            state[at] = Row(change.after, change.version, token, change.stands or "")
    return (*found, *_against_tables(connection, state), *_broken_file(connection))


def _against_tables(
    connection: sa.Connection, state: Mapping[tuple[str, Key], Row]
) -> tuple[str, ...]:
    kept = {
        (kind.name, key): row
        for kind in KINDS.values()
        for key, row in _rows(connection, kind).items()
    }
    return tuple(
        f"{table} {key} is not what the log says"
        for table, key in sorted(kept.keys() | state.keys())
        if kept.get((table, key)) != state.get((table, key))
    )


def _broken_file(connection: sa.Connection) -> tuple[str, ...]:
    if connection.dialect.name != "sqlite":
        return ()
    said = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
    loose = [
        f"{row[0]} row {row[1]} refers to nothing"
        for row in connection.exec_driver_sql("PRAGMA foreign_key_check")
    ]
    return (*(line for line in said if line != "ok"), *loose)
