"""Pins, bans and Explain from the board: what is asked about a held passage is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from poolscope import formats
from poolscope.model import Policy, Pool
from poolscope.selection import select
from tests.browser.conftest import becomes

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Server

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "checkout.json"
RANKS = """column => [...column.querySelectorAll('.card:not([hidden]) header > span')]
    .map(span => parseInt(span.textContent.slice(5), 10))"""


@pytest.fixture
def pool() -> Pool:
    return formats.read(SAMPLE.read_bytes(), SAMPLE.name).question().pool


@pytest.fixture
def page(server: Server, new_page: Callable[..., Page]) -> Page:
    made = new_page()
    made.goto(f"{server.address}/?sample=checkout")
    made.locator(".board[data-settled=true]").wait_for()
    return made


def ranks(page: Page, column: int) -> list[int]:
    found: list[int] = page.locator(".board .column").nth(column).evaluate(RANKS)
    return found


def wait_for(page: Page, column: int, policy: Policy, pool: Pool) -> None:
    """Wait until a column shows what Python selects."""
    wanted = [index + 1 for index in select(pool, policy).ordered]
    becomes(page, lambda: ranks(page, column), wanted)


def test_a_held_passage_is_banned_pinned_and_released(page: Page, pool: Pool) -> None:
    mmr = Policy(selector="mmr")
    baseline = ranks(page, 0)
    second = ranks(page, 2)[1]
    page.locator(".board .column").nth(2).locator(".card").nth(1).click()
    bar = page.locator(".board .held-bar")
    bar.get_by_role("button", name="Ban").click()
    banned = mmr.with_ban(pool.ids[second - 1])
    wait_for(page, 2, banned, pool)
    page.get_by_text("Banned: rank").wait_for()
    bar.locator(".held-state", has_text="banned by hand").wait_for()
    bar.get_by_role("button", name="Pin").click()
    wait_for(page, 2, mmr.with_pin(pool.ids[second - 1]), pool)
    page.get_by_text("Pinned: rank").wait_for()
    assert ranks(page, 0) == baseline
    page.get_by_role("button", name="Release all").click()
    wait_for(page, 2, mmr, pool)
    page.get_by_text("Pinned: rank").wait_for(state="detached")


def test_explain_opens_on_the_held_passage(page: Page, pool: Pool) -> None:
    third = ranks(page, 2)[2]
    page.locator(".board .column").nth(2).locator(".card").nth(2).click()
    page.locator(".board .held-bar").get_by_role("button", name="Explain").click()
    page.wait_for_url("**/explain?*")
    page.locator(".board").wait_for(state="detached")  # it has a button of that name too
    page.get_by_text(f"Rank {third} · ").first.wait_for()
    page.get_by_text(pool.texts[third - 1][:40]).last.wait_for()
    page.get_by_role("button", name="Ban", exact=True).click()
    page.get_by_text("banned by hand").first.wait_for()
    page.get_by_text("Banned: rank").wait_for()
