"""The server's end of the worker process.

A plain subprocess and not ``concurrent.futures``: that pickles, and its child imports the
server's main module, which is Streamlit, before it starts.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from poolscope.geometry import Floats
from poolscope.projection.points import Singles
from poolscope.projection.protocol import Frame, Kind, pack, receive, send, unpack

_ONE_THREAD = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class FitError(Exception):
    """The worker answered that it cannot fit; the sentence says why."""


class WorkerLost(Exception):  # noqa: N818 - what happened, not a mistake of somebody
    """The worker ended before it answered."""


class TimeUp(Exception):  # noqa: N818 - the same
    """The worker was ended because it took too long."""


class Process:
    """A running worker; one job at a time, from one thread.

    Args:
        compiled: Folder for compiled code.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, compiled: Path) -> None:
        # -P: a file called umap.py in the folder the server was started from is not umap.
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "poolscope.projection.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                **dict.fromkeys(_ONE_THREAD, "1"),
                "NUMBA_CACHE_DIR": str(compiled),
            },
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._late = threading.Event()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._child.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._child.poll() is None

    def fit(self, rows: Singles, start: Singles, limit: float) -> Floats:
        """Have one layout computed and wait for it.

        Args:
            rows: Shape ``(m, d)``, different unit rows.
            start: Shape ``(m, 2)``.
            limit: Seconds until the worker is ended.

        Returns:
            Places, shape ``(m, 2)``, finite.

        Raises:
            FitError: The fit failed.
            WorkerLost: The process ended.
            TimeUp: The limit passed.
        """
        timer = threading.Timer(limit, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            answer = self._ask(Frame(Kind.JOB, pack(rows, start)))
        finally:
            timer.cancel()
        if answer is None:
            self.end()
            if self._late.is_set():
                raise TimeUp(f"it took longer than {limit:g} s")
            raise WorkerLost(f"its process ended with code {self._child.returncode}")
        if answer.kind is Kind.ERROR:
            raise FitError(answer.payload.decode(errors="replace"))
        places = unpack(answer.payload, 1)[0].astype(np.float64)
        if places.shape != (len(rows), 2) or not np.isfinite(places).all():
            raise FitError("it gave places that are not finite")
        return places

    def _ask(self, job: Frame) -> Frame | None:
        try:
            send(cast(BinaryIO, self._child.stdin), job)
            return receive(cast(BinaryIO, self._child.stdout))
        except (OSError, ValueError):  # the pipe broke, or was closed by end()
            return None

    def _end_late(self) -> None:
        self._late.set()
        self._child.kill()

    def end(self) -> None:
        """End it at once; it holds nothing worth keeping."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # unsent bytes of a job that nobody waits for any more
                    continue
