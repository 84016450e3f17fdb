import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


def test_events(known: "Known") -> None:
    load = known.loads("trulens_otel_events.json")
    assert len(load) == 1
    known.check(load.question(), LISTED, ids=None, sources=None)


def test_attributes_as_text_in_a_table() -> None:
    attributes = {
        "ai.observability.retrieval.query_text": "q",
        "ai.observability.retrieval.retrieved_contexts": ["a", "b"],
    }
    table = f'event_id,record_attributes\n1,"{attributes!r}"\n'
    pool = formats.read(table.encode(), "x.csv").question().pool
    assert (pool.query, pool.texts) == ("q", ("a", "b"))


def _records(record: object) -> formats.Load:
    row = {"record_id": "r", "app_id": "a", "record_json": record, "input": "q", "perf_json": "{}"}
    return formats.read(json.dumps([row]).encode(), "x.json")


def test_calls_of_a_record() -> None:
    call = {"stack": [{"method": {"name": "retrieve"}}], "rets": ["a", "b"]}
    pool = _records(json.dumps({"calls": [call], "main_input": "q"})).question().pool
    assert (pool.query, pool.texts) == ("q", ("a", "b"))


def test_records_without_contexts_are_refused() -> None:
    with pytest.raises(FormatError, match="in 1 record, but no contexts"):
        _records(None).question()
