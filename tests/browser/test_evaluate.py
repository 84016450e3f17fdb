"""Evaluate in a browser: a run in the background, and the way from a question to the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Server


def test_from_the_sweep_to_the_question_that_differs_most(
    new_page: Callable[..., Page], server: Server
) -> None:
    page = new_page()
    page.goto(f"{server.address}/evaluate?sample=help-centre")
    page.get_by_text("No lambda is shown to beat plain top-k (lambda 1)").wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    assert page.get_by_text("34 questions: 15 with several components").count() == 1
    page.get_by_role("radio", name="Two settings").click()
    page.get_by_text("The questions that differ most").wait_for()
    page.wait_for_url("**/evaluate?sample=help-centre&section=two-settings")
    page.get_by_role("button", name="Inspect").first.click()
    page.locator(".board .column").nth(2).wait_for()
    assert page.get_by_role("heading", level=1).inner_text().startswith("What does it cost to ride")
    assert [_coverage(page, column) for column in (0, 2)] == ["1 of 3", "2 of 3"]
    page.wait_for_url("**/?sample=help-centre&lambda=*")
    page.go_back()  # once: a page is one entry, although its parameters come after it
    page.get_by_text("The questions that differ most").wait_for()
    page.wait_for_url("**/evaluate?*section=two-settings")
    assert page.locator("[data-testid=stException]").count() == 0


def _coverage(page: Page, column: int) -> str:
    row = page.locator(".board .column").nth(column).locator("tr", has_text="Facet coverage")
    return row.locator("td.value").inner_text()
