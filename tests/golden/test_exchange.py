"""Golden sets between stores, and the table of marks."""

import csv
import dataclasses
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from poolscope.golden.actions import (
    AddQuestion,
    AddRecord,
    Adjudicate,
    FinishPass,
    MarkPassage,
    SetGuidelines,
    SetNotes,
    SetProject,
)
from poolscope.golden.exchange import COLUMNS, SAID_OF_SETTINGS, Fate, as_csv, put
from poolscope.golden.model import (
    Cell,
    Conflict,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Project,
    Question,
    Record,
    Role,
    Saved,
    Who,
)
from poolscope.golden.own_json import as_json, from_json
from poolscope.golden.store import Store, open_store
from poolscope.model import Stratum

ANN, BEN, EVE = Who("Ann"), Who("Ben"), Who("Eve", Role.ADJUDICATOR)

Do = Callable[..., Saved]


def _worked_on(store: Store, do: Do) -> GoldenSet:
    do(SetProject(Project(seed=11)), question="")
    do(SetGuidelines("Read *all* of it.", 0), EVE, question="")
    for facet in "ab":
        for passage in ("p1", "p2", "p3"):
            do(MarkPassage(facet, passage, Mark.SUPPORTS, 0, 1), seconds=1.5)
    do(FinishPass())
    do(MarkPassage("a", "p1", Mark.DOES_NOT, 1, 1))
    do(MarkPassage("a", "p1", Mark.CANT_TELL, 0, 1), BEN)
    do(Adjudicate("a", "p1", Mark.DOES_NOT, 0, 1), EVE)
    do(SetNotes("see the manual", 1), BEN)
    return store.golden_set()


def test_a_golden_set_goes_to_another_store_and_back(asked: Store, do: Do, tmp_path: Path) -> None:
    before = _worked_on(asked, do)
    with open_store(tmp_path / "other.sqlite") as other:
        done = put(from_json(as_json(before)), other, EVE)
        assert (done.added, done.filled, done.same, dict(done.conflicts)) == (("q1",), (), (), {})
        after = other.golden_set()
        assert as_json(after) == as_json(before)
        assert [each.without_versions for each in after.records] == [
            each.without_versions for each in before.records
        ]
        assert after.project.seed == 11
        assert after.project.guidelines == "Read *all* of it."
        assert other.guidelines()[-1].author == "Eve"
        assert other.faults() == ()
        assert other.progress(ANN)[0].is_finished

        again = put(before, other, EVE)
        assert (again.added, again.same) == ((), ("q1",))
        other.send("q1", SetNotes("changed", 1), BEN)
        refused = put(before, other, EVE)
        assert refused.conflicts["q1"].annotator == "Eve"
        assert other.golden_set().records[0].question.notes == "changed"


def test_an_import_is_one_stroke_that_can_be_taken_back(
    asked: Store, do: Do, tmp_path: Path
) -> None:
    before = _worked_on(asked, do)
    with open_store(tmp_path / "other.sqlite") as other:
        put(before, other, EVE)
        assert isinstance(other.undo("q1", EVE), Saved)
        assert other.questions() == ()
        assert put(before, other, EVE).added == ("q1",)
        assert as_json(other.golden_set()) == as_json(before)
        assert other.faults() == ()


def test_guidelines_are_an_adjudicators_and_none_is_overwritten(
    asked: Store, do: Do, tmp_path: Path
) -> None:
    before = _worked_on(asked, do)
    with open_store(tmp_path / "other.sqlite") as other:
        assert put(before, other, ANN).guidelines is Fate.LEFT
        assert other.guidelines() == ()
        assert {stroke.role for stroke in other.log()} == {Role.ANNOTATOR}
        assert put(GoldenSet(), other, EVE).guidelines is Fate.NONE
        assert put(before, other, EVE).guidelines is Fate.TAKEN
        assert [(each.text, each.author) for each in other.guidelines()] == [
            ("Read *all* of it.", "Eve")
        ]
        assert put(before, other, ANN).guidelines is Fate.NONE  # they are the same
        others = GoldenSet(Project(guidelines="Read half of it."))
        assert put(others, other, EVE).guidelines is Fate.LEFT
        assert other.project().guidelines == "Read *all* of it."


@dataclasses.dataclass(frozen=True, eq=False)
class Raced(Store):
    """A golden set whose settings another one makes right after they were read."""

    def project(self) -> Project:
        found = super().project()
        self.send("", SetProject(Project(seed=5)), BEN)
        return found


