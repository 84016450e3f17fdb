import json

import pytest

from poolscope import formats
from poolscope.formats.shapes import redisearch


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


def test_json_documents_come_whole() -> None:
    inner = json.dumps({"content": "t", "source": "s", "embedding": [0.6, 0.8]})
    pool = _read([{"id": "c:1", "payload": None, "json": inner, "dist": "0.25"}]).question().pool
    assert pool.ids == ("c:1",)
    assert pool.texts == ("t",)
    assert pool.vectors is not None
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.25]


def test_rising_scores_are_distances() -> None:
    documents = [
        {"id": str(n), "payload": None, "text": f"t{n}", "__vector_score": f"{n / 10}"}
        for n in (1, 2)
    ]
    load = _read({"total": 2, "docs": documents})
    kind = load.question().pool.score_kind
    assert load.format.name == "redisearch"
    assert kind is not None
    assert kind.direction == "lower is better"


def test_documents_without_a_score() -> None:
    loaded = _read([{"id": "1", "payload": None, "text": "t"}]).question()
    assert loaded.pool.raw_scores is None
    assert loaded.report.notes == ("No field of the documents is a score.",)


def test_reply_with_scores() -> None:
    texts = ["one", "two"]
    load = _read([2, "a", "0.9", ["text", texts[0]], "b", "0.8", ["text", texts[1]]])
    pool = load.question().pool
    assert pool.texts == tuple(texts)
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [0.9, 0.8]


@pytest.mark.parametrize("value", [[1, "a", ["odd"]], [2, 3, 4]])
def test_other_lists_are_no_reply(value: list[object]) -> None:
    assert redisearch.REDISEARCH.recognises(value) is None
