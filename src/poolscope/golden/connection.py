"""From an address to an engine, transactions, and databases' errors in words."""

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from poolscope.errors import StoreError

BUSY_MS = 5_000
"""How long a stroke waits for another program that writes."""

TURN_SECONDS = 30
"""How long a thread waits for the others of its program."""

CONNECT_SECONDS = 5
STATEMENT_MS = 30_000

SAME = "Nothing was saved; what you typed is still here."
BEGIN = "golden_begin"


def engine(address: str | Path) -> sa.Engine:
    """Make an engine for a file's path, an ``sqlite:///`` address or a ``postgresql://`` one.

    Raises:
        StoreError: The address is none of these, or psycopg is missing.
    """
    url = _url(address)
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    if url.get_backend_name() == "postgresql":
        return _postgresql(url)
    raise StoreError(
        f"A golden set cannot be kept in “{url.get_backend_name()}”.",
        "Give the path of a file, or an address that starts with postgresql://.",
    )


def _url(address: str | Path) -> URL:
    if isinstance(address, Path) or "://" not in address:
        return URL.create("sqlite", database=str(address))
    try:
        return make_url(address)
    except (exc.ArgumentError, ValueError) as error:
        raise StoreError(
            "The address of the golden set cannot be read.",
            "Write postgresql://name:password@host:port/database, or the path of a file.",
        ) from error


def file_of(address: str | Path) -> Path | None:
    """Return the file that an address names; ``None`` for a server.

    Raises:
        StoreError: The address cannot be read.
    """
    url = _url(address)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def _sqlite(url: URL) -> sa.Engine:
    if not url.database or url.database == ":memory:":
        raise StoreError(
            "A golden set needs a file: in memory it would be lost with the program.",
            "Give the path of a file.",
        )
    made = sa.create_engine(
        url.set(drivername="sqlite+pysqlite"), connect_args={"timeout": BUSY_MS / 1000}
    )

    @event.listens_for(made, "connect")
    def _prepare(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        # Transactions are begun here, not by the driver: its BEGIN is deferred, and a deferred
        # one that turns to writing fails at once where another one writes.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout = {BUSY_MS}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(made, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(
            f"BEGIN {connection.get_execution_options().get(BEGIN, 'DEFERRED')}"
        )

    return made


