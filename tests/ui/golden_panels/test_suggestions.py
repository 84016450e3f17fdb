"""Suggestions on the page: after the pass, named as such, and never a mark of their own."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from poolscope.golden.actions import MarkPassage
from poolscope.golden.model import Cell, Mark, Saved, Who
from poolscope.golden.own_json import as_json
from poolscope.golden.store import Store

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

OpenTab = Callable[..., "Screen"]


def _labelled(screen: "Screen", kind: str, label: str) -> list[Any]:
    widgets: list[Any] = list(screen.app.get(kind))
    return [each for each in widgets if each.label == label]


def test_nothing_is_suggested_before_the_pass_is_done(open_tab: OpenTab) -> None:
    screen = open_tab("Suggestions", question="handbook-work-abroad", sample="healthy")
    assert "Suggestions are made after your own pass over this question is done" in screen.says
    assert "Possible" not in screen.says


def test_a_suggested_facet_is_added_under_a_name_of_ones_own(
    open_tab: OpenTab, golden: Store
) -> None:
    before = as_json(golden.golden_set())
    screen = open_tab("Suggestions")
    assert "None of this is a mark, and nothing of it is counted" in screen.says
    assert as_json(golden.golden_set()) == before
    # Two causes have no facet yet, of 5 and 4 passages.
    assert len(_labelled(screen, "text_input", "Name of the facet")) == 2
    assert "5 passages, mean cosine 0.75" in screen.says
    _labelled(screen, "button", "Add as a facet")[0].click()
    screen.run()
    assert "Name the facet first" in screen.says
    _labelled(screen, "text_input", "Name of the facet")[0].set_value("Retries hold the workers")
    _labelled(screen, "button", "Add as a facet")[0].click()
    screen.run()
    assert "Facet “Retries hold the workers” added, without a mark" in screen.says
    record = golden.record("checkout")
    assert record is not None
    assert [facet.label for facet in record.facets][1:] == ["Retries hold the workers"]
    assert {one.cell.facet for one in record.judgements} == {record.facets[0].id}


def test_suggested_support_is_marked_by_who_says_so(open_tab: OpenTab, golden: Store) -> None:
    facet = golden.facets("checkout")[0]
    taken_back = golden.passages("checkout")[1]
    for who in (Who("Ann"), Who("Ben")):  # now nobody says that rank 2 supports the facet
        for one in golden.marks("checkout", who):
            if one.annotator == who.name and one.cell.passage == taken_back.key:
                action = MarkPassage(facet.id, taken_back.key, Mark.DOES_NOT, one.version, 1)
                assert isinstance(golden.send("checkout", action, who), Saved)
    screen = open_tab("Suggestions", who=Who("Ben"))
    assert "you said: does not" in screen.says
    (button,) = _labelled(screen, "button", "I say it supports")
    button.click()
    screen.run()
    said = {
        one.annotator: one.mark
        for one in golden.marks("checkout", Who("Ben"))
        if one.cell == Cell(facet.id, taken_back.key)
    }
    assert said == {"Ann": Mark.DOES_NOT, "Ben": Mark.SUPPORTS}
    assert not _labelled(screen, "button", "I say it supports")


def test_without_the_pool_words_are_compared_and_it_is_said(open_tab: OpenTab) -> None:
    screen = open_tab("Suggestions", sample="monograph")
    assert "This question's pool is not open: passages are compared by shared words" in screen.says
