import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_results(known: "Known", suffix: str) -> None:
    loaded = known.loads(f"promptfoo_eval_output.{suffix}").question()
    known.check(loaded, LISTED, scores=known.cosines(LISTED))
    assert "response.metadata.retrievedDocs" in loaded.report.notes[0]


def test_table_that_names_a_file(known: "Known") -> None:
    with pytest.raises(FormatError, match=r"only names a file, “file://rows\.json”"):
        known.loads("promptfoo_eval_output.csv").question()


def _load(*results: dict[str, object]) -> formats.Load:
    return formats.read(json.dumps({"results": {"results": results}}).encode(), "x.json")


def _result(**fields: object) -> dict[str, object]:
    return {"vars": {"question": "q"}, "response": {"output": "x"}, "promptIdx": 0, **fields}


def test_list_in_a_variable() -> None:
    loaded = _load(_result(vars={"question": "q", "context": ["a", "b"]})).question()
    assert (loaded.pool.query, loaded.pool.texts) == ("q", ("a", "b"))


def test_documents_in_the_output() -> None:
    output = {"answer": "x", "documents": [{"text": "a", "id": "1", "score": 0.5}]}
    assert _load(_result(response={"output": output})).question().pool.ids == ("1",)


def test_the_list_that_says_more_is_read_and_another_is_named() -> None:
    metadata = {"context": ["a", "b"], "used": [{"text": "c", "id": "1"}]}
    loaded = _load(_result(response={"output": "x", "metadata": metadata})).question()
    assert loaded.pool.texts == ("c",)
    assert "There are passages in “response.metadata.context” as well" in loaded.report.notes[1]


def test_one_text_is_one_passage_and_says_so() -> None:
    loaded = _load(_result(vars={"question": "q", "context": "one text"})).question()
    assert loaded.pool.texts == ("one text",)
    assert "read as one passage" in loaded.report.notes[0]


def test_the_prompt_is_not_taken_apart() -> None:
    load = _load(_result(prompt={"raw": "Answer with: a, b"}))
    with pytest.raises(FormatError, match="inside the prompt, which is not taken apart"):
        load.question()


def test_providers_tell_results_apart() -> None:
    context = {"q": "q", "context": ["a"]}
    load = _load(*(_result(vars=context, provider={"id": name}, testIdx=3) for name in "ab"))
    assert [outline.query_id for outline in load.outlines] == ["3 a", "3 b"]


def test_list_in_the_cell_of_a_table() -> None:
    table = (
        "question,context,[p] x,Status,Score,Named Scores,Grader Reason,Comment\n"
        'q,"[""a"", ""b""]",out,PASS,1.00,,ok,\n'
    )
    pool = formats.read(table.encode(), "x.csv").question().pool
    assert (pool.query, pool.texts) == ("q", ("a", "b"))
