import json

import pytest

from poolscope import formats
from poolscope.errors import FormatError

RUN = b"q Q0 b 1 0.9 t\nq Q0 a 2 0.8 t\nq Q0 z 3 0.7 t\n"


def _file(value: object, name: str = "corpus.json") -> formats.File:
    return formats.File(value if isinstance(value, bytes) else json.dumps(value).encode(), name)


def _run(**files: formats.File) -> formats.Loaded:
    return formats.read(RUN, "run.trec", beside=formats.Beside(**files)).question()


ROWS = [
    {"_id": "a", "title": "A", "text": "one", "metadata": {"source": "s"}, "vector": [1, 0]},
    {"_id": "b", "title": "B", "text": "two", "metadata": {"source": "s"}, "vector": [0, 1]},
    {"_id": "a", "title": "A", "text": "again", "metadata": {}},
]


def test_texts_metadata_and_vectors_by_id() -> None:
    loaded = _run(corpus=_file(ROWS))
    pool = loaded.pool
    assert (pool.ids, pool.texts, pool.sources) == (("b", "a"), ("two", "one"), ("s", "s"))
    assert pool.vectors is not None
    assert pool.vectors.tolist() == [[0, 1], [1, 0]]
    assert pool.fields["title"] == ("B", "A")
    assert [entry.reason for entry in loaded.report.set_aside] == [
        "corpus.json has no passage “z”."
    ]
    assert "2 of 3 rows were joined by id with corpus.json." in loaded.report.notes
    assert "1 row of corpus.json repeats an id; the first of each counts." in loaded.report.notes


@pytest.mark.parametrize(
    "file",
    [
        _file({"a": "one", "b": "two"}),
        _file(b"id,text\na,one\nb,two\n", "corpus.csv"),
        _file(b'{"_id": "a", "text": "one"}\n{"_id": "b", "text": "two"}\n', "corpus.jsonl"),
        _file({"ids": ["a", "b"], "documents": ["one", "two"], "metadatas": None}),
        _file([{"docno": "a", "contents": "one"}, {"docno": "b", "contents": "two"}]),
    ],
    ids=["texts by id", "csv", "beir", "chroma", "docno"],
)
def test_any_readable_file_is_a_corpus(file: formats.File) -> None:
    assert _run(corpus=file).pool.texts == ("two", "one")


def test_another_corpus_is_refused() -> None:
    with pytest.raises(FormatError, match=r"None of 3 ids .*“b”, “a”, “z”.* holds “x”"):
        _run(corpus=_file({"x": "text"}))
    with pytest.raises(FormatError, match="have no ids to join them by"):
        _run(corpus=_file([{"text": "t"}]))


def test_what_the_file_says_stands() -> None:
    data = b'[{"id": "a", "text": "mine", "source": "m"}, {"id": "b", "text": null}]'
    load = formats.read(data, "x.json", beside=formats.Beside(corpus=_file(ROWS)))
    pool = load.question().pool
    assert pool.texts == ("mine", "two")
    assert pool.sources == ("m", "s")


@pytest.mark.parametrize(
    "file",
    [
        _file({"q": "What?"}, "queries"),
        _file(b'{"_id": "q", "text": "What?"}\n', "queries.jsonl"),
        _file(b"query_id,query\nq,What?\n", "queries.csv"),
    ],
    ids=["object", "beir", "csv"],
)
def test_the_questions_text(file: formats.File) -> None:
    assert _run(corpus=_file(ROWS), queries=file).pool.query == "What?"


def test_a_file_without_questions_is_refused() -> None:
    with pytest.raises(FormatError, match="No question with an id and a text"):
        _run(corpus=_file(ROWS), queries=_file([1, 2]))
    other = _run(corpus=_file(ROWS), queries=_file({"7": "Else?"}, "queries"))
    assert "queries has no question “q”." in other.report.notes


def test_questions_before_a_reranker_are_told_apart() -> None:
    def result(query_id: str) -> dict[str, object]:
        return {"query_id": query_id, "response": {"results": [{"index": 0, "relevance_score": 1}]}}

    sent = [{"query_id": q, "candidates": [{"id": f"{q}1", "text": q}]} for q in ("x", "y", "z")]
    data = json.dumps([result("z"), result("x")]).encode()
    load = formats.read(data, "r.json", beside=formats.Beside(earlier=_file(sent)))
    assert [load.question(index).pool.ids for index in (0, 1)] == [("z1",), ("x1",)]
    lone = json.dumps({"results": [{"index": 0, "relevance_score": 1}]}).encode()
    load = formats.read(lone, "r.json", beside=formats.Beside(earlier=_file(sent)))
    with pytest.raises(FormatError, match="holds 3 questions, the reranker's 1"):
        load.question()


def test_a_list_with_scores_of_its_own_is_joined_by_id() -> None:
    data = b'[{"id": "b", "text": "two", "score": 0.9}, {"id": "a", "text": "one", "score": 0.1}]'
    load = formats.read(data, "x.json", beside=formats.Beside(earlier=_file(ROWS[:2])))
    pool = load.question().pool
    assert pool.fields["earlier_rank"] == ("2", "1")
    assert pool.vectors is not None


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'[{"id": "b", "score": 0.9}, {"id": "a", "score": 0.8}]', "x.json"),
        (b"id,score\nb,0.9\na,0.8\n", "x.csv"),
        (b'{"query": "q", "candidates": [{"id": "b", "score": 2}, {"id": "a", "score": 1}]}', "x"),
    ],
)
def test_flat_rows_of_ids(data: bytes, name: str) -> None:
    load = formats.read(data, name, beside=formats.Beside(corpus=_file(ROWS)))
    assert load.question().pool.texts == ("two", "one")
    with pytest.raises(FormatError, match="ids and scores but no texts"):
        formats.read(data, name).question()


def test_the_table_of_questions_has_their_texts() -> None:
    queries = _file([{"_id": "q", "text": "Which?"}], "queries.json")
    load = formats.read(RUN, "run.trec", beside=formats.Beside(queries=queries))
    assert [outline.query for outline in load.outlines] == ["Which?"]
    assert load.question().pool.query == "Which?"
