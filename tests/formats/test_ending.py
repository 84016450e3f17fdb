"""Whatever is cut off is said to be: in every kind of file, and at every place of a JSON text."""

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from poolscope import formats
from poolscope.errors import FormatError, Place
from poolscope.formats.base import parse_json

HERE = Path(__file__).resolve().parent
ENDS = "ends before it is complete"
TELLING = [
    {"id": "a\\b", "text": 'Say "é\u2028" \\ ', "score": -0.5e-3, "known": True, "none": None},
    [1.25, -3, 0, 1e9, [], {}, [[]], float("nan"), float("-inf"), False],
]
ROWS = [{"id": f"g{n}", "text": f"Passage {n} of “many”", "score": 0.9 - n / 10} for n in range(4)]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("indent", [None, 2])
def test_json_cut_anywhere_is_said_to_end(*, ascii_only: bool, indent: int | None) -> None:
    written = json.dumps(TELLING, ensure_ascii=ascii_only, indent=indent)
    for end in range(1, len(written)):
        with pytest.raises(FormatError) as refusal:
            parse_json(written[:end], Place("x.json"))
        assert ENDS in refusal.value.problem, written[:end]
        assert refusal.value.place.line == 1 + written[:end].rstrip().count("\n")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('[1, 2 3, "x"]', "Expecting ',' delimiter at column 7."),
        ('{"a": x1}', "Expecting value at column 7."),
        ('{"a": 1} t', "Extra data at column 10."),
        ('{"a": "\t"}', "Invalid control character at column 8."),
    ],
)
def test_json_wrong_before_its_end_is_not(written: str, said: str) -> None:
    with pytest.raises(FormatError) as refusal:
        parse_json(written, Place("x.json"))
    assert refusal.value.problem == f"This is not JSON: {said}"


def test_a_text_that_is_never_closed_is_named_by_where_it_begins() -> None:
    with pytest.raises(FormatError) as refusal:
        parse_json('[\n  {"text": "It goes on', Place("x.json"))
    assert refusal.value.problem == (
        "The JSON ends before it is complete, inside a text that begins in column 12."
    )
    assert refusal.value.place == Place("x.json", line=2)


def _parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), stream)
    return stream.getvalue()


CUT = {
    "pool.json": json.dumps(ROWS).encode(),
    "pool.csv": b'text,score\n"One, two",0.9\n"Three, four",0.8\n',
    "pool.parquet": _parquet(),
    "pool.npz": (HERE / "good" / "npz").glob("*.npz").__next__().read_bytes(),
    "pool.csv.gz": (HERE / "good" / "csv" / "packed.csv.gz").read_bytes(),
    formats.PASTED: (HERE / "good" / "langchain-pairs" / "repr.txt").read_bytes(),
}


@pytest.mark.parametrize("name", CUT)
def test_every_kind_of_file_is_said_to_end(name: str) -> None:
    whole = CUT[name]
    assert len(formats.read(whole, name)) == 1
    end = whole.rindex(b", four") if name.endswith(".csv") else len(whole) * 2 // 3
    with pytest.raises(FormatError) as refusal:
        formats.read(whole[:end], name).question(0)
    assert ENDS in refusal.value.problem or "not closed before the end" in refusal.value.problem
    assert "whole" in refusal.value.remedy


def test_the_last_line_of_json_lines_is_said_to_be_cut_off() -> None:
    lines = "\n".join(json.dumps(row) for row in ROWS).encode()
    report = formats.read(lines[:-9], "pool.jsonl").question(0).report
    [row] = report.set_aside
    assert row.line == 4
    assert row.reason.startswith("The last line is cut off: the JSON ends before it is complete, ")


def test_utf8_cut_inside_a_character_is_still_utf8() -> None:
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS).encode()
    loaded = formats.read(lines[: lines.rindex("”".encode()) + 1], "pool.jsonl").question(0)
    assert loaded.pool.texts[0] == "Passage 0 of “many”"
    assert len(loaded.report.set_aside) == 1


@pytest.mark.parametrize(
    "pasted",
    ["[1 2]", "", "Keys rotate.", '{"candidates": 1}', '[{"id": 1}]', "[{'text': 'It", "text\n"],
)
def test_nothing_said_of_a_pasted_text_speaks_of_a_file(pasted: str) -> None:
    with pytest.raises(FormatError) as refusal:
        formats.read(pasted.encode()).question(0)
    assert "file" not in f"{refusal.value.problem} {refusal.value.remedy}"
