"""Undo on both databases: back, and forth, and not over what others did since."""

from collections.abc import Callable

import pytest

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    AddFacet,
    MarkPassage,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SplitFacet,
    Undo,
)
from poolscope.golden.model import Conflict, Mark, Saved, Who
from poolscope.golden.store import Store

ANN, BEN = Who("Ann"), Who("Ben")
YES, NO = Mark.SUPPORTS, Mark.DOES_NOT

Do = Callable[..., Saved]
Refused = Callable[..., Conflict]


def mark(facet: str, passage: str, said: Mark | None, seen: int = 0) -> MarkPassage:
    return MarkPassage(facet, passage, said, seen, 1)


def seen_by(store: Store, who: Who) -> dict[tuple[str, str], Mark | None]:
    return {(one.cell.facet, one.cell.passage): one.mark for one in store.marks("q1", who)}


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
    assert found.current is None
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
