import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


@pytest.mark.parametrize(
    "name", ["ranx_run.json", "ranx_run.csv", "ranx_run.parquet", "ranx_run.trec"]
)
def test_runs_are_read_and_ask_for_a_corpus(known: "Known", name: str) -> None:
    load = known.loads(name)
    loaded = load.question()
    assert loaded.pool.ids == known.ranked
    assert loaded.pool.raw_scores == pytest.approx(known.cosines(known.ranked), abs=1e-6)
    assert any("no texts. Give beside it the corpus" in note for note in loaded.report.notes)
    assert load.outlines[0].query_id == "q1"
    assert load.outlines[0].candidates == len(known.ranked)
    beside = formats.Beside(
        corpus=known.file("chroma_get.json"), judgements=known.file("trec_diversity_qrels.txt")
    )
    loaded = known.loads(name, beside).question()
    known.check(loaded, scores=known.cosines(known.ranked), vectors=True, query="")
    assert [facet.id for facet in loaded.pool.facets] == ["1", "2", "3"]
    assert "5 of 6 rows are judged in trec_diversity_qrels.txt" in " ".join(loaded.report.notes)


@pytest.mark.parametrize("name", ["ranx_qrels.json", "ranx_qrels.trec", "trec_diversity_qrels.txt"])
def test_judgements_alone_are_refused(known: "Known", name: str) -> None:
    with pytest.raises(FormatError, match="These are judgements, not a pool"):
        known.loads(name)


CORPUS = formats.Beside(corpus=formats.File(b'{"a": "one", "b": "two"}', "c.json"))


def test_whole_numbers_are_a_run_where_the_user_says_so() -> None:
    data = b'{"q": {"a": 1, "b": 2}}'
    with pytest.raises(FormatError, match="choose the format “ranx-run” by hand"):
        formats.read(data, "x.json")
    load = formats.read(data, "x.json", format_name="ranx-run", beside=CORPUS)
    loaded = load.question()
    assert loaded.pool.ids == ("b", "a")
    assert "The rows were ordered by score, as runs are read." in loaded.report.notes


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n", "judgements"),
        ("query,docid,rating\nq,a,3\nq,b,\n", "judgements"),
        ("q_id,doc_id,score\nq,a,2\nq,b,1\n", "judgements"),
        ("q_id,doc_id,score\nq,a,2.0\nq,b,1.5\n", "run"),
        ("qid,docno,rank\nq,a,1\nq,b,2\n", "run"),
    ],
)
def test_tables(text: str, kind: str) -> None:
    name = "x.tsv" if "\t" in text else "x.csv"
    if kind == "judgements":
        with pytest.raises(FormatError, match="These are judgements"):
            formats.read(text.encode(), name)
        return
    load = formats.read(text.encode(), name, beside=CORPUS)
    assert load.format.name == "run-table"
    assert load.question().pool.texts == ("one", "two")


def test_quepid_detailed_takes_the_title_for_the_text() -> None:
    text = (
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Title,Rating\n"
        "t,c,1,first,a,Title A,3\nt,c,1,first,b,Title B,0\nt,c,1,second,a,Title A,\n"
    )
    load = formats.read(text.encode(), "x.csv")
    assert [outline.query for outline in load.outlines] == ["first", "second"]
    pool = load.question(0).pool
    assert pool.texts == ("Title A", "Title B")
    assert pool.fields["Rating"] == ("3", "0")
    assert pool.raw_scores is None


def test_a_table_with_texts_is_no_run() -> None:
    load = _read([{"query_id": "q", "doc_id": "a", "score": 0.5, "text": "t"}])
    assert load.format.name == "json"
