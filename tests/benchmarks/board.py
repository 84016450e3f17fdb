"""How the live board answers a drag: ``python tests/benchmarks/board.py [n ...]``.

Pools are random around twelve topics, d = 384, 500 characters a passage, k = 10. Every slider is
dragged over its whole range with real mouse events in headless Chromium at 1440x900. Frames are
deltas of requestAnimationFrame; the first row moves the mouse without a button, which is what the
machine itself does at this moment.
"""

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poolscope import analysis, board, formats, projection
from poolscope.charts.theme import LIGHT, palette
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis, path
from poolscope.selection.paths import Path as Way

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

REPO = Path(__file__).resolve().parents[2]
SIZES = (50, 500, 2000)
AXES = ("lambda", "cap", "depth", "k")
RULES = ("grouped_cap", "mmr")
POLICY = Policy(k=10)
STEPS = 150
PAUSE_MS = 8
RELEASES = 10
WORDS = ["cache", "node", "restart", "probe", "deploy", "memory", "window", "region", "quota"]

WATCH = """() => {
  window.frames_ = [];
  let last = performance.now();
  const next = (now) => {
    window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(next); });
}"""
TIMED = """board => {
  window.released_ = 0;
  window.settled_ = [];
  window.addEventListener('pointerup', () => { window.released_ = performance.now(); }, true);
  new MutationObserver(() => {
    if (board.dataset.settled !== 'true' || !window.released_) return;
    window.settled_.push(performance.now() - window.released_);
    window.released_ = 0;
  }).observe(board, { attributes: true, attributeFilter: ['data-settled'] });
}"""


def document(n: int) -> bytes:
    """Draw a pool and write it as JSON."""
    random = np.random.default_rng(n)
    centres = random.normal(size=(12, 384))
    of = random.integers(12, size=n)
    question = centres[:4].mean(axis=0) + random.normal(size=384)
    rows = 0.6 * centres[of] + random.normal(size=(n, 384)) + 0.3 * question
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    scores = rows @ question / np.linalg.norm(question)
    candidates = [
        {
            "id": f"c{rank}",
            "text": " ".join(random.choice(WORDS, size=85)),
            "source": f"handbook-of-operations-{of[i]:02d}.md",
            "score": round(float(scores[i]), 6),
            "vector": [round(value, 5) for value in rows[i].tolist()],
            "facets": [f"f{of[i] % 6}"] if random.random() < 0.5 else [],
        }
        for rank, i in enumerate(np.argsort(-scores).tolist())
    ]
    facets = {f"f{i}": f"component {i} of the answer" for i in range(6)}
    found = {"query": "Why?", "facets": facets, "candidates": candidates}
    return json.dumps({**found, "query_vector": question.tolist()}).encode()


def median_ms(work: Callable[[], object], times: int = 5) -> str:
    """Time a call, the median of several, by the clock and in CPU time."""
    taken = []
    for _ in range(times):
        begin, cpu = time.perf_counter(), time.process_time()
        work()
        taken.append((1000 * (time.perf_counter() - begin), 1000 * (time.process_time() - cpu)))
    clock, cpu = (statistics.median(part) for part in zip(*taken, strict=True))
    return f"{clock:.0f} ms ({cpu:.0f} of CPU)"


def in_python(pool: Pool) -> None:
    """Print the time of what a release computes, and the size of what it sends."""
    layout, colours = projection.pca(pool), palette(pool, POLICY.key, LIGHT)
    scene = board.scene(pool, POLICY.key, layout, colours)
    known: dict[tuple[Policy, Axis], Way] = {}

    def find(pool: Pool, policy: Policy, axis: Axis) -> Way:
        if (policy, axis) not in known:
            known[policy, axis] = path(pool, policy, axis)
        return known[policy, axis]

    data = board.payload(analysis.compare(pool, POLICY, RULES), scene, find)
    settings = iter([POLICY.changed(lambda_=0.31 + number / 100) for number in range(20)])
    compared = []

    def compare() -> None:
        compared.append(analysis.compare(pool, next(settings), RULES))

    print(
        f"  payload {len(board.encoded(data)) / 1000:.0f} KB; comparison {median_ms(compare)}, ",
        end="",
    )
    fresh = iter(compared)
    again = iter(compared)
    print(
        f"paths and payload after a release of lambda "
        f"{median_ms(lambda: board.payload(next(fresh), scene, find))}, "
        f"payload alone {median_ms(lambda: board.payload(next(again), scene, find))}, "
        f"JSON {median_ms(lambda: board.encoded(data))}, "
        f"scene {median_ms(lambda: board.scene(pool, POLICY.key, layout, colours))}"
    )


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Run the app and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py",
        "--server.port", str(port), "--server.headless", "true",
    ]  # fmt: skip
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(command, cwd=REPO, stdout=log, stderr=log)  # noqa: S603 - ours
    try:
        while process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                    break
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=15)


