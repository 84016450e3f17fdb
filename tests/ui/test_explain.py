"""Explain, as a person reads it: trace, candidates, what would it take, two passages, answer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from poolscope.ui import state
from poolscope.ui.state import Key
from tests.ui.conftest import words

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


MONOGRAPH_ANSWER = (
    "Nausea and dizziness are very common [1]. Azole antifungals raise the level [2]. "
    "Warfarin acts more strongly [3]."
)


@pytest.fixture
def monograph(open_app: Callable[..., Screen]) -> Screen:
    return open_app().page("explain")


def opened(screen: Screen, panel: str) -> Screen:
    """Open a panel as its tab does."""
    screen.app.session_state[state.key(Key.PANEL)] = panel
    # The browser calls the tabs' own callback, which a script run by hand does not.
    screen.app.session_state[state.SLOT] = dataclasses.replace(
        screen.app.session_state[state.SLOT], panel=panel
    )
    return screen.run()


def table(screen: Screen, label: str) -> dict[str, list[str]]:
    """Return a table's cells by heading."""
    found = [t for block in screen.elements for t in block.iter("table")]
    (shown,) = [item for item in found if str(item.get("aria-label")).startswith(label)]
    headings = [words(cell) for cell in shown.iter("th")]
    rows = [[words(cell) for cell in row.iter("td")] for row in shown.iter("tr")]
    columns: Sequence[tuple[str, ...]] = list(zip(*(row for row in rows if row), strict=True))
    return {name: list(cells) for name, cells in zip(headings, columns, strict=True)}


def figures(screen: Screen) -> list[dict[str, str]]:
    """Return the figures of every suggested change by their label."""
    lists = [item for block in screen.elements for item in block.iter("dl")]
    return [
        {words(figure[0]): words(figure[1]) for figure in item.findall("div")} for item in lists
    ]


def answered(screen: Screen, text: str) -> Screen:
    """Paste an answer."""
    opened(screen, "Answer").app.text_area[0].set_value(text)
    return screen.run()


def test_the_trace_of_the_last_column_is_shown_first(monograph: Screen) -> None:
    trace = table(monograph, "The picks")
    assert trace["slot"] == ["1", "2", "3", "4", "5"]
    ranks = [text.split(" · ")[0] for text in trace["passage"]]
    assert ranks == ["rank 1", "rank 12", "rank 7", "rank 5", "rank 8"]
    assert [text.split("cosine")[0] for text in trace["most like"][1:3]] == ["rank 1", "rank 1"]
    assert trace["stands"][0] == "0 to 1"


def test_a_blank_has_its_reason_and_nothing_says_none(open_app: Callable[..., Screen]) -> None:
    for name in ("monograph", "deploy-guide-8"):
        screen = open_app(sample=name).page("explain")
        assert table(screen, "The picks")["penalty"][0] == "—"
        assert "— the first pick has no pick before it to be like" in screen.says
        for panel in ("Trace", "What would it take"):
            assert "None" not in opened(screen, panel).says
            assert "nan" not in screen.says.split()


