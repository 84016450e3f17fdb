"""Kill a writer at moments of chance and say what became of its strokes."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from poolscope.golden.actions import AddFacet, AddQuestion
from poolscope.golden.model import Passage, Question, Who
from poolscope.golden.store import Store, open_store

WRITER = Path(__file__).with_name("writer.py")
LATEST = 0.4
"""Seconds after its first kept stroke until which a writer is killed."""

LOOK = 25
"""Kills after which the whole log is played: what is wrong once stays so, as the log only grows."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the strokes of writers that were killed.

    Args:
        kills: How many writers were killed.
        kept: Strokes that a writer was told were kept.
        lost: Those of them that are not in the log.
        unanswered: Strokes in the log whose answer the kill cut off.
        strange: Strokes in the log that nobody sent.
        faults: Where the tables are not what the log leads to.
    """

    kills: int
    kept: int
    lost: int
    unanswered: int
    strange: int
    faults: tuple[str, ...]


def killed(address: str | Path, kills: int, seed: int) -> Outcome:
    """Start a writer and kill it, again and again, and look at what is left."""
    rng = random.Random(seed)  # noqa: S311 - moments, not secrets
    sent: set[str] = set()
    kept: set[str] = set()
    faults: list[str] = []
    with open_store(address) as store:
        before = _prepared(store)
        with _writer(address) as process:
            for kill in range(kills):
                said = _one(process, f"w{kill % 3} {seed + kill}", rng.uniform(0, LATEST))
                sent |= {line.split()[1] for line in said if line.startswith("sent ")}
                kept |= {line.split()[1] for line in said if line.startswith("kept ")}
                if kill % LOOK == LOOK - 1:
                    faults += store.faults()
        faults += store.faults()
        logged = {stroke.token for stroke in store.log()} - before
    return Outcome(
        kills, len(kept), len(kept - logged), len(logged - kept), len(logged - sent), tuple(faults)
    )


def _prepared(store: Store) -> set[str]:
    who = Who("setter")
    passages = tuple(Passage(f"p{number}", f"passage {number}") for number in range(20))
    store.send("q1", AddQuestion(Question("q1", "?"), passages), who)
    store.send("q1", AddFacet("a", "A"), who)
    store.send("q1", AddFacet("b", "B"), who)
    return {stroke.token for stroke in store.log()}


@contextmanager
def _writer(address: str | Path) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, str(WRITER), str(address)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate(timeout=120)


def _one(process: "subprocess.Popen[str]", task: str, moment: float) -> list[str]:
    """Let a worker begin, kill it a moment after its first kept stroke, return what it said."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{task}\n")
    process.stdin.flush()
    pid = int(process.stdout.readline().split()[1])
    said: list[str] = []
    timer = threading.Timer(120, os.kill, (pid, signal.SIGKILL))
    timer.start()
    for line in process.stdout:
        if line == "ended\n":
            break
        said.append(line)
        if line.startswith("kept ") and timer.interval > moment:
            timer.cancel()
            timer = threading.Timer(moment, os.kill, (pid, signal.SIGKILL))
            timer.start()
    timer.join()
    return said
