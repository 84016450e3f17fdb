"""The worker process: ``python -m poolscope.projection.worker``, started by ``process``.

Reads jobs from standard input and writes places to standard output, until its input closes.
"""

import os
import queue
import signal
import sys
import threading
import warnings

import numpy as np

from poolscope.projection.fit import fit
from poolscope.projection.points import Singles
from poolscope.projection.protocol import Frame, Kind, pack, receive, send, unpack

_NICENESS = 5
_REASON_LENGTH = 200


def main() -> None:
    """Serve jobs until the server is gone."""
    # A stray print of a library must not land between frames.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end ends us
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    warnings.simplefilter("ignore")  # umap's remarks on settings that are meant as they are
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    _warm_up(jobs)
    while True:
        send(answers, _answer(jobs.get()))


def _listen(jobs: "queue.SimpleQueue[bytes]") -> None:
    """Queue jobs; end the process when the input closes, even in the middle of a fit."""
    try:
        while (frame := receive(sys.stdin.buffer)) is not None:
            jobs.put(frame.payload)
    finally:
        os._exit(0)


def _warm_up(jobs: "queue.SimpleQueue[bytes]") -> None:
    """Import and compile with a small fit while nobody waits; a failure shows with a job."""
    if jobs.empty():
        rows = np.eye(20, 24, dtype=np.float32)
        try:
            fit(rows, rows[:, :2])
        except Exception as error:  # noqa: BLE001 - whatever a library raises
            sys.stderr.write(f"UMAP did not warm up: {_reason(error)}\n")


def _answer(payload: bytes) -> Frame:
    try:
        rows, start = unpack(payload, 2)
        return Frame(Kind.PLACES, pack(fit(_singles(rows), _singles(start))))
    except Exception as error:  # noqa: BLE001 - whatever a library raises becomes a sentence
        return Frame(Kind.ERROR, _reason(error).encode())


def _singles(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Singles:
    return array.astype(np.float32, copy=False)


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_REASON_LENGTH]


if __name__ == "__main__":
    main()
