import base64

import numpy as np

from poolscope.formats.shapes.entries import Entry, question
from poolscope.formats.shapes.roles import by_order


def test_own_ids_win_only_where_they_name_passages() -> None:
    def ids(*chunks: object) -> list[object]:
        entries = [
            Entry({"text": "t", "chunk_id": chunk}, id=f"s{place}")
            for place, chunk in enumerate(chunks)
        ]
        return [passage.id for passage in question(entries).passages]

    assert ids("a", "b") == ["a", "b"]
    assert ids("a", "a") == ["s0", "s1"]
    assert ids("a", None) == ["s0", "s1"]
    assert ids(0, 1) == ["s0", "s1"]
    assert ids("0", "1") == ["s0", "s1"]


def test_the_stores_id_is_kept_beside() -> None:
    found = question([Entry({"text": "t", "chunk_id": "a"}, id=7)])
    assert found.passages[0].metadata == {"record_id": 7}
    assert found.columns["id"] == "chunk_id"


def test_the_users_fields_win_over_the_stores() -> None:
    found = question([Entry({"text": "t", "source": "mine"}, beside={"source": "its", "x": 1})])
    assert found.passages[0].metadata == {"source": "mine", "x": 1}


def test_a_text_deep_inside_is_found() -> None:
    found = question([Entry({"inner": {"body": "deep"}, "n": 1})])
    assert found.passages[0].text == "deep"
    assert found.columns["text"] == "inner.body"


def test_the_score_that_orders_the_list() -> None:
    rows = [{"a": 1, "b": 5}, {"a": 3, "b": 4}, {"a": 2, "b": 3}]
    assert by_order(("a", "b"), rows) == "b"
    assert by_order(("a",), rows) == "a"
    assert by_order(("a", "c"), [{"a": None}]) is None
    assert by_order(("a", "b"), [{"a": 1}, {"b": 1}, {"b": "2"}]) == "b"
    assert by_order(("a",), [{"a": "x"}]) is None


def test_a_vector_in_base64_is_one_and_a_word_is_none() -> None:
    written = base64.b64encode(np.arange(4, dtype="<f4").tobytes()).decode()
    found = question([Entry({"text": "t", "embedding": written})])
    assert found.columns["vector"] == "embedding"
    assert "vector" not in question([Entry({"text": "t", "embedding": "model-name"})]).columns
