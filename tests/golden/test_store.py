"""Strokes: kept once, never lost and never overwritten in silence."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    AddFacet,
    AddQuestion,
    MarkPassage,
    SetNotes,
    SplitFacet,
)
from poolscope.golden.model import Conflict, Mark, Passage, Question, Saved, Who
from poolscope.golden.store import Store, new_token, open_store

ANN, BEN = Who("Ann"), Who("Ben")
YES, NO = Mark.SUPPORTS, Mark.DOES_NOT

Do = Callable[..., Saved]
Refused = Callable[..., Conflict]


def mark(facet: str, passage: str, said: Mark | None, seen: int = 0) -> MarkPassage:
    return MarkPassage(facet, passage, said, seen, 1)


def test_a_stroke_says_who_when_and_what(asked: Store) -> None:
    saved = asked.send("q1", mark("a", "p1", YES), ANN, token=new_token(), seconds=3)
    assert isinstance(saved, Saved)
    stroke = asked.log("q1")[-1]
    assert saved.stroke == stroke
    assert (stroke.annotator, stroke.kind) == ("Ann", "MarkPassage")
    assert stroke.at.isoformat().startswith("2026-03-01T09:00:")
    assert '"mark": "supports"' in stroke.what
    assert saved.version("mark", "q1", "a", "p1", "Ann") == 1


def test_a_stroke_that_is_sent_twice_is_kept_once(asked: Store) -> None:
    token = new_token()
    first = asked.send("q1", mark("a", "p1", YES), ANN, token=token)
    again = asked.send("q1", mark("a", "p1", YES), ANN, token=token)
    assert isinstance(first, Saved)
    assert isinstance(again, Saved)
    assert (first.was_there, again.was_there) == (False, True)
    assert again.stroke == first.stroke
    assert [stroke.token for stroke in asked.log()].count(token) == 1
    with pytest.raises(StoreError, match="another stroke"):
        asked.send("q1", mark("a", "p1", NO), ANN, token=token)


def test_the_database_itself_refuses_to_change_the_log(asked: Store) -> None:
    for statement in ("UPDATE golden_stroke SET annotator = 'x'", "DELETE FROM golden_stroke"):
        with (
            pytest.raises(sa.exc.DBAPIError, match="only grows"),
            asked.engine.begin() as connection,
        ):
            connection.exec_driver_sql(statement)


def test_everything_is_there_after_opening_anew(address: Path | str) -> None:
    with open_store(address) as store:
        store.send("q1", AddQuestion(Question("q1", "?"), (Passage("p1", "x"),)), ANN)
        store.send("q1", AddFacet("a", "A"), ANN)
        store.send("q1", mark("a", "p1", YES), ANN)
        before = store.golden_set(), store.log()
    with open_store(address) as store:
        assert (store.golden_set(), store.log()) == before
        assert store.faults() == ()


def test_text_that_no_database_keeps_is_refused_alike(asked: Store) -> None:
    for text in ("a\x00b", "a\ud800b"):
        with pytest.raises(StoreError, match=r"U\+(0000|D800) at place 2"):
            asked.send("q1", SetNotes(text, 1), ANN)
        with pytest.raises(StoreError, match="Your name"):
            Who(text)
        with pytest.raises(StoreError, match="no database"):
            asked.send("q1", SplitFacet("a", (AddFacet("x", text), AddFacet("y", "y")), 1), ANN)


def test_any_other_text_is_kept_as_it_is(asked: Store, do: Do) -> None:
    text = "'; DROP TABLE golden_mark; -- <b>é𝄞\u202e\r\n\t\x01"
    do(SetNotes(text, 1))
    found = asked.question("q1")
    assert found is not None
    assert found.notes == text


@pytest.mark.parametrize("round_", range(3))
def test_writers_at_once_lose_nothing_and_overwrite_nothing(asked: Store, round_: int) -> None:
    """Two windows of each of four annotators mark the same cells at the same time."""
    kept: list[str] = []
    lost: list[Conflict] = []
    failed: list[BaseException] = []
    start = threading.Barrier(8, timeout=120)

    def work(name: str) -> None:
        try:
            start.wait()
            for facet in "ab":
                for passage in ("p1", "p2", "p3"):
                    result = asked.send("q1", mark(facet, passage, YES), Who(f"{name}{round_}"))
                    if isinstance(result, Saved):
                        kept.append(result.stroke.token)
                    else:
                        lost.append(result)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failed.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ABCD" * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not failed
    assert len(kept) == len(lost) == 24
    assert {stroke.token for stroke in asked.log("q1")} >= set(kept)
    assert all("another window" in found.problem for found in lost)