def test_settings_that_another_one_made_meanwhile_are_kept_and_the_files_are_said_to_be_left(
    asked: Store,
) -> None:
    raced = Raced(asked.engine, asked.clock, asked.turn)
    done = put(GoldenSet(Project(seed=7, version=1)), raced, ANN)  # 1, as in a set of its own
    assert done.settings is Fate.LEFT
    assert done.remarks == (SAID_OF_SETTINGS[Fate.LEFT],)
    assert "are left out" in done.remarks[0]
    assert asked.project().seed == 5
    assert asked.log("")[-1].annotator == "Ben"


def test_settings_are_taken_once_and_nothing_is_said_where_none_are_lost(asked: Store) -> None:
    assert put(GoldenSet(Project(seed=7)), asked, ANN).settings is Fate.TAKEN
    assert put(GoldenSet(Project(seed=7)), asked, BEN).settings is Fate.NONE
    assert put(GoldenSet(), asked, BEN).settings is Fate.NONE  # a file that sets nothing
    assert put(GoldenSet(Project(hides_rank=False)), asked, BEN).settings is Fate.LEFT
    assert (asked.project().seed, asked.project().hides_rank) == (7, True)


def test_a_question_that_is_there_without_facets_takes_what_is_said_of_it(
    asked: Store, do: Do, tmp_path: Path
) -> None:
    before = _worked_on(asked, do)
    (record,) = before.records
    with open_store(tmp_path / "other.sqlite") as other:
        bare = Question("q1", "My own words", Stratum.ONE, "my notes")
        other.send("q1", AddQuestion(bare, record.passages[:1]), BEN)
        done = put(before, other, ANN)
        assert (done.added, done.filled, done.same) == ((), ("q1",), ())
        after = other.record("q1")
        assert after is not None
        assert (after.question.text, after.question.stratum) == ("My own words", Stratum.ONE)
        assert after.question.notes == "my notes"
        assert after.passages == record.passages
        assert after.without_versions.facets == record.without_versions.facets
        assert after.without_versions.judgements == record.without_versions.judgements
        assert put(before, other, ANN).conflicts["q1"].annotator == "Ben"

        assert isinstance(other.undo("q1", ANN), Saved)
        undone = other.record("q1")
        assert undone is not None
        assert (undone.facets, undone.judgements) == ((), ())
        assert undone.passages == record.passages[:1]
        assert put(before, other, ANN).filled == ("q1",)
        assert other.faults() == ()


def test_of_two_who_fill_a_question_at_once_one_is_refused(store: Store, do: Do) -> None:
    do(AddQuestion(Question("q1", "?"), (Passage("p1", "one"),)))

    def fill(name: str) -> Saved | Conflict:
        facet = GoldenFacet(f"of {name}", f"facet of {name}")
        mark = Judgement(
            Cell(facet.id, "p1"), name, Role.ANNOTATOR, Mark.SUPPORTS, None, datetime.now(UTC), 0
        )
        record = Record(Question("q1", "?"), (Passage("p1", "one"),), (facet,), (mark,))
        return store.send("q1", AddRecord(record), Who(name))

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(fill, ["Ann", "Ben", "Cid", "Dot"]))
    assert sum(isinstance(each, Saved) for each in found) == 1
    assert len(store.facets("q1")) == 1


def test_the_table_names_who_and_when() -> None:
    at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    said = Judgement(Cell("a", "p"), "Ann", Role.ANNOTATOR, Mark.SUPPORTS, Mark.CANT_TELL, at, 1)
    record = Record(
        Question("q", "=1+1"),
        (Passage("p", "long", "@home", "d1"),),
        (GoldenFacet("a", "-x, “y”\nz"),),
        (said,),
    )
    header, line = csv.reader(io.StringIO(as_csv(GoldenSet(records=(record,))), newline=""))
    assert tuple(header) == COLUMNS
    assert dict(zip(header, line, strict=True)) == {
        "question_id": "q",
        "question": "'=1+1",
        "stratum": "several components",
        "facet_id": "a",
        "facet": "'-x, “y”\nz",
        "weight": "vital",
        "passage_key": "p",
        "passage_id": "d1",
        "source": "'@home",
        "annotator": "Ann",
        "role": "annotator",
        "mark": "supports",
        "independent_mark": "can't tell",
        "made_at": "2026-05-04T03:02:01.000000Z",
    }
