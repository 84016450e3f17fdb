"""Gzip: taken off before anything else looks at a file, within the limit of what is read."""

import gzip

import pytest

from poolscope import formats
from poolscope.errors import FormatError
from poolscope.formats import unpacking
from poolscope.formats.unpacking import unpacked

DATA = b'{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n'


def test_a_plain_file_is_left_alone() -> None:
    assert unpacked(DATA, "a.jsonl") == (DATA, "a.jsonl")


def test_a_packed_file_is_read_under_its_own_name() -> None:
    assert unpacked(gzip.compress(DATA), "a.JSONL.GZ") == (DATA, "a.JSONL")
    assert unpacked(gzip.compress(DATA), "a.jsonl") == (DATA, "a.jsonl")
    assert formats.read(gzip.compress(DATA), "a.jsonl.gz").question().pool.ids == ("a", "b")


def test_members_that_follow_each_other_are_one_file() -> None:
    first, second = DATA.splitlines(keepends=True)
    assert unpacked(gzip.compress(first) + gzip.compress(second), "a.gz") == (DATA, "a")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(DATA)[:-9], "ends before it is complete"),
        (b"\x1f\x8b and no more", "is damaged"),
    ],
    ids=["cut off", "no gzip"],
)
def test_a_damaged_file_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        unpacked(data, "a.gz")


def test_an_empty_one_and_one_beyond_the_limit_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(FormatError, match="There is nothing in it"):
        unpacked(gzip.compress(b"\n"), "a.gz")
    monkeypatch.setattr(unpacking, "MAX_BYTES", 1_000)
    with pytest.raises(FormatError, match="unpacks to more than 1,000 bytes"):
        unpacked(gzip.compress(b"0" * 1_001), "a.gz")
    assert len(unpacked(gzip.compress(b"0" * 1_000), "a.gz")[0]) == 1_000
