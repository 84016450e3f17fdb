"""The evaluating process: ``python -m poolscope.evaluation.worker``, started by ``background``.

Reads some work and then questions from standard input, and writes what it found to standard
output as it is done, until the last question; when its input closes before, it ends after the
questions that it is at.
"""

import contextlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

from poolscope.evaluation.frames import End, receive, send
from poolscope.evaluation.run import mapped
from poolscope.model import Pool

AHEAD = 16
"""Questions that wait in this process."""
NICENESS = 5


def main() -> None:
    """Work on questions until there are no more."""
    # A stray print of a library must not land between frames.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end ends us
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        work = receive(sys.stdin.buffer)
    except EOFError:
        return
    if not callable(work):
        raise TypeError(f"work is {work!r}")
    _serve(work, answers)
    sys.stderr.flush()
    os._exit(0)  # the listening thread still reads, and an end in good order waits for its lock


def _serve(work: Callable[[Pool], object], answers: BinaryIO) -> None:
    """Map the work over the questions that come in, until they end or nobody wants them."""
    coming = _Coming()
    threading.Thread(target=coming.listen, args=(sys.stdin.buffer,), daemon=True).start()
    with contextlib.closing(mapped(coming, work)) as running, contextlib.suppress(OSError):
        for done in running:
            send(answers, done)
            if coming.is_over.is_set():
                return
        send(answers, End())


class _Coming:
    """The questions that come in: to be iterated in one thread, and listened for in another."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[int, Pool] | End] = queue.Queue(AHEAD)
        self.is_over = threading.Event()

    def __iter__(self) -> Iterator[tuple[int, Pool]]:
        while not isinstance(entry := self._waiting.get(), End) and not self.is_over.is_set():
            yield entry

    def listen(self, stream: BinaryIO) -> None:
        """Queue questions; when the input closes before their end, let them all be."""
        try:
            while True:
                match receive(stream):
                    case End() as end:
                        self._waiting.put(end)
                    case (int() as number, Pool() as pool):
                        self._waiting.put((number, pool))
        except EOFError:
            self.is_over.set()
            with contextlib.suppress(queue.Full):
                self._waiting.put_nowait(End())


if __name__ == "__main__":
    main()
