"""What every action changes: small golden sets by hand, on both databases."""

from collections.abc import Callable

import pytest

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    Action,
    AddFacet,
    AddPassages,
    AddQuestion,
    Adjudicate,
    CarryOver,
    FinishPass,
    MarkPassage,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SetNotes,
    SetProject,
    SetStratum,
    SpendTime,
    SplitFacet,
)
from poolscope.golden.carrying import Carried, How
from poolscope.golden.model import (
    Cell,
    Conflict,
    GoldenFacet,
    Judgement,
    Mark,
    Passage,
    Project,
    Question,
    Role,
    Saved,
    Stratum,
    Weight,
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


def order(store: Store) -> str:
    return "".join(facet.id for facet in store.facets("q1"))


def test_a_question_keeps_its_passages_by_rank(asked: Store) -> None:
    assert asked.questions() == (Question("q1", "What is wrong?", version=1, notes_version=1),)
    assert [passage.key for passage in asked.passages("q1")] == ["p1", "p2", "p3"]
    assert asked.facets("q1") == (
        GoldenFacet("a", "cause", place=0, version=1),
        GoldenFacet("b", "remedy", place=1, version=1),
    )


def test_a_question_is_added_once(asked: Store, refused: Refused) -> None:
    found = refused(AddQuestion(Question("q1", "Another")), BEN)
    assert found.annotator == "Ann"
    assert "already has a question “q1”" in found.problem
    assert asked.questions()[0].text == "What is wrong?"


def test_questions_come_in_the_order_of_their_adding(store: Store, do: Do) -> None:
    for name in ("z", "m", "a"):
        do(AddQuestion(Question(name, name)), question=name)
    assert [question.id for question in store.questions()] == ["z", "m", "a"]


def test_settings_of_the_set(store: Store, do: Do, refused: Refused) -> None:
    assert store.project() == Project()
    do(SetProject(Project(hides_source=True, seed=7)), question="")
    assert store.project() == Project(hides_source=True, seed=7, version=1)
    do(SetProject(Project(seed=8, version=1)), question="")
    found = refused(SetProject(Project(seed=9, version=1)), BEN, question="")
    assert (found.annotator, found.version) == ("Ann", 2)
    assert store.project().seed == 8


def test_stratum_and_notes_do_not_get_into_each_others_way(
    asked: Store, do: Do, refused: Refused
) -> None:
    do(SetNotes("ask the vendor", seen=1))
    do(SetStratum(Stratum.SINGLE, seen=1), BEN)
    assert asked.question("q1") == Question(
        "q1", "What is wrong?", Stratum.SINGLE, "ask the vendor", 2, 2
    )
    assert refused(SetNotes("no", seen=1), BEN).current == {"notes": "ask the vendor"}
    assert refused(SetStratum(Stratum.SEVERAL, seen=1)).annotator == "Ben"


def test_passages_are_added_beside_those_that_are_there(asked: Store, do: Do) -> None:
    do(AddPassages((Passage("p2", "other"), Passage("p4", "new", rank=4))))
    found = {passage.key: passage.text for passage in asked.passages("q1")}
    assert found == {"p1": "passage 1", "p2": "passage 2", "p3": "passage 3", "p4": "new"}


def test_a_facet_is_renamed_described_and_weighed(asked: Store, do: Do, refused: Refused) -> None:
    do(ReviseFacet("a", 1, label=" root cause "))
    do(ReviseFacet("a", 2, description="names the defect", weight=Weight.OKAY))
    assert asked.facets("q1")[0] == GoldenFacet(
        "a", "root cause", "names the defect", Weight.OKAY, 0, 3
    )
    found = refused(ReviseFacet("a", 1, label="mine"), BEN)
    assert "it now reads “root cause”" in found.problem
    assert (found.annotator, found.kind, found.version) == ("Ann", "ReviseFacet", 3)
    with pytest.raises(StoreError, match="no label"):
        asked.send("q1", ReviseFacet("a", 3, label="  "), ANN)


def test_a_facet_is_removed_with_its_marks(asked: Store, do: Do, refused: Refused) -> None:
    do(mark("a", "p1", YES))
    do(RemoveFacet("a", 1), BEN)
    assert order(asked) == "b"
    assert marks(asked) == {}
    found = refused(mark("a", "p2", YES))
    assert found.annotator == "Ben"
    assert "“cause” was taken away" in found.problem


def test_facets_are_reordered_as_they_were_seen(asked: Store, do: Do, refused: Refused) -> None:
    do(AddFacet("c", "cost"))
    found = refused(ReorderFacets(("b", "a"), ("a", "b")), BEN)
    assert (found.annotator, found.kind) == ("Ann", "AddFacet")
    do(ReorderFacets(("c", "a", "b"), ("a", "b", "c")), BEN)
    assert order(asked) == "cab"
    assert [facet.version for facet in asked.facets("q1")] == [1, 1, 1]
    do(AddFacet("d", "date"))
    assert order(asked) == "cabd"
    with pytest.raises(StoreError, match="other facets"):
        asked.send("q1", ReorderFacets(("a", "b"), ("c", "a", "b", "d")), ANN)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (YES, NO, YES),
        (NO, YES, YES),
        (NO, NO, NO),
        (UNSURE, NO, UNSURE),
        (LATER, NO, LATER),
        (LATER, UNSURE, UNSURE),
        (YES, LATER, YES),
        (NO, None, NO),
        (None, UNSURE, UNSURE),
    ],
)
def test_marks_follow_a_merge(
    asked: Store, do: Do, first: Mark | None, second: Mark | None, kept: Mark
) -> None:
    if first:
        do(mark("a", "p1", first))
    if second:
        do(mark("b", "p1", second))
    do(mark("a", "p2", YES), BEN)
    saved = do(MergeFacets("a", "b", 1, 1))
    assert order(asked) == "b"
    assert marks(asked) == {("b", "p1", "Ann"): kept, ("b", "p2", "Ben"): YES}
    assert saved.clashes == ((Cell("b", "p1"),) if {first, second} == {YES, NO} else ())


