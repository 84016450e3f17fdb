"""Explain, as a person reads it: trace, candidates, what would it take, two passages, answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


@pytest.fixture
def monograph(open_app: Callable[..., Screen]) -> Screen:
    return open_app().page("explain")


def test_the_trace_of_the_last_column_is_shown_first(monograph: Screen) -> None:
    trace = monograph.app.dataframe[0].value
    assert trace["slot"].tolist() == [1, 2, 3, 4, 5]
    assert trace["rank"].tolist() == [1, 12, 7, 5, 8]
    assert trace["because of"].tolist()[1:3] == ["rank 1", "rank 1"]
    assert trace["stands"].tolist()[0] == "0 to 1"


def test_every_candidate_has_a_slot_or_a_reason(monograph: Screen) -> None:
    table = monograph.app.dataframe[1].value
    assert len(table) == 54
    assert (table["reason"] == "selected").sum() == 5
    assert table["reason"].str.len().min() > 5


def test_a_facet_that_is_out_shows_the_cheapest_change(monograph: Screen) -> None:
    table = monograph.app.dataframe[2].value
    assert table["now"].tolist() == ["in"] * 5 + ["out"]
    change = str(table["the cheapest change that lets it in"].iloc[5])
    assert change.startswith(("k: 5 →", "lambda: 0.6 →"))


def test_applying_a_change_makes_it_the_setting_of_inspect(monograph: Screen) -> None:
    monograph.app.button(key="apply:mmr:0").click().run()
    assert set(monograph.app.dataframe[2].value["now"]) == {"in"}
    inspect = monograph.page("inspect")
    assert inspect.columns[2].coverage == "6 of 6"


def test_another_rule_is_explained_when_chosen(monograph: Screen) -> None:
    monograph.app.segmented_control[0].set_value(0).run()
    assert monograph.app.dataframe[0].value["rank"].tolist() == [1, 2, 3, 4, 5]
    assert "as set on Inspect: the baseline" in monograph.says


def test_two_overlapping_passages_show_their_shared_text(monograph: Screen) -> None:
    assert any("<mark>" in block for block in monograph.blocks)


def test_an_answer_is_held_against_the_context(monograph: Screen) -> None:
    answer = "Nausea and dizziness are very common [1]. Azole antifungals raise the level [2]."
    monograph.app.text_area[0].set_value(answer).run()
    uses = next(t.value for t in monograph.app.dataframe if "used" in t.value.columns)
    assert uses["used"].tolist()[:2] == ["cited", "cited"]
    stages = next(t.value for t in monograph.app.dataframe if "stage" in t.value.columns)
    assert "in context and used" in set(stages["stage"])
    assert "Of 6 facets the answer makes" in monograph.says


def test_a_citation_of_nothing_in_the_context_is_listed(monograph: Screen) -> None:
    monograph.app.text_area[0].set_value("Nausea is common [9].").run()
    assert "Citations of something that is not in the context" in monograph.says
    assert any("<li>9</li>" in block or "<li>[9]</li>" in block for block in monograph.blocks)


@pytest.mark.parametrize("name", ["deploy-guide-6", "checkout", "agent-memory"])
def test_it_opens_on_every_kind_of_pool(open_app: Callable[..., Screen], name: str) -> None:
    screen = open_app(sample=name).page("explain")
    assert "Why is it here, why not?" in screen.says
