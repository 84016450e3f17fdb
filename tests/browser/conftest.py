"""A real server and a real browser, both ended by their own ids."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from poolscope import formats, samples
from poolscope.golden import place
from poolscope.projection import cache as layouts
from poolscope.projection.service import Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page

REPO = Path(__file__).resolve().parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 300
STARTS = 3
"""A port that was free may be taken before the server has it."""

WAIT_MS = 180_000
"""For one thing to appear; machines that run the whole suite are busy."""

LAYOUT_SECONDS = 600
UMAP_MS = 300_000
"""For the first map of a machine, which waits for the compiler; its process is a nice one."""

QUIET_MS, POLLED_MS = 250, 5_000
RESTS = """([quiet, polled]) => {
  const app = document.querySelector('[data-testid=stApp]');
  const draws = app?.dataset.testScriptState !== 'notRunning'
    || document.querySelector('[data-stale=true]');
  const now = performance.now();
  const asked = window.askedAt ??= now;
  if (draws) window.drawnAt = now;
  return !draws && (now - (window.drawnAt ?? asked) > quiet || now - asked > polled);
}"""
"""Nothing was drawn for a while; where a page keeps asking for its map, nothing is just now."""

AWAITED = "single-source"
"""The sample whose layout the servers compute; those of the others are there before they start."""

NOT_OURS = ("/_stcore/host-config", "/_stcore/health")
"""Streamlit asks for these below a page's own address on a deep link, gets 404 and goes on."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and skip it where there is no browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no chromium on this machine"))


class Server:
    """A Streamlit server of this repository on a free port of this machine.

    Args:
        cache: Folder for layouts and compiled code.
        log: File for what it writes.
        golden: Where its golden set is kept; empty for a file beside the log.
        secrets: Gives the text of its secrets for its address; ``None`` for none.
    """

    def __init__(
        self,
        cache: Path,
        log: Path,
        golden: str = "",
        secrets: Callable[[str], str] | None = None,
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.log = log
        self.golden = log.with_name("golden.sqlite")
        command = [
            sys.executable, "-m", "streamlit", "run", "app.py",
            "--server.port", str(port), "--server.headless", "true",
            "--server.fileWatcherType", "none",
        ]  # fmt: skip
        if secrets is not None:
            kept = log.with_name("secrets.toml")
            kept.write_text(secrets(self.address), encoding="utf-8")
            command += ["--secrets.files", str(kept)]
        with log.open("wb") as output:
            self._process = subprocess.Popen(  # noqa: S603 - this repository's own app
                command,
                cwd=REPO,
                env={
                    **os.environ,
                    layouts.VARIABLE: str(cache),
                    place.VARIABLE: golden or str(self.golden),
                },
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def answers(self) -> bool:
        """Wait until it answers, for a bounded time; whether it did."""
        last = time.monotonic() + START_SECONDS
        while time.monotonic() < last and self._process.poll() is None:
            try:
                health = self.address + "/_stcore/health"
                with urllib.request.urlopen(health, timeout=5):  # noqa: S310 - this machine's own
                    return self._process.poll() is None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        return False

    def end(self) -> None:
        """End it; its UMAP worker ends with it."""
        self._process.terminate()
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=15)


def idle(page: "Page") -> None:
    """Wait until nothing has been drawn for a while, and nothing waits to be drawn.

    What is typed or clicked before may go to what is replaced.
    """
    page.evaluate("() => { delete window.drawnAt; delete window.askedAt; }")
    page.wait_for_function(RESTS, arg=[QUIET_MS, POLLED_MS])


def introduce(page: "Page", name: str) -> None:
    """Give a name to the Annotate page, by keyboard."""
    page.get_by_label("Your name").wait_for()
    idle(page)
    page.get_by_label("Your name").press_sequentially(name)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=name).wait_for()


