"""The app in a browser: what no other test sees, the live board, the map, the first address."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import UMAP_MS, WAIT_MS, becomes, idle, placed

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Server

TITLES = ["Top-k", "Capped", "MMR"]
CUT = """nodes => nodes.filter((node) => {
  const text = document.createRange();
  text.selectNodeContents(node);
  return text.getBoundingClientRect().width > node.getBoundingClientRect().width;
}).map((node) => node.textContent)"""
"""Texts that are wider than their boxes, by however little: they end in dots."""


def opened(page: Page, server: Server, address: str = "/?sample=monograph") -> Page:
    page.goto(server.address + address)
    page.locator(".board .column").nth(2).wait_for()
    return page


def coverage(page: Page, column: int) -> str:
    row = page.locator(".board .column").nth(column).locator("tr", has_text="Facet coverage")
    return row.locator("td.value").inner_text()


def _reasons(page: Page, column: int) -> str:
    """Say whether a column gives reasons: they come from the server, for its own setting."""
    left = page.locator(".board .column").nth(column).locator(".left li").all_inner_texts()
    return "given" if left and all(":" in line for line in left) else "waited for"


def lambda_slider(page: Page) -> Locator:
    return page.locator(".board .slider-lambda [role=slider]")


def test_a_sample_is_there_without_a_click(new_page: Callable[..., Page], server: Server) -> None:
    page = opened(new_page(), server, "/")
    columns = page.locator(".board .column")
    titles = [columns.nth(n).get_attribute("aria-label") for n in range(3)]
    assert titles == TITLES
    assert columns.nth(0).locator(".card:visible").count() == 5
    card = " ".join(columns.nth(0).locator(".card").first.inner_text().split())
    assert "4.8 Undesirable effects" in card
    assert "rank 1 · 0." in card
    assert coverage(page, 0) == "2 of 6"
    states = page.locator(".board .card:visible footer > span:last-child")
    assert states.count() == 15
    assert states.evaluate_all(CUT) == []
    assert page.locator(".board canvas:visible").count() >= 2
    assert page.get_by_role("heading", level=1).inner_text().endswith("?")
    assert page.locator("[data-testid=stException]").count() == 0


def test_a_key_moves_lambda_and_the_numbers_follow(
    new_page: Callable[..., Page], server: Server
) -> None:
    page = opened(new_page(), server)

    def shown() -> float:
        return float(lambda_slider(page).get_attribute("aria-valuenow") or "nan")

    becomes(page, lambda: coverage(page, 2), "5 of 6")
    lambda_slider(page).focus()
    page.keyboard.press("End")
    becomes(page, lambda: coverage(page, 2), "2 of 6")
    assert shown() == 1
    said = lambda_slider(page).get_attribute("aria-valuetext") or ""
    assert "the same as top-k" in said
    page.keyboard.press("ArrowLeft")
    becomes(page, lambda: 0.5 < shown() < 1, wanted=True)
    # A release reaches the server: the setting is still there after another page.
    page.keyboard.press("Home")
    becomes(page, shown, 0)
    becomes(page, lambda: _reasons(page, 2), "given")
    idle(page)
    page.get_by_role("link", name="Data").first.click()
    page.get_by_text("Which pool?").wait_for()
    page.get_by_role("link", name="Inspect").first.click()
    page.locator(".board .column").nth(2).wait_for()
    becomes(page, shown, 0)


def _until_quiet(page: Page, sent: list[float], seconds: float = 2.0) -> None:
    """Wait until the page has sent nothing for a while: a poll that never stops fails here."""
    last = time.monotonic() + WAIT_MS / 1000
    while time.monotonic() < last:
        page.wait_for_timeout(200)
        if sent and time.monotonic() - sent[-1] > seconds:
            return
    pytest.fail("the page keeps asking the server")


def test_umap_replaces_pca_and_the_page_comes_to_rest(
    new_page: Callable[..., Page], server: Server
) -> None:
    page = new_page()
    sent: list[float] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda _: sent.append(time.monotonic())),
    )
    opened(page, server, "/?sample=single-source")
    page.locator(".board").get_by_text(re.compile(r"\bUMAP\b(?! is being)")).first.wait_for(
        timeout=UMAP_MS
    )
    _until_quiet(page, sent)
    assert page.locator(".board").get_by_text("is being computed").count() == 0


def test_the_large_map_is_a_plotly_chart(new_page: Callable[..., Page], server: Server) -> None:
    page = opened(new_page(), server)
    page.get_by_text("Large map", exact=False).first.click()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.locator(".js-plotly-plot .legendtext").filter(has_text="MMR").first.wait_for()


def test_the_plain_board_has_the_same_columns_and_stock_sliders(
    new_page: Callable[..., Page], server: Server
) -> None:
    page = opened(new_page(), server)
    page.get_by_role("button", name="Rules").click()
    page.get_by_text("Plain sliders", exact=False).click()
    page.locator(".ps-column").nth(2).wait_for()
    idle(page)
    titles = page.locator(".ps-column h3").all_inner_texts()
    assert len(titles) == len(TITLES)
    assert all(name in title for name, title in zip(TITLES, titles, strict=True))
    slider = page.get_by_role("slider", name=re.compile("Lambda"))
    page.keyboard.press("Escape")
    slider.focus()
    slider.press("End")
    row = page.locator(".ps-column").nth(2).locator("tr", has_text="Facet coverage")
    becomes(page, lambda: row.locator("td.ps-value").inner_text(), "2 of 6")


def test_a_malformed_upload_shows_a_box_and_keeps_the_pool(
    new_page: Callable[..., Page], server: Server, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"query": "q", "candidates": [', encoding="utf-8")
    page = new_page()
    page.goto(server.address + "/data?sample=checkout")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(str(broken))
    page.get_by_text("This could not be read").wait_for()
    page.get_by_text("broken.json, line 1").wait_for()
    page.get_by_text("still here, unchanged").wait_for()
    assert page.locator("[data-testid=stException]").count() == 0
    page.get_by_role("link", name="Inspect").first.click()
    page.locator(".board .column").nth(2).wait_for()
    assert coverage(page, 0) == "1 of 3"


def test_labels_are_merged_and_a_click_opens_the_question_that_was_clicked(
    new_page: Callable[..., Page], server: Server, tmp_path: Path
) -> None:
    lines = [
        {
            "query_id": f"q{place}",
            "query": f"Matter {place}?",
            "candidates": [
                {"id": f"{place}-{rank}", "text": f"text {rank}", "source": source}
                for rank, source in enumerate([f"a.md#chunk-{n}" for n in range(1, place + 2)])
            ],
        }
        for place in range(4)
    ]
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    page = new_page()
    page.goto(server.address + "/data")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(str(file))
    page.get_by_text("4 questions, the most crowded first").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_text("Question 2 of 4").wait_for()
    idle(page)
    page.get_by_text("Merge labels that name one document").click()
    page.get_by_text("Part numbers: 2 → 1").click()
    page.get_by_text("2 sources would become 1.").wait_for()
    page.get_by_role("button", name="Apply").click()
    page.get_by_text("Merged by part numbers: 2 labels, 1 source.").wait_for()
    table = page.locator("[data-testid=stDataFrame]").first
    shown = table.locator("table tr").nth(4).locator("td").first
    becomes(page, shown.inner_text, "4")
    box = placed(table)
    page.mouse.click(box["x"] + 22, box["y"] + 35 * 4 + 17)
    page.get_by_text("Question 4 of 4").wait_for()


def test_a_hostile_passage_makes_no_element_and_no_request(
    new_page: Callable[..., Page], server: Server, tmp_path: Path
) -> None:
    attack = "<img src=http://203.0.113.1/x.png onerror=alert(1)> ![x](http://203.0.113.1/y.png)"
    row = f'{{"id": "%d", "source": "{attack}", "text": "{attack}", "team": "{attack}"}}'
    rows = ",".join(row % number for number in range(3))
    file = tmp_path / "hostile.json"
    file.write_text(f'{{"query": "{attack}", "candidates": [{rows}]}}', encoding="utf-8")
    page = new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.goto(server.address + "/data")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(str(file))
    page.get_by_text("3 of 3 rows").wait_for()
    page.get_by_role("link", name="Inspect").first.click()
    page.locator(".board .column").nth(2).wait_for()
    page.locator(".board .card:visible").first.hover()
    page.get_by_text("<img src=").first.wait_for()
    page.wait_for_timeout(300)
    assert page.locator("img[src*='203.0.113']").count() == 0


def test_a_pages_own_address_works_on_a_fresh_server(
    new_page: Callable[..., Page], new_server: Callable[[], Server]
) -> None:
    fresh = new_server()  # that of Annotate: test_login.py
    page = new_page()
    page.goto(f"{fresh.address}/explain")
    page.get_by_role("link", name="Inspect").first.wait_for()
    page.get_by_role("heading").first.wait_for()
    idle(page)
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.get_by_text("Page not found").count() == 0


def test_the_first_page_is_found_under_its_name_too(
    new_page: Callable[..., Page], server: Server
) -> None:
    page = new_page()
    page.goto(f"{server.address}/inspect?sample=healthy&lambda=0.4")
    page.wait_for_url(f"{server.address}/?sample=healthy&lambda=0.4")
    page.locator(".board[data-settled=true]").wait_for()
    assert page.url == f"{server.address}/?sample=healthy&lambda=0.4"
    assert not page.get_by_role("dialog").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)], ids=["wide", "narrow"])
def test_pictures_can_be_taken_and_nothing_hangs_over(
    new_page: Callable[..., Page],
    server: Server,
    tmp_path: Path,
    scheme: str,
    size: tuple[int, int],
) -> None:
    page = opened(new_page(scheme, size), server, "/?sample=healthy")
    picture = tmp_path / f"{scheme}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 20_000
    wide = page.evaluate(
        "Math.max(...[...document.querySelectorAll('[data-testid=stMain], .board')]"
        ".map(node => node.scrollWidth - node.clientWidth))"
    )
    assert wide <= 1
    background = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", background)[:3])) > 3 * 128
    assert light == (scheme == "light")
