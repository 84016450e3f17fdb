import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known

FILES = ("haystack_document_to_dict_flat.json", "haystack_document_to_dict_nested.json")
JOINED = ("refunds-2", "refunds-3", "chat-17", "refunds-0", "refunds-1", "billing-0")
BM25 = ("refunds-2", "refunds-3", "chat-17")


@pytest.mark.parametrize("name", FILES)
def test_documents(known: "Known", name: str) -> None:
    loaded = known.loads(name).question()
    known.check(loaded, scores=known.cosines(known.ranked), vectors=True, query="")
    assert loaded.pool.fields["source_id"][0] == "sid-docs/refunds.md"


def test_pipeline_with_arms(known: "Known") -> None:
    load = known.loads("haystack_pipeline_arms.json")
    assert [outline.query_id for outline in load.outlines] == ["join", "bm25", "emb"]
    scores = [0.9765625, 0.976062468, 0.9462481962, 0.5, 0.4919354839, 0.4692307692]
    loaded = load.question(0)
    known.check(loaded, JOINED, scores=scores, vectors=True, query="")
    assert loaded.pool.fields["rank in emb"] == ("4", "3", "6", "1", "2", "5")
    assert loaded.pool.fields["rank in bm25"] == ("1", "2", "3", None, None, None)
    assert loaded.pool.fields["arms"][2:4] == ("bm25, emb", "emb")
    assert "“join” holds every passage" in loaded.report.notes[0]
    bm25 = [2.9999433672, 2.9414905303, 1.8836963816]
    known.check(load.question(1), BM25, scores=bm25, vectors=True, query="")
    emb = known.cosines(known.ranked)
    known.check(load.question(2), scores=emb, vectors=True, query="")


def _document(name: str, score: float) -> dict[str, object]:
    return {"id": name, "content": f"text {name}", "meta": {"file_path": "a"}, "score": score}


def _load(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


def test_arms_without_a_joiner_are_merged_in_turns() -> None:
    load = _load(
        {
            "a": {"documents": [_document("1", 9), _document("2", 8)]},
            "b": {"documents": [_document("3", 0.9), _document("1", 0.8)]},
        }
    )
    loaded = load.question(0)
    assert loaded.pool.ids == ("1", "3", "2")
    assert loaded.pool.raw_scores is None
    assert "merged in turns" in loaded.report.notes[0]
    assert len(load) == 3


def test_the_embedding_of_the_question() -> None:
    document = {**_document("1", 1.0), "embedding": [1.0, 0.0]}
    load = _load(
        {"embedder": {"embedding": [2.0, 0.0]}, "retriever": {"documents": [document] * 1}}
    )
    query = load.question().pool.query_vector
    assert query is not None
    assert query.tolist() == [1.0, 0.0]


def test_snapshot() -> None:
    documents = [_document("1", 0.9)]
    sent = {"query": [{"sender": None, "value": "why?"}]}
    load = _load(
        {
            "pipeline_state": {
                "inputs": {"serialization_schema": {}, "serialized_data": {"ranker": sent}},
                "pipeline_outputs": {
                    "serialization_schema": {},
                    "serialized_data": {"retriever": {"documents": documents}},
                },
            }
        }
    )
    assert load.question().pool.query == "why?"
    assert load.outlines[0].query_id == "retriever"


def test_document_of_a_blob_has_no_text() -> None:
    blob = {"id": "2", "content": None, "blob": {"data": [1]}, "score": 0.1}
    loaded = _load([{**_document("1", 0.5), "blob": None}, blob]).question()
    assert loaded.report.set_aside[0].reason == "The row has no text."
