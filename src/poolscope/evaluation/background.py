"""A run in a process of its own, which a screen can look at, stop, and let go on.

A plain subprocess, which then maps over the cores: a pool of processes started by a server would
have each of its children import the server's main module first.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import IO, BinaryIO, Generic, TypeVar, cast

from poolscope.evaluation.frames import End, receive, send
from poolscope.evaluation.run import FEW, Done, Refused, attempt
from poolscope.model import Pool

Result = TypeVar("Result")
_TURN = threading.Lock()
"""One run at a time in a server: each takes every core."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class State(Enum):
    """Where a run stands."""

    NEW = "not started"
    WAITING = "waiting for another run"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    LOST = "its process ended"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Args:
        state: Where it stands.
        done: Questions done.
        total: All questions.
        seconds: How long it has been running, this time.
        left: Seconds left, at the pace so far; ``None`` where that is not known yet.
    """

    state: State
    done: int
    total: int
    seconds: float
    left: float | None

    @property
    def is_going(self) -> bool:
        """Whether it goes on by itself."""
        return self.state in (State.WAITING, State.RUNNING)


class Run(Generic[Result]):
    """Some work on every question; what is done is kept when it is stopped.

    Args:
        total: How many questions there are.
        pools: Gives the questions of some numbers, one by one, or why one cannot be read; asked in
            a thread of the run.
        work: A pure function of one question, which can travel to another process.
    """

    def __init__(
        self,
        total: int,
        pools: Callable[[list[int]], Iterable[tuple[int, Pool | Refused]]],
        work: Callable[[Pool], Result],
    ) -> None:
        self._total, self._pools, self._work = total, pools, work
        self._found: dict[int, Result | Refused] = {}
        self._state = State.NEW
        self._lock = threading.Lock()
        self._stop, self._ended = threading.Event(), threading.Event()
        self._is_left = False
        self._begun, self._before = time.monotonic(), 0
        self._child: subprocess.Popen[bytes] | None = None

    def found(self) -> Mapping[int, Result | Refused]:
        """Return what is done so far, by the questions' numbers."""
        with self._lock:
            return dict(sorted(self._found.items()))

    def progress(self) -> Progress:
        """Say how far it is."""
        with self._lock:
            done, state = len(self._found), self._state
            seconds, fresh = time.monotonic() - self._begun, done - self._before
        left = seconds / fresh * (self._total - done) if fresh else None
        return Progress(state, done, self._total, seconds, left)

    def start(self) -> None:
        """Work on the questions that are not done, unless that is under way."""
        with self._lock:
            if self._state in (State.WAITING, State.RUNNING):
                return
            self._is_left = False
            self._stop.clear()
            self._ended.clear()
            self._state = State.WAITING if len(self._found) < self._total else State.DONE
            self._begun, self._before = time.monotonic(), len(self._found)
            if self._state is State.DONE:
                self._ended.set()
                return
        threading.Thread(target=self._go, daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, but not longer than that."""
        self._ended.wait(seconds)

    def stop(self) -> None:
        """Stop it; what is done stays."""
        self._stop.set()
        with self._lock:
            child = self._child
        if child is not None and child.stdin is not None:
            _close(child.stdin)

    def leave(self) -> None:
        """Stop it because nobody looks at it any more, and not because somebody said so."""
        if self.progress().is_going:
            self._is_left = True
            self.stop()

    def is_left(self) -> bool:
        """Whether it was left, and not started since: who comes back wants it to go on."""
        return self._is_left

    def _go(self) -> None:
        try:
            with _TURN:
                if not self._stop.is_set():
                    self._set(State.RUNNING)
                    (self._run if self._total > FEW else self._run_here)()
        finally:
            self._end()

    def _end(self) -> None:
        """Say how it ended."""
        with self._lock:
            if len(self._found) == self._total:
                self._state = State.DONE
            else:
                self._state = State.STOPPED if self._stop.is_set() else State.LOST
        self._ended.set()

    def _set(self, state: State) -> None:
        with self._lock:
            self._state = state
            self._begun = time.monotonic()

    def _run_here(self) -> None:
        """Work on a few questions in this very thread: a process takes longer to start."""
        for number, pool in self._pools(self._todo()):
            if self._stop.is_set():
                return
            found = pool if isinstance(pool, Refused) else attempt(self._work, pool)
            with self._lock:
                self._found[number] = found

    def _todo(self) -> list[int]:
        found = self.found()
        return [number for number in range(self._total) if number not in found]

    def _run(self) -> None:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "poolscope.evaluation.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        stdin, stdout = cast(BinaryIO, child.stdin), cast(BinaryIO, child.stdout)
        with self._lock:
            self._child = child
        feeding = threading.Thread(target=self._feed, args=(stdin,), daemon=True)
        feeding.start()
        try:
            while isinstance(answer := receive(stdout), Done):
                with self._lock:
                    self._found[answer.number] = answer.result
        except EOFError:
            pass  # it was stopped, or its process ended: the state tells
        finally:
            _close(stdin)
            feeding.join()
            child.wait()
            _close(stdout)
            with self._lock:
                self._child = None

    def _feed(self, stdin: BinaryIO) -> None:
        """Give the process the work, and the questions that are not done."""
        is_fed = False
        try:
            is_fed = self._fed(stdin)
        except (OSError, ValueError):  # it is gone, or was stopped
            is_fed = False
        finally:
            if not is_fed:  # it waits for no more
                _close(stdin)

    def _fed(self, stdin: BinaryIO) -> bool:
        """Give everything; false where it was stopped before."""
        send(stdin, self._work)
        for number, pool in self._pools(self._todo()):
            if self._stop.is_set():
                return False
            if isinstance(pool, Refused):
                with self._lock:
                    self._found[number] = pool
            else:
                send(stdin, (number, pool))
        send(stdin, End())
        return True


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:  # unsent bytes that nobody waits for any more
        return
