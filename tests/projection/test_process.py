import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from poolscope.projection import cache
from poolscope.projection.process import FitError, Process, TimeUp, WorkerLost

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")

ROWS = np.eye(20, dtype=np.float32)


@pytest.fixture
def process() -> Iterator[Process]:
    started = Process(cache.compiled_folder())
    yield started
    started.end()


def test_it_ends_a_job_that_takes_too_long(process: Process) -> None:
    with pytest.raises(TimeUp, match=r"longer than 0\.2 s"):
        process.fit(ROWS, ROWS[:, :2], 0.2)
    assert not process.alive


def test_it_says_when_the_worker_is_gone(process: Process) -> None:
    os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(WorkerLost, match="code -9"):
        process.fit(ROWS, ROWS[:, :2], 60)


def test_it_passes_on_why_a_fit_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file named like a library, in the folder that the server was started from, is not run.
    (tmp_path / "umap.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    process = Process(cache.compiled_folder())
    try:
        with pytest.raises(FitError, match="Input contains NaN"):
            process.fit(np.full_like(ROWS, np.nan), ROWS[:, :2], 600)
        assert process.fit(ROWS, ROWS[:, :2], 600).shape == (20, 2)
    finally:
        process.end()


SERVER = """
import sys, time
import numpy as np
from poolscope.model.pool import Pool
from poolscope.projection.service import Service
service = Service()
if sys.argv[1] == "importing":
    service.warm()
else:
    for n in (20, 6000):
        rows = np.random.default_rng(time.time_ns()).normal(size=(n, 256))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        pool = Pool(query="", ids=tuple(map(str, range(n))), texts=("",) * n, sources=(None,) * n,
                    tokens=np.ones(n, int), tokenizer="", vectors=rows)
        while service.request(pool) is None and n == 20:
            time.sleep(0.05)
    time.sleep(1)
while service.pid is None:
    time.sleep(0.01)
print(service.pid, flush=True)
time.sleep(60)
"""


def _runs(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
@pytest.mark.parametrize("doing", ["importing", "fitting"])
def test_it_ends_with_a_server_that_is_killed(tmp_path: Path, doing: str) -> None:
    with subprocess.Popen(  # noqa: S603 - our own interpreter and the script above
        [sys.executable, "-c", SERVER, doing], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert _runs(worker)
        server.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 90
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(worker)
