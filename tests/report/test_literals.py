"""Texts and names as literals: read back, each is itself."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from poolscope.report.literals import python_text, sql_name, sql_refuses, sql_text

texts = st.text(st.characters(exclude_categories=[]))


@given(texts)
def test_a_python_literal_is_one_line_and_reads_back(value: str) -> None:
    literal = python_text(value)
    assert len(literal.splitlines()) == 1
    assert ast.literal_eval(literal) == value


def test_plain_names_stand_in_double_quotes() -> None:
    assert python_text("section") == '"section"'


@given(texts)
def test_a_quote_inside_is_doubled_and_ends_nothing(value: str) -> None:
    for literal, quote in ((sql_text(value), "'"), (sql_name(value), '"')):
        inner = literal[1:-1]
        assert literal[0] == literal[-1] == quote
        assert inner.replace(quote * 2, "") == value.replace(quote, "")
        assert inner.replace(quote * 2, quote) == value


def test_what_sql_cannot_hold() -> None:
    assert sql_refuses("a", ["b"]) == ""
    assert "NUL" in sql_refuses("a", ["\0"])
    assert "63" in sql_refuses("ä" * 32, [])
