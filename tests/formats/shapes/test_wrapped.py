import json

import pytest

from poolscope import formats
from poolscope.formats.shapes import pinecone


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


RESPONSE = {"matches": [{"id": "a", "score": 0.5, "metadata": {"text": "t"}}], "namespace": ""}


@pytest.mark.parametrize(
    "value",
    [
        {"query": "q", "query_id": "7", "response": RESPONSE},
        {"question": "q", "qid": 7, "anything": json.dumps(RESPONSE), "took": 3},
        [{"query": "q", "query_id": "7", "response": RESPONSE}],
    ],
    ids=["object", "text", "list"],
)
def test_a_response_beside_its_question(value: object) -> None:
    load = _read(value)
    pool = load.question().pool
    assert load.format.name == "pinecone"
    assert (pool.query, pool.query_id, pool.ids) == ("q", "7", ("a",))
    assert "“matches”" in load.reason


def test_lines_of_a_log() -> None:
    lines = [{"query": f"q{n}", "response": RESPONSE, "query_vector": [1, 0]} for n in (1, 2)]
    data = "\n".join(map(json.dumps, lines)).encode()
    load = formats.read(data, "log.jsonl")
    assert [outline.query for outline in load.outlines] == ["q1", "q2"]


def test_a_list_of_responses() -> None:
    assert len(_read([RESPONSE, RESPONSE]).outlines) == 2


def test_responses_by_question() -> None:
    load = _read({"q1": RESPONSE, "q2": RESPONSE})
    assert [outline.query_id for outline in load.outlines] == ["q1", "q2"]
    assert "named by its key" in load.question(0).report.notes[0]


def test_two_responses_among_others_are_not_guessed() -> None:
    assert pinecone.PINECONE.recognises({"a": RESPONSE, "b": RESPONSE, "query": "q"}) is None
