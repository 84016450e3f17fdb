import json

import pytest

from poolscope import formats
from poolscope.errors import FormatError


def _read(document: object) -> formats.Load:
    return formats.read(json.dumps(document).encode(), "x.json")


def test_question_with_everything() -> None:
    loaded = _read(
        {
            "query_id": "q7",
            "query": "How?",
            "query_vector": [1, 0],
            "facets": {"f": "Facet"},
            "candidates": [{"id": 1, "text": "a", "vector": [0, 2], "facets": ["f"]}],
        }
    ).question()
    assert (loaded.pool.query_id, loaded.pool.query) == ("q7", "How?")
    assert loaded.pool.query_vector is not None
    assert loaded.pool.candidate(0).supports == ("f",)


def test_no_candidates_is_an_empty_pool() -> None:
    loaded = _read({"query": "How?", "candidates": []}).question()
    assert len(loaded.pool) == 0
    assert loaded.report.candidates == 0


def test_list_of_questions() -> None:
    load = _read([{"query": q, "candidates": [{"text": q}]} for q in "abc"])
    assert [outline.query for outline in load.outlines] == ["a", "b", "c"]


def test_object_of_questions_takes_its_keys_for_ids() -> None:
    load = _read({"a": {"candidates": [{"text": "x"}]}, "b": {"candidates": [{"text": "y"}]}})
    assert [outline.query_id for outline in load.outlines] == ["a", "b"]


def test_split_with_a_short_row_sets_it_aside() -> None:
    loaded = _read({"columns": ["id", "text"], "data": [["1", "a"], ["2"]]}).question()
    assert loaded.report.set_aside[0].reason == "The row does not hold 2 values."


def test_one_candidate_alone() -> None:
    assert _read({"id": "a", "text": "b"}).question().pool.ids == ("a",)


def test_a_bare_value_is_refused() -> None:
    with pytest.raises(FormatError, match="The JSON is a number"):
        formats.read(b"12", "x.json", format_name="json")


def test_rows_as_python_prints_them() -> None:
    load = formats.read(b"[{'id': 'a', 'text': 'one', 'source': None}]")
    assert load.question().pool.ids == ("a",)
    assert load.format.label == "Python values"
