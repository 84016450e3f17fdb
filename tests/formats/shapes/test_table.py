import pytest

from poolscope.formats.shapes import table

ROWS = [{"q": "a", "c": ["x"]}, {"q": "b", "c": ["y", "z"]}]


@pytest.mark.parametrize(
    "value",
    [
        ROWS,
        {"samples": ROWS},
        {"q": ["a", "b"], "c": [["x"], ["y", "z"]]},
        {"q": {"0": "a", "1": "b"}, "c": {"0": ["x"], "1": ["y", "z"]}},
        {"columns": ["q", "c"], "data": [["a", ["x"]], ["b", ["y", "z"]]]},
    ],
)
def test_rows(value: object) -> None:
    assert table.rows(value) == ROWS


def test_one_row_with_a_list_is_no_table_of_columns() -> None:
    row = {"tags": ["a", "b"], "contexts": ["x", "y"]}
    assert table.rows(row) == [row]


def test_listed() -> None:
    assert table.listed("['a', 'b']") == ["a", "b"]
    assert table.listed("a, b") is None
    assert table.listed(None) is None


def test_first() -> None:
    assert table.first({"a": None, "b": "", "c": float("nan"), "d": 0}, "abcd") == "d"
