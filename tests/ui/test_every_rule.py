"""The table of every rule and preset, as a person reads it."""

from __future__ import annotations

import base64
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from poolscope.charts.theme import LIGHT, palette
from poolscope.model import Pool
from poolscope.selection.offers import OFFERS
from poolscope.ui import every_rule

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

SWITCH = "Every rule and preset on this pool"


def opened(screen: Screen) -> Screen:
    screen.named("toggle", SWITCH).set_value(True)
    return screen.run()


def table(screen: Screen) -> dict[str, dict[str, Any]]:
    """Return the rows by rule."""
    (found,) = screen.app.dataframe
    rows = found.value.to_dict("records")
    return {str(row["rule"]): {str(name): cell for name, cell in row.items()} for row in rows}


def test_nothing_is_worked_out_before_it_is_opened(open_app: Callable[..., Screen]) -> None:
    assert not open_app().app.dataframe


def test_every_rule_has_a_row_and_the_columns_their_marks(open_app: Callable[..., Screen]) -> None:
    screen = opened(open_app())
    rows = table(screen)
    assert list(rows) == [offer.label for offer in OFFERS]
    shown = {name: row["shown"] for name, row in rows.items() if row["shown"]}
    assert shown == {"Top-k": "○", "Capped": "◇", "MMR": "□"}
    for column in screen.columns:
        row = rows[column.title[2:]]
        assert row["ranks"] == ", ".join(map(str, column.ranks))
        assert f"{row['relevance']:.3f}" == column.numbers["Mean relevance"][0]
        assert f"{row['tokens']:,.0f}" == column.numbers["Tokens"][0]


def test_what_lacks_a_field_names_it_and_has_no_number(open_app: Callable[..., Screen]) -> None:
    screen = opened(open_app())
    row = table(screen)["agentmemory"]
    assert (row["needs"], row["ranks"]) == ("a field “session”", "")
    assert math.isnan(row["relevance"])
    assert table(screen)["Swafra"]["needs"] == "the number of stored sources"
    screen.named("number_input", "Stored sources").set_value(40)
    screen.run()
    assert table(screen)["Swafra"]["needs"] == ""
    assert table(screen)["Swafra"]["ranks"]


def test_a_field_named_in_a_column_is_the_rows_too(open_app: Callable[..., Screen]) -> None:
    screen = open_app().choose("Column 2", "preset:agentmemory")
    screen = opened(screen.choose("Field for session", "source"))
    row = table(screen)["agentmemory"]
    assert (row["shown"], row["needs"]) == ("◇", "")
    assert row["ranks"] == ", ".join(map(str, screen.columns[1].ranks))


def test_it_follows_the_sliders(open_app: Callable[..., Screen]) -> None:
    screen = opened(open_app()).slide("k in context", 3)
    assert table(screen)["Hippo"]["ranks"].count(",") == 2


def test_a_pool_without_facets_has_no_column_of_coverage(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app("data").upload("bare.json", pool_file()).page("inspect")
    assert "coverage" not in next(iter(table(opened(screen)).values()))


def test_a_strip_has_a_bar_a_pick_in_its_colour_and_no_text_of_the_pool(
    make_pool: Callable[..., Pool],
) -> None:
    pool = make_pool(10, sources=["<b>", "<b>", *["x"] * 8], texts=("<script>",) * 10)
    colours = palette(pool, "source", LIGHT)
    address = every_rule.strip((0, 9), pool, "source", colours)
    head, _, body = address.partition(",")
    assert head == "data:image/svg+xml;base64"
    drawn = base64.b64decode(body).decode()
    assert "script" not in drawn
    bars = ET.fromstring(drawn).findall("{http://www.w3.org/2000/svg}rect")[1:]  # noqa: S314 - ours
    assert [bar.get("fill") for bar in bars] == [colours.colour("<b>"), colours.colour("x")]
    ends = [float(bar.get("x") or 0) + float(bar.get("width") or 0) for bar in bars]
    assert ends == [pytest.approx(20.0), pytest.approx(every_rule.STRIP_WIDTH)]


@pytest.mark.parametrize("n", [0, 1, 5_000])
def test_a_strip_of_any_pool_stays_within_its_width(make_pool: Callable[..., Pool], n: int) -> None:
    pool = make_pool(n)
    address = every_rule.strip(tuple(range(n))[-1:], pool, "source", palette(pool, "source", LIGHT))
    drawn = base64.b64decode(address.partition(",")[2]).decode()
    for bar in ET.fromstring(drawn).findall("{http://www.w3.org/2000/svg}rect"):  # noqa: S314 - ours
        right = float(bar.get("x") or 0) + float(bar.get("width") or 0)
        assert right <= every_rule.STRIP_WIDTH + 0.01
