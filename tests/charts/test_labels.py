"""Labels: what a text may do to a page that reads markup, which is nothing."""

import html
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.charts import labels

UNSAFE = st.text(
    st.characters() | st.sampled_from("<>&\"'\x00\u202e\u2066\u200f\ud800\n\t \u200d\u00ad")
)


@given(UNSAFE)
def test_plain_keeps_no_control_and_no_direction_marks(text: str) -> None:
    shown = labels.plain(text)
    bad = {c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs"}}
    assert bad <= set(labels.KEPT)
    assert labels.plain(shown) == shown
    shown.encode("utf-8")


@pytest.mark.parametrize("text", ["häuser", "日本語", "a\nb\tc", "👩‍🔬", "می‌خواهم", ""])
def test_plain_leaves_ordinary_text_alone(text: str) -> None:
    assert labels.plain(text) == text


@given(UNSAFE, st.integers(1, 60))
def test_shortened_fits_and_begins_as_the_text_does(text: str, width: int) -> None:
    shown = labels.shortened(text, width)
    assert len(shown) <= width
    whole = " ".join(labels.plain(text).split())
    assert shown == whole or whole.startswith(shown.removesuffix("…"))


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("a short one", 20, "a short one"),
        ("exactly ten", 11, "exactly ten"),
        ("cut at a word that is near", 16, "cut at a word…"),
        ("https://example.org/a/very/long/path and more", 20, "https://example.org…"),
        ("onewordwithoutanyspace", 10, "onewordwi…"),
        ("a sentence ends. Another begins", 18, "a sentence ends…"),
        ("  spaces \n and\tlines  ", 40, "spaces and lines"),
        ("", 10, ""),
    ],
)
def test_shortened_by_hand(text: str, width: int, shown: str) -> None:
    assert labels.shortened(text, width) == shown


@given(UNSAFE)
def test_escaped_reads_back_and_holds_no_tag(text: str) -> None:
    shown = labels.escaped(text)
    assert "<" not in shown
    assert ">" not in shown
    assert html.unescape(shown) == labels.plain(text)


@given(UNSAFE)
def test_hover_has_few_lines_and_no_tag_but_breaks(text: str) -> None:
    lines = labels.hover(text).split("<br>")
    assert len(lines) <= labels.HOVER_LINES
    assert not any("<" in line or ">" in line for line in lines)
    assert all(len(html.unescape(line)) <= labels.HOVER_WIDTH for line in lines)


def test_hover_says_that_more_follows() -> None:
    assert labels.hover("word " * 200).endswith("…")
    assert not labels.hover("word").endswith("…")


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.8, 0.799, 0.75], ("0.800", "0.799", "0.750")),
        ([0.77684, 0.5], ("0.7768", "0.5000")),
        ([3.0, 2.0, 1.0], ("3", "2", "1")),
        ([12.5, 3.25], ("12.50", "3.25")),
        ([120.0, 30.0], ("120", "30")),
        ([0.01639, 0.0161], ("0.01639", "0.01610")),
        ([123456.7, 1.0], ("123457", "1")),
        ([-0.5, -0.00001], ("-0.5", "0.0")),
        ([0.0, 0.0], ("0", "0")),
        ([2e-9, 1e-10], ("2.000e-09", "1.000e-10")),
        ([1e300, 1.0], ("1.000e+300", "1.000e+00")),
        ([], ()),
    ],
)
def test_numbers_of_one_column_have_one_number_of_decimals(
    values: list[float], shown: tuple[str, ...]
) -> None:
    assert labels.aligned(values) == shown


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_of_one_column_are_read_back_in_order(values: list[float]) -> None:
    shown = [float(text) for text in labels.aligned(sorted(values))]
    assert shown == sorted(shown)
    decimals = [text.partition("e")[0].partition(".")[2] for text in labels.aligned(values)]
    assert len({len(part) for part in decimals}) == 1
