import pytest

from poolscope import formats
from poolscope.errors import FormatError


def test_flat_rows_are_read_like_json() -> None:
    load = formats.read(b"[{'text': 'a', 'source': 's', 'score': 0.5}]")
    assert load.format.name == "python"
    assert load.reason == "it is a Python value as a console prints it"
    assert load.question().pool.sources == ("s",)


def test_broken_json_is_still_refused_as_json() -> None:
    with pytest.raises(FormatError, match="The JSON ends before it is complete"):
        formats.read(b'[{"text": "a"')
    with pytest.raises(FormatError, match="The text ends before it is complete"):
        formats.read(b'[{"text": "a"', format_name="python")
