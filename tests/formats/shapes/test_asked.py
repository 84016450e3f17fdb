import json

import pytest

from poolscope import formats

DOCUMENTS = [{"page_content": "a", "metadata": {"source": "a.md"}}]
NODES = [{"node": {"id_": "n", "text": "b", "metadata": {}}, "score": 0.5}]


def _load(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


@pytest.mark.parametrize(
    "value",
    [
        {"query": "q", "result": "x", "source_documents": DOCUMENTS},
        {"input": "q", "context": DOCUMENTS, "answer": "x"},
        [{"question": "q", "docs": json.dumps(DOCUMENTS)}],
        {"query": "q", "response": {"documents": DOCUMENTS}},
        {"query": "q", "retrieved": [[DOCUMENTS[0], 0.5]]},
    ],
)
def test_a_question_beside_its_documents(value: object) -> None:
    load = _load(value)
    pool = load.question().pool
    assert (load.format.name, len(load)) == ("asked", 1)
    assert (pool.query, pool.texts, pool.sources) == ("q", ("a",), ("a.md",))


def test_questions_by_their_ids() -> None:
    load = _load({"q1": DOCUMENTS, "q2": NODES})
    assert [outline.query_id for outline in load.outlines] == ["q1", "q2"]
    assert load.question(1).pool.ids == ("n",)


def test_several_lists_of_one_question_are_told_apart() -> None:
    load = _load({"query": "q", "retrieved": DOCUMENTS, "reranked": NODES})
    assert [outline.query_id for outline in load.outlines] == ["retrieved", "reranked"]
    assert "“retrieved”, “reranked”" in load.question(0).report.notes[0]


def test_flat_candidates_are_left_to_the_flat_reader() -> None:
    flat = {"query": "q", "documents": [{"text": "a", "score": 0.5}]}
    assert _load(flat).format.name == "json"
