"""Rulings from the page: entries of their own, that can be taken back."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from poolscope.golden.actions import AddQuestion, Adjudicate, MarkPassage
from poolscope.golden.adjudication import disputes
from poolscope.golden.model import Mark, Passage, Question, Role, Who
from poolscope.golden.store import Store
from poolscope.ui import annotators, taking_back

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

OpenTab = Callable[..., "Screen"]
EVE = Who("Eve", Role.ADJUDICATOR)


def _rulings(screen: "Screen") -> list[Any]:
    return [each for each in screen.app.segmented_control if each.label == "Ruling"]


def _rule(screen: "Screen", mark: Mark) -> "Screen":
    _rulings(screen)[0].set_value(mark)
    return screen.run()


def test_an_annotator_reads_what_is_to_settle(open_tab: OpenTab) -> None:
    screen = open_tab("Agreement")
    words = f"Choose “{annotators.PARTS[Role.ADJUDICATOR]}” under your name to settle them."
    assert f"2 cells where annotators differ or could not tell. {words}" in screen.says
    assert "supports: Ann; does not: Ben. As it stands the cell is open." in screen.says
    assert not _rulings(screen)


def test_cells_of_all_questions_are_settled_from_any_of_them(
    open_tab: OpenTab, golden: Store
) -> None:
    golden.send("bare", AddQuestion(Question("bare", "What of it?"), (Passage("b 1", "x"),)), EVE)
    screen = open_tab("Agreement", who=EVE, question="bare")
    assert "Nothing yet: no cell in this question is marked by two annotators." in screen.says
    screen.named("button_group", "Agreement over").set_value("All questions")
    screen.run()
    assert "4 cells where annotators differ or could not tell." in screen.says
    for name in ("checkout", "handbook-work-abroad"):
        record = golden.record(name)
        assert record is not None
        assert screen.says.count(record.question.text) >= 2
    _rule(screen, Mark.SUPPORTS)
    assert "3 cells where annotators differ or could not tell, 1 settled." in screen.says
    assert golden.log()[-1].question == "checkout"


@pytest.mark.parametrize(
    ("scope", "where"),
    [("This question", "in this question"), ("All questions", "in the questions that are not")],
)
def test_agreement_is_said_of_the_questions_that_were_looked_at(
    open_tab: OpenTab, golden: Store, scope: str, where: str
) -> None:
    record = golden.record("checkout")
    assert record is not None
    marks = {(one.cell, one.annotator): one for one in record.judgements}
    for dispute in disputes(record):
        own = marks[dispute.cell, "Ben"]
        wanted = marks[dispute.cell, "Ann"].mark
        golden.send(
            "checkout",
            MarkPassage(dispute.facet.id, dispute.passage.key, wanted, own.version, 1),
            Who("Ben"),
        )
    screen = open_tab("Agreement")
    screen.named("button_group", "Agreement over").set_value(scope)
    screen.run()
    assert f"As marks stand now, annotators agree {where}" in screen.says


def test_a_ruling_is_kept_and_can_be_taken_back(open_tab: OpenTab, golden: Store) -> None:
    screen = open_tab("Agreement", who=EVE)
    before = len(golden.log())
    _rule(screen, Mark.SUPPORTS)
    assert "1 cell where annotators differ or could not tell, 1 settled." in screen.says
    last = golden.log()[-1]
    assert (last.kind, last.annotator, last.role) == ("Adjudicate", "Eve", Role.ADJUDICATOR)
    record = golden.record("checkout")
    assert record is not None
    ruled = [each for each in disputes(record) if each.is_ruled]
    assert [(each.passage.rank, each.comes_to) for each in ruled] == [(1, True)]
    assert ruled[0].marks == {"Ann": Mark.SUPPORTS, "Ben": Mark.DOES_NOT}

    screen.named("toggle", "Show those that are settled").set_value(True)
    screen.run()
    settled = _rulings(screen)[1]
    assert settled.value == Mark.SUPPORTS
    settled.set_value(None)
    screen.run()
    assert "2 cells where annotators differ or could not tell." in screen.says
    assert len(golden.log()) == before + 2


def test_rulings_are_undone_one_after_another_each_by_an_entry(
    open_tab: OpenTab, golden: Store
) -> None:
    screen = open_tab("Agreement", who=EVE)
    assert "Undo the last ruling" not in [button.label for button in screen.app.button]
    _rule(_rule(screen, Mark.SUPPORTS), Mark.DOES_NOT)
    assert "0 cells where annotators differ or could not tell, 2 settled." in screen.says
    undo = screen.named("button", "Undo the last ruling")
    assert undo.proto.shortcut == taking_back.KEY
    before = golden.log()
    screen.press("Undo the last ruling")
    assert "1 cell where annotators differ or could not tell, 1 settled." in screen.says
    (entry,) = golden.log()[len(before) :]
    assert (entry.kind, entry.undoes, entry.role) == ("Undo", before[-1].token, Role.ADJUDICATOR)
    screen.named("button_group", "Agreement over").set_value("All questions")
    screen.run().press("Undo the last ruling")
    assert golden.log()[-1].undoes == before[-2].token
    assert "Undo the last ruling" not in [button.label for button in screen.app.button]


def test_a_ruling_made_elsewhere_meanwhile_is_not_overwritten(
    open_tab: OpenTab, golden: Store
) -> None:
    screen = open_tab("Agreement", who=EVE)
    record = golden.record("checkout")
    assert record is not None
    cell = disputes(record)[0].cell
    golden.send(
        "checkout",
        Adjudicate(cell.facet, cell.passage, Mark.DOES_NOT, 0, 1),
        Who("Fay", Role.ADJUDICATOR),
    )
    _rule(screen, Mark.SUPPORTS)
    assert "in another window meanwhile. By Fay. Nothing was changed." in screen.says
    record = golden.record("checkout")
    assert record is not None
    assert disputes(record)[0].comes_to is False
