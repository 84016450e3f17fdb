import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


@pytest.mark.parametrize(
    ("name", "vectors", "l2"),
    [
        ("chroma_query_default.json", False, False),
        ("chroma_query_with_embeddings.json", True, False),
        ("chroma_rest_v2_query_raw.json", True, False),
        ("old/chromadb_0.4.24_query.json", True, False),
        ("framework_langchain_in_chroma_query.json", False, True),
        ("framework_llamaindex_in_chroma_query.json", False, False),
    ],
)
def test_queries(known: "Known", name: str, *, vectors: bool, l2: bool) -> None:
    load = known.loads(name)
    distances = [(2 if l2 else 1) * (1 - cosine) for cosine in known.cosines(known.ranked)]
    known.check(load.question(), scores=distances, vectors=vectors, query="")
    assert load.format.name == "chroma"
    kind = load.question().pool.score_kind
    assert kind is not None
    assert kind.direction == "lower is better"


def test_get_ranks_nothing(known: "Known") -> None:
    loaded = known.loads("chroma_get.json").question()
    order = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
    known.check(loaded, order, vectors=True, query="")
    assert "ranks nothing" in loaded.report.notes[0]


TWO = {
    "ids": [["a", "b"], ["c"]],
    "documents": [["one", "two"], ["three"]],
    "metadatas": [[{"source": "s"}, None], [None]],
    "distances": None,
}


def test_several_questions_stay_apart() -> None:
    load = _read({**TWO, "query_texts": ["first", "second"]})
    assert [outline.query for outline in load.outlines] == ["first", "second"]
    assert [outline.query_id for outline in load.outlines] == ["1", "2"]
    assert load.question(0).pool.texts == ("one", "two")
    assert load.question(1).pool.ids == ("c",)
    assert "distances were not asked for" in load.question(0).report.notes[0]


def test_parts_of_other_lengths_are_said() -> None:
    value = {"ids": ["a", "b"], "documents": ["one", "two"], "metadatas": [{"source": "s"}]}
    loaded = _read(value).question()
    assert loaded.pool.sources == ("s", None)
    assert "“metadatas” holds 1 entry for 2 ids" in loaded.report.notes[0]


def test_arrays_written_as_text_are_taken_apart() -> None:
    value = {"ids": ["a", "b"], "documents": ["x", "y"], "embeddings": "[[1. 0.]\n [0. 1.]]"}
    pool = _read(value).question().pool
    assert pool.vectors is not None
    assert pool.vectors.tolist() == [[1, 0], [0, 1]]


def test_rows_of_a_table() -> None:
    text = "ids,documents,distances,metadatas\na,one,0.1,\"{'source': 's'}\"\nb,two,0.2,\n"
    load = formats.read(text.encode(), "x.csv")
    assert load.format.name == "chroma"
    assert load.question().pool.sources == ("s", None)


def test_ids_alone_are_read_and_ask_for_a_corpus() -> None:
    value = {"ids": [["a"]], "documents": None, "distances": [[0.5]], "included": ["distances"]}
    loaded = _read(value).question()
    assert (loaded.pool.ids, loaded.pool.texts) == (("a",), ("",))
    assert any("no texts. Give beside it the corpus" in note for note in loaded.report.notes)


def test_a_question_whose_ids_are_missing_is_read_all_the_same() -> None:
    value = {"ids": [["a"]], "documents": [["one"], ["two", "three"]], "distances": [[1], [1, 2]],
             "metadatas": None}  # fmt: skip
    load = _read(value)
    assert [outline.candidates for outline in load.outlines] == [1, 2]
    assert load.question(1).pool.texts == ("two", "three")


def test_a_document_without_an_id_is_a_row() -> None:
    value = {"ids": [["a"]], "documents": [["one", "two"]], "distances": [[0.1, 0.2, 0.3]]}
    loaded = _read(value).question()
    assert loaded.pool.texts == ("one", "two")
    assert (
        "“distances” holds 3 entries for 1 id; they were joined in order, and those past the "
        "last row left out." in loaded.report.notes
    )
