"""The view for a room, what is handed on, the link, and what a screen reader meets."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from poolscope import analysis, formats, projection, samples
from poolscope.model import Policy
from poolscope.report.page import page as written
from tests.browser.conftest import WAIT_MS, Server, becomes, idle

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

"""What comes sooner is taken for a run that was asked for before the browser had the address."""

SERIOUS = {"serious", "critical"}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAGES = {
    "Inspect": "",
    "Data": "data",
    "Explain": "explain",
    "Annotate": "annotate",
    "Evaluate": "evaluate",
    "Present": "present",
    "Hand over": "hand_over",
}
"""The name of each page, and its path."""

AXE = "() => axe.run(document, {resultTypes: ['violations']})"


def violations(page: "Page") -> list[tuple[str, str]]:
    """Return what a screen reader stumbles over on a page, the serious alone."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found: dict[str, Any] = page.evaluate(AXE)
    return [
        (item["id"], str(item["nodes"][0]["target"]))
        for item in found["violations"]
        if item["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_makes_a_screen_reader_stumble(
    new_page: Callable[..., "Page"], server: Server, scheme: str
) -> None:
    page = new_page(scheme)
    # Without vectors no map is computed meanwhile, which would draw the page once more.
    page.goto(f"{server.address}/?sample=deploy-guide-8&rules=grouped_cap,two_pass_cap")
    for name, path in PAGES.items():
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_url(f"{server.address}/{path}?sample=*")
        page.get_by_role("button", name="Copy link").wait_for()
        idle(page)
        page.locator("[data-testid=stStatusWidget]").wait_for(state="detached")
        assert violations(page) == [], name
    page.goto(f"{server.address}/?pool=0123456789abcdef")
    page.get_by_text("has not seen").wait_for()
    idle(page)
    assert violations(page) == []


def test_no_file_makes_a_screen_reader_stumble(browser: "Browser", tmp_path: Path) -> None:
    found = samples.SAMPLES[2]
    pool = formats.read(samples.data(found), found.file).question(0).pool
    file = tmp_path / "file.html"
    compared = analysis.compare(pool, Policy(), ("grouped_cap", "two_pass_cap"))
    file.write_text(written(compared, projection.pca(pool)), encoding="utf-8")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(file.as_uri())
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.locator(".board[data-settled=true]").wait_for()
        assert violations(page) == [], scheme
    context.close()


def test_the_view_for_a_room_is_driven_by_keys(
    new_page: Callable[..., "Page"], server: Server
) -> None:
    page = new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server.address}/present?sample=monograph")
    page.locator(".talk-figure b").last.wait_for()
    idle(page)
    assert page.locator(".talk-figure b").all_inner_texts() == ["2 of 6", "5 of 6"]
    page.get_by_role("link", name="Present").first.focus()  # where a click in the sidebar leaves it
    page.keyboard.press(" ")  # without motion: back to plain top-k, then a step at a time
    assert page.locator(".talk-word").inner_text() == "Lambda 1.00"
    assert page.locator(".talk-figure b").all_inner_texts() == ["2 of 6", "2 of 6"]
    assert page.locator(".talk-list .entered").count() == 0
    seen = set()
    for _ in range(40):
        page.keyboard.press("ArrowDown")
        seen.add(page.locator(".talk-figure b").last.inner_text())
    assert page.locator(".talk-word").inner_text() == "Lambda 0.00"
    assert {"2 of 6", "5 of 6"} <= seen
    page.emulate_media(reduced_motion="no-preference")
    page.keyboard.press(" ")
    page.locator(".talk.playing").wait_for()
    page.locator(".talk:not(.playing)").wait_for()
    assert page.locator(".talk-word").inner_text() == "Lambda 0.60"
    assert page.locator(".talk-figure b").last.inner_text() == "5 of 6"
    box, foot = page.locator(".talk").bounding_box(), page.locator(".talk-foot").bounding_box()
    assert box is not None
    assert foot is not None
    assert box["y"] + box["height"] <= 900  # all of it is on one screen
    page.goto(f"{server.address}/present?sample=monograph&k=40")
    page.get_by_text("and 4 more").last.wait_for()
    rows = page.locator(".talk-list li:visible").evaluate_all(
        "rows => rows.map((row) => row.clientHeight - row.firstChild.offsetHeight)"
    )
    assert len(rows) == 2 * 36
    assert min(rows) >= 0  # every name is whole


def test_the_next_question_is_a_key_away_and_in_the_address(
    new_page: Callable[..., "Page"], server: Server, tmp_path: Path
) -> None:
    file = tmp_path / "two.json"
    rows = [
        {"id": f"p{i}", "text": f"t {i}", "source": f"s{i % 2}", "score": 9 - i} for i in range(5)
    ]
    file.write_text(
        json.dumps([{"query": f"Question {n}?", "candidates": rows} for n in ("one", "two")])
    )
    page = new_page()
    page.goto(f"{server.address}/data")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text("Question 1 of 2").wait_for()
    page.get_by_role("link", name="Present").first.click()
    page.get_by_role("heading", name="Question one?").wait_for()
    idle(page)
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Question two?").wait_for()
    page.wait_for_url("**/present?pool=*&question=2*")
    colleague = new_page()
    colleague.goto(page.url)
    colleague.get_by_role("heading", name="Question two?").wait_for()


def test_a_release_is_in_the_link_and_files_are_made(
    new_page: Callable[..., "Page"], server: Server, tmp_path: Path
) -> None:
    page = new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{server.address}/?sample=checkout")
    page.locator(".board[data-settled=true]").wait_for()
    box = page.locator(".slider-cap .slider-box")
    box.fill("1")
    box.press("Enter")
    page.wait_for_url("**/?sample=checkout&cap=1")
    idle(page)
    cap = page.locator(".slider-cap [role=slider]")
    page.go_back()
    expect(cap).to_have_attribute("aria-valuenow", "2")
    page.wait_for_url("**/?sample=checkout")
    page.go_forward()
    expect(cap).to_have_attribute("aria-valuenow", "1")
    page.wait_for_url("**/?sample=checkout&cap=1")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    becomes(page, lambda: page.evaluate("() => navigator.clipboard.readText()"), page.url)
    page.get_by_role("link", name="Hand over").first.click()
    page.wait_for_url("**/hand_over?sample=checkout&cap=1")
    page.get_by_role("button", name="Rank strip as PNG").wait_for()
    for button, beginning in (
        ("Rank strip as PNG", b"\x89PNG"),
        ("Map as SVG", b"<svg"),
        ("Selections as CSV", b"column,rule"),
        ("Download the HTML file", b"<!doctype html>"),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        target = tmp_path / download.value.suggested_filename
        download.value.save_as(target)
        assert target.read_bytes().startswith(beginning)
    assert b'"cap":1' in target.read_bytes()