def load(page: "Page", address: str, file: Path) -> None:
    """Upload a pool, set k and wait for the final map."""
    page.goto(f"{address}/data")
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text(f"{int(file.stem):,} of {int(file.stem):,} rows").wait_for()
    page.get_by_role("link", name="Inspect").first.click()
    page.locator(".board[data-settled=true]").wait_for()
    box = page.locator(".board .slider-k input")
    box.fill(str(POLICY.k))
    box.press("Enter")
    page.locator(".board .map .panel-caption", has_text="UMAP").wait_for()
    page.wait_for_timeout(1500)


def main_thread(session: "CDPSession") -> float:
    """Return the milliseconds of CPU that the page's main thread has used."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(1000 * next(item["value"] for item in metrics if item["name"] == "TaskDuration"))


def sweep(
    page: "Page", session: "CDPSession", sent: list[object], axis: str, *, held: bool
) -> None:
    """Drag a slider over its whole range and print what happened."""
    box = page.locator(f".board .slider-{axis} [role=slider]").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"], y)
    if held:
        page.mouse.down()
    page.evaluate("() => { window.frames_.length = 0; }")
    before, busy = len(sent), main_thread(session)
    for step in range(STEPS + 1):
        page.mouse.move(box["x"] + box["width"] * step / STEPS, y)
        page.wait_for_timeout(PAUSE_MS)
    frames = np.array(page.evaluate("() => window.frames_"))
    busy = (main_thread(session) - busy) / STEPS
    messages = len(sent) - before
    page.mouse.up()
    page.locator(".board[data-settled=true]").wait_for()
    page.wait_for_timeout(500)
    print(
        f"  {axis if held else 'no button':>9}: {messages} messages while held; frames "
        f"median {np.median(frames):.1f}, p95 {np.percentile(frames, 95):.1f}, "
        f"longest {frames.max():.1f} ms of {len(frames)}; main thread {busy:.1f} ms of CPU a step"
    )


def releases(page: "Page", axis: str) -> None:
    """Print the times from a release of a slider to the board's new setting, one by one."""
    track = page.locator(f".board .slider-{axis} [role=slider]")
    box = track.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    for number in range(RELEASES + 1):
        before = track.get_attribute("aria-valuenow")
        counted = page.evaluate("() => window.settled_.length")
        page.mouse.move(box["x"] + box["width"] / 2, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * (0.15 + 0.07 * number), y, steps=3)
        page.wait_for_timeout(100)
        moved = track.get_attribute("aria-valuenow") != before
        page.mouse.up()
        if moved:
            page.wait_for_function(f"() => window.settled_.length > {counted}")
        else:
            page.evaluate("() => { window.released_ = 0; }")
        page.wait_for_timeout(500)
    taken = page.evaluate("() => window.settled_.splice(0)")[1:]
    print(
        f"  release of {axis} to settled: median {statistics.median(taken):.0f} ms of "
        f"{' '.join(f'{value:.0f}' for value in taken)}; load {os.getloadavg()[0]:.1f}"
    )


def measure(page: "Page", address: str, file: Path) -> None:
    """Print everything about one pool."""
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    load(page, address, file)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate(WATCH)
    sweep(page, session, sent, "lambda", held=False)
    for axis in AXES:
        sweep(page, session, sent, axis, held=True)
    page.locator(".board").evaluate(TIMED)
    box = page.locator(".board .slider-k input")
    for axis in AXES:
        box.fill(str(POLICY.k))
        box.press("Enter")
        page.wait_for_timeout(1000)
        releases(page, axis)


def main() -> None:
    """Print the figures of each size."""
    from playwright.sync_api import sync_playwright

    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu"]
    with (
        tempfile.TemporaryDirectory() as temporary,
        served(Path(temporary)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        for n in sizes:
            file = Path(temporary) / f"{n}.json"
            file.write_bytes(document(n))
            averages = ", ".join(f"{value:.1f}" for value in os.getloadavg())
            print(f"n = {n}, k = {POLICY.k}; load {averages} on {os.cpu_count()} cores")
            in_python(formats.read(file.read_bytes(), file.name).question(0).pool)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(120_000)
            measure(page, address, file)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
