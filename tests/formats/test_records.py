import pytest

from poolscope.errors import FormatError
from poolscope.formats.records import Record, flatten, questions, record


def test_flatten_lifts_containers_and_joins_the_rest() -> None:
    fields = {
        "text": "a",
        "metadata": {"source": "s", "text": "other", "loc": {"lines": {"from": 1}}},
        "payload": {"metadata": {"page": 2}},
        "author": {"name": "n"},
        "sparse_vector": {"indices": [1], "values": [0.5]},
        "Unnamed: 0": 3,
    }
    assert flatten(fields) == {
        "text": "a",
        "source": "s",
        "metadata.text": "other",
        "loc.lines.from": 1,
        "page": 2,
        "author.name": "n",
    }


def test_metadata_in_text_is_taken_apart() -> None:
    assert flatten({"metadata": '{"source": "s"}'}) == {"source": "s"}
    assert flatten({"metadata": "{'source': 's'}"}) == {"source": "s"}
    assert flatten({"metadata": "free text"}) == {"metadata": "free text"}


def test_deep_nesting_is_cut() -> None:
    deep: dict[str, object] = {"end": 1}
    for _ in range(20):
        deep = {"a": deep}
    assert flatten(deep) == {}


def test_one_field_a_role_is_chosen_for_all_rows() -> None:
    pools = questions([Record({"body": "a", "_score": 1}), Record({"body": "b", "score": 2})], "f")
    assert pools[0].columns == {"text": "body", "score": "score"}
    assert [row.score for row in pools[0].rows] == [None, 2]
    assert pools[0].rows[0].fields == {"_score": "1"}


def test_a_number_called_chunk_is_no_passage() -> None:
    (pool,) = questions([Record({"chunk": 3, "passage": "a"})], "f")
    assert pool.columns == {"text": "passage"}
    assert pool.rows[0].fields == {"chunk": "3"}


def test_rows_are_grouped_by_question_id_then_by_question() -> None:
    rows = [
        {"qid": q, "text": t, "query": f"Q{q}"} for q, t in (("1", "a"), ("2", "b"), ("1", "c"))
    ]
    pools = questions([Record(row) for row in rows], "f")
    assert [(pool.query_id, pool.query, len(pool.rows)) for pool in pools] == [
        ("1", "Q1", 2),
        ("2", "Q2", 1),
    ]
    for row in rows:
        del row["qid"]
    assert [pool.query for pool in questions([Record(row) for row in rows], "f")] == ["Q1", "Q2"]


def test_a_broken_row_stays_with_the_question_before_it() -> None:
    pools = questions(
        [
            Record({}, 1, "Broken."),
            Record({"qid": "1", "text": "a"}, 2),
            Record({"qid": "2", "text": "b"}, 3),
            Record({}, 4, "Broken."),
        ],
        "f",
    )
    assert [[row.place.line for row in pool.rows] for pool in pools] == [[1, 2], [3, 4]]


def test_a_question_that_cannot_be_read_hides_no_other() -> None:
    good = Record({"query": "a", "candidates": [{"text": "x"}]}, 1)
    bad = Record({"query": "b", "candidates": 5}, 2)
    pools = questions([good, bad], "f")
    assert pools[0].problem is None
    assert "line 2: The question has no list of “candidates”." in str(pools[1].problem)


def test_metadata_lists_do_not_make_a_question() -> None:
    (pool,) = questions([Record({"text": "a", "matches": ["x", "y"]})], "f")
    assert pool.rows[0].fields == {"matches": "x, y"}


def test_a_text_is_a_passage() -> None:
    (pool,) = questions([record("a"), record("b")], "f")
    assert [row.text for row in pool.rows] == ["a", "b"]


def test_fields_met_are_named_where_none_is_a_passage() -> None:
    many = {f"f{number}": number for number in range(10)}
    with pytest.raises(FormatError, match=r"“f0”, .* and 2 more\. Name the field one of: text"):
        questions([Record(many)], "f")
