import dataclasses

import pytest

from poolscope import formats


def test_reports_are_values() -> None:
    report = formats.read(b'[{"text": "a"}]').question().report
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.rows = 3  # type: ignore[misc]  # that it is refused is the test


def test_counts_add_up() -> None:
    data = b'[{"text": "a", "score": 1}, {"text": "b", "score": NaN}, {"text": "c", "score": 0}]'
    report = formats.read(data).question().report
    assert report.rows == report.candidates + len(report.set_aside) == 3
