"""Files told apart and read, with what is known from elsewhere."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from poolscope.errors import FormatError
from poolscope.golden.actions import AddQuestion
from poolscope.golden.exchange import as_csv
from poolscope.golden.incoming import Incoming, Kind, Known, known, read, recognised
from poolscope.golden.model import GoldenSet, Mark, Passage, Question, Who
from poolscope.golden.own_json import as_json
from poolscope.golden.passages import passages_of
from poolscope.golden.store import open_store
from poolscope.model import Pool

ANN = Who("Ann")
AT = datetime(2026, 1, 1, tzinfo=UTC)
NUGGETS = {"qid": "q1", "query": "", "nuggets": [{"text": "a cause"}, {"text": "a remedy"}]}

MakePool = Callable[..., Pool]


def taken(text: str, beside: Known | None = None, kind: Kind | None = None) -> Incoming:
    return read(text.encode(), "file", ANN, AT, beside=beside or Known(), kind=kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (as_json(GoldenSet()), Kind.JSON),
        ("\n" + as_json(GoldenSet()), Kind.JSON),
        (json.dumps(NUGGETS), Kind.NUGGETS),
        (json.dumps([NUGGETS]), Kind.NUGGETS),
        ("q1 0 d1 1\n", Kind.QRELS),
    ],
)
def test_a_file_is_told_by_its_beginning(text: str, kind: Kind) -> None:
    assert recognised(text) is kind
    assert taken(text).kind is kind
    assert taken("\ufeff" + text).kind is kind


def test_what_a_file_is_can_be_said() -> None:
    with pytest.raises(FormatError, match="whole grade"):
        taken(json.dumps(NUGGETS), kind=Kind.QRELS)
    with pytest.raises(FormatError, match="UTF-8"):
        read(b"q1 0 \xff 1", "file", ANN, AT, beside=Known())


def test_judgements_find_their_passages_in_a_pool_by_id(make_pool: MakePool) -> None:
    pool = make_pool(2, scores=[2, 1], query="What?", query_id="q1")
    found = taken("q1 1 d1 1\nq1 1 d7 0\nq2 1 x 1\n", known([pool]))
    first, second = found.golden_set.records
    assert first.question == Question("q1", "What?")
    assert first.passages == (*passages_of(pool), Passage("id:d7", "", id="d7"))
    assert [(one.cell.passage, one.mark) for one in first.judgements] == [
        (passages_of(pool)[0].key, Mark.SUPPORTS),
        ("id:d7", Mark.DOES_NOT),
    ]
    assert second.question == Question("q2", "")
    assert found.unknown == ("d7", "x")
    assert found.bare == ()


def test_nuggets_take_text_and_passages_from_a_pool(make_pool: MakePool) -> None:
    pool = make_pool(2, scores=[2, 1], query="What?", query_id="q1")
    text = json.dumps([NUGGETS, {**NUGGETS, "qid": "q2", "query": "Own text"}])
    found = taken(text, known([pool]))
    first, second = found.golden_set.records
    assert (first.question.text, first.passages) == ("What?", passages_of(pool))
    assert [facet.label for facet in first.facets] == ["a cause", "a remedy"]
    assert (second.question.text, second.passages) == ("Own text", ())
    assert found.bare == ("q2",)


def test_what_a_golden_set_knows_goes_before_a_pool(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(2, scores=[2, 1], query="Other words", query_id="q1")
    unnamed = make_pool(1, scores=[1.0], query="")
    first, second = passages_of(pool)
    with open_store(tmp_path / "g.sqlite") as store:
        own = (Passage(first.key, first.text, first.source, "old id", 1), Passage("k", "text"))
        store.send("q1", AddQuestion(Question("q1", "What?"), own), ANN)
        found = known([pool, unnamed], store)
    assert found.texts == {"q1": "What?"}
    assert [each.key for each in found.passages["q1"]] == ["k", first.key, second.key]
    assert next(each for each in found.passages["q1"] if each.key == first.key).id == "old id"


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        (as_csv(GoldenSet()), "table of marks", "JSON export"),
        ("q1 Q0 d1 1 24 pool\nq1 Q0 d2 2 23 pool\n", "a TREC run", "judgements"),
        ('{"poolscope": 1, "query_id": "q1", "candidates": []}\n', "pools of this app", "--pool"),
        ('{"poolscope":1, "questions": []}', "pools of this app", "--pool"),
    ],
)
def test_what_is_exported_and_not_imported_says_which_file_is(
    text: str, problem: str, remedy: str
) -> None:
    with pytest.raises(FormatError, match=problem) as met:
        taken(text)
    assert remedy in met.value.remedy


def test_judgements_without_a_name_need_one_and_a_golden_set_does_not() -> None:
    with pytest.raises(FormatError, match="names no annotator") as met:
        read(b"q1 0 d1 1\n", "x.qrels", None, AT, beside=Known())
    assert "--by" in met.value.remedy
    text = as_json(GoldenSet()).encode()
    assert read(text, "x.json", None, AT, beside=Known()).kind is Kind.JSON
