"""The figures as they stand on the page, and what is hidden from whom."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from poolscope.golden.model import Mark, Role, Who
from poolscope.golden.store import Store

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

OpenTab = Callable[..., "Screen"]
EVE = Who("Eve", Role.ADJUDICATOR)


def _table(screen: "Screen") -> list[list[str]]:
    found = [block for block in screen.elements if block.find(".//table") is not None]
    rows = found[0].findall(".//tbody/tr")
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def test_figures_stand_by_facet_and_overall_with_their_counts(open_tab: OpenTab) -> None:
    screen = open_tab("Agreement")
    # Ann supports 30 of 50, Ben 28 of them: raw 48/50, chance (30 * 28 + 20 * 22) / 50²,
    # alpha 1 - 99 * 2 / (58 * 42), AC1's chance 2 * 0.58 * 0.42.
    numbers = ["50supports 58, does not 42", "50", "0.96", "0.92", "0.92", "0.92"]
    assert _table(screen) == [
        ["All connections to the orders database are in use", *numbers],
        ["Overall", *numbers],
    ]
    assert "Ann, Ben. Labels given: supports 58, does not 42; missing: 0." in screen.says
    assert "a cell with one label is left out" in screen.says


def test_a_question_whose_own_pass_is_not_done_stays_hidden(open_tab: OpenTab) -> None:
    screen = open_tab("Agreement", question="handbook-work-abroad", sample="healthy")
    assert "Others' marks on this question stay hidden until your own pass" in screen.says
    assert "Ben" not in screen.says
    assert not [block for block in screen.elements if block.find(".//table") is not None]

    screen.named("button_group", "Agreement over").set_value("All questions")
    screen.run()
    assert "1 question of 2 left out" in screen.says
    assert _table(screen)[0][0].startswith("All connections")
    assert len(_table(screen)) == 2


def test_an_adjudicator_sees_every_question(open_tab: OpenTab, golden: Store) -> None:
    screen = open_tab("Agreement", who=EVE, question="handbook-work-abroad", sample="healthy")
    assert "stay hidden until your own pass over" not in screen.says
    assert "Ann, Ben. Labels given" in screen.says
    record = golden.record("handbook-work-abroad")
    assert record is not None
    supports = sum(one.mark is Mark.SUPPORTS for one in record.judgements)
    assert _table(screen)[-1][1].startswith(f"45supports {supports}")
