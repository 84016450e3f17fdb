import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


SENT = [
    {"id": name, "text": f"text {name}", "source": "s", "score": n} for n, name in enumerate("abc")
]


def _joined(value: object, sent: object = SENT) -> formats.Loaded:
    earlier = formats.File(json.dumps(sent).encode(), "sent.json")
    data = json.dumps(value).encode()
    return formats.read(data, "x.json", beside=formats.Beside(earlier=earlier)).question()


def test_alone_it_is_refused(known: "Known") -> None:
    with pytest.raises(FormatError, match="Give beside it the pool before the reranker"):
        known.loads("cohere_v2_rerank_model.json").question()


def test_with_the_pool_before_it(known: "Known") -> None:
    beside = formats.Beside(earlier=known.file("flat_pandas_records.jsonl"))
    loaded = known.loads("cohere_v2_rerank_model.json", beside).question()
    order = ("refunds-3", "refunds-0", "refunds-1", "refunds-2", "chat-17", "billing-0")
    known.check(loaded, order, scores=(0.98, 0.91, 0.905, 0.6, 0.2, 0.03), vectors=True)
    assert loaded.pool.score_kind is not None
    assert loaded.pool.score_kind.name == "relevance by a reranker"


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"index": 1, "relevance_score": 0.9, "document": {"text": "text b"}}]},
        {"object": "list", "data": [{"index": 1, "relevance_score": 0.9}], "model": "m"},
        {"results": [{"index": 1, "document": "text b", "relevance_score": 0.9}]},
        {"results": [{"index": 1, "relevanceScore": 0.9}]},
        [{"index": 1, "score": 0.9}],
    ],
    ids=["cohere 1", "voyage", "voyage client", "bedrock", "bare"],
)
def test_kinds(value: object) -> None:
    loaded = _joined(value)
    assert loaded.pool.ids == ("b",)
    assert loaded.pool.fields["earlier_rank"] == ("2",)
    assert loaded.pool.fields["earlier_score"] == ("1",)


def test_a_place_beyond_the_list_and_another_text_are_set_aside() -> None:
    results = [
        {"index": 0, "relevance_score": 0.9},
        {"index": 7, "relevance_score": 0.8},
        {"index": 2, "relevance_score": 0.7, "document": {"text": "something else"}},
    ]
    report = _joined({"results": results}).report
    assert [entry.reason for entry in report.set_aside] == [
        "sent.json has no row of index 7.",
        "Its text is not that of row 3 of sent.json.",
    ]
    assert "1 of 3 rows was joined with sent.json" in report.notes[0]


def test_rows_of_a_table_are_no_reranker() -> None:
    load = _read([{"index": 0, "score": 0.5, "text": "t"}])
    assert load.format.name == "json"
