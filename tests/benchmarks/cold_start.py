"""How long a person waits at the start, and what an installation weighs; run by hand.

    .venv/bin/python tests/benchmarks/cold_start.py [runs]

A server is started, and when it answers a fresh browser opens Inspect. Counted from the server's
first answer: the frame (Streamlit's own scripts have run), the board with its three columns, the
drawn map. Times are of this machine at this moment: the share of the processors that were free
is printed beside them.
"""

import importlib.metadata
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
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

REPO = Path(__file__).resolve().parents[2]
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
HEAVY = ("umap", "numba", "sklearn", "scipy", "pandas", "pyarrow", "plotly")
FIRST_PAINT = "import poolscope.ui.navigation, poolscope.ui.views.inspect, poolscope.projection"
LIMIT_MS = 120_000


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds; the first counts from the start of the process, the others from its answer."""

    answers: float
    frame: float
    columns: float
    again: float


def main(runs: int) -> None:
    """Print the table."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("needs chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        starts = [_start(browser) for _ in range(runs)]
        browser.close()
    print(f"| seconds, median of {runs} (least) | |\n|---|--:|")
    for name, label in (
        ("answers", "process start to the first answer"),
        ("frame", "answer to Streamlit's frame"),
        ("columns", "answer to the three columns of Inspect"),
        ("again", "a second visit: address to the three columns"),
    ):
        values = [float(getattr(start, name)) for start in starts]
        print(f"| {label} | {statistics.median(values):.2f} ({min(values):.2f}) |")
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"| load for each processor meanwhile | {busy:.1f} |")
    for name, seconds, count, heavy in map(_import, ("import streamlit", FIRST_PAINT)):
        print(f"| CPU of `{name}`: {count} modules, of the heavy ones: {heavy} | {seconds:.2f} |")
    print("\n| installed, without the dev extra | MB |\n|---|--:|")
    sizes = _sizes("poolscope")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:8]:
        print(f"| {name} | {size / 1e6:.0f} |")
    print(f"| all {len(sizes)} distributions | {sum(sizes.values()) / 1e6:.0f} |")


def _start(browser: Browser) -> Start:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        begun = time.monotonic()
        server = subprocess.Popen(  # noqa: S603 - this repository's own app
            [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}",
             "--server.headless=true", "--server.fileWatcherType=none"],
            cwd=REPO, env={**os.environ, "POOLSCOPE_CACHE_DIR": cache},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            _wait(address)
            answered = time.monotonic()
            frame, columns = _visit(browser, address)
            _, again = _visit(browser, address)
        finally:
            server.terminate()
            server.wait(timeout=30)
    return Start(answered - begun, frame, columns, again)


def _wait(address: str) -> None:
    last = time.monotonic() + LIMIT_MS / 1000
    while time.monotonic() < last:
        try:
            with urllib.request.urlopen(address + "/_stcore/health", timeout=5):  # noqa: S310
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.02)
    sys.exit("the server did not answer")


def _visit(browser: Browser, address: str) -> tuple[float, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    begun = time.monotonic()
    page.goto(address, wait_until="commit")
    page.locator("[data-testid=stSidebar]").wait_for()
    frame = time.monotonic() - begun
    page.locator(".board .column").nth(2).locator(".card").first.wait_for()
    columns = time.monotonic() - begun
    context.close()
    return frame, columns


def _import(code: str) -> tuple[str, float, int, str]:
    script = (
        f"import sys, time\nbegun = time.process_time()\n{code}\n"
        f"print(time.process_time() - begun, len(sys.modules), "
        f"*(name for name in {HEAVY!r} if name in sys.modules))"
    )
    done = subprocess.run(  # noqa: S603 - code of this file
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True
    )
    seconds, count, *heavy = done.stdout.split()
    return code, float(seconds), int(count), ", ".join(heavy) or "none"


def _sizes(root: str) -> dict[str, int]:
    """Return bytes on disk of a distribution and of all that it needs, by name."""
    sizes: dict[str, int] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in sizes:
            continue
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        files = [Path(str(found.locate_file(file))) for file in found.files or ()]
        sizes[name] = sum(file.stat().st_size for file in files if file.is_file())
        waiting += [_name(need) for need in found.requires or () if "extra ==" not in need]
    return sizes


def _name(requirement: str) -> str:
    end = next((i for i, c in enumerate(requirement) if c in " ;<>=!~[("), len(requirement))
    return requirement[:end]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
