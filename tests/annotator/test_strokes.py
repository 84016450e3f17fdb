"""Strokes as a browser sends them, and what became of them in a golden set on disk."""

import dataclasses
import math
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from poolscope.annotator import strokes
from poolscope.annotator.strokes import Became, Kind, Outcome, Sent
from poolscope.golden import connection
from poolscope.golden.actions import AddFacet, AddQuestion, MarkPassage, ReviseFacet
from poolscope.golden.model import Mark, Passage, Question, Saved, Who
from poolscope.golden.store import Store, open_store

ANN, BEN = Who("Ann"), Who("Ben")
SUPPORTS = Sent("t1", 0, "q", Kind.MARK, "f", "p", Mark.SUPPORTS, 0, 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A golden set with one question, two passages and one facet."""
    with open_store(tmp_path / "golden.sqlite") as opened:
        action = AddQuestion(Question("q", "?"), (Passage("p", "one"), Passage("o", "other")))
        opened.send("q", action, ANN)
        opened.send("q", AddFacet("f", "cause"), ANN)
        yield opened


def take(
    store: Store, *sent: Sent, known: tuple[Outcome, ...] = (), who: Who = ANN
) -> tuple[Outcome, ...]:
    return strokes.take(store, who, sent, {outcome.sent.token: outcome for outcome in known})


def became(outcomes: tuple[Outcome, ...]) -> list[str]:
    return [outcome.became.value for outcome in outcomes]


def marks(store: Store, who: Who = ANN) -> dict[str, Mark | None]:
    return {mark.cell.passage: mark.mark for mark in store.marks("q", who)}


def after(sent: Sent, **changes: object) -> Sent:
    """The next stroke on a cell while one is on its way."""
    return dataclasses.replace(sent, after=sent.token, **changes)  # type: ignore[arg-type]


def test_what_a_browser_sends_is_read() -> None:
    raw = {
        "token": "t1", "attempt": 1, "question": "q", "kind": "mark", "facet": "f", "passage": "p",
        "mark": "can't tell", "seen": 2, "facetSeen": 3, "after": "t0", "seconds": 1.5,
    }  # fmt: skip
    wanted = Sent("t1", 1, "q", Kind.MARK, "f", "p", Mark.CANT_TELL, 2, 3, "t0", seconds=1.5)
    assert strokes.read([raw]) == (wanted,)


@pytest.mark.parametrize(
    "value",
    [None, 7, "strokes", b"x", {}, {"token": "t"}, [None, 3, "x", [], {}, {"token": 5}]],
)
def test_what_is_no_stroke_is_none(value: object) -> None:
    assert strokes.read(value) == ()


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"kind": "drop tables"},
        {"kind": 5},
        {"kind": "mark", "mark": "perhaps"},
        {"kind": "facet", "label": " \n"},
        {"kind": "facet", "label": "a\x00b"},
        {"kind": "facet", "label": "half \ud800"},
    ],
)
def test_a_stroke_that_makes_no_sense_is_refused_and_holds_nothing_up(
    store: Store, raw: Mapping[str, object]
) -> None:
    sent = strokes.read([{"token": "bad", "question": "q", **raw}])
    found = take(store, *sent, SUPPORTS)
    assert became(found) == ["conflict", "saved"]
    assert found[0].problem
    assert marks(store) == {"p": Mark.SUPPORTS}


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(-5, 0.0), (math.nan, 0.0), (math.inf, 0.0), ("9", 0.0), (True, 0.0), (1e30, 86_400.0)],
)
def test_time_that_makes_no_sense_is_bounded(value: object, wanted: float) -> None:
    assert strokes.read([{"token": "t", "kind": "time", "seconds": value}])[0].seconds == wanted


def test_strokes_are_kept_in_their_order_and_one_cell_follows_itself(store: Store) -> None:
    second = after(SUPPORTS, token="t2", mark=Mark.DOES_NOT)
    third = after(second, token="t3", mark=None)
    found = take(store, SUPPORTS, second, third)
    assert became(found) == ["saved"] * 3
    assert [outcome.version for outcome in found] == [1, 2, 3]
    assert marks(store) == {"p": None}


def test_a_message_that_comes_twice_writes_once(store: Store) -> None:
    second = after(SUPPORTS, token="t2", mark=Mark.DOES_NOT)
    first_time = take(store, SUPPORTS, second)
    size = len(store.log())
    assert take(store, SUPPORTS, second, known=first_time) == first_time
    # A server that was started anew knows nothing of what became of them.
    assert became(take(store, SUPPORTS, second)) == ["saved", "saved"]
    # The answer to the first came through, that to the second did not.
    alone = dataclasses.replace(second, after="", seen=1)
    assert became(take(store, alone)) == ["saved"]
    assert len(store.log()) == size
    assert store.faults() == ()


def test_what_another_window_changed_is_not_overwritten_by_any_stroke_behind(
    store: Store,
) -> None:
    store.send("q", MarkPassage("f", "p", Mark.CANT_TELL, 0, 1), ANN)
    second = after(SUPPORTS, token="t2", mark=Mark.DOES_NOT, seen=1)
    elsewhere = dataclasses.replace(SUPPORTS, token="t3", passage="o")
    found = take(store, SUPPORTS, second, elsewhere)
    assert became(found) == ["conflict", "waiting", "saved"]
    assert "another window" in found[0].problem
    assert found[0].by == "Ann"
    assert marks(store) == {"p": Mark.CANT_TELL, "o": Mark.SUPPORTS}
    assert became(take(store, second, known=found)) == ["waiting"]
    mine = dataclasses.replace(second, token="t4", after="")
    assert became(take(store, mine)) == ["saved"]


def test_a_mark_for_a_facet_that_was_renamed_is_shown_not_kept(store: Store) -> None:
    store.send("q", ReviseFacet("f", 1, label="effect"), BEN)
    found = take(store, SUPPORTS)
    assert became(found) == ["conflict"]
    assert "it now reads “effect”" in found[0].problem
    assert found[0].by == "Ben"


def test_a_facet_is_added_and_marked_in_one_message(store: Store) -> None:
    facet = Sent("t1", 0, "q", Kind.FACET, "new", label="a condition")
    mark = dataclasses.replace(SUPPORTS, token="t2", facet="new")
    assert became(take(store, facet, mark)) == ["saved", "saved"]
    assert [each.label for each in store.facets("q")] == ["cause", "a condition"]


def test_an_undo_follows_what_it_takes_back(store: Store) -> None:
    undo = Sent("t2", 0, "q", Kind.UNDO, "f", "p", after="t1", undoes="t1")
    again = after(undo, token="t3", kind=Kind.MARK, mark=Mark.DOES_NOT, facet_seen=1, undoes="")
    found = take(store, SUPPORTS, undo, again)
    assert became(found) == ["saved"] * 3
    assert [outcome.version for outcome in found] == [1, 2, 3]
    assert marks(store) == {"p": Mark.DOES_NOT}


def test_a_pass_is_finished_only_after_all_its_strokes(store: Store) -> None:
    store.send("q", MarkPassage("f", "p", Mark.CANT_TELL, 0, 1), ANN)
    other = dataclasses.replace(SUPPORTS, token="t2", passage="o")
    finish = Sent("t3", 0, "q", Kind.FINISH)
    held_up = take(store, SUPPORTS, other, finish)
    assert became(held_up) == ["conflict", "saved", "waiting"]
    assert became(take(store, finish, known=held_up)) == ["saved"]
    assert store.progress(ANN)[0].is_finished


def test_a_pass_with_open_marks_is_refused_in_words(store: Store) -> None:
    found = take(store, SUPPORTS, Sent("t2", 0, "q", Kind.FINISH))
    assert became(found) == ["saved", "conflict"]
    assert "1 of 2 marks is open" in found[1].problem


def test_time_is_added_up(store: Store) -> None:
    timed = dataclasses.replace(SUPPORTS, seconds=2.5)
    take(store, timed, Sent("t2", 0, "q", Kind.TIME, seconds=4))
    take(store, timed, Sent("t2", 0, "q", Kind.TIME, seconds=4))
    assert store.attendance("q")[0].seconds == 6.5


def test_a_locked_database_holds_all_up_and_the_next_attempt_keeps_all(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    with open_store(tmp_path / "golden.sqlite") as hurried:
        other = sqlite3.connect(tmp_path / "golden.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        second = dataclasses.replace(SUPPORTS, token="t2", passage="o")
        found = take(hurried, SUPPORTS, second)
        assert became(found) == ["failed", "waiting"]
        assert "being written by another program" in found[0].problem
        assert "what you typed is still here" in found[0].remedy
        other.execute("ROLLBACK")
        other.close()
        assert became(take(hurried, SUPPORTS, second, known=found)) == ["failed", "waiting"]
        once_more = dataclasses.replace(SUPPORTS, attempt=1)
        assert became(take(hurried, once_more, second, known=found)) == ["saved", "saved"]
    assert marks(store) == {"p": Mark.SUPPORTS, "o": Mark.SUPPORTS}


def test_a_full_disk_keeps_what_was_kept_and_takes_the_rest_when_there_is_room(
    store: Store,
) -> None:
    many = [
        Sent(f"t{number}", 0, "q", Kind.FACET, f"f{number}", label=f"{number} " + "x" * 4_000)
        for number in range(30)
    ]
    with store.engine.begin() as found:
        pages = int(found.exec_driver_sql("PRAGMA page_count").scalar() or 0)
        found.exec_driver_sql(f"PRAGMA max_page_count = {pages + 8}")
    outcomes = take(store, *many)
    states = became(outcomes)
    stop = states.index("failed")
    assert states == ["saved"] * stop + ["failed"] + ["waiting"] * (len(many) - stop - 1)
    assert "is full" in outcomes[stop].problem
    assert len(store.facets("q")) == 1 + stop
    assert store.faults() == ()
    with store.engine.begin() as found:
        found.exec_driver_sql("PRAGMA max_page_count = 100000")
    again = [
        dataclasses.replace(sent, attempt=int(number == stop)) for number, sent in enumerate(many)
    ]
    assert set(became(take(store, *again, known=outcomes))) == {"saved"}
    assert len(store.facets("q")) == 1 + len(many)


def test_everybody_is_heard_under_their_own_name(store: Store) -> None:
    take(store, SUPPORTS)
    found = take(store, dataclasses.replace(SUPPORTS, mark=Mark.DOES_NOT), who=BEN)
    assert became(found) == ["failed"]  # the token is Ann's
    own = dataclasses.replace(SUPPORTS, token="b1", mark=Mark.DOES_NOT)
    assert became(take(store, own, who=BEN)) == ["saved"]
    assert marks(store) == {"p": Mark.SUPPORTS}
    assert marks(store, BEN) == {"p": Mark.DOES_NOT}


def test_the_version_is_that_of_the_own_mark(store: Store) -> None:
    answer = store.send("q", MarkPassage("f", "p", Mark.SUPPORTS, 0, 1), ANN, seconds=3)
    assert isinstance(answer, Saved)
    assert take(store, after(SUPPORTS, token="t9", seen=1))[0].version == 2
    assert take(store, Sent("t8", 0, "q", Kind.TIME, seconds=1))[0].version is None
    assert Became.SAVED.value == "saved"