def test_a_rule_that_selects_nothing_is_not_the_first_shown_and_says_why(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app(sample="deploy-guide-8").page("explain")
    assert screen.app.segmented_control[0].value == 1
    screen.app.segmented_control[0].set_value(2).run()
    assert "Nothing is selected." in screen.says
    assert "8 candidates: it has no vector, and this rule weighs similarity" in screen.says
    answered(screen, "The liveness probe kills a node.")
    assert "the answer had no context" in screen.says
    facets = table(screen, "What became of each facet")
    assert facets["made"] == ["possibly", "not known", "not known"]


def test_every_candidate_has_a_slot_or_a_reason(monograph: Screen) -> None:
    (frame,) = opened(monograph, "Every candidate").app.dataframe
    assert json.loads(frame.proto.columns)["score"]["type_config"]["format"] == "%.4f"
    shown = frame.value
    assert len(shown) == 54
    assert (shown["reason"] == "selected").sum() == 5
    assert shown["reason"].str.len().min() > 5
    assert shown["slot"].notna().sum() == 5


def test_a_facet_that_is_out_shows_what_its_change_costs(monograph: Screen) -> None:
    shown = table(opened(monograph, "What would it take"), "Every facet")
    assert shown["now"] == ["in"] * 5 + ["out"]
    assert shown["the change that costs least relevance"][5] == "k 5 → 33"
    assert shown["facets covered"][5] == "5 → 6 of 6+1"
    assert shown["tokens"][5] == "512 → 3,079+2,567 (6.0 times)"


def test_a_change_shows_coverage_relevance_and_tokens_in_one_row(monograph: Screen) -> None:
    found = figures(opened(monograph, "What would it take"))
    assert [list(item) for item in found] == [["facets covered", "mean relevance", "tokens"]] * 2
    assert found[1]["facets covered"] == "5 → 4 of 6−1"  # noqa: RUF001 - a true minus sign
    assert "Lost: “Rare but serious side effects”, “Warfarin" in monograph.says
    assert "Lost: no facet" in monograph.says
    assert "Gained: “Beta-blockers or diltiazem: pulse slows further”" in monograph.says


def test_applying_a_change_makes_it_the_setting_of_inspect(monograph: Screen) -> None:
    opened(monograph, "What would it take").app.button(key="apply:mmr:0").click().run()
    assert set(table(monograph, "Every facet")["now"]) == {"in"}
    inspect = monograph.page("inspect")
    assert inspect.columns[2].coverage == "6 of 6"


def test_an_applied_change_is_said_and_undone(monograph: Screen) -> None:
    opened(monograph, "What would it take").app.button(key="apply:mmr:1").click().run()
    assert "Applied: lambda 0.6 → 0.41" in monograph.says
    assert "as set on Inspect: lambda 0.41" in monograph.says
    monograph.page("inspect").page("explain")
    assert "Applied: lambda 0.6 → 0.41" in monograph.says
    monograph.press("Undo")
    assert "Applied:" not in monograph.says
    assert "as set on Inspect: lambda 0.6" in monograph.says
    assert monograph.page("inspect").columns[2].setting == "lambda 0.6"


def test_two_applied_changes_are_undone_one_after_the_other(monograph: Screen) -> None:
    opened(monograph, "What would it take").app.button(key="apply:mmr:1").click().run()
    monograph.named("selectbox", "Facet").set_value(1).run()
    monograph.app.button(key="apply:mmr:1").click().run()
    assert "Applied: pool depth 54 → 9" in monograph.says
    monograph.press("Undo")
    assert "Applied: lambda 0.6 → 0.41" in monograph.says
    monograph.press("Undo")
    assert "as set on Inspect: lambda 0.6" in monograph.says


def test_a_setting_moved_by_hand_after_that_ends_the_offer_to_undo(monograph: Screen) -> None:
    opened(monograph, "What would it take").app.button(key="apply:mmr:1").click().run()
    monograph.page("inspect").slide("Lambda", 0.8).page("explain")
    assert "Applied:" not in monograph.says


def test_the_open_panel_and_its_choices_survive_a_page_switch(monograph: Screen) -> None:
    opened(monograph, "What would it take")
    monograph.named("radio", "Let in").set_value("a passage").run()
    monograph.choose("Passage", 20)
    monograph.page("inspect").page("explain")
    assert monograph.named("radio", "Let in").value == "a passage"
    assert monograph.named("selectbox", "Passage").value == 20
    assert opened(monograph, "Two passages").named("selectbox", "First").value == 20


def test_another_rule_is_explained_when_chosen(monograph: Screen) -> None:
    monograph.app.segmented_control[0].set_value(0).run()
    passages = table(monograph, "The picks")["passage"]
    assert [text.split(" · ")[0] for text in passages] == [f"rank {i}" for i in range(1, 6)]
    assert "as set on Inspect: the baseline" in monograph.says


def test_two_overlapping_passages_show_their_shared_text(monograph: Screen) -> None:
    assert any("<mark>" in block for block in opened(monograph, "Two passages").blocks)


def test_an_answer_is_held_against_the_context(monograph: Screen) -> None:
    answered(monograph, MONOGRAPH_ANSWER)
    uses = table(monograph, "What the answer used")
    assert uses["used"] == ["cited", "cited", "cited", "no sign", "no sign"]
    assert uses["wording that the answer shares"][0] == "Nausea … dizziness … common"
    assert "Of 6 facets the answer makes 2 (cited with matching wording)" in monograph.says


def test_every_facet_names_the_grade_of_its_evidence(monograph: Screen) -> None:
    facets = table(answered(monograph, MONOGRAPH_ANSWER), "What became of each facet")
    assert facets["made"] == ["yes", "no", "yes", "possibly", "possibly", "not known"]
    how = facets["how that is known"]
    assert how[0].startswith("cited, and the sentence's wording matches“Nausea")
    # The sentence that cites passage 2 makes one of the three facets that it supports.
    assert how[3].startswith("cited only, and the wording points to another facet")
    assert how[4].startswith("its label's wording, resting on no passage that supports it")
    assert how[5] == "—"


def test_what_rests_on_wording_only_is_no_accusation(monograph: Screen) -> None:
    answered(monograph, "Everything is fine with these tablets.")
    assert "rests on wording only" in monograph.says
    assert "Generation ignored" not in monograph.says
    facets = table(monograph, "What became of each facet")
    assert set(facets["made"][:5]) == {"not known"}


def test_the_numbering_is_said_and_can_be_changed(monograph: Screen) -> None:
    answered(monograph, "Nausea and dizziness are very common [0].")
    assert "A 0 is cited: numbers count from 0, so 0 is slot 1." in monograph.says
    assert table(monograph, "What the answer used")["used"][0] == "cited"
    monograph.named("button_group", "Numbers in the answer").set_value("slots from 1").run()
    assert "as you chose" in monograph.says
    assert "Citations of something that is not in the context" in monograph.says


def test_a_citation_of_nothing_in_the_context_is_listed(monograph: Screen) -> None:
    answered(monograph, "Nausea is common [9].")
    assert "Citations of something that is not in the context" in monograph.says
    assert any("<li>9</li>" in block or "<li>[9]</li>" in block for block in monograph.blocks)


@pytest.mark.parametrize("name", ["deploy-guide-6", "checkout", "agent-memory"])
def test_it_opens_on_every_kind_of_pool(open_app: Callable[..., Screen], name: str) -> None:
    screen = open_app(sample=name).page("explain")
    assert "Why is it here, why not?" in screen.says
    for panel in ("Every candidate", "What would it take", "Two passages", "Answer"):
        opened(screen, panel)


def test_a_preset_is_explained_by_what_its_own_system_did(open_app: Callable[..., Screen]) -> None:
    screen = open_app().choose("Column 2", "mmr").choose("Column 3", "preset:llamaindex_mmr")
    screen.slide("Lambda", 0.5)
    shown = screen.columns[2].ranks
    assert shown != screen.columns[1].ranks
    screen.page("explain")
    traced = table(screen, "The picks")
    assert [int(cell.split()[1]) for cell in traced["passage"]] == shown
    assert "stands" not in traced  # its lambda is no slider
    opened(screen, "What would it take")
    assert "“LlamaIndex MMR” keeps settings of its own" in screen.says
    opened(screen, state.EVERY_CANDIDATE)
    assert not screen.app.exception


def test_a_preset_that_selects_nothing_says_what_it_lacks(open_app: Callable[..., Screen]) -> None:
    screen = open_app().choose("Column 3", "preset:agentmemory").page("explain")
    screen.app.segmented_control[0].set_value(2).run()
    assert "Nothing is selected: it needs a field “session”." in screen.says
    assert "not among the best 0" not in screen.says
