import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


def test_chunks_of_the_client_in_snake_case() -> None:
    chunk = {
        "name": "projects/1/documents/doc-1/chunks/c1",
        "id": "c1",
        "content": "t",
        "document_metadata": {"uri": "gs://a", "title": "A", "struct_data": {"kind": "k"}},
        "page_span": {"page_start": 3, "page_end": 4},
    }
    pool = _read({"results": [{"chunk": chunk}]}).question().pool
    assert pool.ids == ("c1",)
    assert pool.sources == ("gs://a",)
    assert pool.fields["document_id"] == ("doc-1",)
    assert pool.fields["kind"] == ("k",)
    assert pool.fields["page_start"] == ("3",)
    assert pool.raw_scores is None


def test_segments_of_one_document_are_candidates() -> None:
    derived = {
        "link": "gs://a",
        "title": "A",
        "extractive_segments": [
            {"content": "one", "pageNumber": 1, "relevanceScore": 0.9},
            {"content": "two", "pageNumber": 2, "relevanceScore": 0.8},
        ],
    }
    pool = (
        _read({"results": [{"document": {"id": "d", "derivedStructData": derived}}]})
        .question()
        .pool
    )
    assert pool.texts == ("one", "two")
    assert pool.sources == ("gs://a", "gs://a")
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.9, 0.8]


def test_the_score_of_contexts_is_left_open() -> None:
    contexts = [
        {"source_uri": "gs://a", "source_display_name": "a", "text": f"t{n}", "score": n / 10}
        for n in (1, 2)
    ]
    kind = _read({"contexts": {"contexts": contexts}}).question().pool.score_kind
    assert kind is not None
    assert kind.direction == "lower is better"
    assert kind.name == "distance of unknown kind"


def _neighbours(*ids: str) -> list[dict[str, object]]:
    return [
        {"id": name, "distance": 0.5, "sparse_distance": None, "feature_vector": [1.0, 0.0]}
        for name in ids
    ]


def test_neighbours_of_the_client_hold_vectors_alone() -> None:
    load = _read([_neighbours("a", "b"), _neighbours("c")])
    assert [outline.query_id for outline in load.outlines] == ["1", "2"]
    pool = load.question(0).pool
    assert pool.ids == ("a", "b")
    assert pool.texts == ("", "")


@pytest.mark.parametrize("value", [{"results": [{"document": {"id": "d"}}]}, {"contexts": {}}])
def test_what_holds_no_passage_is_refused(value: object) -> None:
    with pytest.raises(FormatError):
        _read(value).question()


def test_neighbours_without_vectors_ask_for_a_corpus(known: "Known") -> None:
    point = {"datapoint": {"datapointId": known.ranked[0]}, "distance": 0.5}
    loaded = _read({"nearestNeighbors": [{"id": "q", "neighbors": [point]}]}).question()
    assert loaded.pool.ids == known.ranked[:1]
    assert any("no texts. Give beside it the corpus" in note for note in loaded.report.notes)
