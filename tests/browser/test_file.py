"""The file in a browser whose network is cut: every slider gives what Python selects."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

from poolscope import analysis, formats, projection, samples
from poolscope.board.lattice import at
from poolscope.model import Policy, Pool
from poolscope.report.page import Disclosure, page
from poolscope.selection import select
from poolscope.selection.paths import Axis
from tests.browser.conftest import WAIT_MS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RULES = ("grouped_cap", "mmr")
STOPS = 25
"""Of each slider; every stop of the lattice is asked for in ``tests/board/test_lattice.py``."""

AXES = ("lambda", "cap", "depth", "k")
READ = """() => [...document.querySelectorAll('.column')].map(column =>
    [...column.querySelectorAll('.card:not([hidden]) header > span')]
        .map(span => Number(span.textContent.split(' ')[1]) - 1))"""
"""The candidates on the cards of every column."""

FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What was typed or dragged is drawn with the next frame."""

VALUES = """() => Object.fromEntries(['lambda', 'cap', 'depth', 'k'].map(axis =>
    [axis, Number(document.querySelector(`.slider-${axis} [role=slider]`)
        .getAttribute('aria-valuenow'))]))"""


@pytest.fixture
def opened(browser: "Browser", tmp_path: Path) -> Iterator[Callable[..., "Page"]]:
    """Open files from disk with the network cut; none may complain or ask for anything."""
    complaints: list[str] = []
    contexts = []

    def open_file(document: str, scheme: Literal["light", "dark"] = "light") -> "Page":
        file = tmp_path / "report.html"
        file.write_text(document, encoding="utf-8")
        context = browser.new_context(
            offline=True, color_scheme=scheme, viewport={"width": 1440, "height": 900}
        )
        contexts.append(context)
        made = context.new_page()
        made.set_default_timeout(WAIT_MS)
        made.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        made.on("console", lambda message: complaints.append(message.text))
        made.on("request", lambda asked: _request(asked.url, file.as_uri()))
        made.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
        made.goto(file.as_uri())
        made.locator(".board[data-settled=true]").wait_for()
        return made

    def _request(asked: str, own: str) -> None:
        if asked != own:
            complaints.append(f"asked for {asked}")

    yield open_file
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture(scope="module")
def pool() -> Pool:
    """The first sample."""
    found = samples.SAMPLES[0]
    load = formats.read(samples.data(found), found.file)
    return load.question(0, source_field=found.source_field).pool


@pytest.fixture(scope="module")
def document(pool: Pool) -> str:
    """Its file."""
    return page(analysis.compare(pool, Policy(), RULES), projection.pca(pool))


def direct(pool: Pool, values: dict[str, float]) -> list[list[int]]:
    """Return what Python selects in every column."""
    policy = Policy(lambda_=values["lambda"])
    stop = {
        Axis.DEPTH: int(values["depth"]), Axis.CAP: int(values["cap"]), Axis.K: int(values["k"]),
    }  # fmt: skip
    return [
        list(select(pool, at(pool, policy.changed(selector=rule), stop)).ordered)
        for rule in ("top_k", *RULES)
    ]


def test_every_slider_gives_what_python_selects(
    opened: Callable[..., "Page"], document: str, pool: Pool
) -> None:
    shown = opened(document)
    random = np.random.default_rng(9)
    stops: dict[str, Any] = shown.evaluate(
        "() => JSON.parse(document.getElementById('poolscope-data').textContent).lattice.stops"
    )
    for turn in range(STOPS):
        for axis in random.permutation(AXES).tolist():
            box = shown.locator(f".slider-{axis} .slider-box")
            value = round(random.random(), 4) if axis == "lambda" else random.choice(stops[axis])
            box.fill(str(value))
            box.press("Enter")
            shown.evaluate(FRAME)
            values = shown.evaluate(VALUES)
            assert values[axis] == value
            assert shown.evaluate(READ) == direct(pool, values), (turn, axis, values)


def test_a_drag_and_the_keys_step_over_the_stops(
    opened: Callable[..., "Page"], document: str, pool: Pool
) -> None:
    shown = opened(document)
    for axis in AXES:
        box = shown.locator(f".slider-{axis} [role=slider]").bounding_box()
        assert box is not None
        middle = box["y"] + box["height"] / 2
        shown.mouse.move(box["x"] + box["width"] * 0.9, middle)
        shown.mouse.down()
        for share in (0.8, 0.5, 0.33):
            shown.mouse.move(box["x"] + box["width"] * share, middle, steps=4)
            shown.evaluate(FRAME)
            assert shown.evaluate(READ) == direct(pool, shown.evaluate(VALUES)), axis
        shown.mouse.up()
        shown.locator(f".slider-{axis} [role=slider]").press("ArrowRight")
        shown.locator(f".slider-{axis} [role=slider]").press("End")
        shown.locator(f".slider-{axis} [role=slider]").press("ArrowLeft")
        shown.locator(f".slider-{axis} [role=slider]").blur()
        shown.evaluate(FRAME)
        assert shown.evaluate(READ) == direct(pool, shown.evaluate(VALUES)), axis
    assert shown.locator(".away").is_visible()
    shown.get_by_role("button", name="Back to it").click()
    shown.evaluate(FRAME)
    assert not shown.locator(".away").is_visible()
    assert shown.evaluate(READ) == direct(pool, {"lambda": 0.6, "cap": 2, "depth": 54, "k": 5})
    assert "too similar to" in shown.locator(".left").last.inner_text()


