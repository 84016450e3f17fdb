from datetime import UTC, datetime, timedelta, timezone

import pytest

from poolscope.errors import StoreError
from poolscope.golden import model
from poolscope.golden.model import Mark, Who


def test_a_name_is_trimmed_and_needed() -> None:
    assert Who("  Ann \n Lee ").name == "Ann Lee"
    with pytest.raises(StoreError, match="no annotator's name"):
        Who("  ")


def test_only_later_leaves_something_to_do() -> None:
    assert [mark for mark in Mark if not mark.is_final] == [Mark.LATER]


def test_moments_are_written_in_utc_and_sort_as_text() -> None:
    summer = timezone(timedelta(hours=2))
    early = datetime(2026, 3, 1, 10, 0, 0, 5, tzinfo=summer)
    late = datetime(2026, 3, 1, 8, 30, tzinfo=UTC)
    assert model.written(early) == "2026-03-01T08:00:00.000005Z"
    assert model.written(early) < model.written(late)
    assert model.moment(model.written(early)) == early


def test_what_cannot_be_stored_is_named_or_replaced() -> None:
    assert model.storable("a\tb\n", "It") == "a\tb\n"
    with pytest.raises(StoreError) as caught:
        model.storable("ab\x00", "The label")
    assert caught.value.problem == (
        "The label holds the character U+0000 at place 3, which no database can keep."
    )
    assert model.replaced("a\x00b\udc00") == "a\ufffdb\ufffd"
