"""Settling cells and taking the golden set along as a file, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from poolscope.golden.actions import AddFacet, AddQuestion, FinishPass, MarkPassage
from poolscope.golden.model import Mark, Passage, Question, Role, Who
from poolscope.golden.own_json import from_json
from poolscope.golden.store import open_store
from tests.browser.conftest import idle, introduce

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Server

QUESTION = "panels"
TEXT = "Which <b>part</b> broke?"


def _marked_by_two(golden: Path) -> None:
    """Put a question into the golden set of which Ann and Ben differ in the first passage."""
    passages = (Passage("panels 1", "The *pump* broke."), Passage("panels 2", "All is well."))
    with open_store(golden) as store:
        store.send(QUESTION, AddQuestion(Question(QUESTION, TEXT), passages), Who("Ann"))
        store.send(QUESTION, AddFacet("panels-a", "the *pump*"), Who("Ann"))
        for name, first in (("Ann", Mark.SUPPORTS), ("Ben", Mark.DOES_NOT)):
            for passage, mark in zip(passages, (first, Mark.DOES_NOT), strict=True):
                action = MarkPassage("panels-a", passage.key, mark, 0, 1)
                store.send(QUESTION, action, Who(name))
            store.send(QUESTION, FinishPass(), Who(name))


def test_a_cell_is_settled_and_the_set_is_taken_along(
    server: "Server", new_page: "Callable[..., Page]", tmp_path: Path
) -> None:
    _marked_by_two(server.golden)
    page = new_page(profile="ida")
    page.goto(f"{server.address}/annotate")
    introduce(page, "Ida")
    idle(page)
    page.get_by_role("button", name="Ida").click()
    page.get_by_text("I settle where others differ").click()
    page.get_by_role("button", name="Ida, adjudicator").wait_for()
    idle(page)
    page.keyboard.press("Escape")
    box = page.get_by_role("combobox", name="Question")
    box.fill(TEXT)
    page.get_by_role("option", name=TEXT).wait_for()
    page.keyboard.press("Enter")
    page.locator(".sheet .question", has_text=TEXT).wait_for()
    idle(page)

    page.get_by_role("tab", name="Agreement").click()
    page.get_by_text("supports: Ann; does not: Ben. As it stands the cell is open.").wait_for()
    idle(page)
    page.get_by_role("radio", name="does not").click()
    page.get_by_text("0 cells where annotators differ or could not tell, 1 settled.").wait_for()
    idle(page)
    page.keyboard.press("u")
    page.get_by_text("1 cell where annotators differ or could not tell.").wait_for()
    page.reload()  # the part, the tab and the question stay
    page.get_by_role("button", name="Ida, adjudicator").wait_for()
    idle(page)
    page.get_by_role("radio", name="does not").click()
    page.get_by_text("0 cells where annotators differ or could not tell, 1 settled.").wait_for()

    page.get_by_role("tab", name="Files").click()
    page.get_by_role("button", name="Download").wait_for()
    idle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "golden.json"
    with open_store(server.golden) as store:
        kept = store.golden_set()
    found = from_json(path.read_text(encoding="utf-8"))
    # Sheets of other tests may still send what they hold to questions of their own.
    (record,) = (one for one in found.records if one.question.id == QUESTION)
    (here,) = (one for one in kept.records if one.question.id == QUESTION)
    assert record.without_versions == here.without_versions
    rulings = [one for one in record.judgements if one.role is Role.ADJUDICATOR]
    assert [(one.annotator, one.mark) for one in rulings] == [("Ida", Mark.DOES_NOT)]
