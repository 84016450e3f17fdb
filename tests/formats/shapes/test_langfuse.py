import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


def test_spans(known: "Known") -> None:
    load = known.loads("langfuse_otel_spans.json")
    known.check(load.question(0), LISTED, scores=known.cosines(LISTED))
    known.check(load.question(1))


DOCUMENTS = [{"page_content": "a", "metadata": {"source": "a.md"}}]


def _observation(**fields: object) -> dict[str, object]:
    known = {"id": "o", "traceId": "t", "type": "RETRIEVER", "name": "r", "input": "q"}
    return {**known, "output": DOCUMENTS, **fields}


@pytest.mark.parametrize(
    "value",
    [
        _observation(),
        [_observation()],
        {"data": [_observation()], "meta": {"page": 1}},
        {"id": "t", "name": "trace", "output": "x", "observations": [_observation()]},
        {"data": [{"id": "t", "observations": [_observation(output=json.dumps(DOCUMENTS))]}]},
        _observation(input={"query": "q"}, output={"documents": DOCUMENTS}),
        _observation(input=json.dumps("q")),
        _observation(type="SPAN"),
    ],
)
def test_observations(value: object) -> None:
    load = formats.read(json.dumps(value).encode(), "x.json")
    pool = load.question().pool
    assert load.format.name == "langfuse"
    assert (pool.query, pool.texts, pool.sources) == ("q", ("a",), ("a.md",))


def test_export_with_other_names() -> None:
    row = _observation(output=json.dumps(["a", "b"]))
    row["trace_id"] = row.pop("traceId")
    pool = formats.read(json.dumps(row).encode(), "x.jsonl").question().pool
    assert pool.texts == ("a", "b")


def test_plain_texts_of_another_step_are_no_passages() -> None:
    load = formats.read(json.dumps(_observation(type="TOOL", output=["a"])).encode(), "x.json")
    with pytest.raises(FormatError, match="None of 1 step holds the passages"):
        load.question()
