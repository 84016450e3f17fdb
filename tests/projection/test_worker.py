import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from poolscope.projection.protocol import Frame, Kind, pack, receive, send


def test_whatever_goes_wrong_is_answered_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "umap.py").write_text("raise ImportError('no umap\\nhere')")
    rows = np.eye(20, dtype=np.float32)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "poolscope.projection.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    ) as worker:
        jobs, answers = cast("BinaryIO", worker.stdin), cast("BinaryIO", worker.stdout)
        send(jobs, Frame(Kind.JOB, b"no array"))
        send(jobs, Frame(Kind.JOB, pack(rows, rows[:, :2])))
        first, second = receive(answers), receive(answers)
        jobs.close()
        assert worker.wait(timeout=90) == 0
    assert first is not None
    assert first.kind is Kind.ERROR
    assert first.payload.startswith(b"ValueError: ")
    assert second == Frame(Kind.ERROR, b"ImportError: no umap here")
