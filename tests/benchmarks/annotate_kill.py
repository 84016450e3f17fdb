"""Kill the server while a browser marks: ``python tests/benchmarks/annotate_kill.py [KILLS]``.

Keys are pressed at random moments; at a random moment the server is ended with the signal that no
program can catch, looked at, and started again. Prints what the page had acknowledged, what of it
was found in the golden set, and whether every stroke is there in the end.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from poolscope.golden import place
from poolscope.golden.actions import AddFacet, AddQuestion
from poolscope.golden.model import Passage, Question, Who
from poolscope.golden.store import open_store
from tests.browser.conftest import CHROMIUM, FLAGS, START_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Page

REPO = Path(__file__).resolve().parents[2]
PASSAGES, FACETS = 40, 4
WAIT_MS = 120_000
LONGEST = 1.5
"""Seconds of marking before a kill, at most."""

WATCH = """() => {
    window.made = [];
    window.acknowledged = [];
    const { setItem, removeItem } = Storage.prototype;
    const note = (list, name) => {
        const token = name.split(':')[2];
        if (name.startsWith('poolscope-stroke:') && !list.includes(token)) list.push(token);
    };
    Storage.prototype.setItem = function (name, value) {
        note(window.made, name);
        return setItem.call(this, name, value);
    };
    Storage.prototype.removeItem = function (name) {
        note(window.acknowledged, name);
        return removeItem.call(this, name);
    };
}"""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is to be killed."""

    process: subprocess.Popen[bytes]
    port: int


def main() -> None:
    """Kill, and print one line a kill."""
    from playwright.sync_api import sync_playwright

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = random.Random(1)  # noqa: S311 - moments of a test
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        golden = Path(folder) / "golden.sqlite"
        _question(golden)
        server = _start(golden, _free_port())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            page = _entered(browser.new_page(), server)
            lost = 0
            for number in range(1, count + 1):
                found = _killed(page, server, golden, seed)
                lost += found
                server = _start(golden, server.port)
                page.locator(".sheet[data-open='0'] .saved.kept").wait_for()
                missing = set(page.evaluate("window.made")) - _tokens(golden)
                lost += len(missing)
                print(f"kill {number}: {len(missing)} missing after the restart", flush=True)
            with open_store(golden) as store:
                made = len(page.evaluate("window.made"))
                print(f"{count} kills, {made} strokes, {lost} lost, faults: {store.faults()}")
        finally:
            browser.close()
            server.process.kill()
            server.process.wait(timeout=15)


def _question(golden: Path) -> None:
    with open_store(golden) as store:
        passages = tuple(Passage(f"p{rank}", f"text {rank}") for rank in range(PASSAGES))
        store.send("q", AddQuestion(Question("q", "Why?"), passages), Who("Lead"))
        for number in range(FACETS):
            store.send("q", AddFacet(f"f{number}", f"facet {number}"), Who("Lead"))


def _tokens(golden: Path) -> set[str]:
    with open_store(golden) as store:
        return {stroke.token for stroke in store.log()}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _start(golden: Path, port: int) -> Server:
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py",
        "--server.port", str(port), "--server.headless", "true",
    ]  # fmt: skip
    process = subprocess.Popen(  # noqa: S603 - this repository's own app
        command,
        cwd=REPO,
        env={**os.environ, place.VARIABLE: str(golden)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last:
        try:
            health = f"http://127.0.0.1:{port}/_stcore/health"
            with urllib.request.urlopen(health, timeout=5):
                return Server(process, port)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    process.kill()
    raise SystemExit("the server did not answer")


def _entered(page: "Page", server: Server) -> "Page":
    page.set_default_timeout(WAIT_MS)
    page.goto(f"http://127.0.0.1:{server.port}/annotate")
    page.get_by_label("Your name").fill("Ann")
    page.keyboard.press("Enter")
    page.locator(".sheet .facet").nth(FACETS - 1).wait_for()
    page.evaluate(WATCH)
    return page


def _killed(page: "Page", server: Server, golden: Path, seed: random.Random) -> int:
    """Mark until the server is killed; return how many acknowledged strokes are not there."""
    moment = threading.Timer(
        seed.uniform(0.05, LONGEST), server.process.send_signal, [signal.SIGKILL]
    )
    moment.start()
    while server.process.poll() is None:
        page.keyboard.press(seed.choice(["1", "2", "3", "4", "ArrowRight", "u", "Control+Enter"]))
        page.wait_for_timeout(seed.uniform(0, 80))
    for key in ("1", "2"):  # nobody is there to hear
        page.keyboard.press(key)
    acknowledged = set(page.evaluate("window.acknowledged"))
    found = _tokens(golden)
    made = len(page.evaluate("window.made"))
    gone = acknowledged - found
    print(f"made {made}, acknowledged {len(acknowledged)}, lost of them {len(gone)}; ", end="")
    return len(gone)


if __name__ == "__main__":
    main()
