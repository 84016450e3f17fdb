"""What Streamlit does with a component: data may overtake data, whose clean-up then comes late."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

import poolscope
from poolscope import analysis, annotator, board, projection
from poolscope.annotator.payload import payload, sheet
from poolscope.annotator.strokes import Became, Outcome, Sent
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
    from poolscope.annotator.payload import Json
    from poolscope.board.scene import Scene
    from poolscope.golden.store import Store

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
ANSWERED = "(data) => { window.left = window.mounted(data); }"
LEFT = "() => { window.host.remove(); window.left(); }"


ANN = Who("Ann")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A golden set with one question, one passage and no facet."""
    with open_store(tmp_path / "golden.sqlite") as opened:
        passages = (Passage("p", "It fell.", "s"),)
        opened.send("q", AddQuestion(Question("q", "Why?"), passages), ANN)
        yield opened


def answer(store: Store, *outcomes: Outcome, heard: int = 0) -> dict[str, Json]:
    """Return what the sheet is given now."""
    shown = sheet(store, "q", ANN)
    assert shown is not None
    return payload(shown, scope="s", theme=LIGHT, outcomes=outcomes, heard=heard)


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


def test_the_sheet_hears_keys_until_it_is_left(page: Page, store: Store) -> None:
    first = answer(store)
    store.send("q", AddFacet("f", "cause"), ANN)
    overtaken(page, annotator.script(), annotator.HTML, first, answer(store))
    page.locator(".facet").wait_for()
    page.keyboard.press("1")
    page.get_by_text("Saving 1").wait_for()
    assert sent(page) == ["strokes"]
    page.evaluate(LEFT)
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(1_200)  # two of its ticks
    assert sent(page) == []


def test_who_works_where_is_remembered_until_it_is_left(page: Page) -> None:
    one, two = ({"here": {"part": part}} for part in ("one", "two"))
    overtaken(page, annotator.script(), annotator.HTML, one, two)
    for cookie in ("part=two", ""):
        page.context.clear_cookies()
        page.evaluate("window.dispatchEvent(new Event('focus'))")
        assert page.evaluate("document.cookie") == cookie
        page.evaluate(LEFT)


def test_why_a_stroke_is_not_saved_stands_there_until_it_is(page: Page, store: Store) -> None:
    page.clock.install()
    store.send("q", AddFacet("f", "cause"), ANN)
    overtaken(page, annotator.script(), annotator.HTML, answer(store), answer(store))
    page.keyboard.press("1")
    message = page.evaluate("() => window.sent.splice(0)[0][1]")
    stroke = Sent(message["strokes"][0]["token"])
    failed = Outcome(stroke, Became.FAILED, "It is locked.", "Wait.")
    page.clock.run_for(7_000)  # the server waited for the lock all the time
    beat = page.evaluate("() => window.sent.splice(0).pop()[1].beat")
    page.evaluate(ANSWERED, json.dumps(answer(store, failed, heard=beat)))
    why = page.get_by_text("1 stroke not saved. It is locked. Wait.")
    again = page.get_by_role("button", name="Try again")
    for _ in range(4):
        page.clock.run_for(1_000)
        assert (why.count(), again.count(), sent(page)) == (1, 1, [])
    page.clock.run_for(2_000)
    assert sent(page)[:1] == ["strokes"]
    assert (why.count(), again.count()) == (1, 0)
    assert page.get_by_text("Trying again.").count() == 1
    page.evaluate(ANSWERED, json.dumps(answer(store, heard=beat)))  # of the attempt before
    assert why.count() == 1
    saved = Outcome(dataclasses.replace(stroke, attempt=1), Became.SAVED, version=1)
    page.evaluate(ANSWERED, json.dumps(answer(store, saved, heard=beat)))
    assert page.get_by_text("All saved").count() == 1


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