def test_a_typed_value_that_the_file_does_not_hold_is_said_and_the_verdict_stays_where_it_was_made(
    opened: Callable[..., "Page"], document: str
) -> None:
    shown = opened(document)
    heading = shown.locator("#verdict").inner_text()
    assert heading == "Verdict on plain top-k at k 5, pool depth 54 of 54"
    told, box = shown.locator(".slider-k .slider-told"), shown.locator(".slider-k .slider-box")
    note = shown.locator(".elsewhere")
    for typed, words in (("999", "999 is not in the file: "), ("x", "x is no number")):
        box.fill(typed)
        box.press("Enter")
        shown.evaluate(FRAME)
        assert words in told.inner_text()
    assert note.is_visible()
    box.fill("5")
    box.press("Enter")
    shown.evaluate(FRAME)
    assert not told.inner_text()
    assert not note.is_visible()
    shown.locator(".slider-lambda [role=slider]").press("Home")
    shown.locator(".slider-lambda [role=slider]").blur()
    shown.evaluate(FRAME)
    assert not note.is_visible()  # plain top-k reads no lambda


def test_four_columns_are_read_on_a_narrow_screen(opened: Callable[..., "Page"]) -> None:
    sample = next(item for item in samples.SAMPLES if item.name == "monograph")
    load = formats.read(samples.data(sample), sample.file)
    four = load.question(0, source_field=sample.source_field).pool
    rules = (*RULES, "two_pass_cap")
    shown = opened(page(analysis.compare(four, Policy(), rules), projection.pca(four)))
    shown.set_viewport_size({"width": 1024, "height": 800})
    cut = shown.evaluate(
        """() => [...document.querySelectorAll('.card:not([hidden])')].flatMap(card => {
            const { left, right } = card.getBoundingClientRect();
            const held = [...card.querySelectorAll('header span, footer > span')];
            return held.filter(part => part.offsetWidth).filter(part => {
                const short = part.scrollWidth > part.offsetWidth + 1;
                const room = part.matches('.facet, b span') ? 0.4 * (right - left) : Infinity;
                return (short && part.offsetWidth < room)
                    || part.getBoundingClientRect().right > right - 5;
            }).map(part => part.textContent);
        })"""
    )
    assert not cut


def test_rows_stand_beside_each_other_where_figures_need_what_is_missing(
    opened: Callable[..., "Page"], make_pool: Callable[..., Pool]
) -> None:
    pool = make_pool(8, scores=[8, 7, 6, 5, 4, 3, 2, 1], sources="aabbccdd")
    shown = opened(page(analysis.compare(pool, Policy(k=3), RULES), projection.pca(pool)))
    shown.set_viewport_size({"width": 1024, "height": 800})
    heights = shown.locator(".numbers").evaluate_all(
        """tables => tables.map(({ rows }) => [...rows].map(row => {
            return Math.round(row.getBoundingClientRect().top);
        }).join(' '))"""
    )
    assert len(heights) == 1 + len(RULES)
    assert "needs facets" in shown.locator(".numbers").last.inner_text()
    assert len(set(heights)) == 1


def test_hostile_text_is_inert_and_the_sheet_is_one(
    opened: Callable[..., "Page"], make_pool: Callable[..., Pool]
) -> None:
    texts = (
        "</script><script>window.hit=1</script>", '<img src=x onerror="window.hit=2">',
        '"><svg onload=window.hit=3>', "<!--<script>alert(1)</script>", "{{7*7}}", "<b>bold</b>",
    )  # fmt: skip
    pool = make_pool(
        6, scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], vectors=np.eye(6) + 0.3, query=texts[0],
        texts=texts, sources=[*texts[1:], texts[0]],
    )  # fmt: skip
    compared = analysis.compare(pool, Policy(), RULES)
    shown = opened(page(compared, projection.pca(pool)), "dark")
    assert shown.evaluate("() => window.hit === undefined")
    assert shown.locator("h1").inner_text() == texts[0]
    shown.locator(".card").nth(1).click()
    assert shown.locator(".card.pinned .card-text").first.inner_text() == texts[1]
    assert shown.locator("img, .board b b, script").count() == 2
    printed = shown.pdf(prefer_css_page_size=True, print_background=True)
    assert b"/Count 1\n" in printed or b"/Count 1>" in printed or b"/Count 1 " in printed
    labels = opened(page(compared, projection.pca(pool), disclosure=Disclosure.LABELS))
    assert labels.locator("h1").inner_text() == "Question withheld"
    assert set(labels.locator(".card-text").all_inner_texts()) == {"(text withheld)"}
    assert labels.locator(".card header b").first.get_attribute("title") == pool.sources[0]
