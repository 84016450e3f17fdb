import pytest

from poolscope import formats
from poolscope.errors import FormatError


def test_quoted_line_breaks_and_rows_of_another_length() -> None:
    text = 'id,text,score\na,"x\ny",0.9\nb,z\nc,"say ""yes""",0.5\n'
    loaded = formats.read(text.encode(), "x.csv").question()
    assert loaded.pool.texts == ("x\ny", 'say "yes"')
    (aside,) = loaded.report.set_aside
    assert (aside.row, aside.line, aside.id) == (2, 4, "b")
    assert aside.reason == "The row has 2 cells, the header 3."


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_found_by_the_header(delimiter: str) -> None:
    lines = (("id", "text", "source"), ("1", "a; b, c", "s"))
    rows = [delimiter.join(f'"{cell}"' for cell in line) for line in lines]
    assert formats.read("\n".join(rows).encode()).question().pool.texts == ("a; b, c",)


def test_reason_names_delimiter_and_fields() -> None:
    found = formats.detect(b"id;text;x\n1;a;2\n")
    assert found.reason == "the first line, split at semicolons, names “id”, “text”"


def test_repeated_columns_are_numbered() -> None:
    loaded = formats.read(b"text,tag,tag\na,1,2\n", "x.csv").question()
    assert set(loaded.pool.fields) == {"tag", "tag (2)"}


def test_long_cells_are_read() -> None:
    text = f"text,score\n{'x' * 300_000},1\n"
    assert len(formats.read(text.encode(), "x.csv").question().pool.texts[0]) == 300_000


def test_text_after_a_closing_quote_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match="line 3: The row cannot be split at commas"):
        formats.read(b'id,text\n1,a\n2,"b"c\n', "x.csv")


def test_a_first_line_without_end_is_refused() -> None:
    with pytest.raises(FormatError, match="longer than 100,000 characters"):
        formats.read(b"text," * 30_000 + b"1,2", "wide.csv")


def test_a_row_of_dashes_is_a_row_and_lines_are_counted_past_a_rule() -> None:
    text = "id | text | score\n---|---|---\na | one | 0.9\n\n- | - | -\nb | two\n"
    load = formats.read(text.encode(), "printed.txt")
    report = load.question().report
    assert load.question().pool.ids == ("a",)
    assert [item.line for item in report.set_aside] == [5, 6]
