"""What Streamlit does with a component: data may overtake data, whose clean-up then comes late."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import poolscope
from poolscope import analysis, annotator, board, projection
from poolscope.annotator.payload import payload, sheet
from poolscope.board import present
from poolscope.charts.theme import LIGHT, palette
from poolscope.golden.actions import AddFacet, AddQuestion
from poolscope.golden.model import Passage, Question, Who
from poolscope.golden.store import open_store
from poolscope.model import Policy
from tests.browser.conftest import REPO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from poolscope.analysis import Comparison
    from poolscope.board.scene import Scene

ADDRESS = "http://127.0.0.1:9/"
"""Answered by the test itself: a page of its own origin has a storage."""

HOST = """async ([script, html]) => {
    const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const { default: mount } = await import(address);
    const host = document.createElement('div');
    document.body.append(host);
    const parentElement = host.attachShadow({ mode: 'open' });
    parentElement.innerHTML = html;
    window.sent = [];
    window.host = host;
    window.mounted = (data) => mount({
        data: new TextEncoder().encode(data), parentElement,
        setStateValue: (name, value) => window.sent.push([name, value]),
        setTriggerValue: (name, value) => window.sent.push([name, value]),
    });
}"""
OVERTAKEN = """([first, second]) => {
    const left = window.mounted(first);
    window.left = window.mounted(second);
    left();
}"""
LEFT = "() => { window.host.remove(); window.left(); }"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    made = browser.new_page()
    made.route("**/*", lambda route: route.fulfill(body="<body></body>", content_type="text/html"))
    made.goto(ADDRESS)
    yield made
    made.close()


@pytest.fixture(scope="module")
def drawn() -> tuple[Comparison, Scene]:
    pool = poolscope.read(REPO / "sample_data" / "checkout.json").question().pool
    policy = Policy()
    colours = palette(pool, policy.key, LIGHT)
    scene = board.scene(pool, policy.key, projection.pca(pool), colours)
    return analysis.compare(pool, policy, ("mmr",)), scene


def overtaken(page: Page, script: str, html: str, first: object, second: object) -> None:
    """Mount a component with data that are overtaken at once."""
    page.evaluate(HOST, [script, html])
    page.evaluate(OVERTAKEN, [json.dumps(first), json.dumps(second)])


def sent(page: Page) -> list[str]:
    """Return the names of what a component sent since the last call."""
    found: list[str] = page.evaluate("() => window.sent.splice(0).map(([name]) => name)")
    return found


def test_the_sheet_hears_keys_until_it_is_left(page: Page, tmp_path: Path) -> None:
    ann = Who("Ann")
    with open_store(tmp_path / "golden.sqlite") as store:
        store.send("q", AddQuestion(Question("q", "Why?"), (Passage("p", "It fell.", "s"),)), ann)
        shown = [sheet(store, "q", ann)]
        store.send("q", AddFacet("f", "cause"), ann)
        shown.append(sheet(store, "q", ann))
    first, second = [payload(each, scope="s", theme=LIGHT) for each in shown if each is not None]
    overtaken(page, annotator.script(), annotator.HTML, first, second)
    page.locator(".facet").wait_for()
    page.keyboard.press("1")
    page.get_by_text("Saving 1").wait_for()
    assert sent(page) == ["strokes"]
    page.evaluate(LEFT)
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(1_200)  # two of its ticks
    assert sent(page) == []


def test_the_view_for_a_room_hears_keys_until_it_is_left(
    page: Page, drawn: tuple[Comparison, Scene]
) -> None:
    told = present.Told(place=0, count=2, of=2)
    data = present.talk(*drawn, told)
    overtaken(page, present.script(), present.HTML, data, data)
    page.locator(".talk-title").first.wait_for()
    page.keyboard.press("ArrowRight")
    assert sent(page) == ["turned"]
    page.evaluate(LEFT)
    page.keyboard.press("ArrowRight")
    assert sent(page) == []


def test_a_board_that_is_overtaken_while_its_code_is_loaded_is_drawn(
    page: Page, drawn: tuple[Comparison, Scene]
) -> None:
    data = board.whole(*drawn)
    overtaken(page, (board.HERE / "mount.js").read_text(encoding="utf-8"), board.HTML, data, data)
    page.locator(".column").nth(1).wait_for()
