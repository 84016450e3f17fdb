import pytest

from poolscope.errors import FormatError, Place
from poolscope.formats.base import Probe, parse_json


def test_probe_knows_its_name_and_opening() -> None:
    probe = Probe(b"\xef\xbb\xbf\n  [1]", "Pool.JSON")
    assert probe.suffix == ".json"
    assert probe.opening == "["
    assert probe.document == [1]


def test_opening_of_a_binary_file_is_empty() -> None:
    assert Probe(b"\x00\x01", "x").opening == ""


def test_json_error_counts_lines_from_the_place() -> None:
    with pytest.raises(FormatError) as refusal:
        parse_json("{", Place("x.jsonl", line=7))
    assert refusal.value.place.line == 7


def test_json_lets_nan_through() -> None:
    assert str(parse_json("[NaN, Infinity]", Place())) == "[nan, inf]"
