"""Annotating by keyboard in a real browser, against a golden set on disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope.golden.actions import AddFacet, AddQuestion
from poolscope.golden.model import Mark, Passage, Question, Who
from poolscope.golden.store import Store, new_token, open_store
from tests.browser.conftest import idle, introduce
from tests.postgresql import running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import Server

QUESTIONS, PASSAGES = 10, 2
TYPED = "r 1 c 2 u?"
"""Every letter of it is a key of the sheet, or of Streamlit."""

LATENCY = """async () => {
    const press = (key) => document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const spent = [];
    for (let round = 0; round < 20; round += 1) {
        await painted();
        const start = performance.now();
        press('1');
        await painted();
        spent.push(performance.now() - start);
    }
    return spent.sort((one, other) => one - other);
}"""


def pools() -> bytes:
    """A file of ten questions, each with passages of its own."""
    return b"\n".join(
        json.dumps(
            {
                "query": f"Why did system {number} stop?",
                "query_id": f"q{number}",
                "candidates": [
                    {
                        "id": f"{number}-{rank}",
                        "source": f"report-{rank}.md",
                        "text": f"Passage {rank} on system {number}. "
                        + "It stopped at noon. " * 20,
                        "score": round(1 - 0.1 * rank, 2),
                    }
                    for rank in range(1, PASSAGES + 1)
                ],
            }
        ).encode()
        for number in range(1, QUESTIONS + 1)
    )


def question(store: Store) -> str:
    """Put a question of its own into the golden set: two facets, three passages."""
    id_ = f"of its own {new_token()[:8]}"
    passages = tuple(Passage(f"{id_} {rank}", f"text {rank}", "s") for rank in range(3))
    store.send(id_, AddQuestion(Question(id_, f"What of {id_}?"), passages), Who("Lead"))
    for name in ("cause", "effect"):
        store.send(id_, AddFacet(f"{id_}-{name}", name), Who("Lead"))
    return id_


@pytest.fixture
def golden(server: Server) -> Path:
    return server.golden


def enter(page: Page, address: str, name: str) -> None:
    """Open the page and give a name."""
    page.goto(f"{address}/annotate")
    introduce(page, name)


def choose(page: Page, text: str) -> None:
    """Choose a question in the list, where it is not open already."""
    page.locator(".sheet .question").wait_for()
    if text in page.locator(".sheet .question").inner_text():
        return
    idle(page)
    box = page.get_by_role("combobox", name="Question")
    box.fill(text)
    page.get_by_role("option", name=text).wait_for()
    page.keyboard.press("Enter")
    page.locator(".sheet .question", has_text=text).wait_for()


def settle(page: Page) -> None:
    """Wait until every stroke is said to be saved."""
    page.locator(".sheet[data-open='0'] .saved.kept").wait_for()


def marks(golden: Path, question: str, name: str) -> list[Mark | None]:
    with open_store(golden) as store:
        return sorted((mark.mark for mark in store.marks(question, Who(name))), key=str)


def open_again(page: Page) -> None:
    """Take a mark back, then add a facet: neither time is the pass said to be at its end."""
    ready, facets = page.locator(".sheet .notice.ready"), page.locator(".sheet .facet")
    rest = page.locator(".sheet .foot", has_text="Ctrl Enter the rest does not")
    page.keyboard.press("u")
    rest.wait_for()
    ready.wait_for(state="detached")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    ready.wait_for()
    page.keyboard.press("a")
    page.keyboard.type("more")
    page.keyboard.press("Enter")
    facets.nth(1).wait_for()
    rest.wait_for()
    ready.wait_for(state="detached")
    page.keyboard.press("u")
    facets.nth(1).wait_for(state="detached")
    page.keyboard.press("Control+Enter")
    ready.wait_for()


def test_ten_questions_by_keyboard_alone(
    server: Server, new_page: Callable[..., Page], golden: Path
) -> None:
    page = new_page(profile="ann")
    page.goto(f"{server.address}/data")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(
        files={"name": "ten.jsonl", "mimeType": "application/json", "buffer": pools()}
    )
    page.get_by_text("Question 1 of 10").wait_for()  # the file is there, not the first sample
    page.get_by_role("link", name="Annotate").click()
    introduce(page, "Ann")
    idle(page)
    page.get_by_role("button", name="Take all 10 questions in").press("Enter")
    page.locator(".sheet .text", has_text="on system 1.").wait_for()
    idle(page)
    page.evaluate(
        "window.reached = [];"
        "document.addEventListener('keydown', (event) => window.reached.push(event.key))"
    )
    for number in range(1, QUESTIONS + 1):
        page.locator(".sheet .question", has_text=f"system {number} ").wait_for()
        page.locator(".sheet .text", has_text=f"on system {number}.").wait_for()
        labels = (TYPED, "it") if number == 1 else ("it",)
        for label in labels:
            page.keyboard.press("a")
            page.keyboard.type(label)
            if number == 1:
                page.get_by_text("Enter adds, Esc leaves").wait_for()
            page.keyboard.press("Enter")
        page.locator(".sheet .facet").nth(len(labels) - 1).wait_for()
        if number == 1:
            assert page.locator(".sheet .choice.on").count() == 0
        for key in ("r", "c", "c", "1", "Control+Enter"):
            page.keyboard.press(key)
        for _ in range(PASSAGES - 1):
            page.keyboard.press("1")
            page.keyboard.press("Control+Enter")
        page.locator(".sheet .notice.ready").wait_for()
        if number == 2:
            open_again(page)
        page.locator(".sheet .foot", has_text="Ctrl Enter finish the pass").wait_for()
        page.keyboard.press("Control+Enter")
    page.get_by_text("Question 10 of 10, 10 done").wait_for()
    settle(page)
    page.get_by_text("rank ").first.wait_for()
    assert not {"r", "c", "1", "2", "a"} & set(page.evaluate("window.reached"))
    with open_store(golden) as store:
        for number in range(1, QUESTIONS + 1):
            found = store.record(f"q{number}")
            assert found is not None
            labels = (TYPED, "it") if number == 1 else ("it",)
            assert tuple(facet.label for facet in found.facets) == labels
            said = [mark.mark for mark in found.judgements]
            assert said.count(Mark.SUPPORTS) == PASSAGES
            assert said.count(Mark.DOES_NOT) == PASSAGES * (len(labels) - 1)
            assert [each.is_done for each in found.attendance] == [True]
            assert found.attendance[0].seconds > 0
        assert store.faults() == ()


def test_a_newcomer_and_a_clash_on_postgresql(
    new_server: Callable[..., Server], new_page: Callable[..., Page], tmp_path: Path
) -> None:
    with running(tmp_path) as address:
        server = new_server(address)
        page = new_page(profile="newcomer")
        enter(page, server.address, "Nell")
        page.get_by_text("The golden set is empty").wait_for()
        assert page.locator("[data-testid=stException]").count() == 0
        assert page.get_by_text("Page not found").count() == 0
        page.wait_for_function("document.cookie.includes('poolscope_annotator=Nell')")
        page.reload()
        page.get_by_text("The golden set is empty").wait_for()
        page.get_by_role("button", name="Nell").wait_for()
        assert page.get_by_label("Your name").count() == 0

        idle(page)
        page.get_by_role("button", name="Take this question in").click()
        page.locator(".sheet .text").wait_for()
        idle(page)
        page.keyboard.press("a")
        page.keyboard.type("it")
        page.keyboard.press("Enter")
        page.keyboard.press("a")
        page.keyboard.type("typed while ")
        offered = page.get_by_role("button", name="Begin with these")  # above the sheet
        offered.wait_for(state="detached")
        page.locator(".sheet .facet").wait_for()
        page.keyboard.type("it is saved")
        assert page.get_by_label("Add a facet").input_value() == "typed while it is saved"
        page.get_by_label("Add a facet").clear()
        page.keyboard.press("Escape")
        for key in ("1", "ArrowRight", "1", "1"):
            page.keyboard.press(key)
        page.reload()
        page.get_by_text("Passage 2 of").wait_for()  # the one that was looked at
        settle(page)
        assert page.locator(".sheet .choice.on").inner_text().endswith("does not")
        page.locator(".sheet .question").wait_for()

        other = new_page(profile="newcomer-at-home")
        enter(other, server.address, "Nell")
        other.get_by_text("Passage 3 of").wait_for()  # the first open one
        idle(other)
        idle(page)
        page.get_by_role("button", name="Next →").click()
        page.keyboard.press("1")
        settle(page)
        for key in ("1", "1"):
            other.keyboard.press(key)
        bar = other.locator(".sheet .notice.conflict")
        bar.get_by_text("There: supports. Yours: does not.").wait_for()
        with open_store(address) as store:
            found = [mark.mark for mark in store.marks(store.questions()[0].id, Who("Nell"))]
            assert sorted(map(str, found)) == ["does not", "supports", "supports"]
            assert store.faults() == ()
        idle(other)
        bar.get_by_role("button", name="Use mine").click()
        bar.wait_for(state="hidden")
        settle(other)
        page.close()
        other.close()
        server.end()  # before its database


def test_a_reload_in_the_middle_of_work_loses_nothing(
    server: Server, new_page: Callable[..., Page], golden: Path
) -> None:
    with open_store(golden) as store:
        id_ = question(store)
    page = new_page(profile="bea")
    enter(page, server.address, "Bea")
    choose(page, id_)
    idle(page)
    spent = page.evaluate(LATENCY)
    print(  # noqa: T201 - a figure to read, not to be held to
        f"a key to the screen: median {spent[10]:.1f} ms, slowest {spent[-1]:.1f} ms"
    )
    settle(page)
    assert marks(golden, id_, "Bea") == [None]  # twenty times round a cycle of four
    for key in ("2", "ArrowRight", "1", "2", "2", "ArrowRight", "l"):
        page.keyboard.press(key)
    page.reload()
    page.locator(".sheet .question", has_text=id_).wait_for()  # the name is known, and the place
    settle(page)
    kept = marks(golden, id_, "Bea")
    assert kept == [None, Mark.DOES_NOT, Mark.LATER, Mark.LATER, Mark.SUPPORTS, Mark.SUPPORTS]
    page.get_by_text("2 put off").wait_for()
    idle(page)
    page.keyboard.press("u")
    page.get_by_text("2 put off").wait_for(state="hidden")
    settle(page)
    assert Mark.LATER not in marks(golden, id_, "Bea")


def test_what_another_browser_changed_is_shown_beside_the_own_mark(
    server: Server, new_page: Callable[..., Page], golden: Path
) -> None:
    with open_store(golden) as store:
        id_ = question(store)
    pages = [new_page(profile=name) for name in ("di", "di-at-home")]
    for page in pages:
        enter(page, server.address, "Di")
        choose(page, id_)
        idle(page)
    pages[0].keyboard.press("1")
    settle(pages[0])
    for key in ("1", "1", "2"):
        pages[1].keyboard.press(key)
    bar = pages[1].locator(".sheet .notice.conflict")
    bar.wait_for()
    assert "There: supports. Yours: does not." in bar.inner_text()
    assert marks(golden, id_, "Di").count(Mark.DOES_NOT) == 0
    idle(pages[1])
    bar.get_by_role("button", name="Use mine").click()
    bar.wait_for(state="hidden")
    settle(pages[1])
    assert marks(golden, id_, "Di") == [Mark.DOES_NOT, Mark.SUPPORTS]


def test_a_locked_golden_set_keeps_the_stroke_on_the_screen_until_it_is_saved(
    server: Server, new_page: Callable[..., Page], golden: Path
) -> None:
    with open_store(golden) as store:
        id_ = question(store)
    page = new_page(profile="flo")
    enter(page, server.address, "Flo")
    choose(page, id_)
    idle(page)
    other = sqlite3.connect(golden, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.get_by_text("2 strokes not saved. The golden set").wait_for()
    page.get_by_text("is being written by another program").wait_for()
    assert page.locator(".sheet .choice.on").count() == 2
    page.get_by_text("not saved", exact=True).first.wait_for()
    # While it is locked: the sheet tries again by itself too, and takes the button away then.
    page.locator(".sheet .saved").get_by_role("button", name="Try again").click()
    kept = other.execute("SELECT count(*) FROM golden_mark WHERE annotator = 'Flo'").fetchone()
    assert kept == (0,)
    other.execute("ROLLBACK")
    other.close()
    settle(page)
    assert marks(golden, id_, "Flo") == [Mark.SUPPORTS, Mark.SUPPORTS]