def _postgresql(url: URL) -> sa.Engine:
    try:
        made = sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=10,
            pool_timeout=BUSY_MS / 1000,
            connect_args={"connect_timeout": CONNECT_SECONDS},
        )
    except ImportError as error:
        raise StoreError(
            "PostgreSQL needs the package psycopg, which is not installed.",
            "Install it with: pip install 'poolscope[team]'.",
        ) from error

    @event.listens_for(made, "connect")
    def _prepare(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = {BUSY_MS}")
        cursor.execute(f"SET statement_timeout = {STATEMENT_MS}")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {STATEMENT_MS}")
        cursor.close()
        connection.commit()

    return made


@contextmanager
def writing(made: sa.Engine, turn: threading.Lock) -> Iterator[sa.Connection]:
    """Give a connection in a transaction that writes; all of it is kept, or nothing.

    Args:
        made: The database.
        turn: Of this program's threads. SQLite has one writer at a time, and lets those that wait
            try again at chance moments: with many, some never get in.

    Raises:
        StoreError: The database could not be reached or written.
    """
    with (
        _in_turn(made, turn),
        translated(made.url),
        made.connect().execution_options(**{BEGIN: "IMMEDIATE"}) as found,
        found.begin(),
    ):
        yield found


@contextmanager
def _in_turn(made: sa.Engine, turn: threading.Lock) -> Iterator[None]:
    if made.dialect.name != "sqlite":
        yield
        return
    if not turn.acquire(timeout=TURN_SECONDS):
        raise StoreError(
            f"Others have been writing to the golden set for {TURN_SECONDS} seconds.",
            f"{SAME} Try again.",
        )
    try:
        yield
    finally:
        turn.release()


@contextmanager
def reading(made: sa.Engine) -> Iterator[sa.Connection]:
    """Give a connection that sees one moment of the database.

    Raises:
        StoreError: The database could not be reached or read.
    """
    options = {"isolation_level": "REPEATABLE READ"} if made.dialect.name == "postgresql" else {}
    with (
        translated(made.url),
        made.connect().execution_options(**options) as found,
        found.begin(),
    ):
        yield found


@contextmanager
def translated(url: URL) -> Iterator[None]:
    """Say in words what a database refused.

    Raises:
        StoreError: In place of the error of SQLAlchemy or the driver; not of a broken rule of
            the tables, which is the caller's.
    """
    try:
        yield
    except exc.IntegrityError:
        raise
    except (exc.DBAPIError, exc.TimeoutError, sqlite3.Error) as error:
        raise _in_words(error, url) from error


def _in_words(error: exc.DBAPIError | exc.TimeoutError | sqlite3.Error, url: URL) -> StoreError:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    shown = url.set(drivername="postgresql").render_as_string(hide_password=True)
    shown = str(url.database) if url.get_backend_name() == "sqlite" else shown
    if isinstance(error, exc.TimeoutError):
        return StoreError(
            f"All connections to {shown} have been in use for {BUSY_MS // 1000} seconds.",
            f"{SAME} Try again.",
        )
    if isinstance(cause, sqlite3.Error):
        return _sqlite_in_words(cause, shown)
    state = str(getattr(cause, "sqlstate", "") or "") or _state(str(cause))
    return _postgresql_in_words(state, shown, str(cause))


def _state(said: str) -> str:
    """Tell the code of a refused connection, for which the driver gives none, by its words."""
    if "password" in said or "authentication" in said:
        return "28"
    return "3D000" if re.search(r'database ".*" does not exist', said) else ""


_SQLITE = (
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED"),
        "The golden set {shown} is being written by another program for more than {busy} seconds.",
        "Close the other program, or wait, and try again.",
    ),
    (
        ("SQLITE_FULL",),
        "The disk that holds the golden set {shown} is full.",
        "Make room on the disk and save again.",
    ),
    (
        ("SQLITE_READONLY",),
        "The golden set {shown} may not be written.",
        "Allow writing to the file and its folder, or open a copy.",
    ),
    (
        ("SQLITE_CANTOPEN",),
        "The golden set {shown} cannot be opened.",
        "Check that its folder exists and may be written.",
    ),
    (
        ("SQLITE_NOTADB", "SQLITE_CORRUPT"),
        "The file {shown} is not a golden set, or it is damaged.",
        "Choose another file, or bring back a copy.",
    ),
    (
        ("SQLITE_IOERR",),
        "The disk that holds the golden set {shown} refused to read or write.",
        "Check the disk and its free room, and try again.",
    ),
)


def _sqlite_in_words(cause: sqlite3.Error, shown: str) -> StoreError:
    name = getattr(cause, "sqlite_errorname", "")
    for names, problem, remedy in _SQLITE:
        if name.startswith(names):
            return StoreError(problem.format(shown=shown, busy=BUSY_MS // 1000), f"{SAME} {remedy}")
    return StoreError(f"The golden set {shown} refused the request: {cause}.", f"{SAME} Try again.")


_POSTGRESQL = (
    (
        ("53100", "53200"),
        "The disk or the memory of the database server at {shown} is full.",
        "Ask who runs it to make room, and save again.",
    ),
    (
        ("55P03", "57014", "40001", "40P01"),
        "The golden set at {shown} is locked by somebody else's work.",
        "Wait a moment and try again.",
    ),
    (
        ("28",),
        "The database server at {shown} does not accept the name or the password.",
        "Check both in the address.",
    ),
    (
        ("3D000",),
        "The database server knows no such database: {shown}.",
        "Check the name in the address, or have the database made.",
    ),
    (
        ("42501", "25006"),
        "This user may not write to the golden set at {shown}.",
        "Ask for the right to make and write tables.",
    ),
)


def _postgresql_in_words(state: str, shown: str, cause: str) -> StoreError:
    for states, problem, remedy in _POSTGRESQL:
        if state and state.startswith(states):
            return StoreError(problem.format(shown=shown), f"{SAME} {remedy}")
    if not state or state.startswith(("08", "57P", "25P03")):
        return StoreError(
            f"The database server at {shown} cannot be reached, or the connection was lost.",
            "What you typed is still here. Check the address and the server, and save again: a "
            "stroke that had arrived is not kept twice.",
        )
    first = cause.strip().splitlines()[0] if cause.strip() else state
    return StoreError(f"The golden set at {shown} refused the request: {first}.", f"{SAME} Retry.")
