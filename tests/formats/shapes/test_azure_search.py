import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


ORDER = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")


def test_documents(known: "Known") -> None:
    loaded = known.loads("azure_search_python_sdk_stubserver.json").question()
    scores = (0.036, 0.035, 0.034, 0.033, 0.032, 0.031)
    known.check(loaded, ORDER, scores=scores, vectors=True, query="")
    assert loaded.pool.fields["@search.rerankerScore"][0] == "2.9"
    assert "was kept beside it" in loaded.report.notes[0]


def test_the_rerankers_score_counts_where_it_orders_the_list() -> None:
    rows = [
        {
            "@search.score": score,
            "@search.rerankerScore": reranked,
            "id": str(n),
            "content": f"t{n}",
        }
        for n, (score, reranked) in enumerate(((0.02, 3.0), (0.03, 2.0), (0.01, 1.0)))
    ]
    pool = _read({"value": rows}).question().pool
    assert pool.ids == ("0", "1", "2")
    assert pool.raw_scores is not None
    assert pool.raw_scores.tolist() == [3.0, 2.0, 1.0]
    assert pool.fields["@search.score"] == ("0.02", "0.03", "0.01")


@pytest.mark.parametrize("extra", [None, "text"])
def test_captions_are_kept(extra: str | None) -> None:
    captions = [{"text": "one", "highlights": ""}, {"text": extra}]
    row = {"@search.score": 1.0, "@search.captions": captions, "key": "k", "chunk": "t"}
    kept = _read([row]).question().pool.fields["@search.captions"][0]
    assert kept is not None
    assert kept.startswith("one")


def test_a_next_page_and_an_answer_from_elsewhere_are_named() -> None:
    value = {
        "@search.answers": [{"key": "9", "text": "An answer that is in no row of the list."}],
        "@odata.nextLink": "https://example.org/next",
        "value": [{"@search.score": 0.5, "id": "1", "content": "t"}],
    }
    assert formats.read(json.dumps(value).encode(), "x.json").question().report.notes == (
        "Not read: 1 further text under “@search.answers”.",
        "The response names a next page, which is not in it.",
    )
