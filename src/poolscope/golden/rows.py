"""Rows of the state tables: read under a lock, changed by strokes, written into the log."""

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sa

from poolscope.golden import model
from poolscope.golden.model import Change, Conflict, Role, Scalar, Stroke, Values
from poolscope.golden.schema import (
    ATTENDANCE,
    GUIDELINES,
    KINDS,
    MARK,
    PROJECT,
    QUESTION,
    STROKE,
    Kind,
)

Key = tuple[str, ...]

LOCKED = (MARK, ATTENDANCE, PROJECT, GUIDELINES)
"""What is changed while others work on the same question; the rest needs the question alone."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a state table.

    Args:
        values: Without key, version and stroke.
        version: Counts its changes.
        stroke: Token of the stroke that wrote it last.
        standing: Token of the stroke whose values it holds; empty where all were taken back.
    """

    values: Values
    version: int
    stroke: str
    standing: str

    def text(self, name: str) -> str:
        """Return a value as text; empty where there is none."""
        value = self.values[name]
        return "" if value is None else str(value)

    def whole(self, name: str) -> int:
        """Return a value as a whole number; 0 where there is none."""
        return int(self.values[name] or 0)

    def real(self, name: str) -> float:
        """Return a value as a number; 0 where there is none."""
        return float(self.values[name] or 0)

    @property
    def is_gone(self) -> bool:
        """Whether it was taken away."""
        return bool(self.values.get("gone"))


@dataclass(frozen=True, slots=True)
class Rows:
    """The state tables inside one transaction; rows that are read to be changed stay locked."""

    connection: sa.Connection

    def get(self, kind: Kind, *key: str) -> Row | None:
        """Return one row."""
        return self.all(kind, *key).get(key)

    def all(self, kind: Kind, *key: str) -> dict[Key, Row]:
        """Return the rows whose key starts with some values, by their keys."""
        query = sa.select(kind.table)
        if kind in LOCKED:
            query = query.with_for_update()
        for name, value in zip(kind.keys, key, strict=False):
            query = query.where(kind.table.c[name] == value)
        found = self.connection.execute(query.order_by(*kind.table.primary_key)).mappings()
        return {key_of(kind, row): row_of(kind, row) for row in found}

    def lock(self, question: str, *, is_shared: bool) -> Row | None:
        """Hold a question until the transaction ends: alone, or beside others that mark it."""
        query = sa.select(QUESTION.table).where(QUESTION.table.c.id == question)
        found = self.connection.execute(query.with_for_update(read=is_shared)).mappings().first()
        return None if found is None else row_of(QUESTION, found)

    def next_place(self) -> int:
        """Return the place of a question that comes behind all others."""
        last = self.connection.scalar(sa.select(sa.func.max(QUESTION.table.c.place)))
        return 0 if last is None else int(last) + 1

    def stroke(self, token: str) -> Stroke | None:
        """Return an entry of the log."""
        query = sa.select(STROKE).where(STROKE.c.token == token)
        found = self.connection.execute(query).mappings().first()
        return None if found is None else stroke_of(found)

    def marks_since(self, stroke: Stroke) -> dict[Key, Row]:
        """Return the marks on a stroke's question that were made or moved after it."""
        query = (
            sa.select(MARK.table)
            .join(STROKE, STROKE.c.token == MARK.table.c.stroke)
            .where(
                MARK.table.c.question == stroke.question,
                MARK.table.c.mark.is_not(None),
                STROKE.c.number > stroke.number,
            )
        )
        found = self.connection.execute(query).mappings()
        return {key_of(MARK, row): row_of(MARK, row) for row in found}

    def conflict(self, problem: str, *rows: Row) -> Conflict:
        """Say who changed rows last, when and how."""
        strokes = [found for row in rows if (found := self.stroke(row.stroke)) is not None]
        if not strokes:
            return Conflict(problem)
        last = max(strokes, key=lambda stroke: stroke.number)
        row = next(row for row in rows if row.stroke == last.token)
        return Conflict(problem, last.annotator, last.at, last.kind, row.values, row.version)

    def write(self, changes: Iterable[Change], token: str) -> None:
        """Write changes; a row that another transaction changed first breaks the primary key."""
        for (name, is_new), run in itertools.groupby(
            changes, key=lambda change: (change.table, change.before is None)
        ):
            if is_new:
                rows = [_named(change) | _values(change, token) for change in run]
                self.connection.execute(KINDS[name].table.insert(), rows)
                continue
            for change in run:
                self._update(change, token)

    def _update(self, change: Change, token: str) -> None:
        table = KINDS[change.table].table
        where = [table.c[name] == value for name, value in _named(change).items()]
        where.append(table.c.version == change.version - 1)
        done = self.connection.execute(table.update().where(*where).values(_values(change, token)))
        if done.rowcount != 1:
            raise RuntimeError(f"{change.table} {change.key} was not at its version")


def _named(change: Change) -> dict[str, Scalar]:
    """Return a changed row's key by the names of its columns."""
    return dict(zip(KINDS[change.table].keys, change.key, strict=True))


def _values(change: Change, token: str) -> dict[str, Scalar]:
    """Return all that is written of a changed row but its key."""
    return {
        **change.after,
        "version": change.version,
        "stroke": token,
        "standing": change.stands,
    }


def changed(
    kind: Kind, key: Key, row: Row | None, values: Values, stands: str | None = None
) -> tuple[Change, ...]:
    """Return the change of a row to some values; nothing where they are there already."""
    before = None if row is None else row.values
    after = {**(before or {}), **values}
    if row is None:
        return (Change(kind.name, key, None, after, 1, "", stands),)
    if after == before:
        return ()
    return (Change(kind.name, key, before, after, row.version + 1, row.standing, stands),)


def key_of(kind: Kind, row: sa.RowMapping) -> Key:
    """Return the key of a row of SQL."""
    return tuple(str(row[name]) for name in kind.keys)


def row_of(kind: Kind, row: sa.RowMapping) -> Row:
    """Take a row of SQL."""
    values = {name: row[name] for name in kind.values}
    return Row(values, int(row["version"]), str(row["stroke"]), str(row["standing"]))


def stroke_of(row: sa.RowMapping) -> Stroke:
    """Take an entry of the log."""
    return Stroke(
        number=int(row["number"] or 0),
        token=str(row["token"]),
        question=str(row["question"]),
        annotator=str(row["annotator"]),
        role=Role(str(row["role"])),
        at=model.moment(str(row["at"])),
        kind=str(row["kind"]),
        what=str(row["what"]),
        changes=changes_of(str(row["changes"])),
        undoes=str(row["undoes"]),
    )


def changes_as_json(changes: Iterable[Change]) -> str:
    """Write changes for the log."""
    return json.dumps(
        [[getattr(change, name) for name in Change.__slots__] for change in changes],
        ensure_ascii=False,
        allow_nan=False,
    )


def changes_of(text: str) -> tuple[Change, ...]:
    """Read changes back from the log."""
    return tuple(
        Change(table, tuple(key), before, after, version, stood, stands)
        for table, key, before, after, version, stood, stands in json.loads(text)
    )
