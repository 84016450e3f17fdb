import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
FILES = (
    "deepeval_goldens.json",
    "deepeval_goldens.jsonl",
    "deepeval_testcase_by_alias.json",
    "deepeval_testcase_model_dump.json",
)


@pytest.mark.parametrize("name", FILES)
def test_sample(known: "Known", name: str) -> None:
    loaded = known.loads(name).question()
    known.check(loaded, LISTED, ids=None, sources=None)
    split = [note for note in loaded.report.notes if "split at every bar" in note]
    assert len(split) == (1 if name.endswith("jsonl") else 0)


def _load(contexts: object, format_name: str | None = None) -> formats.Load:
    case = {"input": "q", "actual_output": "x", "retrieval_context": contexts, "context": ["c"]}
    return formats.read(json.dumps([case]).encode(), "x.json", format_name=format_name)


def test_objects_with_their_source() -> None:
    pool = _load([{"context": "a", "source": "a.md"}]).question().pool
    assert (pool.texts, pool.sources) == (("a",), ("a.md",))


def test_a_source_before_a_context_is_taken_off_only_by_hand() -> None:
    written = ["a.md: one", "b.md: two: three"]
    loaded = _load(written).question()
    assert loaded.pool.texts == tuple(written)
    assert any("choose the format" in note for note in loaded.report.notes)
    by_hand = _load(written, "deepeval-sources").question().pool
    assert by_hand.texts == ("one", "two: three")
    assert by_hand.sources == ("a.md", "b.md")


def test_one_colon_among_several_is_not_mentioned() -> None:
    assert not any("choose" in note for note in _load(["a: b", "c"]).question().report.notes)


def test_text_without_a_bar_is_one_passage_and_says_so() -> None:
    loaded = _load("one text").question()
    assert loaded.pool.texts == ("one text",)
    assert any("without a bar" in note for note in loaded.report.notes)


def test_expected_contexts_are_no_candidates() -> None:
    with pytest.raises(FormatError, match="no retrieval context"):
        _load(None).question()


def test_a_context_that_is_no_text_is_set_aside() -> None:
    loaded = _load(["a", 7]).question()
    assert loaded.report.set_aside[0].reason == "The context is a number, not a text."


def test_cases_inside_a_run() -> None:
    run = {"testCases": [{"input": "q", "actualOutput": "x", "retrievalContext": ["a"]}]}
    assert formats.read(json.dumps(run).encode(), "x.json").question().pool.query == "q"
