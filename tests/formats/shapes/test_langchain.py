import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.formats.shapes import find, langchain

if TYPE_CHECKING:
    from tests.formats.conftest import Known

STORED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
MMR = ("refunds-0", "billing-0", "refunds-3")


def test_documents(known: "Known") -> None:
    for name in ("langchain_dumps_documents.json", "langchain_model_dump.json"):
        known.check(known.loads(name).question(), query="")


def test_pairs(known: "Known") -> None:
    for name in ("langchain_dumps_doc_score_tuples.json", "langchain_repr.txt"):
        scores = known.cosines(known.ranked)
        known.check(known.loads(name).question(), scores=scores, query="")


def test_documents_from_javascript(known: "Known") -> None:
    loaded = known.loads("langchainjs_documents.json").question()
    known.check(loaded, STORED, query="")
    assert loaded.pool.fields["loc.lines.to"][0] == "3"


def test_documents_without_ids(known: "Known") -> None:
    loaded = known.loads("old/langchain_core_0.1.52_dict.json").question()
    known.check(loaded, STORED, ids=None, query="")
    assert "6 rows have no id" in loaded.report.notes[-1]


def test_mmr_has_no_scores(known: "Known") -> None:
    known.check(known.loads("langchain_mmr_dumps.json").question(), MMR, query="")


def test_store(known: "Known") -> None:
    loaded = known.loads("langchain_inmemory_store_dump.json").question()
    known.check(loaded, STORED, vectors=True, query="")
    assert "no question" in loaded.report.notes[0]


def _read(value: object) -> formats.Loaded:
    return formats.read(json.dumps(value).encode(), "x.json").question()


DOCUMENT = {"page_content": "a passage", "metadata": {"source": "a.md"}}


@pytest.mark.parametrize("name", ["score", "relevance_score", "similarity_score", "_score"])
def test_score_beside_the_text_or_in_the_metadata(name: str) -> None:
    beside = _read([{**DOCUMENT, name: 0.5}, {**DOCUMENT, name: 0.4}])
    inside = _read(
        [{"page_content": "a", "metadata": {name: score, "source": "s"}} for score in (0.5, 0.4)]
    )
    for loaded in (beside, inside):
        assert loaded.pool.raw_scores is not None
        assert loaded.pool.raw_scores.tolist() == [0.5, 0.4]
        assert loaded.report.columns["score"] == name


def test_vector_and_other_fields_beside_the_text_are_kept() -> None:
    loaded = _read([{**DOCUMENT, "embedding": [0.6, 0.8], "page": 4, "state": {"reranked": True}}])
    assert loaded.pool.vectors is not None
    assert loaded.pool.vectors[0] == pytest.approx([0.6, 0.8])
    assert loaded.pool.fields["page"] == ("4",)
    assert loaded.pool.fields["state.reranked"] == ("true",)


def test_a_clash_of_names_loses_neither() -> None:
    loaded = _read([{"page_content": "a", "metadata": {"page": 1}, "page": 2}])
    assert loaded.pool.fields["page"] == ("2",)
    assert loaded.pool.fields["metadata.page"] == ("1",)


def test_the_chunk_id_goes_before_the_id_of_the_store() -> None:
    def entry(number: int, chunk: str) -> dict[str, object]:
        return {"page_content": "a", "id": f"uuid-{number}", "metadata": {"chunk_id": chunk}}

    assert _read([entry(0, "c0"), entry(1, "c1")]).pool.ids == ("c0", "c1")
    assert _read([entry(0, "c0"), entry(1, "c0")]).pool.ids == ("uuid-0", "uuid-1")


def test_point_id_of_qdrant() -> None:
    metadata = [{"_id": "p0", "_collection_name": "c"}, {"_id": "p1", "_collection_name": "c"}]
    loaded = _read([{"page_content": "a", "metadata": fields} for fields in metadata])
    assert loaded.pool.ids == ("p0", "p1")


@pytest.mark.parametrize(
    "entry",
    [
        {"document": DOCUMENT, "score": 0.5},
        {"doc": DOCUMENT, "similarity": "0.5"},
        {"document": DOCUMENT, "score": 0.5, "arm": "dense"},
    ],
)
def test_a_pair_as_an_object(entry: object) -> None:
    loaded = _read([entry])
    assert loaded.pool.raw_scores is not None
    assert loaded.pool.raw_scores.tolist() == [0.5]
    assert loaded.pool.sources == ("a.md",)


def test_the_payload_of_a_store_is_no_pair() -> None:
    found = find([{"id": "1", "score": 0.5, "payload": DOCUMENT}])
    assert found is not None
    assert found.shape.name == "qdrant"


def test_metadata_written_as_text() -> None:
    table = "page_content,metadata\none,\"{'source': 'a.md', 'score': 0.5}\"\n"
    loaded = formats.read(table.encode(), "x.csv").question()
    assert loaded.report.format_label == langchain.DOCUMENTS.label
    assert loaded.pool.sources == ("a.md",)
    assert loaded.pool.raw_scores is not None


def test_a_table_of_questions_is_left_to_the_flat_readers() -> None:
    rows = [{"query": q, "page_content": "a", "metadata": {"source": "s"}} for q in ("p", "q")]
    assert find(rows) is None
    assert len(formats.read(json.dumps(rows).encode(), "x.json")) == 2


def test_null_text_is_set_aside() -> None:
    loaded = _read([DOCUMENT, {"page_content": None, "metadata": {}}])
    assert [entry.reason for entry in loaded.report.set_aside] == ["The row has no text."]


def test_an_entry_that_is_no_document_is_set_aside() -> None:
    rows = [DOCUMENT] * 30
    values = [{**row, "id": str(number)} for number, row in enumerate(rows)]
    loaded = _read([*values, 7])
    assert loaded.report.set_aside[0].reason == "This is not a LangChain document."
