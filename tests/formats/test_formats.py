"""The one door: detection, the list of questions, late assembly."""

import json
import subprocess
import sys

import pytest

from poolscope import formats
from poolscope.errors import FormatError, PoolscopeError

MANY = "\n".join(
    json.dumps({"query_id": f"q{i}", "query": f"Q{i}?", "candidates": [{"text": "a"}] * i})
    for i in range(1, 4)
).encode()


def test_outlines_list_the_questions() -> None:
    load = formats.read(MANY, "x.jsonl")
    assert len(load) == 3
    assert load.outlines[1] == formats.Outline(1, "q1".replace("1", "2"), "Q2?", 2)
    assert [len(loaded.pool) for loaded in load.questions()] == [1, 2, 3]


def test_a_question_that_cannot_be_assembled_hides_no_other() -> None:
    cut = json.dumps({"query": "x", "candidates": [{"text": "a", "vector": "[1 ... 2]"}]})
    load = formats.read(MANY + b"\n" + cut.encode(), "x.jsonl")
    assert len(load) == 4
    assert len(load.question(2).pool) == 3
    with pytest.raises(FormatError, match="line 4, row 1, field “vector”: The vectors were lost"):
        load.question(3)


def test_pasted_text_goes_through_the_same_door() -> None:
    load = formats.read(b'[{"text": "a"}]')
    assert load.name == "pasted text"
    assert load.question().report.reason == "it starts with a JSON list"


def test_json_does_not_pay_for_pandas_or_pyarrow() -> None:
    code = (
        'import sys; from poolscope import formats; formats.read(b\'[{"text": "a"}]\').question();'
        "print(sorted({'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert run.stdout.strip() == "[]"


def _unreadable(count: int) -> bytes:
    """Write questions of which the reader can use no row."""
    row = {"query": "Which?", "candidates": [{"id": "a", "text": ""}]}
    return "\n".join(json.dumps({**row, "query_id": str(n)}) for n in range(count)).encode()


def test_a_file_of_unreadable_questions_is_refused_after_some_were_tried() -> None:
    load = formats.read(_unreadable(formats.MOST_TRIED + 50), "bad.jsonl")
    tried: list[int] = []

    def assemble(index: int) -> object:
        tried.append(index)
        return load.question(index)

    with pytest.raises(FormatError, match=r"None of the first 100 of 150 questions can be read; "):
        load.first_readable(assemble)
    assert tried == list(range(formats.MOST_TRIED))
    with pytest.raises(
        FormatError, match="None of the 2 questions can be read; the first: No field"
    ):
        formats.read(_unreadable(2), "bad.jsonl").first_readable()
    with pytest.raises(PoolscopeError, match="No field holds the passages"):
        formats.read(_unreadable(1), "bad.jsonl").first_readable()


def test_the_first_question_that_can_be_read_is_found() -> None:
    good = b'{"query": "Which?", "candidates": [{"id": "a", "text": "x"}]}'
    load = formats.read(_unreadable(3) + b"\n" + good, "mixed.jsonl")
    assert load.first_readable() == 3
