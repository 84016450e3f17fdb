import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_samples(known: "Known", suffix: str) -> None:
    loaded = known.loads(f"ragas_evaluation_dataset.{suffix}").question()
    known.check(loaded, LISTED, sources=None)
    assert loaded.pool.fields["reference"] == ("false", "false", "true", "false", "false", "false")
    assert "Reference contexts among the retrieved ones: 1 of 1." in loaded.report.notes


def _load(value: object, name: str = "x.json") -> formats.Load:
    data = value if isinstance(value, str) else json.dumps(value)
    return formats.read(data.encode(), name)


OLD = {"question": "q", "contexts": ["a", "b"], "answer": "x", "ground_truths": ["g"]}


def test_older_columns() -> None:
    pool = _load([OLD]).question().pool
    assert (pool.query, pool.texts) == ("q", ("a", "b"))


def test_columns_of_lists() -> None:
    load = _load({"question": ["p", "q"], "contexts": [["a"], ["b", "c"]], "answer": ["x", "y"]})
    assert [outline.candidates for outline in load.outlines] == [1, 2]
    assert load.question(1).pool.query == "q"


def test_list_in_the_cell_of_a_table() -> None:
    table = "user_input,retrieved_contexts\nq,\"['it''s a', 'b']\"\n"
    loaded = _load(table.replace("it''s", "its"), "x.csv").question()
    assert loaded.pool.texts == ("its a", "b")
    assert "“retrieved_contexts” was a text that holds a list." in loaded.report.notes


def test_array_in_the_cell_of_a_table() -> None:
    """NumPy prints an array of texts without commas, which Python would join into one."""
    table = "user_input,retrieved_contexts\nq,\"['one a' 'two b'\n 'three']\"\n"
    assert _load(table, "x.csv").question().pool.texts == ("one a", "two b", "three")


def test_one_text_is_refused() -> None:
    load = _load([{"user_input": "q", "retrieved_contexts": "one text"}])
    with pytest.raises(FormatError, match="“retrieved_contexts” is a text, not a list of texts"):
        load.question()


def test_a_sample_without_contexts_hides_no_other() -> None:
    missing = {"user_input": "p", "retrieved_contexts": None, "reference_contexts": ["r"]}
    load = _load([missing, {"user_input": "q", "retrieved_contexts": ["a"]}])
    with pytest.raises(FormatError, match="no retrieved contexts"):
        load.question(0)
    assert load.question(1).pool.texts == ("a",)


def test_ids_of_another_length_are_left_out() -> None:
    loaded = _load(
        [{"user_input": "q", "retrieved_contexts": ["a", "b"], "retrieved_context_ids": [1]}]
    ).question()
    assert "The ids were left out: 1 for 2 contexts." in loaded.report.notes


def test_whole_numbers_as_ids() -> None:
    row = {"user_input": "q", "retrieved_contexts": ["a", "b"], "retrieved_context_ids": [4, 7]}
    assert _load({"samples": [row]}).question().pool.ids == ("4", "7")


def test_last_question_of_a_conversation() -> None:
    turns = [{"content": "p", "type": "human"}, {"content": "x", "type": "ai"}]
    row = {"user_input": [*turns, {"content": "q", "type": "human"}], "retrieved_contexts": ["a"]}
    assert _load([row]).question().pool.query == "q"


def test_sample_of_a_generated_test_set() -> None:
    inner = {"user_input": "q", "retrieved_contexts": ["a"]}
    assert _load([{"eval_sample": inner, "synthesizer_name": "s"}]).question().pool.query == "q"
