"""What each may see, how far each is, and what is wrong with a store."""

from collections.abc import Callable

import sqlalchemy as sa

from poolscope.golden import reading
from poolscope.golden.actions import (
    AddFacet,
    AddPassages,
    AddQuestion,
    Adjudicate,
    FinishPass,
    MarkPassage,
    RemoveFacet,
    SetProject,
)
from poolscope.golden.model import Mark, Passage, Project, Question, Role, Saved, Who
from poolscope.golden.passages import shuffled
from poolscope.golden.reading import Progress
from poolscope.golden.store import Store

ANN, BEN, EVE = Who("Ann"), Who("Ben"), Who("Eve", Role.ADJUDICATOR)
YES, NO, LATER = Mark.SUPPORTS, Mark.DOES_NOT, Mark.LATER

Do = Callable[..., Saved]


def mark(facet: str, passage: str, said: Mark | None, seen: int = 0) -> MarkPassage:
    return MarkPassage(facet, passage, said, seen, 1)


def finish(do: Do, who: Who) -> None:
    for facet in "ab":
        for passage in ("p1", "p2", "p3"):
            do(mark(facet, passage, YES), who)
    do(FinishPass(), who)


def seen(store: Store, who: Who) -> set[tuple[str, str, str]]:
    return {(one.annotator, one.cell.facet, one.cell.passage) for one in store.marks("q1", who)}


def test_others_marks_are_hidden_until_the_own_pass_is_done(asked: Store, do: Do) -> None:
    do(mark("a", "p1", NO), BEN)
    do(Adjudicate("a", "p2", YES, 0, 1), EVE)
    do(mark("a", "p1", YES), ANN)
    assert seen(asked, ANN) == {("Ann", "a", "p1")}
    for facet, passage in (("a", "p2"), ("a", "p3"), ("b", "p1"), ("b", "p2"), ("b", "p3")):
        do(mark(facet, passage, YES), ANN)
    assert {name for name, _, _ in seen(asked, ANN)} == {"Ann"}
    do(FinishPass(), ANN)
    assert seen(asked, ANN) >= {("Ben", "a", "p1"), ("Eve", "a", "p2")}
    assert seen(asked, BEN) == {("Ben", "a", "p1")}


def test_what_comes_new_is_hidden_until_it_is_marked(asked: Store, do: Do) -> None:
    finish(do, ANN)
    do(AddFacet("c", "cost"), BEN)
    do(mark("c", "p1", NO), BEN)
    assert ("Ben", "c", "p1") not in seen(asked, ANN)
    do(mark("c", "p1", LATER), ANN)
    assert ("Ben", "c", "p1") not in seen(asked, ANN)
    do(mark("c", "p1", YES, seen=1), ANN)
    assert ("Ben", "c", "p1") in seen(asked, ANN)


def test_an_adjudicator_sees_all_unless_in_the_middle_of_an_own_pass(asked: Store, do: Do) -> None:
    finish(do, ANN)
    assert len(seen(asked, EVE)) == 6
    do(mark("a", "p1", NO), Who("Eve"))
    assert seen(asked, EVE) == {("Eve", "a", "p1")}


def test_the_whole_set_as_somebody_may_see_it(asked: Store, do: Do) -> None:
    for passage in ("p1", "p2", "p3"):
        for facet in "ab":
            do(mark(facet, passage, YES))
    do(mark("a", "p1", NO), BEN)
    do(FinishPass())

    def names(who: Who) -> set[str]:
        (record,) = asked.visible_set(who).records
        return {one.annotator for one in record.judgements}

    assert names(BEN) == {"Ben"}
    assert names(ANN) == {"Ann", "Ben"}
    assert asked.visible_set(ANN) == asked.golden_set()
    assert asked.visible_record("q1", ANN) == asked.record("q1")
    assert asked.visible_record("q2", ANN) is None
    eve_marks = Who("Eve")
    for who, is_hidden in ((ANN, False), (BEN, True), (EVE, False), (eve_marks, True)):
        record = asked.visible_record("q1", who)
        assert record is not None
        assert reading.hides_others(record, who) is is_hidden
    do(mark("a", "p1", NO), eve_marks)
    record = asked.visible_record("q1", EVE)
    assert record is not None
    assert reading.hides_others(record, EVE)
    assert {one.annotator for one in record.judgements} == {"Eve"}


def test_the_last_stroke_tells_whether_something_changed(store: Store, do: Do) -> None:
    assert store.last_stroke() == 0
    first = do(AddQuestion(Question("q1", "?")))
    assert store.last_stroke() == first.stroke.number > 0


def test_marks_of_what_is_gone_are_not_shown(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES))
    do(RemoveFacet("a", 1))
    assert seen(asked, ANN) == set()


def test_progress_and_the_next_question(store: Store, do: Do) -> None:
    for name in ("q1", "q2", "q3"):
        do(
            AddQuestion(Question(name, "?"), (Passage("p1", "x"), Passage("p2", "y"))),
            question=name,
        )
        do(AddFacet("a", "A"), question=name)
    do(mark("a", "p1", YES), seconds=2)
    do(mark("a", "p2", LATER), seconds=3)
    do(mark("a", "p2", NO), BEN)
    assert store.progress(ANN) == (
        Progress("q1", 2, 1, 1, 5.0, is_done=False),
        Progress("q2", 2, 0, 0, 0.0, is_done=False),
        Progress("q3", 2, 0, 0, 0.0, is_done=False),
    )
    do(mark("a", "p2", NO, seen=1))
    do(FinishPass())
    assert store.progress(ANN)[0].is_finished
    assert store.next_unfinished(ANN) == "q2"
    assert store.next_unfinished(ANN, "q2") == "q3"
    assert store.next_unfinished(ANN, "q3") == "q2"
    assert store.next_unfinished(BEN, "q3") == "q1"
    do(AddPassages((Passage("p3", "z"),)), BEN)
    assert store.next_unfinished(ANN, "q3") == "q1"
    assert reading.next_unfinished([]) is None


def test_the_order_of_a_pass_is_shuffled_unless_ranks_are_shown(asked: Store, do: Do) -> None:
    keys = ("p1", "p2", "p3")
    do(SetProject(Project(seed=3)), question="")
    found = [passage.key for passage in asked.passages_for("q1", ANN)]
    assert tuple(found) == shuffled(keys, 3, "q1", "Ann")
    do(SetProject(Project(hides_rank=False, version=1)), question="")
    assert [passage.key for passage in asked.passages_for("q1", ANN)] == list(keys)


def test_faults_names_a_row_that_was_changed_beside_the_log(asked: Store, do: Do) -> None:
    do(mark("a", "p1", YES))
    with asked.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE golden_mark SET mark = 'does not'")
    assert asked.faults() == ("mark ('q1', 'a', 'p1', 'Ann') is not what the log says",)
    with asked.engine.begin() as connection:
        connection.execute(sa.text("UPDATE golden_mark SET mark = 'supports'"))
        connection.execute(sa.text("DELETE FROM golden_notes"))
    assert asked.faults() == ("notes ('q1',) is not what the log says",)
    with asked.engine.begin() as connection:
        stroke = asked.log()[0].token
        connection.execute(
            sa.text("INSERT INTO golden_notes VALUES ('q1', '', 1, :token, :token)"),
            {"token": stroke},
        )
    assert asked.faults() == ()
