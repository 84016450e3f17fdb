"""One golden set after another on SQLite and on a PostgreSQL of the tests' own."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from poolscope.golden import connection
from poolscope.golden.actions import Action, AddFacet, AddQuestion
from poolscope.golden.model import Conflict, Passage, Question, Saved, Who
from poolscope.golden.store import Store, open_store
from tests.postgresql import running

Address = str | Path

ANN = Who("Ann")


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long for others, as other programs take the cores of a machine that runs tests."""
    monkeypatch.setattr(connection, "BUSY_MS", 120_000)
    monkeypatch.setattr(connection, "TURN_SECONDS", 120)
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 60)


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL on a socket, for the session."""
    with running(tmp_path_factory.mktemp("pg")) as address:
        yield address


_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Address]:
    """Give the address of an empty database: a file, then a schema of its own."""
    if request.param == "sqlite":
        yield tmp_path / "golden.sqlite"
        return
    server: str = request.getfixturevalue("postgresql")
    name = f"set_{next(_numbers)}"
    engine = sa.create_engine(server.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    yield f"{server}&options=-csearch_path%3D{name}"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")
    engine.dispose()


class Clock:
    """A clock that goes on by a second each time it is read."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@pytest.fixture
def store(address: Address) -> Iterator[Store]:
    """Open an empty golden set; after the test its tables have to be what its log leads to."""
    with open_store(address, clock=Clock()) as found:
        yield found
        assert found.faults() == ()


PASSAGES = tuple(
    Passage(key=f"p{number}", text=f"passage {number}", source="s", id=f"d{number}", rank=number)
    for number in (1, 2, 3)
)

Do = Callable[..., Saved]


@pytest.fixture
def do(store: Store) -> Do:
    """Send an action that has to be kept."""

    def sent(action: Action, who: Who = ANN, question: str = "q1", seconds: float = 0.0) -> Saved:
        result = store.send(question, action, who, seconds=seconds)
        assert isinstance(result, Saved), result
        return result

    return sent


@pytest.fixture
def asked(store: Store, do: Do) -> Store:
    """A golden set with a question, three passages and two facets, a and b."""
    do(AddQuestion(Question("q1", "What is wrong?"), PASSAGES))
    do(AddFacet("a", "cause"))
    do(AddFacet("b", "remedy"))
    return store


Refused = Callable[..., Conflict]


@pytest.fixture
def refused(store: Store) -> Refused:
    """Send an action that has to be a conflict."""

    def sent(action: Action, who: Who = ANN, question: str = "q1") -> Conflict:
        before = len(store.log())
        result = store.send(question, action, who)
        assert isinstance(result, Conflict), result
        assert len(store.log()) == before
        return result

    return sent
