import json

import pytest

from poolscope import formats
from poolscope.formats import unread


def _node(name: str) -> dict[str, object]:
    text = f"the passage that is called {name}"
    return {"node": {"id_": name, "text": text, "relationships": {}}, "score": 0.5}


def _notes(value: object) -> list[str]:
    loaded = formats.read(json.dumps(value).encode(), "x.json").question()
    return [note for note in loaded.report.notes if note.startswith("Not read")]


def test_nodes_of_a_step_inside_are_named() -> None:
    steps = [{"asked": "?", "source_nodes": [_node(f"s{n}"), _node(f"t{n}")]} for n in range(2)]
    value = {"source_nodes": [_node("a")], "sub_questions": steps}
    assert _notes(value) == ["Not read: 4 further texts under “sub_questions.source_nodes”."]


def test_chunks_inside_a_hit_are_named() -> None:
    chunks = [{"text": "one of the chunks of the hit"}, {"text": "another chunk of the hit"}]
    point = {"id": 1, "version": 1, "score": 0.5, "payload": {"text": "whole", "chunks": chunks}}
    assert _notes({"points": [point]}) == [
        "Not read: 2 further texts under “points.payload.chunks”."
    ]


@pytest.mark.parametrize(
    "beside",
    [
        {"messages": [{"role": "user", "content": "a long question of the user"}]},
        {"copies": [_node("a")]},
        {"labels": [{"text": "short"}]},
        {"output": [{"text": "what the model answered to it"}]},
    ],
    ids=lambda beside: next(iter(beside)),
)
def test_what_is_no_further_passage_is_not_named(beside: dict[str, object]) -> None:
    assert _notes({"source_nodes": [_node("a")], **beside}) == []


def test_a_file_that_holds_nothing_leaves_nothing() -> None:
    assert unread.notes([], ()) == unread.notes({}, ()) == unread.notes([[]], ()) == ()
