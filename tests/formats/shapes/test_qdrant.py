import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


LANGCHAIN_IDS = tuple(f"00000000-0000-0000-0000-00000000000{n}" for n in (1, 2, 4, 3, 5, 6))


@pytest.mark.parametrize(
    ("name", "ids", "vectors"),
    [
        ("qdrant_query_points.json", (), True),
        ("qdrant_query_points_no_vectors.json", (), False),
        ("framework_langchain_in_qdrant_query.json", LANGCHAIN_IDS, True),
    ],
)
def test_points(known: "Known", name: str, ids: tuple[str, ...], *, vectors: bool) -> None:
    scores = known.cosines(known.ranked)
    known.check(known.loads(name).question(), ids=ids, scores=scores, vectors=vectors, query="")


def test_scroll_has_no_scores(known: "Known") -> None:
    order = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
    loaded = known.loads("qdrant_scroll.json").question()
    known.check(loaded, order, vectors=True, query="")
    assert "carry no score" in loaded.report.notes[0]


def test_the_order_of_mmr_stands(known: "Known") -> None:
    order = ("refunds-0", "billing-0", "refunds-3")
    loaded = known.loads("qdrant_mmr.json").question()
    known.check(loaded, order, scores=known.cosines(order), query="")
    assert loaded.pool.score_kind is not None
    assert loaded.pool.score_kind.direction == "the order is authoritative"


def test_fusion(known: "Known") -> None:
    order = ("refunds-0", "chat-17", "refunds-1", "refunds-3", "billing-0", "refunds-2")
    scores = (9 / 14, 9 / 14, 0.5, 0.5, 0.5, 0.4)
    loaded = known.loads("qdrant_hybrid_rrf.json").question()
    known.check(loaded, order, ids=("0", "5", "1", "3", "4", "2"), scores=scores, query="")


def _point(name: int, **parts: object) -> dict[str, object]:
    return {"id": name, "version": 0, "score": 1 / name, "payload": {"text": f"t{name}"}, **parts}


@pytest.mark.parametrize(
    "value",
    [
        {"result": [_point(1), _point(2)], "status": "ok", "time": 0.1},
        {"result": {"points": [_point(1), _point(2)]}, "status": "ok", "time": 0.1},
        {"result": {"points": [_point(1), _point(2)], "next_page_offset": 3}, "status": "ok"},
        [[_point(1), _point(2)], None],
        [_point(1), _point(2)],
    ],
    ids=["search", "query", "scroll", "tuple", "list"],
)
def test_wrappers(value: object) -> None:
    load = _read(value)
    assert load.format.name == "qdrant"
    assert load.question().pool.ids == ("1", "2")


@pytest.mark.parametrize(
    "value",
    [
        {"result": [[_point(1)], [_point(2), _point(3)]], "status": "ok", "time": 0.1},
        {"result": [{"points": [_point(1)]}, {"points": [_point(2), _point(3)]}], "status": "ok"},
        [{"points": [_point(1)]}, {"points": [_point(2), _point(3)]}],
    ],
    ids=["search batch", "query batch", "client"],
)
def test_batches_are_several_questions(value: object) -> None:
    load = _read(value)
    assert [outline.candidates for outline in load.outlines] == [1, 2]


def test_groups() -> None:
    value = {
        "groups": [{"id": "d1", "hits": [_point(1), _point(3)]}, {"id": "d2", "hits": [_point(2)]}]
    }
    loaded = _read(value).question()
    assert loaded.pool.ids == ("1", "3", "2")
    assert loaded.pool.fields["group_id"] == ("d1", "d1", "d2")
    assert loaded.report.notes == (
        "The rows are 2 groups of Qdrant, one after the other, as listed.",
    )


def test_named_sparse_and_multiple_vectors() -> None:
    vector = {
        "words": {"indices": [3], "values": [0.5]},
        "tokens": [[1.0, 0.0], [0.0, 1.0]],
        "dense": [0.6, 0.8],
        "other": [1.0, 0.0],
    }
    loaded = _read({"points": [_point(1, vector=vector), _point(2, vector=vector)]}).question()
    assert loaded.pool.vectors is not None
    assert loaded.pool.vectors[0] == pytest.approx([0.6, 0.8])
    assert loaded.report.notes == (
        "The vectors are those named “dense”; there are also “other”.",
        "“words”, “tokens” holds sparse or multiple vectors, which were left out.",
    )


def test_a_lone_multiple_vector_is_left_out() -> None:
    points = [_point(n, vector=[[1.0, 0.0], [0.0, 1.0]]) for n in (1, 2)]
    loaded = _read({"points": points}).question()
    assert loaded.pool.vectors is None
    assert "2 rows with several vectors each" in loaded.report.notes[0]


def test_payload_of_haystack_and_of_others() -> None:
    haystack = {"id": "h1", "content": "from Haystack", "meta": {"source": "s"}, "score": None}
    other = {"id": "h2", "content": "too", "meta": {"source": "t"}, "score": None}
    pool = (
        _read({"points": [_point(1, payload=haystack), _point(2, payload=other)]}).question().pool
    )
    assert pool.ids == ("h1", "h2")
    assert pool.texts == ("from Haystack", "too")
    assert pool.sources == ("s", "t")


def test_text_under_another_name_than_most() -> None:
    points = [
        _point(1, payload={"page_content": "one", "metadata": {}}),
        _point(2, payload={"page_content": None, "metadata": {}, "body": "two"}),
    ]
    loaded = _read({"points": points}).question()
    assert loaded.pool.texts == ("one", "two")
    assert loaded.report.notes == ("1 row without “page_content”: the text was read from “body”.",)


def test_a_record_with_a_payload_and_more_is_no_point() -> None:
    load = _read([{"id": "a", "payload": None, "text": "t", "dist": "0.1"}])
    assert load.format.name == "redisearch"


def test_rows_of_a_table_of_points() -> None:
    row = "1,0,0.9,\"{'text': 'a', 'source': None}\",\"[1.0, 0.0]\""
    text = f"id,version,score,payload,vector\n{row}\n"
    load = formats.read(text.encode(), "points.csv")
    pool = load.question().pool
    assert load.format.name == "qdrant"
    assert pool.texts == ("a",)
    assert pool.vectors is not None


def test_ids_over_grpc() -> None:
    points = [_point(1, id={"uuid": "u"}), _point(2, id={"num": 7})]
    assert _read({"points": points}).question().pool.ids == ("u", "7")


def test_a_node_of_llamaindex_in_the_payload() -> None:
    content = {"id_": "n", "text": "inside", "metadata": {"file_path": "f", "chunk_id": "c-1"}}
    payload = {"_node_content": json.dumps(content), "doc_id": "d", "ref_doc_id": "d"}
    pool = _read({"points": [_point(1, payload=payload)]}).question().pool
    assert (pool.ids, pool.texts, pool.sources) == (("c-1",), ("inside",), ("f",))


def test_a_batch_with_a_question_that_found_nothing() -> None:
    load = _read({"result": [[_point(1)], [], [_point(2)]], "status": "ok", "time": 0.1})
    assert [outline.candidates for outline in load.outlines] == [1, 0, 1]


def test_a_group_that_is_none_is_set_aside() -> None:
    groups = [{"id": str(n), "hits": [_point(n)]} for n in range(1, 22)]
    loaded = _read({"groups": [*groups, None]}).question()
    assert len(loaded.pool) == 21
    assert [item.reason for item in loaded.report.set_aside] == ["This is not a group of Qdrant."]
