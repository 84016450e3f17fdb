"""What databases refuse, in words, and what is left of a stroke that could not be kept."""

import sqlite3
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from poolscope.errors import StoreError
from poolscope.golden import connection
from poolscope.golden.actions import AddQuestion, SetNotes
from poolscope.golden.model import Passage, Question, Saved, Who
from poolscope.golden.store import Store, new_token, open_store

ANN = Who("Ann")


def test_an_address_that_is_none() -> None:
    for address, problem in (
        ("mysql://host/db", "cannot be kept in “mysql”"),
        ("postgresql://host:port:x/", "cannot be read"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ):
        with pytest.raises(StoreError, match=problem):
            open_store(address)


def test_a_file_that_is_no_golden_set(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, but long enough to be taken for one" * 50)
    with pytest.raises(StoreError, match="is not a golden set") as caught:
        open_store(path)
    assert str(path) in caught.value.problem


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path / "missing" / "golden.sqlite")


def test_a_server_that_is_not_there_does_not_show_the_password() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        open_store("postgresql://ann:hush@127.0.0.1:9/golden")
    assert "hush" not in str(caught.value)
    assert "What you typed is still here" in caught.value.remedy


def test_another_database_of_the_server(postgresql: str) -> None:
    with pytest.raises(StoreError, match="no such database") as caught:
        open_store(postgresql.replace("/postgres?", "/nowhere?"))
    assert "postgresql://" in caught.value.problem


def test_sqlite_is_opened_for_many_writers(tmp_path: Path) -> None:
    with open_store(tmp_path / "g.sqlite") as store, store.engine.begin() as found:
        for pragma, wanted in (
            ("journal_mode", "wal"),
            ("foreign_keys", 1),
            ("synchronous", 2),
            ("busy_timeout", connection.BUSY_MS),
        ):
            assert found.exec_driver_sql(f"PRAGMA {pragma}").scalar() == wanted


def test_a_locked_file_says_so_and_the_stroke_can_be_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    path = tmp_path / "g.sqlite"
    token = new_token()
    action = AddQuestion(Question("q1", "typed for an hour"))
    with open_store(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="being written by another program") as caught:
            store.send("q1", action, ANN, token=token)
        assert "Nothing was saved; what you typed is still here." in caught.value.remedy
        assert store.questions() == ()
        other.execute("ROLLBACK")
        other.close()
        assert isinstance(store.send("q1", action, ANN, token=token), Saved)


def test_a_locked_row_says_so_on_postgresql(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    engine = sa.create_engine(postgresql.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as found:
        found.exec_driver_sql("CREATE SCHEMA locked")
    with open_store(f"{postgresql}&options=-csearch_path%3Dlocked") as store:
        store.send("q1", AddQuestion(Question("q1", "?")), ANN)
        with engine.begin() as found:
            found.exec_driver_sql("SELECT * FROM locked.golden_question FOR UPDATE")
            with pytest.raises(StoreError, match="locked by somebody else's work"):
                store.send("q1", SetNotes("x", 1), ANN)
        assert isinstance(store.send("q1", SetNotes("x", 1), ANN), Saved)
    engine.dispose()


def test_a_full_disk_says_so_and_nothing_is_half_kept(tmp_path: Path) -> None:
    path = tmp_path / "g.sqlite"
    large = tuple(Passage(f"p{at}", "x" * 50_000) for at in range(20))
    action, token = AddQuestion(Question("q2", "?"), large), new_token()
    with open_store(path) as store:
        store.send("q1", AddQuestion(Question("q1", "?")), ANN)
        with store.engine.begin() as found:
            pages = found.exec_driver_sql("PRAGMA page_count").scalar()
            found.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="is full") as caught:
            store.send("q2", action, ANN, token=token)
        assert "Make room" in caught.value.remedy
        assert [question.id for question in store.questions()] == ["q1"]
        assert store.faults() == ()
        with store.engine.begin() as found:
            found.exec_driver_sql("PRAGMA max_page_count = 100000")
        assert isinstance(store.send("q2", action, ANN, token=token), Saved)


def test_a_full_server_says_so(postgresql: str) -> None:
    engine = sa.create_engine(postgresql.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as found:
        found.exec_driver_sql("CREATE SCHEMA filled")
    with open_store(f"{postgresql}&options=-csearch_path%3Dfilled") as store:
        with engine.begin() as found:
            found.exec_driver_sql(
                "CREATE FUNCTION filled.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no space left'; END $$"
            )
            found.exec_driver_sql(
                "CREATE TRIGGER full_disk BEFORE INSERT ON filled.golden_question "
                "FOR EACH ROW EXECUTE FUNCTION filled.full_disk()"
            )
        with pytest.raises(StoreError, match=r"database server .* is full"):
            store.send("q1", AddQuestion(Question("q1", "?")), ANN)
        assert store.log() == ()
    engine.dispose()


def test_a_connection_that_is_cut_is_taken_up_again(postgresql: str) -> None:
    engine = sa.create_engine(postgresql.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as found:
        found.exec_driver_sql("CREATE SCHEMA cut")
    with open_store(f"{postgresql}&options=-csearch_path%3Dcut") as store:
        store.send("q1", AddQuestion(Question("q1", "?")), ANN)
        with engine.begin() as found:
            found.exec_driver_sql(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        assert isinstance(store.send("q1", SetNotes("x", 1), ANN), Saved)
    engine.dispose()


def test_reading_waits_for_no_writer(store: Store) -> None:
    store.send("q1", AddQuestion(Question("q1", "?")), ANN)
    entered, leave = threading.Event(), threading.Event()

    def write() -> None:
        with connection.writing(store.engine, store.turn) as found:
            found.exec_driver_sql("UPDATE golden_question SET text = 'half'")
            entered.set()
            leave.wait(120)
            found.rollback()

    thread = threading.Thread(target=write)
    thread.start()
    assert entered.wait(120)
    try:
        assert [question.text for question in store.questions()] == ["?"]
    finally:
        leave.set()
        thread.join(120)


def test_a_turn_that_does_not_come_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "TURN_SECONDS", 0.05)
    with open_store(tmp_path / "g.sqlite") as store:
        with store.turn, pytest.raises(StoreError, match="Others have been writing"):
            store.send("q1", AddQuestion(Question("q1", "?")), ANN)
        assert isinstance(store.send("q1", AddQuestion(Question("q1", "?")), ANN), Saved)


def test_postgresql_without_its_driver_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match="needs the package psycopg") as caught:
        open_store("postgresql://127.0.0.1/golden")
    assert "poolscope[team]" in caught.value.remedy


def test_a_golden_set_that_has_to_be_there_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "golden.sqlite"
    for address in (path, str(path), f"sqlite:///{path}"):
        with pytest.raises(StoreError, match="There is no golden set at"):
            open_store(address, must_exist=True)
    assert not path.exists()
    open_store(path).close()
    with open_store(path, must_exist=True) as store:
        assert store.questions() == ()
