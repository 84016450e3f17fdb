"""The file in Firefox, spoken to over WebDriver BiDi; skipped where there is no Firefox."""

import itertools
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.sync.client import ClientConnection, connect

from poolscope import analysis, formats, projection, samples
from poolscope.board.lattice import at
from poolscope.model import Policy, Pool
from poolscope.report.page import page
from poolscope.selection import select
from poolscope.selection.paths import Axis

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
RULES = ("grouped_cap", "mmr")
STOPS = 10
AXES = ("lambda", "cap", "depth", "k")
SECONDS = 90.0
ENTER = "\ue007"
READ = """JSON.stringify([...document.querySelectorAll('.column')].map(column =>
    [...column.querySelectorAll('.card:not([hidden]) header > span')]
        .map(span => Number(span.textContent.split(' ')[1]) - 1)))"""
VALUES = """JSON.stringify(Object.fromEntries(['lambda', 'cap', 'depth', 'k'].map(axis =>
    [axis, Number(document.querySelector(`.slider-${axis} [role=slider]`)
        .getAttribute('aria-valuenow'))])))"""

pytestmark = pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox here")


class Tab:
    """A tab of a running Firefox.

    Args:
        line: The connection.
    """

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._numbers = itertools.count(1)
        self.send("session.new", capabilities={})
        self._context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: object) -> Any:  # noqa: ANN401 - JSON
        """Send a command and return its result."""
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._line.recv(timeout=SECONDS))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, file: Path) -> None:
        """Open a file."""
        self.send(
            "browsingContext.navigate", context=self._context, url=file.as_uri(), wait="complete"
        )

    def read(self, expression: str) -> Any:  # noqa: ANN401 - JSON
        """Evaluate an expression that gives JSON as text."""
        found = self.send(
            "script.evaluate",
            expression=expression,
            target={"context": self._context},
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def type(self, text: str) -> None:
        """Press keys."""
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.send(
            "input.performActions",
            context=self._context,
            actions=[{"type": "key", "id": "keys", "actions": keys}],
        )


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    """Start a Firefox that listens on this machine only, and end it."""
    assert FIREFOX is not None
    profile = tmp_path / "profile"
    profile.mkdir()
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(  # noqa: S603 - the system's Firefox
        [*command, "--remote-debugging-port", "0"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as firefox:
        watch = threading.Timer(SECONDS, firefox.kill)
        watch.start()
        assert firefox.stderr is not None
        try:
            said = (re.search(r"BiDi listening on (ws://\S+)", line) for line in firefox.stderr)
            address = next(met[1] for met in said if met)
            threading.Thread(target=firefox.stderr.read, daemon=True).start()
            with connect(f"{address}/session", max_size=None, origin=None) as line:
                yield Tab(line)
        finally:
            watch.cancel()
            firefox.kill()


def direct(pool: Pool, values: dict[str, float]) -> list[list[int]]:
    """Return what Python selects in every column."""
    policy = Policy(lambda_=values["lambda"])
    stop = {Axis(axis): int(values[axis]) for axis in ("depth", "cap", "k")}
    return [
        list(select(pool, at(pool, policy.changed(selector=rule), stop)).ordered)
        for rule in ("top_k", *RULES)
    ]


def test_every_slider_gives_what_python_selects(tab: Tab, tmp_path: Path) -> None:
    sample = samples.SAMPLES[0]
    load = formats.read(samples.data(sample), sample.file)
    pool = load.question(0, source_field=sample.source_field).pool
    file = tmp_path / "report.html"
    document = page(analysis.compare(pool, Policy(), RULES), projection.pca(pool))
    file.write_text(document, encoding="utf-8")
    tab.open(file)
    assert tab.read("JSON.stringify(document.querySelector('.board').dataset.settled)") == "true"
    stops = tab.read(
        "JSON.stringify(JSON.parse(document.getElementById('poolscope-data').textContent)"
        ".lattice.stops)"
    )
    random = np.random.default_rng(4)
    for turn, axis in itertools.product(range(STOPS), AXES):
        value = round(random.random(), 4) if axis == "lambda" else random.choice(stops[axis])
        tab.read(
            f"(() => {{ const box = document.querySelector('.slider-{axis} .slider-box');"
            " box.focus(); box.select(); return 'true'; })()"
        )
        tab.type(f"{value}{ENTER}")
        values = tab.read(VALUES)
        assert values[axis] == value
        assert tab.read(READ) == direct(pool, values), (turn, axis, values)
