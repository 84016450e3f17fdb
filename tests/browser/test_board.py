"""The live board under a real mouse and keyboard: what it shows is what Python selects."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np
import pytest

from poolscope import formats, samples
from poolscope.analysis import select_and_measure
from poolscope.diagnosis import diagnose
from poolscope.model import Policy, Pool
from poolscope.selection import offers
from poolscope.selection.paths import Axis, path

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

    from tests.browser.conftest import Server

AXES = ("lambda", "cap", "depth", "k")
NAMES = ("Lambda", "Cap", "Pool depth", "k in context")
RULES = ("top_k", "grouped_cap", "mmr")
STOPS = 25
UMAP_MS = 180_000
"""For the first map of a machine, which waits for the compiler."""

READ = """board => [...board.querySelectorAll('.column')].map(column => ({
  ranks: [...column.querySelectorAll('.card:not([hidden]) header > span')]
    .map(span => parseInt(span.textContent.slice(5), 10)),
  values: Object.fromEntries([...column.querySelectorAll('tr')]
    .map(row => [row.querySelector('th').textContent, row.querySelector('.value').textContent])),
}))"""
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
PIXELS = "canvas => canvas.toDataURL()"
PLACES = """
window.places = [];
const within = (root) => [...root.querySelectorAll("*")].filter((node) => node.shadowRoot);
const look = () => {
  within(document).forEach(({ shadowRoot }) => {
    const board = shadowRoot.querySelector(".board[data-settled]");
    if (!board) return;
    const { y } = board.getBoundingClientRect();
    if (window.places.at(-1) !== y) window.places.push(y);
  });
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Where the live board stood from its first frame on."""
FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return `${node.getAttribute('role') || node.tagName.toLowerCase()} ${node.classList[0]}`;
}"""

GROWN = """columns => {
  const words = [...columns.querySelectorAll('.column-words > span:last-child')];
  const high = () => columns.querySelector('.column-top').offsetHeight;
  return [...Array(45).keys()].map((step) => 640 + 8 * step).filter((wide) => {
    columns.style.width = `${wide}px`;
    const before = [high(), words.map((node) => node.textContent)];
    words.forEach((node) => {
      const longer = node.textContent.replace('lambda 0.60', 'lambda 0.6157');
      node.textContent = longer.replace('cap 2', 'cap 10');
    });
    const after = high();
    words.forEach((node, at) => { node.textContent = before[1][at]; });
    return after !== before[0];
  });
}"""
"""Widths at which the longest setting that a drag reaches makes the heads higher."""

Pages = Callable[..., "Page"]


@dataclass(frozen=True)
class Live:
    """The board on a page, and what a person does to it."""

    page: Page

    @property
    def root(self) -> Locator:
        return self.page.locator(".board")

    def track(self, axis: str) -> Locator:
        return self.page.locator(f".board .slider-{axis} [role=slider]")

    def box(self, axis: str) -> Locator:
        return self.page.locator(f".board .slider-{axis} input")

    def value(self, axis: str) -> float:
        return float(self.track(axis).get_attribute("aria-valuenow") or "nan")

    def columns(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.root.evaluate(READ)
        return found

    def frames(self) -> None:
        self.page.evaluate(FRAMES)

    def settled(self) -> None:
        """Wait until the server's answer to the last release is drawn."""
        self.frames()
        self.page.locator(".board[data-settled=true]").wait_for()

    def press(self, axis: str, share: float) -> FloatRect:
        """Take hold of a slider at a share of its width."""
        box = placed(self.track(axis))
        self.page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.frames()
        return box

    def drag(self, axis: str, share: float) -> None:
        """Drag a slider to a share of its width, and keep it held."""
        box = self.press(axis, 0.5)
        self.page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2, steps=4)
        self.frames()

    def release(self) -> None:
        self.page.mouse.up()

    def key(self, axis: str, *names: str) -> None:
        self.track(axis).focus()
        for name in names:
            self.page.keyboard.press(name)

    def write(self, axis: str, text: str) -> None:
        self.box(axis).fill(text)
        self.box(axis).press("Enter")

    def pixels(self, part: str) -> str:
        found: str = self.page.locator(f".board {part}").evaluate(PIXELS)
        return found


def placed(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def opened(page: Page, server: Server, name: str = "monograph") -> Live:
    page.goto(f"{server.address}/?sample={name}")
    page.locator(".board[data-settled=true]").wait_for()
    return Live(page)


def at_rest(page: Page, server: Server, name: str = "monograph") -> Live:
    """Open a sample and wait until its final layout is there, after which no poll runs."""
    live = opened(page, server, name)
    page.locator(".board .map .panel-caption", has_text="UMAP").wait_for(timeout=UMAP_MS)
    return live


def pool_of(name: str) -> Pool:
    """Read a sample as the app does."""
    sample = samples.named(name)
    assert sample is not None
    load = formats.read(samples.data(sample), sample.file)
    return load.question(0, source_field=sample.source_field).pool


def hold(live: Live, pool: Pool, told: str, rules: tuple[str, ...] = RULES[1:]) -> None:
    """Compare what the columns show with a direct selection at what the sliders say."""
    lambda_, cap, depth, k = (live.value(axis) for axis in AXES)
    policy = Policy(lambda_=lambda_, cap=int(cap), depth=int(depth), k=int(k))
    for rule, shown in zip((RULES[0], *rules), live.columns(), strict=True):
        direct = select_and_measure(pool, policy.changed(selector=rule))
        ranks = [index + 1 for index in direct.selection.ordered]
        assert shown["ranks"] == ranks, (told, policy)
        covered = round(direct["facet_coverage"] * len(pool.facets))
        assert shown["values"]["Facet coverage"].startswith(f"{covered} of {len(pool.facets)}")
        assert float(shown["values"]["Mean relevance"]) == pytest.approx(
            direct["mean_relevance"], abs=5.1e-4
        ), (told, policy)


def test_a_held_slider_sends_nothing_and_its_release_one_message(
    new_page: Pages, server: Server
) -> None:
    page = new_page()
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    live = at_rest(page, server)
    page.wait_for_timeout(1200)
    for axis in AXES:
        box = live.press(axis, 0.1)
        before = len(sent)
        middle = box["y"] + box["height"] / 2
        for step in range(25):
            page.mouse.move(box["x"] + (0.1 + 0.03 * step) * box["width"], middle)
        page.wait_for_timeout(100)
        assert len(sent) == before, axis
        live.release()
        live.settled()
        page.wait_for_timeout(500)
        assert len(sent) == before + 1, axis


def test_every_stop_shows_the_direct_selection(new_page: Pages, server: Server) -> None:
    live = at_rest(new_page(), server)
    pool = pool_of("monograph")
    random = np.random.default_rng(20)
    keys = ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End")
    for number in range(STOPS):
        axis = AXES[number % 4]
        way = ("mouse", "keyboard", "typed")[number % 3]
        told = f"stop {number}: {axis} by {way}"
        if way == "mouse":
            live.drag(axis, float(random.random()))
            hold(live, pool, f"{told}, held")
            live.release()
        elif way == "keyboard":
            live.key(axis, *random.choice(keys, size=3).tolist())
        else:
            low, high = {"lambda": (0, 1), "cap": (1, 10), "depth": (1, len(pool)), "k": (1, 30)}[
                axis
            ]
            value = low + random.random() * (high - low)
            live.write(axis, f"{value:.4f}" if axis == "lambda" else str(round(value)))
        live.settled()
        hold(live, pool, told)


def test_arrow_keys_step_from_one_break_point_to_the_next(new_page: Pages, server: Server) -> None:
    live = at_rest(new_page(), server)
    pool = pool_of("monograph")
    policy = Policy(depth=len(pool))
    breaks = path(pool, policy.changed(selector="mmr"), Axis.LAMBDA).breaks
    edges = [0.0, *breaks, 1.0]
    stretch = int(np.searchsorted(breaks, policy.lambda_, side="right"))
    for step in range(1, 4):
        live.key("lambda", "ArrowRight")
        live.frames()
        value = live.value("lambda")
        assert edges[stretch + step] < value < edges[stretch + step + 1]
        hold(live, pool, f"{step} steps")
    live.key("lambda", "ArrowLeft")
    live.frames()
    assert edges[stretch + 2] < live.value("lambda") < edges[stretch + 3]
    for key, value in (("End", 1), ("ArrowRight", 1), ("Home", 0), ("ArrowLeft", 0)):
        live.key("lambda", key)
        live.frames()
        assert live.value("lambda") == value
    live.settled()
    live.key("k", "ArrowRight")
    live.key("depth", "PageDown")
    live.frames()
    assert (live.value("k"), live.value("depth")) == (6, len(pool) - 10)
    live.settled()
    hold(live, pool, "after the keys")


def test_what_is_typed_is_taken_or_put_back(new_page: Pages, server: Server) -> None:
    live = opened(new_page(), server)
    box = live.box("lambda")
    for text, shown in (("0,25", "0.25"), ("7", "1.00"), ("much", "1.00"), ("", "1.00")):
        live.write("lambda", text)
        assert box.input_value() == shown
    box.fill("0.1")
    box.press("Escape")
    assert box.input_value() == "1.00"
    live.settled()
    assert live.value("lambda") == 1
    exact = "0.123456"
    live.write("lambda", exact)
    live.settled()
    box.focus()
    live.box("k").focus()
    assert live.value("lambda") == float(exact), "leaving the box rounds nothing"
    live.write("k", "3.6")
    live.settled()
    assert live.value("k") == 4


def test_a_later_release_is_not_undone_by_the_answer_to_an_earlier_one(
    new_page: Pages, server: Server
) -> None:
    live = at_rest(new_page(), server)
    live.root.evaluate(
        """board => {
          window.said = [];
          const track = board.querySelector('.slider-k [role=slider]');
          new MutationObserver(() => window.said.push(track.getAttribute('aria-valuenow')))
            .observe(track, { attributes: true, attributeFilter: ['aria-valuenow'] });
        }"""
    )
    live.drag("lambda", 0.2)
    live.release()
    live.drag("k", 0.9)
    wanted = live.value("k")
    live.release()
    live.settled()
    live.page.wait_for_timeout(800)
    said = live.page.evaluate("() => window.said.map(Number)")
    assert set(said[said.index(wanted) :]) == {wanted}
    assert live.value("lambda") == pytest.approx(0.2, abs=0.01)
    hold(live, pool_of("monograph"), "two releases")


def hot(live: Live) -> set[str]:
    """Ranks of the cards that are lit."""
    cards = live.page.locator(".board .card.hot:visible header > span").all_inner_texts()
    return {card.split(" · ")[0] for card in cards}


def test_a_passage_under_the_pointer_lights_up_everywhere(new_page: Pages, server: Server) -> None:
    live = at_rest(new_page(), server)
    page = live.page
    card = page.locator(".board .hover-card")
    dark = [live.pixels(part) for part in (".strip-marks", ".map-rings")]

    def lit() -> list[bool]:
        live.frames()
        now = [live.pixels(part) for part in (".strip-marks", ".map-rings")]
        return [one != other for one, other in zip(now, dark, strict=True)]

    strip = placed(page.locator(".board .strip-frame"))
    page.mouse.move(strip["x"] + 2.5 * strip["width"] / 54, strip["y"] + 10)
    assert lit() == [True, True]
    assert hot(live) == {"rank 3"}
    assert page.locator(".board .card.hot:visible").count() == 1
    said = card.inner_text()
    assert "rank 3 · 0.7768" in said
    assert "4.8 Undesirable effects" in said
    assert "Side effects of Veldarine" in said
    assert "out: cap reached" in said

    page.mouse.move(5, 5)
    assert lit() == [False, False]
    assert not card.is_visible()
    page.locator(".board .column").nth(2).locator(".card").nth(1).hover()
    assert lit() == [True, True]
    assert hot(live) == {"rank 12"}

    frame = placed(page.locator(".board .map-frame"))
    found = None
    for step in range(200):
        x = frame["x"] + 20 + (step % 20) * (frame["width"] - 40) / 19
        page.mouse.move(x, frame["y"] + 20 + (step // 20) * (frame["height"] - 40) / 9)
        if hot(live):
            found = hot(live)
            break
    assert found is not None
    assert lit() == [True, True]
    assert found.pop() in card.inner_text()


def test_the_board_stays_where_it_appears(new_page: Pages, server: Server) -> None:
    page = new_page()
    page.add_init_script(PLACES)
    live = opened(page, server, "checkout")
    page.locator(".ps-finding").first.wait_for()
    live.key("k", "End")
    live.settled()
    page.locator(".ps-finding", has_text="Healthy.").first.wait_for()
    live.key("k", "Home")
    live.settled()
    assert page.evaluate("() => window.places") == [placed(live.root)["y"]]


def test_zoom_and_the_pinned_passage_survive_a_new_setting(new_page: Pages, server: Server) -> None:
    live = at_rest(new_page(), server)
    page = live.page
    whole = live.pixels(".map-frame canvas:not(.map-rings)")
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Zoom in").click()
    frame = placed(page.locator(".board .map-frame"))
    page.mouse.move(frame["x"] + 300, frame["y"] + 200)
    page.mouse.down()
    page.mouse.move(frame["x"] + 250, frame["y"] + 150, steps=5)
    page.mouse.up()
    first = page.locator(".board .column").nth(0).locator(".card").first
    first.click()
    assert first.get_attribute("aria-pressed") == "true"
    page.mouse.move(5, 5)
    live.frames()
    zoomed = live.pixels(".map-frame canvas:not(.map-rings)")
    assert zoomed != whole
    live.key("lambda", "End")
    live.settled()
    live.write("k", "7")
    live.settled()
    assert live.pixels(".map-frame canvas:not(.map-rings)") == zoomed
    assert page.locator(".board .card.pinned:visible").count() == 3
    page.get_by_role("button", name="Show all").click()
    live.frames()
    assert live.pixels(".map-frame canvas:not(.map-rings)") == whole
    page.keyboard.press("Escape")
    assert page.locator(".board .card.pinned:visible").count() == 0
    strip = placed(page.locator(".board .strip-frame"))
    page.mouse.click(strip["x"] + 3, strip["y"] + 10)
    assert page.locator(".board .card.pinned:visible").count() == 3
    page.keyboard.press("Escape")
    assert page.locator(".board .card.pinned:visible").count() == 0


def test_the_keyboard_zooms_and_pans_the_map(new_page: Pages, server: Server) -> None:
    live = at_rest(new_page(), server)
    frame = live.page.locator(".board .map-frame")
    points = ".map-frame canvas:not(.map-rings)"
    frame.focus()
    whole = live.pixels(points)
    frame.press("ArrowLeft")
    assert live.pixels(points) == whole, "nothing lies outside yet"
    frame.press("+")
    zoomed = live.pixels(points)
    assert zoomed != whole
    frame.press("ArrowLeft")
    frame.press("ArrowUp")
    assert live.pixels(points) != zoomed
    frame.press("ArrowRight")
    frame.press("ArrowDown")
    assert live.pixels(points) == zoomed
    frame.press("0")
    assert live.pixels(points) == whole


def test_the_verdict_follows_a_release_and_its_step_keeps_the_sliders(
    new_page: Pages, server: Server
) -> None:
    live = at_rest(new_page(), server)
    pool = pool_of("monograph")
    said = live.page.locator(".ps-finding").first
    for axis, value in (("k", 2), ("k", 9), ("depth", 12), ("cap", 3)):
        live.write(axis, str(value))
        live.settled()
        policy = Policy(k=round(live.value("k")), depth=round(live.value("depth")))
        sentence = diagnose(pool, policy).first.sentence
        live.page.locator(".ps-finding", has_text=sentence.partition(". ")[2]).first.wait_for()
        assert said.count() == 1
    live.write("k", "5")
    live.write("depth", str(len(pool)))
    live.settled()
    step = diagnose(pool, Policy(cap=3, depth=len(pool))).first.step
    assert step is not None
    live.page.get_by_role("button", name="Try it").click()
    live.page.locator(".board .column-setting", has_text=step.words.split()[-1]).first.wait_for()
    live.settled()
    assert live.value("cap") == step.policy.cap
    assert live.value("lambda") == pytest.approx(step.policy.lambda_)


def put(live: Live, number: int, rule: str) -> None:
    """Put a rule into a column by its list, and wait until it stands there."""
    column = live.page.locator(".board .column").nth(number)
    column.locator(".column-rule").select_option(rule)
    title = offers.named(rule).label
    live.page.locator(f".board .column:nth-child({number + 1})[aria-label='{title}']").wait_for()
    live.settled()


def test_presets_are_put_into_columns_added_dragged_and_taken_away(
    new_page: Pages, server: Server
) -> None:
    live = at_rest(new_page(), server)
    page, pool = live.page, pool_of("monograph")
    greyed = page.locator(".board .column").nth(2).locator("option.asks").all_inner_texts()
    assert "agentmemory · needs a field “session” (name one)" in greyed
    lists = page.locator(".board .column .column-rule")
    lists.nth(0).select_option("two_pass_cap")  # the second choice does not undo the first
    lists.nth(1).select_option("preset:langchain_mmr")
    page.locator(".board .column:nth-child(2)[aria-label='Two-pass cap']").wait_for()
    page.locator(".board .column:nth-child(3)[aria-label='LangChain MMR']").wait_for()
    put(live, 1, "grouped_cap")
    page.get_by_role("button", name="+ Column").click()
    page.locator(".board .column").nth(3).wait_for()
    put(live, 3, "preset:elasticsearch_diversify")
    page.get_by_role("button", name="+ Column").click()
    page.locator(".board .column").nth(4).wait_for()
    put(live, 4, "preset:swafra")
    assert not page.get_by_role("button", name="+ Column").is_visible()
    assert (
        "needs the number of stored sources"
        in page.locator(".board .column-setting").nth(4).inner_text()
    )
    page.locator(".board .column-stored:visible").fill("60")
    page.keyboard.press("Enter")
    page.locator(".board .column-setting", has_text="60 stored sources").wait_for()
    live.settled()
    rules = (
        "grouped_cap",
        "preset:langchain_mmr",
        "preset:elasticsearch_diversify",
        "preset:swafra:stored=60",
    )
    page.set_viewport_size({"width": 1024, "height": 768})
    page.locator(".board.narrow").wait_for()
    wide = "node => node.scrollWidth - node.clientWidth"
    assert page.locator(".board .columns").evaluate(wide) <= 0
    assert page.locator(".board .card header b:visible").first.evaluate(wide) <= 0
    hold(live, pool, "five narrow columns", rules)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".board:not(.narrow)").wait_for()
    told = {"lambda": 0.31, "k": 0.2, "depth": 0.4}
    for axis, share in told.items():
        live.drag(axis, share)
        hold(live, pool, f"{axis} held", rules)
        live.release()
        live.settled()
        hold(live, pool, f"{axis} released", rules)
    assert "about " in page.locator(".board .slider-lambda .slider-foot").inner_text()
    page.locator(".board summary").nth(3).click()
    assert (
        "Beside plain MMR: Both sides are dot + 1" in page.locator(".board .columns").inner_text()
    )
    assert "A larger k may exchange picks." in page.locator(".board .columns").inner_text()
    put(live, 4, "preset:agentmemory")
    page.get_by_label("Field for session").select_option("source")
    page.locator(".board .column-setting", has_text="“source” as its session").wait_for()
    live.settled()
    rules = (*rules[:-1], "preset:agentmemory:field=source")
    hold(live, pool, "a field is named", rules)
    page.wait_for_url(lambda url: "agentmemory:field=source" in unquote(url))
    page.get_by_role("button", name="Remove agentmemory").click()
    page.locator(".board .column").nth(4).wait_for(state="detached")
    hold(live, pool, "one taken away", rules[:-1])
    page.locator("[data-testid=stCheckbox]", has_text="Every rule").locator("label").click()
    table = page.locator("[data-testid=stDataFrame]")
    table.wait_for()
    page.get_by_role("radio", name="Column 2").click()
    table.scroll_into_view_if_needed()
    box = placed(table)
    page.mouse.click(box["x"] + 16, box["y"] + 35 * 2.5)  # the second row
    page.locator(".board .column:nth-child(2)[aria-label='Two-pass cap']").wait_for()
    live.settled()
    hold(live, pool, "one put from the table", ("two_pass_cap", *rules[1:-1]))


def test_the_keyboard_reaches_everything_in_order(new_page: Pages, server: Server) -> None:
    live = opened(new_page(), server)
    page = live.page
    for axis, name in zip(AXES, NAMES, strict=True):
        assert page.get_by_role("slider", name=name).count() == 1
        assert page.get_by_role("textbox", name=f"{name}, type a value").count() == 1
        assert live.track(axis).get_attribute("aria-valuetext")
    described = page.get_by_role("img", name="Rank strip of 54 candidates")
    assert "Top-k picks ranks 1, 2, 3, 4, 5; " in (described.get_attribute("aria-label") or "")
    assert page.get_by_role("img", name="Map of the pool").count() == 1
    assert page.get_by_role("img", name="facet coverage from").count() == 1
    live.box("lambda").focus()
    seen = [page.evaluate(FOCUSED)]
    for _ in range(22):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
    assert seen == [
        *["input slider-box", "slider slider-track"] * 4,
        *["button column-button", "summary column-summary", "button card"],
        *["select column-rule", "button column-button", "summary column-summary", "button card"]
        * 2,
        *["button tool"] * 3,
        "group map-frame",
    ]
    assert live.page.locator(".board .card.hot").count() == 0
    first = page.locator(".board .column").nth(0).locator(".card")
    first.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    second = page.locator(".board .column").nth(1).locator(".card").nth(1)
    assert second.get_attribute("aria-pressed") == "true"
    ring = second.evaluate("card => getComputedStyle(card).boxShadow")
    assert ring != "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["monograph", "deploy-guide-6"])
def test_nothing_is_cut_or_overlaps_at_the_smallest_width(
    new_page: Pages, server: Server, name: str, scheme: str
) -> None:
    live = opened(new_page(scheme, (1024, 768)), server, name)
    page = live.page
    wide = page.evaluate("() => [document.body.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]
    boxes = [placed(page.locator(".board .column").nth(number)) for number in range(3)]
    assert len({round(box["y"]) for box in boxes}) == 1
    for box, further in pairwise(boxes):
        assert box["x"] + box["width"] < further["x"]
    over = live.root.evaluate(
        """board => [...board.querySelectorAll('.column, .numbers, .card, .panel, .legend')]
          .filter(part => part.clientWidth && part.scrollWidth > part.clientWidth + 1)
          .map(part => part.className)"""
    )
    assert over == []
    for number, box in enumerate(boxes):
        table = placed(page.locator(".board .numbers").nth(number))
        assert table["width"] <= box["width"] + 1
    background = page.evaluate(
        "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    )
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")


EVIL = '<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>'
EVIL_MARKDOWN = "![x](http://example.invalid/x.png) [go](javascript:window.__pwned=1) $x$ :red[y]"
TURNED = "\u202egnp.exe\u2066\u200f"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


def hostile() -> bytes:
    """Write a pool whose every text tries something."""
    texts = [
        EVIL,
        EVIL_MARKDOWN,
        f"before {TURNED} after \x00 nul {FAMILY}",
        f"{EVIL} " + "long " * 200_000,
        "javascript:window.__pwned=1",
        "</style><svg onload=window.__pwned=1>",
        "{{constructor.constructor('window.__pwned=1')()}} %{text} <b>bold</b><extra></extra>",
    ]
    sources = [EVIL, "s" * 10_000, f"{TURNED}.md", EVIL_MARKDOWN, "a", "<b>b</b>", EVIL]
    rows = [
        {
            "id": f"{number} {text[:60]}",
            "text": text,
            "source": sources[number],
            "score": 0.9 - number / 20,
            "vector": [1.0, number / 10, float(number % 3), float(number % 2)],
            "facets": ["f"] if number % 2 else ["g"],
        }
        for number, text in enumerate(texts)
    ]
    document = {
        "query": f"{EVIL} {EVIL_MARKDOWN} {TURNED}",
        "query_vector": [1.0, 0.0, 0.5, 0.5],
        "facets": {"f": EVIL, "g": EVIL_MARKDOWN},
        "candidates": rows,
    }
    return json.dumps(document).encode()


def test_a_hostile_pool_is_shown_harmlessly(
    new_page: Pages, server: Server, tmp_path: Path
) -> None:
    file = tmp_path / "hostile.json"
    file.write_bytes(hostile())
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.address}/data")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text("7 of 7 rows").wait_for()
    harmless(page)
    page.get_by_role("link", name="Inspect").first.click()
    page.locator(".board[data-settled=true]").wait_for()
    live = Live(page)
    cards = page.locator(".board .column").nth(0).locator(".card:visible")
    cards.first.wait_for()
    assert cards.nth(0).locator(".card-text").inner_text() == EVIL
    assert cards.nth(1).locator(".card-text").inner_text() == EVIL_MARKDOWN
    assert f"before gnp.exe after nul {FAMILY}" in cards.nth(2).locator(".card-text").inner_text()
    assert cards.nth(0).locator(".facet").first.text_content() == EVIL_MARKDOWN
    assert page.locator(".board img, .board script, .board a, .board svg[onload]").count() == 0
    strip = placed(page.locator(".board .strip-frame"))
    for number in range(7):
        page.mouse.move(strip["x"] + (number + 0.5) * strip["width"] / 7, strip["y"] + 10)
        page.locator(".board .hover-card").wait_for()
        assert placed(page.locator(".board .hover-card"))["width"] <= 340
    page.mouse.move(strip["x"] + 0.5 * strip["width"] / 7, strip["y"] + 10)
    assert EVIL in page.locator(".board .hover-card").inner_text()
    cards.nth(3).click()
    assert page.locator(".board .card.pinned").first.inner_text().count("long") < 1000
    live.key("lambda", "Home")
    live.settled()
    harmless(page)
    wide = page.evaluate("() => [document.body.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]
    page.locator("[data-testid=stCheckbox]", has_text="Large map").locator("label").click()
    hover_points(page)
    harmless(page)
    assert [url for url in asked if "example.invalid" in url or url.endswith("/x")] == []


def harmless(page: Page) -> None:
    """Nothing ran, and nothing turns the reading direction."""
    page.wait_for_timeout(200)
    assert page.evaluate("() => window.__pwned") is None
    assert page.locator("img[src=x], img[src*=example]").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0
    assert "\u202e" not in page.locator("[data-testid=stMain]").inner_text()


def hover_points(page: Page) -> None:
    """Move over every point of the large map and read the hover cards."""
    chart = page.locator("[data-testid=stPlotlyChart]").first
    chart.locator(".scatterlayer .points path").first.wait_for()
    chart.scroll_into_view_if_needed()
    seen = 0
    for point in chart.locator(".scatterlayer .points path").all():
        box = point.bounding_box()
        if box is None:
            continue
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(80)
        seen += chart.locator(".hoverlayer .hovertext").count() > 0
    assert seen


def test_a_head_says_what_comes_before_the_rule_and_no_drag_makes_it_higher(
    new_page: Pages, server: Server
) -> None:
    page = new_page(size=(1024, 768))
    rules = "rules=grouped_cap,mmr,mmr_cap,two_pass_cap"
    before = "arm_cap=3&near_copies=cosine"
    page.goto(f"{server.address}/?sample=agent-memory&{before}&{rules}")
    page.locator(".board.narrow[data-settled=true]").wait_for()
    said = page.locator(".board .column-words").all_inner_texts()
    assert said == [
        "the baseline",
        "cap 2 per source, arms cut at 3, near copies out",
        "lambda 0.60, arms cut at 3, near copies out",
        "lambda 0.60, cap 2 per source, arms cut at 3, near copies out",
        "cap 2 per source, arms cut at 3, near copies out",
    ]
    assert (page.locator(".board .column-words").nth(1).get_attribute("title") or "").endswith(
        "each arm cut at 3 and fused; near copies removed by cosine from 0.95."
    )
    assert page.locator(".board .columns").evaluate(GROWN) == []