def placed(element: "Locator") -> "FloatRect":
    """Return where an element lies once it lies still."""
    idle(element.page)
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    for _ in range(WAIT_MS // 50):
        element.page.wait_for_timeout(50)
        before, box = box, element.bounding_box()
        if box is not None and box == before:
            return box
    pytest.fail(f"it does not come to rest: {element}")


def becomes(page: "Page", found: Callable[[], object], wanted: object) -> None:
    """Wait until something on the page reads as wanted."""
    for _ in range(WAIT_MS // 50):
        if found() == wanted:
            return
        page.wait_for_timeout(50)
    assert found() == wanted


@pytest.fixture(scope="session")
def cache_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the samples' layouts, so that no page waits for one in the middle of a test.

    Compiled code is kept between runs: it takes most of a minute.
    """
    fresh = tmp_path_factory.mktemp("browser-cache")
    if request.config.cache is not None:
        kept = request.config.cache.mkdir("poolscope") / "compiled"
        kept.mkdir(exist_ok=True)
        (fresh / "compiled").symlink_to(kept)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(layouts.VARIABLE, str(fresh))
        service = Service()
        last = time.monotonic() + LAYOUT_SECONDS
        for sample in samples.SAMPLES:
            load = formats.read(samples.data(sample), sample.file)
            pool = load.question(0, source_field=sample.source_field).pool
            while sample.name != AWAITED and service.request(pool) is None:
                assert time.monotonic() < last, "there is no layout"
                time.sleep(0.05)
        service.close()
    return fresh


@pytest.fixture(scope="session")
def new_server(
    cache_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Server]]:
    """Start servers, each on a golden set of its own; all are ended at the end."""
    started: list[Server] = []

    def start(golden: str = "", secrets: Callable[[str], str] | None = None) -> Server:
        for _ in range(STARTS):
            log = tmp_path_factory.mktemp("server") / "log.txt"
            server = Server(cache_folder, log, golden, secrets)
            started.append(server)
            if server.answers():
                return server
        pytest.fail(f"no server answers: {server.log.read_text(errors='replace')[-2000:]}")

    yield start
    for server in started:
        server.end()


@pytest.fixture(scope="session")
def server(new_server: Callable[[], Server]) -> Server:
    """Return the server that most tests share."""
    return new_server()


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """One browser for all tests."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def contexts(browser: "Browser") -> dict[str, "BrowserContext"]:
    """Return one profile a colour scheme: what was fetched once is not fetched for every test."""
    return {
        "light": browser.new_context(color_scheme="light"),
        "dark": browser.new_context(color_scheme="dark"),
    }


@pytest.fixture
def new_page(
    browser: "Browser", contexts: dict[str, "BrowserContext"]
) -> Iterator[Callable[..., "Page"]]:
    """Open pages, each a session; at the end none may have complained or left this machine."""
    complaints: list[str] = []
    opened: list[Page] = []

    def page(
        scheme: Literal["light", "dark"] = "light",
        size: tuple[int, int] = (1440, 900),
        profile: str = "",
    ) -> "Page":
        name = scheme + profile
        if name not in contexts:  # somebody else's browser, with cookies of its own
            contexts[name] = browser.new_context(color_scheme=scheme)
        made = contexts[name].new_page()
        made.set_viewport_size({"width": size[0], "height": size[1]})
        made.set_default_timeout(WAIT_MS)
        made.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        made.on("console", lambda message: _console(message.type, message.text, message.location))
        made.on("request", lambda request: _request(request.url))
        opened.append(made)
        return made

    def _console(kind: str, text: str, location: object) -> None:
        url = str(location.get("url", "")) if isinstance(location, dict) else str(location)
        if kind == "error" and not ("404" in text and url.split("?")[0].endswith(NOT_OURS)):
            complaints.append(f"console: {text} ({url})")

    def _request(url: str) -> None:
        if not url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            complaints.append(f"left this machine: {url}")

    yield page
    for made in opened:
        made.close()
    assert not complaints