def test_a_merge_needs_both_facets_as_they_were_seen(
    asked: Store, do: Do, refused: Refused
) -> None:
    do(ReviseFacet("b", 1, label="cure"), BEN)
    assert refused(MergeFacets("a", "b", 1, 1)).annotator == "Ben"
    assert refused(MergeFacets("b", "a", 1, 1)).annotator == "Ben"
    assert refused(MergeFacets("x", "a", 1, 1)).annotator == ""
    with pytest.raises(StoreError, match="with itself"):
        asked.send("q1", MergeFacets("a", "a", 1, 1), ANN)


def test_a_split_keeps_what_holds_of_every_part(asked: Store, do: Do, refused: Refused) -> None:
    for passage, said in (("p1", YES), ("p2", NO), ("p3", UNSURE)):
        do(mark("a", passage, said))
    do(SplitFacet("a", (AddFacet("a1", "one"), AddFacet("a2", "two")), 1))
    assert [facet.id for facet in asked.facets("q1")] == ["a1", "a2", "b"]
    assert marks(asked) == {
        (part, passage, "Ann"): said
        for part in ("a1", "a2")
        for passage, said in (("p1", LATER), ("p2", NO), ("p3", LATER))
    }
    assert (
        "already has this facet"
        in refused(SplitFacet("b", (AddFacet("a1", "x"), AddFacet("c", "y")), 1)).problem
    )
    with pytest.raises(StoreError, match="two parts at least"):
        asked.send("q1", SplitFacet("b", (AddFacet("c", "y"),), 1), ANN)


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
    assert "1 of 6 marks are open" in refused(FinishPass()).problem
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


def test_marks_are_carried_to_new_passages(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES))
    do(mark("a", "p2", YES))
    do(mark("b", "p2", NO))
    do(mark("a", "p3", NO), BEN)
    new = (Passage("n1", "one", rank=1), Passage("n2", "two and more", rank=2))
    do(CarryOver(new, (Carried("p1", "n1", How.MOVED), Carried("p2", "n2", How.WITHIN))))
    assert asked.passages("q1") == new
    assert marks(asked) == {("a", "n1", "Ann"): YES, ("a", "n2", "Ann"): YES}
    asked.undo("q1", ANN)
    assert len(asked.passages("q1")) == 3
    assert len(marks(asked)) == 4


def test_two_old_passages_that_become_one_keep_the_stronger_mark(asked: Store, do: Do) -> None:
    do(mark("a", "p1", NO))
    do(mark("a", "p2", YES))
    do(CarryOver((Passage("n", "x"),), (Carried("p1", "n"), Carried("p2", "n"))))
    assert marks(asked) == {("a", "n", "Ann"): YES}


def test_a_carry_over_names_passages_that_are_there(asked: Store, refused: Refused) -> None:
    assert asked.passages("q1")
    assert "not there" in refused(CarryOver((Passage("n", "x"),), (Carried("p7", "n"),))).problem
    assert "not there" in refused(CarryOver((Passage("n", "x"),), (Carried("p1", "m"),))).problem
