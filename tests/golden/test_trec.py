"""TREC judgements, runs and lists of nuggets, out and in."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.errors import FormatError
from poolscope.golden.adjudication import settled
from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Question,
    Record,
    Role,
    Weight,
    Who,
)
from poolscope.golden.trec import as_qrels, as_run, by_id, from_nuggets, from_qrels

AT = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Who("Ann")
YES, NO, UNSURE, LATER = Mark.SUPPORTS, Mark.DOES_NOT, Mark.CANT_TELL, Mark.LATER


def said(
    who: str, mark: Mark | None, facet: str = "a", passage: str = "p1", role: Role = Role.ANNOTATOR
) -> Judgement:
    return Judgement(Cell(facet, passage), who, role, mark, mark, AT, 0)


PASSAGES = (Passage("p1", "one", id="doc 1"), Passage("p2", "two", id="d%2"), Passage("p3", "3"))
RECORD = Record(
    Question("q 1", "?"),
    PASSAGES,
    (GoldenFacet("a", "A"), GoldenFacet("b", "B", place=1)),
    (
        said("Ann", YES),
        said("Ann", NO, "b"),
        said("Ann", YES, "b", "p2"),
        said("Ann", UNSURE, "a", "p3"),
    ),
)


def test_judgements_by_facet_and_their_way_back() -> None:
    assert as_qrels(GoldenSet(records=(RECORD,))) == "q%201 1 p1 1\nq%201 2 p1 0\nq%201 2 p2 1\n"
    text = as_qrels(GoldenSet(records=(RECORD,)), by_id)
    assert text == "q%201 1 doc%201 1\nq%201 2 doc%201 0\nq%201 2 d%252 1\n"
    found = from_qrels(text, ANN, AT, texts={"q 1": "?"}, passages={"q 1": PASSAGES})
    assert found.unknown == ()
    (record,) = found.golden_set.records
    assert record.question == Question("q 1", "?")
    assert record.passages == PASSAGES
    assert [facet.id for facet in record.facets] == ["subtopic 1", "subtopic 2"]
    assert settled(record.judgements) == {
        Cell("subtopic 1", "p1"): True,
        Cell("subtopic 2", "p1"): False,
        Cell("subtopic 2", "p2"): True,
    }


def test_judgements_without_subtopics_and_of_unknown_documents() -> None:
    found = from_qrels("7 0 x 2\n7 0 y 0\n7 0 z -2\n\n8 0 x 1\n", ANN, AT)
    first, second = found.golden_set.records
    assert found.unknown == ("x", "y", "z")
    assert first.facets == (GoldenFacet("relevant", "relevant"),)
    assert [one.mark for one in first.judgements] == [YES, NO, NO]
    assert second.passages == (Passage("id:x", "", id="x"),)


@pytest.mark.parametrize("line", ["1 0 x", "1 0 x 1 1", "1 0 x yes", "1 0 x 0.5"])
def test_a_line_that_is_none_is_named(line: str) -> None:
    with pytest.raises(FormatError, match="whole grade") as caught:
        from_qrels(f"1 0 x 1\n{line}\n", ANN, AT, name="q.txt")
    assert (caught.value.place.file, caught.value.place.line) == ("q.txt", 2)
    with pytest.raises(FormatError, match="no judgements"):
        from_qrels("\n", ANN, AT)


def test_judgements_of_trec_web_2013(cases: Path) -> None:
    path = cases / "vectors" / "trec_web_2013" / "qrels.web.201-250.ndeval.txt"
    text = path.read_text(encoding="utf-8")
    found = from_qrels(text, ANN, AT).golden_set
    assert len(found.records) == 50
    assert sum(len(record.judgements) for record in found.records) == len(
        {tuple(line.split()[:3]) for line in text.splitlines()}
    )
    out = {tuple(line.split()) for line in as_qrels(found, by_id).splitlines()}
    supports = sum(line[3] == "1" for line in out)
    assert supports == len(
        {tuple(line.split()[:3]) for line in text.splitlines() if int(line.split()[3]) > 0}
    )


def test_another_library_reads_what_is_written() -> None:
    qrels = list(ir_measures.read_trec_qrels(as_qrels(GoldenSet(records=(RECORD,)))))  # type: ignore[no-untyped-call]
    run = list(ir_measures.read_trec_run(as_run("q 1", ["p3", "p1", "p2"], "mmr 0.6")))  # type: ignore[no-untyped-call]
    measure = ir_measures.StRecall @ 2
    (found,) = ir_measures.iter_calc([measure], qrels, run)
    assert found.value == 0.5
    (whole,) = ir_measures.iter_calc([ir_measures.StRecall @ 3], qrels, run)
    assert whole.value == 1.0


def test_a_run() -> None:
    assert as_run("q", ["x y", ""], "tag") == "q Q0 x%20y 1 2 tag\nq Q0 %25 2 1 tag\n"
    assert as_run("q", [], "tag") == ""


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1))
def test_every_id_goes_through_a_line_and_back(id_: str) -> None:
    record = Record(
        Question(id_, ""),
        (Passage("p", "x", id=id_),),
        (GoldenFacet("a", "A"),),
        (said("Ann", YES, "a", "p"),),
    )
    text = as_qrels(GoldenSet(records=(record,)), by_id)
    (back,) = from_qrels(text, ANN, AT).golden_set.records
    assert (back.question.id, back.passages[0].id) == (id_, id_)


NUGGETS: Mapping[str, object] = {
    "qid": 5,
    "query": "Why?",
    "nuggets": [
        {"text": " the cause ", "importance": "vital", "assignment": "support"},
        {"text": "a date", "importance": "okay"},
        "a plain text",
    ],
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(NUGGETS),
        json.dumps([NUGGETS]),
        json.dumps(NUGGETS) + "\n\n",
        json.dumps(NUGGETS, indent=2),
    ],
)
def test_nuggets_become_facets(text: str) -> None:
    (record,) = from_nuggets(text).records
    assert record.question == Question("5", "Why?")
    assert [(facet.label, facet.weight) for facet in record.facets] == [
        ("the cause", Weight.VITAL),
        ("a date", Weight.OKAY),
        ("a plain text", Weight.VITAL),
    ]


def test_nuggets_line_by_line() -> None:
    lines = "\n".join(json.dumps({**NUGGETS, "qid": id_}) for id_ in ("a", "b"))
    assert [record.question.id for record in from_nuggets(lines).records] == ["a", "b"]


def test_nuggets_of_the_published_case(cases: Path) -> None:
    path = cases / "vectors" / "nuggetizer" / "metrics_vector.json"
    case = json.loads(path.read_text(encoding="utf-8"))["input"]
    (record,) = from_nuggets(json.dumps(case)).records
    assert record.question.id == "q1"
    assert [facet.weight for facet in record.facets] == [Weight.VITAL, Weight.OKAY]
    assert [facet.label for facet in record.facets] == ["nugget 1", "nugget 2"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON"),
        ('{"qid": 1}', "no list “nuggets”"),
        ("3", "no list “nuggets”"),
        ('{"nuggets": []}', "no “qid”"),
        ('{"qid": 1, "nuggets": [{"text": ""}]}', "Nugget 1 has the text ''"),
        ('{"qid": 1, "nuggets": [{"text": "x", "importance": "failed"}]}', "importance 'failed'"),
        ('{"qid": 1, "nuggets": [3]}', "Nugget 1 has the text 3"),
    ],
)
def test_lists_that_are_none_are_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        from_nuggets(text)
