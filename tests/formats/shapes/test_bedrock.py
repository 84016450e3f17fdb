import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


ORDER = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
SOURCES = ("s3://kb/docs/refunds.md",) * 4 + ("s3://kb/docs/billing.pdf", "s3://kb/session-42")


def test_retrieve(known: "Known") -> None:
    loaded = known.loads("bedrock_retrieve_stubbed.json").question()
    scores = [(1 + cosine) / 2 for cosine in known.cosines(ORDER)]
    known.check(loaded, ORDER, sources=SOURCES, scores=scores, query="")


def _reference(text: str, uri: str = "https://a") -> dict[str, object]:
    location = {"type": "WEB", "webLocation": {"url": uri}}
    return {"content": {"text": text}, "location": location, "metadata": {}}


def test_citations_count_each_passage_once() -> None:
    citations = [
        {"generatedResponsePart": {}, "retrievedReferences": [_reference("a"), _reference("b")]},
        {"generatedResponsePart": {}, "retrievedReferences": [_reference("a")]},
    ]
    loaded = _read({"output": {"text": "x"}, "citations": citations}).question()
    assert loaded.pool.texts == ("a", "b")
    assert loaded.pool.sources == ("https://a", "https://a")
    assert loaded.pool.raw_scores is None
    assert loaded.report.notes[:2] == (
        "These are the passages that the answer cites, not the pool it was retrieved from.",
        "1 further citations of the same passages were left out.",
    )


def test_rows_are_texts_and_pictures_are_set_aside() -> None:
    row = [{"columnName": "plan", "columnValue": "pro", "type": "STRING"}]
    results = [
        {"content": {"type": "ROW", "row": row}, "location": {"type": "SQL"}, "score": 0.5},
        {
            "content": {"type": "IMAGE", "byteContent": "x"},
            "location": {"type": "S3"},
            "score": 0.4,
        },
    ]
    loaded = _read({"retrievalResults": results}).question()
    assert loaded.pool.texts == ("plan: pro",)
    assert loaded.report.set_aside[0].reason == "The content is of type IMAGE and has no text."


@pytest.mark.parametrize("name", ["retrievalResults", "retrievedReferences"])
def test_nothing_found(name: str) -> None:
    assert len(_read({name: []}).outlines) == 1
