"""Marks, passes and time on both databases, by hand."""

from collections.abc import Callable

import pytest

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    Action,
    AddFacet,
    AddQuestion,
    Adjudicate,
    FinishPass,
    MarkPassage,
    ReviseFacet,
    SpendTime,
)
from poolscope.golden.model import (
    Conflict,
    Judgement,
    Mark,
    Passage,
    Question,
    Role,
    Saved,
    Who,
)
from poolscope.golden.store import Store

ANN, BEN, EVE = Who("Ann"), Who("Ben"), Who("Eve", Role.ADJUDICATOR)
YES, NO, UNSURE, LATER = Mark.SUPPORTS, Mark.DOES_NOT, Mark.CANT_TELL, Mark.LATER

Do = Callable[..., Saved]
Refused = Callable[..., Conflict]


def mark(facet: str, passage: str, said: Mark | None, seen: int = 0, facet_seen: int = 1) -> Action:
    return MarkPassage(facet, passage, said, seen, facet_seen)


def marks(store: Store) -> dict[tuple[str, str, str], Mark | None]:
    """Everybody's marks by facet, passage and name."""
    record = store.record("q1")
    assert record is not None
    return {
        (one.cell.facet, one.cell.passage, one.annotator): one.mark for one in record.judgements
    }


def test_two_windows_of_one_annotator_do_not_overwrite_each_other(
    asked: Store, do: Do, refused: Refused
) -> None:
    do(mark("a", "p1", YES))
    found = refused(mark("a", "p1", NO))
    assert (found.annotator, found.kind, found.version) == ("Ann", "MarkPassage", 1)
    assert found.at is not None
    assert found.current is not None
    assert found.current["mark"] == "supports"
    do(mark("a", "p1", NO, seen=found.version))
    assert marks(asked) == {("a", "p1", "Ann"): NO}


def test_annotators_on_one_cell_do_not_meet(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES), ANN)
    do(mark("a", "p1", NO), BEN)
    assert marks(asked) == {("a", "p1", "Ann"): YES, ("a", "p1", "Ben"): NO}


def test_a_mark_for_a_facet_that_reads_otherwise_now_is_refused(do: Do, asked: Store) -> None:
    do(ReviseFacet("a", 1, label="symptom"), BEN)
    found = asked.send("q1", mark("a", "p1", YES), ANN)
    assert isinstance(found, Conflict)
    assert "it now reads “symptom”" in found.problem
    do(mark("a", "p1", YES, facet_seen=2))


def test_a_mark_on_what_is_not_there_is_refused(refused: Refused, asked: Store) -> None:
    assert asked.facets("q1")
    assert "no facet “x”" in refused(mark("x", "p1", YES)).problem
    assert "passage was taken away" in refused(mark("a", "p9", YES)).problem
    assert "no question “q9”" in refused(mark("a", "p1", YES), question="q9").problem


def test_a_mark_is_taken_back(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES))
    do(mark("a", "p1", None, seen=1))
    assert marks(asked) == {}
    (back,) = asked.marks("q1", ANN)
    assert (back.mark, back.version) == (None, 2)
    do(mark("a", "p1", NO, seen=2))


def test_roles_are_kept_apart(asked: Store, do: Do, refused: Refused) -> None:
    do(mark("a", "p1", NO), Who("Eve"))
    do(Adjudicate("a", "p1", YES, 0, 1), EVE)
    record = asked.record("q1")
    assert record is not None
    assert [(one.role, one.mark, one.independent) for one in record.judgements] == [
        (Role.ADJUDICATOR, YES, None),
        (Role.ANNOTATOR, NO, NO),
    ]
    found = refused(Adjudicate("a", "p1", NO, 0, 1), Who("Dan", Role.ADJUDICATOR))
    assert found.annotator == "Eve"
    with pytest.raises(StoreError, match="Only an adjudicator"):
        asked.send("q1", Adjudicate("a", "p1", YES, 0, 1), ANN)
    with pytest.raises(StoreError, match="settles cells"):
        asked.send("q1", mark("a", "p1", YES), EVE)


def test_a_pass_is_done_when_nothing_is_open(asked: Store, do: Do, refused: Refused) -> None:
    for facet in "ab":
        for passage in ("p1", "p2", "p3"):
            do(mark(facet, passage, LATER if (facet, passage) == ("b", "p3") else NO))
    assert "1 of 6 marks is open" in refused(FinishPass()).problem
    do(mark("b", "p3", UNSURE, seen=1))
    do(FinishPass())
    assert asked.attendance("q1")[0].is_done


def test_a_pass_without_facets_is_not_done(store: Store, do: Do, refused: Refused) -> None:
    do(AddQuestion(Question("q1", "?"), (Passage("p1", "x"),)))
    assert store.facets("q1") == ()
    assert "no facets" in refused(FinishPass()).problem


def test_what_was_marked_after_looking_is_not_independent(asked: Store, do: Do) -> None:
    for facet in "ab":
        for passage in ("p1", "p2", "p3"):
            do(mark(facet, passage, NO))
    do(mark("a", "p1", UNSURE, seen=1))
    do(FinishPass())
    do(mark("a", "p1", YES, seen=2))
    do(mark("a", "p1", None, seen=3))
    do(mark("a", "p1", YES, seen=4))
    do(AddFacet("c", "later"), BEN)
    do(mark("c", "p1", YES))
    do(mark("c", "p1", NO, seen=1))
    asked.undo("q1", ANN)
    asked.undo("q1", ANN)
    do(mark("c", "p1", NO, seen=4))
    found: dict[tuple[str, str], Judgement] = {
        (one.cell.facet, one.cell.passage): one for one in asked.marks("q1", ANN)
    }
    assert (found["a", "p1"].mark, found["a", "p1"].independent) == (YES, UNSURE)
    assert (found["c", "p1"].mark, found["c", "p1"].independent) == (NO, YES)


def test_time_adds_up_by_annotator(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES), seconds=2.5)
    do(SpendTime(), seconds=4)
    do(SpendTime(), BEN, seconds=1)
    assert [(one.annotator, one.seconds) for one in asked.attendance("q1")] == [
        ("Ann", 6.5),
        ("Ben", 1.0),
    ]
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(StoreError, match="time spent"):
            asked.send("q1", SpendTime(), ANN, seconds=wrong)
