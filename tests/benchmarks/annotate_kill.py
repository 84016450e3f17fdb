"""Kill the server while a browser marks: ``annotate_kill.py [KILLS] [sqlite | postgresql] [SEED]``.

Keys are pressed at random moments; at a random moment the whole server is ended with the signal
that no program can catch, and started again. After every kill the golden set is looked at before
anything else can write to it: every stroke that the page was told is kept has to be there, and the
tables have to be what the log leads to. Then the page has to send by itself what it still holds.
Prints a line a kill, and what all of them came to.
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from poolscope.golden import place
from poolscope.golden.actions import AddFacet, AddQuestion
from poolscope.golden.model import Passage, Question, Who
from poolscope.golden.store import Store, open_store
from tests.benchmarks.golden_server import postgresql
from tests.browser.conftest import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Page

APP = Path(__file__).with_name("forked_app.py")
PASSAGES, FACETS = 40, 4
KEYS = ("1", "2", "3", "4", "ArrowRight", "u", "l", "Control+Enter")
WAIT_MS = 600_000
"""For one thing to appear: the machine may be stopped meanwhile."""
LONGEST = 2.5
"""Seconds of marking before a kill, at most."""

WATCH = """() => {
    window.made = [];
    window.answered = [];
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
        note(window.answered, name);
        return removeItem.call(this, name);
    };
}"""


@dataclass(frozen=True, slots=True)
class Kill:
    """What one kill came to.

    Args:
        told: Strokes of which the page was told that they are kept.
        lost: Those of them that are not in the log.
        unanswered: Strokes that the page still held.
        arrived: Those of them that are in the log: the kill cut off the answer.
        missing: Strokes that are not in the log after the page has sent again what it held.
        faults: Where the tables were not what the log leads to, before the restart or after.
    """

    told: int
    lost: int
    unanswered: int
    arrived: int
    missing: int
    faults: int


class App:
    """A server that is to be killed, and started again on the same port."""

    def __init__(self, address: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._loaded = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, str(APP), str(self.port)],
            env={**os.environ, place.VARIABLE: address},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._said("ready")
        self._id = 0

    def _said(self, start: str) -> str:
        assert self._loaded.stdout is not None
        for line in self._loaded.stdout:
            if line.startswith(start):
                return line
        raise SystemExit(f"the app ended before it said {start}")

    def start(self) -> None:
        """Start a server and wait until it answers."""
        assert self._loaded.stdin is not None
        self._loaded.stdin.write("\n")
        self._loaded.stdin.flush()
        self._id = int(self._said("pid").split()[1])
        last = time.monotonic() + WAIT_MS / 1000
        while time.monotonic() < last:
            try:
                health = f"http://127.0.0.1:{self.port}/_stcore/health"
                with urllib.request.urlopen(health, timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        raise SystemExit("the server did not answer")

    def kill(self) -> None:
        """End the server, and wait until it is gone."""
        if self._id:
            os.kill(self._id, signal.SIGKILL)
            self._said("ended")
            self._id = 0

    def end(self) -> None:
        """End the server and the program that started it."""
        self.kill()
        self._loaded.kill()
        self._loaded.communicate(timeout=15)


def main() -> None:
    """Kill, and print one line a kill."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    kind = sys.argv[2] if len(sys.argv) > 2 else "sqlite"
    seed = random.Random(sys.argv[3] if len(sys.argv) > 3 else 1)  # noqa: S311 - moments of a test
    kills: list[Kill] = []
    with ExitStack() as stack:
        address = stack.enter_context(_database(kind))
        store = stack.enter_context(open_store(address))
        _question(store)
        app = App(address)
        stack.callback(app.end)
        app.start()
        page = stack.enter_context(_entered(app))
        begun = time.monotonic()
        for number in range(1, count + 1):
            kills.append(_killed(page, app, store, seed))
            print(f"{kind} {number}: {kills[-1]}", flush=True)
        told, lost, unanswered, arrived, missing, faults = map(
            sum, zip(*map(astuple, kills), strict=True)
        )
        made = len(page.evaluate("window.made"))
        print(
            f"{kind}: {count} kills in {time.monotonic() - begun:.0f} s, {made} strokes; at the "
            f"kills {told} were acknowledged, {lost} of them lost; {unanswered} were not, "
            f"{arrived} of them kept already; {missing} missing after the page had sent again; "
            f"{faults} faults"
        )


@contextmanager
def _database(kind: str) -> Iterator[str]:
    if kind == "postgresql":
        with postgresql() as address:
            yield address
        return
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "golden.sqlite")


def _question(store: Store) -> None:
    passages = tuple(Passage(f"p{rank}", f"text {rank}") for rank in range(PASSAGES))
    store.send("q", AddQuestion(Question("q", "Why?"), passages), Who("Lead"))
    for number in range(FACETS):
        store.send("q", AddFacet(f"f{number}", f"facet {number}"), Who("Lead"))


def _tokens(store: Store) -> set[str]:
    return {stroke.token for stroke in store.log()}


@contextmanager
def _entered(app: App) -> Iterator["Page"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=WAIT_MS)
        page = browser.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(f"http://127.0.0.1:{app.port}/annotate")
        page.get_by_label("Your name").fill("Ann")
        page.keyboard.press("Enter")
        page.locator(".sheet .facet").nth(FACETS - 1).wait_for()
        page.evaluate(WATCH)
        yield page
        browser.close()


def _killed(page: "Page", app: App, store: Store, seed: random.Random) -> Kill:
    """Mark until the server is killed; look at what is left, start it again, and look again."""
    before = set(page.evaluate("window.answered"))
    moment = threading.Timer(seed.uniform(0.05, LONGEST), app.kill)
    moment.start()
    while moment.is_alive():
        page.keyboard.press(seed.choice(KEYS))
        page.wait_for_timeout(seed.uniform(0, 80))
    for key in ("1", "2"):  # nobody is there to hear
        page.keyboard.press(key)
    found, faults = _tokens(store), len(store.faults())
    answered = set(page.evaluate("window.answered"))
    held = set(page.evaluate("window.made")) - answered
    app.start()
    page.locator(".sheet[data-open='0'] .saved.kept").wait_for()
    missing = set(page.evaluate("window.made")) - _tokens(store)
    return Kill(
        len(answered - before),
        len(answered - found),
        len(held),
        len(held & found),
        len(missing),
        faults + len(store.faults()),
    )


if __name__ == "__main__":
    main()
