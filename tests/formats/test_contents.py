import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from poolscope.formats.base import Probe
from poolscope.formats.contents import contents

ROWS = [{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]


def _parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (json.dumps(ROWS).encode(), "x.json"),
        ("\n".join(json.dumps(row) for row in ROWS).encode(), "x.jsonl"),
        ("\n".join(json.dumps(row, indent=1) for row in ROWS).encode(), "x.txt"),
        (b"a,b\n1,x\n2,y\n", "x.csv"),
        (repr(ROWS).encode(), "pasted text"),
        (_parquet(), "x.parquet"),
        (f"data: {ROWS}, extra_info: {{'cost': 6}}".encode(), "pasted text"),
        (f"data: {[str(row) for row in ROWS]}".encode(), "pasted text"),
    ],
)
def test_one_value_from_every_file(data: bytes, name: str) -> None:
    found = contents(Probe(data, name))
    assert found is not None
    assert found.value == ROWS


def test_broken_rows_are_counted() -> None:
    found = contents(Probe(b'{"a": 1}\n{"a": \n{"a": 2}\n', "x.jsonl"))
    assert found is not None
    assert found.notes == ("1 of 3 rows could not be read.",)


@pytest.mark.parametrize(
    "data", [b"prose", b"data: words", b"data: [1", b"[1, 2", b"\0\1", b"def f(): pass"]
)
def test_what_holds_no_value(data: bytes) -> None:
    assert contents(Probe(data, "x.txt")) is None
