"""Explain's HTML: what is escaped, where numbers stand, and that a blank has its reason."""

import xml.etree.ElementTree as ET

from poolscope.ui import explain_markup
from poolscope.ui.explain_markup import Cell, Figure, blank, number

HOSTILE = "<script>alert('x')</script> & \"y\""


def parsed(body: str) -> ET.Element:
    return ET.fromstring(f"<div>{body}</div>")  # noqa: S314 - made by the code under test


def said(element: ET.Element | None) -> str:
    assert element is not None
    return "".join(element.itertext())


def test_every_text_is_escaped() -> None:
    shown = [
        explain_markup.rows([HOSTILE], [[Cell(HOSTILE, beneath=HOSTILE)]], HOSTILE),
        explain_markup.rows([HOSTILE], [[blank(HOSTILE)]], HOSTILE),
        explain_markup.change(
            HOSTILE, HOSTILE, [Figure(HOSTILE, HOSTILE, HOSTILE)], [(HOSTILE, HOSTILE)]
        ),
        explain_markup.applied(HOSTILE),
    ]
    for body in shown:
        assert "<script" not in body
        assert HOSTILE in said(parsed(body))


def test_a_column_of_numbers_stands_at_the_right_with_its_heading_and_its_blanks() -> None:
    cells = [[Cell("a"), number("1")], [Cell("b"), blank("nothing to count")]]
    found = parsed(explain_markup.rows(["name", "count"], cells, "A table"))
    right = [said(cell) for cell in found.iter() if cell.get("class") == "ps-number"]
    assert right == ["count", "1", "—"]


def test_a_reason_is_said_once_beneath_however_many_blanks_have_it() -> None:
    cells = [[blank("one"), blank("two")], [blank("one"), Cell("full")]]
    found = parsed(explain_markup.rows(["x", "y"], cells, "A table"))
    assert said(found.find("p")) == "— one; two."
    full = parsed(explain_markup.rows(["x"], [[Cell("full")]], "A table"))
    assert full.find("p") is None


def test_a_table_without_rows_keeps_its_headings() -> None:
    found = parsed(explain_markup.rows(["x", "y"], [], "A table"))
    assert [said(cell) for cell in found.iter("th")] == ["x", "y"]


def test_the_figures_of_a_change_stand_in_one_row() -> None:
    figures = [Figure("tokens", "1 → 2", "+1"), Figure("mean relevance", "0.5 → 0.4")]
    found = parsed(explain_markup.change("k 1 → 2", "", figures, [("Lost:", "no facet")]))
    assert [said(item) for item in found.iter("dt")] == ["tokens", "mean relevance"]
    assert [said(item) for item in found.iter("dd")] == ["1 → 2+1", "0.5 → 0.4"]
    assert said(found.find("div/p")) == "Lost: no facet"
