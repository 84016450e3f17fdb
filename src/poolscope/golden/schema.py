"""The tables, and the numbered steps that lead an older database to them.

A row of a state table is never deleted: it has a version that only grows, the token of the stroke
that wrote it last, and the token of the stroke whose values it holds: another one after an undo.
The log of strokes is never changed: the database itself refuses it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import sqlalchemy as sa

from poolscope.errors import StoreError
from poolscope.golden.model import Values

METADATA = sa.MetaData()
PREFIX = "golden_"
LOCK = 7_465_219_803
"""Number of the advisory lock under which PostgreSQL is brought up to date."""


def _state(name: str, *columns: sa.Column[str] | sa.Column[int] | sa.Column[float]) -> sa.Table:
    return sa.Table(
        PREFIX + name,
        METADATA,
        *columns,
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("stroke", sa.Text, nullable=False),
        sa.Column("standing", sa.Text, nullable=False),
    )


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, primary_key=True)


def _text(name: str, *, optional: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=optional)


def _whole(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _real(name: str, *, optional: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=optional)


STROKE = sa.Table(
    PREFIX + "stroke",
    METADATA,
    sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("token", sa.Text, nullable=False, unique=True),
    _text("question"),
    _text("annotator"),
    _text("role"),
    _text("at"),
    _text("kind"),
    _text("what"),
    _text("changes"),
    _text("undoes"),
)

STEP = sa.Table(
    PREFIX + "schema",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    _text("name"),
    _text("at"),
)


@dataclass(frozen=True, eq=False)
class Kind:
    """A state table.

    Args:
        name: Without the prefix.
        table: Where its rows are.
        keys: Names of its key's columns.
        values: Names of the other columns, but for those that every state table has.
        absent: What an undo writes over a row that the stroke had made; empty where nothing.
    """

    name: str
    table: sa.Table
    keys: tuple[str, ...]
    values: tuple[str, ...]
    absent: Values


def _kind(
    name: str,
    keys: Sequence[str],
    values: Sequence[sa.Column[str] | sa.Column[int] | sa.Column[float]],
    absent: Values,
) -> Kind:
    table = _state(name, *(_key(key) for key in keys), *values)
    return Kind(name, table, tuple(keys), tuple(column.name for column in values), absent)


PROJECT = _kind(
    "project",
    ("id",),
    (_whole("hides_score"), _whole("hides_rank"), _whole("hides_source"), _whole("seed")),
    {},
)
GUIDELINES = _kind("guidelines", ("id",), (_text("guidelines"),), {"guidelines": ""})
QUESTION = _kind(
    "question",
    ("id",),
    (_text("text"), _text("stratum"), _whole("place"), _whole("gone")),
    {"gone": 1},
)
NOTES = _kind("notes", ("question",), (_text("notes"),), {"notes": ""})
PASSAGE = _kind(
    "passage",
    ("question", "key"),
    (
        _text("text"),
        _text("source", optional=True),
        _text("id"),
        _whole("rank"),
        _real("score", optional=True),
        _whole("gone"),
    ),
    {"gone": 1},
)
FACET = _kind(
    "facet",
    ("question", "id"),
    (_text("label"), _text("description"), _text("weight"), _whole("gone")),
    {"gone": 1},
)
PLACE = _kind("place", ("question", "facet"), (_whole("place"),), {})
MARK = _kind(
    "mark",
    ("question", "facet", "passage", "owner"),
    (
        _text("annotator"),
        _text("mark", optional=True),
        _text("independent", optional=True),
        _text("made_at"),
    ),
    {"mark": None, "independent": None},
)
ATTENDANCE = _kind(
    "attendance", ("question", "annotator"), (_real("seconds"), _whole("is_done")), {}
)

KINDS = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            PROJECT,
            GUIDELINES,
            QUESTION,
            NOTES,
            PASSAGE,
            FACET,
            PLACE,
            MARK,
            ATTENDANCE,
        )
    }
)

ADJUDICATED = ""
"""Owner of the one mark that settles a cell."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from a schema to the next, in one transaction.

    Args:
        number: Its place, from 1, without gaps.
        name: What it does, in words.
        statements: Its SQL for a dialect, ``sqlite`` or ``postgresql``. Written out, never
            made from today's tables: a step stays what it was.
    """

    number: int
    name: str
    statements: Callable[[str], Sequence[str]]


_STATE = "version INTEGER NOT NULL, stroke TEXT NOT NULL, standing TEXT NOT NULL"

_FIRST_TABLES = (
    "CREATE TABLE golden_project (id TEXT PRIMARY KEY, hides_score BIGINT NOT NULL, "
    f"hides_rank BIGINT NOT NULL, hides_source BIGINT NOT NULL, seed BIGINT NOT NULL, {_STATE})",
    "CREATE TABLE golden_question (id TEXT PRIMARY KEY, text TEXT NOT NULL, "
    f"stratum TEXT NOT NULL, place BIGINT NOT NULL, gone BIGINT NOT NULL, {_STATE})",
    "CREATE TABLE golden_notes (question TEXT PRIMARY KEY REFERENCES golden_question, "
    f"notes TEXT NOT NULL, {_STATE})",
    "CREATE TABLE golden_passage (question TEXT NOT NULL REFERENCES golden_question, "
    "key TEXT NOT NULL, text TEXT NOT NULL, source TEXT, id TEXT NOT NULL, rank BIGINT NOT NULL, "
    f"score DOUBLE PRECISION, gone BIGINT NOT NULL, {_STATE}, PRIMARY KEY (question, key))",
    "CREATE TABLE golden_facet (question TEXT NOT NULL REFERENCES golden_question, "
    "id TEXT NOT NULL, label TEXT NOT NULL, description TEXT NOT NULL, weight TEXT NOT NULL, "
    f"gone BIGINT NOT NULL, {_STATE}, PRIMARY KEY (question, id))",
    "CREATE TABLE golden_place (question TEXT NOT NULL, facet TEXT NOT NULL, "
    f"place BIGINT NOT NULL, {_STATE}, PRIMARY KEY (question, facet), "
    "FOREIGN KEY (question, facet) REFERENCES golden_facet (question, id))",
    "CREATE TABLE golden_mark (question TEXT NOT NULL, facet TEXT NOT NULL, "
    "passage TEXT NOT NULL, owner TEXT NOT NULL, annotator TEXT NOT NULL, mark TEXT, "
    f"independent TEXT, made_at TEXT NOT NULL, {_STATE}, "
    "PRIMARY KEY (question, facet, passage, owner), "
    "FOREIGN KEY (question, facet) REFERENCES golden_facet (question, id), "
    "FOREIGN KEY (question, passage) REFERENCES golden_passage (question, key))",
    "CREATE TABLE golden_attendance (question TEXT NOT NULL REFERENCES golden_question, "
    "annotator TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL, is_done BIGINT NOT NULL, "
    f"{_STATE}, PRIMARY KEY (question, annotator))",
)

_NUMBER = {
    "sqlite": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "postgresql": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
}

_ONLY_GROWS = {
    "sqlite": (
        "CREATE TRIGGER golden_stroke_update BEFORE UPDATE ON golden_stroke "
        "BEGIN SELECT RAISE(ABORT, 'the log of strokes only grows'); END",
        "CREATE TRIGGER golden_stroke_delete BEFORE DELETE ON golden_stroke "
        "BEGIN SELECT RAISE(ABORT, 'the log of strokes only grows'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION golden_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the log of strokes only grows'; END $$",
        "CREATE TRIGGER golden_stroke_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE "
        "ON golden_stroke FOR EACH STATEMENT EXECUTE FUNCTION golden_only_grows()",
    ),
}


def _first(dialect: str) -> Sequence[str]:
    return (
        *_FIRST_TABLES,
        f"CREATE TABLE golden_stroke (number {_NUMBER[dialect]}, token TEXT NOT NULL UNIQUE, "
        "question TEXT NOT NULL, annotator TEXT NOT NULL, role TEXT NOT NULL, at TEXT NOT NULL, "
        "kind TEXT NOT NULL, what TEXT NOT NULL, changes TEXT NOT NULL, undoes TEXT NOT NULL)",
        "CREATE INDEX golden_stroke_question ON golden_stroke (question, annotator)",
        *_ONLY_GROWS[dialect],
    )


def _guidelines(_dialect: str) -> Sequence[str]:
    return (
        f"CREATE TABLE golden_guidelines (id TEXT PRIMARY KEY, guidelines TEXT NOT NULL, {_STATE})",
    )


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "the first tables", _first),
    Migration(2, "a team's own guidelines", _guidelines),
)
"""Every step, in order. A step that was ever released is never changed: add another one."""


def migrate(
    connection: sa.Connection, at: str, migrations: Sequence[Migration] = MIGRATIONS
) -> tuple[int, ...]:
    """Take the next step that a database lacks, in the connection's transaction.

    Args:
        connection: In a transaction that writes.
        at: The moment, as it is stored.
        migrations: The steps this program knows.

    Returns:
        Numbers of the steps that are still to be taken.

    Raises:
        StoreError: The database was made by a newer program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    connection.exec_driver_sql(
        "CREATE TABLE IF NOT EXISTS golden_schema "
        "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)"
    )
    taken = set(connection.scalars(sa.select(STEP.c.number)))
    known = {migration.number for migration in migrations}
    newest = max(taken, default=0)
    if not taken <= known:
        raise StoreError(
            f"The golden set has schema {newest}, this program knows schema {max(known)}.",
            "It was made by a newer version: update Poolscope, or open another golden set.",
        )
    missing = [migration for migration in migrations if migration.number not in taken]
    if missing:
        step = missing[0]
        for statement in step.statements(connection.dialect.name):
            connection.exec_driver_sql(statement)
        connection.execute(STEP.insert().values(number=step.number, name=step.name, at=at))
    return tuple(migration.number for migration in missing[1:])
