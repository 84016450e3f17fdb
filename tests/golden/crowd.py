"""Many annotators at once on one store: what they were told is kept, and how long it took."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from poolscope.golden.actions import AddFacet, AddQuestion, MarkPassage
from poolscope.golden.model import Mark, Passage, Question, Saved, Who
from poolscope.golden.store import open_store


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the strokes of a crowd.

    Args:
        sent: How many strokes.
        kept: How many were said to be kept.
        lost: How many of those are not in the log, or not among the marks.
        faults: Where the tables are not what the log leads to.
        failures: What was raised.
        seconds: Time of each stroke.
    """

    sent: int
    kept: int
    lost: int
    faults: tuple[str, ...]
    failures: tuple[str, ...]
    seconds: Sequence[float]


def crowd(address: str | Path, annotators: int, passages: int, *, pause: float = 0.0) -> Outcome:
    """Let annotators mark the same passages of one question for two facets, all at once.

    Args:
        address: Of an empty golden set.
        annotators: How many, each in a thread.
        passages: How many each marks.
        pause: Seconds that an annotator thinks before each stroke.
    """
    keys = [f"p{number}" for number in range(passages)]
    kept: list[tuple[str, str, str, str]] = []
    failures: list[str] = []
    seconds: list[float] = []
    start = threading.Barrier(annotators, timeout=120)
    with open_store(address) as store:
        setter = Who("setter")
        loaded = AddQuestion(Question("q1", "?"), tuple(Passage(key, key) for key in keys))
        store.send("q1", loaded, setter)
        for facet in "ab":
            store.send("q1", AddFacet(facet, facet), setter)

        def work(name: str) -> None:
            start.wait()
            for facet in "ab":
                for key in keys:
                    time.sleep(pause)
                    began = time.perf_counter()
                    try:
                        result = store.send(
                            "q1", MarkPassage(facet, key, Mark.SUPPORTS, 0, 1), Who(name), seconds=1
                        )
                    except Exception as error:  # noqa: BLE001 - counted, and shown by who asked
                        failures.append(f"{type(error).__name__}: {error}")
                        continue
                    seconds.append(time.perf_counter() - began)
                    if isinstance(result, Saved):
                        kept.append((result.stroke.token, name, facet, key))

        threads = [
            threading.Thread(target=work, args=(f"annotator {number}",), daemon=True)
            for number in range(annotators)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        logged = {stroke.token for stroke in store.log()}
        record = store.record("q1")
        assert record is not None
        marks = {(one.annotator, one.cell.facet, one.cell.passage) for one in record.judgements}
        lost = sum(token not in logged or tuple(cell) not in marks for token, *cell in kept)
        faults = store.faults()
    sent = annotators * 2 * passages
    return Outcome(sent, len(kept), lost, faults, tuple(failures), tuple(seconds))
