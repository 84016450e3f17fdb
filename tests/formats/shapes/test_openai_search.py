import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


ORDER = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
FILES = ("file-docs_refunds.md",) * 4 + ("file-docs_billing.pdf", "file-session-42")


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("openai_responses_file_search_call_model.json", None),
        ("openai_vector_store_search_model.json", ""),
    ],
)
def test_results(known: "Known", name: str, query: str | None) -> None:
    loaded = known.loads(name).question()
    scores = known.cosines(ORDER)
    known.check(loaded, ORDER, ids=None, sources=FILES, scores=scores, query=query)
    assert loaded.pool.fields["filename"][0] == "docs/refunds.md"


RESULT = {"file_id": "f", "filename": "n", "score": 0.5, "text": "t", "attributes": {"chunk": 0.0}}


def test_searches_inside_a_response() -> None:
    calls = [
        {"type": "file_search_call", "queries": ["one", "two"], "results": [RESULT]},
        {"type": "message", "content": []},
        {"type": "file_search_call", "queries": ["three"], "results": None},
    ]
    load = _read({"id": "r", "output": calls})
    assert load.question(0).pool.query == "one | two"
    assert "2 questions at once" in load.question(0).report.notes[0]
    with pytest.raises(FormatError, match=r"include=\[\"file_search_call\.results\"\]"):
        load.question(1)


def test_steps_of_an_assistant() -> None:
    result = {
        "file_id": "f",
        "file_name": "n",
        "score": 0.5,
        "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
    }
    call = {"type": "file_search", "file_search": {"results": [result]}}
    load = _read({"data": [{"step_details": {"tool_calls": [call]}}]})
    assert load.question().pool.texts == ("one\ntwo",)
