import pytest

from poolscope.formats.base import Probe
from poolscope.formats.contents import contents


@pytest.mark.parametrize(
    ("data", "name", "value"),
    [
        (b'{"a": [1]}', "x", {"a": [1]}),
        (b'{"a": 1}\n{"a": 2}\n', "x.jsonl", [{"a": 1}, {"a": 2}]),
        (b"id,text\n1,t\n", "x.csv", [{"id": "1", "text": "t"}]),
        (b"({'a': (1, None)}, True)", "x", [{"a": [1, None]}, True]),
        (b"data: [[{'id': 1}]], extra_info: {'cost': 6}", "x", [[{"id": 1}]]),
    ],
)
def test_plain_values(data: bytes, name: str, value: object) -> None:
    found = contents(Probe(data, name))
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("data", [b"words", b"[cut", b"data: words", b"\x00\x01"])
def test_other_files_hold_none(data: bytes) -> None:
    assert contents(Probe(data, "x")) is None
