"""Settings, questions and passages on both databases, by hand."""

from collections.abc import Callable

import pytest

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    Action,
    AddPassages,
    AddQuestion,
    CarryOver,
    MarkPassage,
    SetGuidelines,
    SetNotes,
    SetProject,
    SetStratum,
)
from poolscope.golden.carrying import Carried, How
from poolscope.golden.model import (
    Conflict,
    GoldenFacet,
    Mark,
    Passage,
    Project,
    Question,
    Role,
    Saved,
    Who,
)
from poolscope.golden.store import Store
from poolscope.model import Stratum

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
    do(SetStratum(Stratum.ONE, seen=1), BEN)
    assert asked.question("q1") == Question(
        "q1", "What is wrong?", Stratum.ONE, "ask the vendor", 2, 2
    )
    assert refused(SetNotes("no", seen=1), BEN).current == {"notes": "ask the vendor"}
    assert refused(SetStratum(Stratum.SEVERAL, seen=1)).annotator == "Ben"


def test_passages_are_added_beside_those_that_are_there(asked: Store, do: Do) -> None:
    do(AddPassages((Passage("p2", "other"), Passage("p4", "new", rank=4))))
    found = {passage.key: passage.text for passage in asked.passages("q1")}
    assert found == {"p1": "passage 1", "p2": "passage 2", "p3": "passage 3", "p4": "new"}


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


def test_guidelines_are_an_adjudicators_and_every_version_is_kept(
    asked: Store, do: Do, refused: Refused
) -> None:
    with pytest.raises(StoreError, match="written by an adjudicator"):
        asked.send("", SetGuidelines("Read on.", 0), ANN)
    assert asked.project() == Project()
    do(SetGuidelines(" Read *all* of it. ", 0), EVE, question="")
    do(SetProject(Project(seed=3)), question="")
    do(SetGuidelines("Read twice.", 1), EVE, question="")
    assert refused(SetGuidelines("Mine", 1), EVE, question="").annotator == "Eve"
    found = asked.project()
    assert (found.guidelines, found.guidelines_version, found.seed) == ("Read twice.", 2, 3)
    versions = [(each.number, each.text, each.author) for each in asked.guidelines()]
    assert versions == [(1, "Read *all* of it.", "Eve"), (2, "Read twice.", "Eve")]
    asked.undo("", EVE)
    assert asked.project().guidelines == "Read *all* of it."
