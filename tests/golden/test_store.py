"""Strokes: kept once, taken back, never lost and never overwritten in silence."""

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
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SetNotes,
    SplitFacet,
    Undo,
)
from poolscope.golden.model import Conflict, Mark, Passage, Question, Saved, Who
from poolscope.golden.store import Store, new_token, open_store

ANN, BEN = Who("Ann"), Who("Ben")
YES, NO = Mark.SUPPORTS, Mark.DOES_NOT

Do = Callable[..., Saved]
Refused = Callable[..., Conflict]


def mark(facet: str, passage: str, said: Mark | None, seen: int = 0) -> MarkPassage:
    return MarkPassage(facet, passage, said, seen, 1)


def seen_by(store: Store, who: Who) -> dict[tuple[str, str], Mark | None]:
    return {(one.cell.facet, one.cell.passage): one.mark for one in store.marks("q1", who)}


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


def test_undo_goes_back_stroke_by_stroke_and_forth_again(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES))
    do(mark("a", "p1", NO, seen=1))
    last = asked.undo("q1", ANN)
    assert isinstance(last, Saved)
    assert seen_by(asked, ANN) == {("a", "p1"): YES}
    asked.undo("q1", ANN)
    assert seen_by(asked, ANN) == {("a", "p1"): None}
    do(Undo(asked.log("q1")[-1].token))
    assert seen_by(asked, ANN) == {("a", "p1"): YES}
    assert len(asked.log("q1")) == 8  # question, two facets, two marks, three undos


def test_undo_takes_back_only_ones_own(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES), ANN)
    do(mark("a", "p1", NO), BEN)
    asked.undo("q1", ANN)
    assert seen_by(asked, BEN) == {("a", "p1"): NO}
    nothing = asked.undo("q1", Who("Cy"))
    assert isinstance(nothing, Conflict)
    assert "nothing to take back" in nothing.problem
    with pytest.raises(StoreError, match="Ben's"):
        asked.send("q1", Undo(asked.log("q1", "Ben")[-1].token), ANN)


def test_undo_of_merge_split_remove_and_reorder(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES))
    do(mark("b", "p1", NO))
    do(mark("a", "p2", NO), BEN)
    before = asked.record("q1")
    assert before is not None
    versions = {facet.id: facet.version for facet in before.facets}
    for action in (
        MergeFacets("a", "b", 1, 1),
        SplitFacet("b", (AddFacet("b1", "x"), AddFacet("b2", "y")), 1),
        RemoveFacet("b", 1),
        ReorderFacets(("b", "a"), ("a", "b")),
    ):
        if not isinstance(action, ReorderFacets):
            name = action.facet
            changed = {"seen": versions[name]}
            if isinstance(action, MergeFacets):
                changed["seen_into"] = versions["b"]
            action = type(action)(
                **{**{f: getattr(action, f) for f in action.__slots__}, **changed}
            )
        do(action)
        middle = asked.record("q1")
        undone = asked.undo("q1", ANN)
        assert isinstance(undone, Saved)
        after = asked.record("q1")
        assert after is not None
        assert after.without_versions == before.without_versions
        do(Undo(undone.stroke.token))
        again = asked.record("q1")
        assert middle is not None
        assert again is not None
        assert again.without_versions == middle.without_versions
        asked.undo("q1", ANN)
        versions = {facet.id: facet.version for facet in asked.facets("q1")}


def test_undo_does_not_go_over_what_was_changed_since(
    asked: Store, do: Do, refused: Refused
) -> None:
    renamed = do(ReviseFacet("a", 1, label="symptom"))
    do(ReviseFacet("a", 2, label="sign"), BEN)
    found = refused(Undo(renamed.stroke.token))
    assert "changed since" in found.problem
    assert found.annotator == "Ben"
    assert asked.facets("q1")[0].label == "sign"


def test_undo_of_a_facet_does_not_take_others_marks_away(
    asked: Store, do: Do, refused: Refused
) -> None:
    added = do(AddFacet("c", "cost"))
    do(mark("c", "p1", YES), BEN)
    found = refused(Undo(added.stroke.token))
    assert "others have marked it" in found.problem
    assert found.annotator == "Ben"
    loaded = asked.log("q1")[0]
    assert "others have marked it" in refused(Undo(loaded.token)).problem


def test_undo_of_a_mark_on_a_merged_facet_is_refused(
    asked: Store, do: Do, refused: Refused
) -> None:
    marked = do(mark("a", "p1", YES))
    do(MergeFacets("a", "b", 1, 1), BEN)
    assert refused(Undo(marked.stroke.token)).annotator == "Ben"
    assert seen_by(asked, ANN) == {("b", "p1"): YES}


def test_undo_of_a_question_hides_it_and_brings_it_back(asked: Store, do: Do) -> None:
    loaded = asked.log("q1")[0]
    undone = do(Undo(loaded.token))
    assert asked.questions() == ()
    do(Undo(undone.stroke.token))
    assert [question.id for question in asked.questions()] == ["q1"]
    assert len(asked.passages("q1")) == 3


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
    start = threading.Barrier(8, timeout=30)

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
        thread.join(60)
    assert not failed
    assert len(kept) == len(lost) == 24
    assert {stroke.token for stroke in asked.log("q1")} >= set(kept)
    assert all("another window" in found.problem for found in lost)
