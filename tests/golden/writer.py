"""A program that marks passages until it is killed: ``python writer.py ADDRESS``.

It loads once and forks at every line ``name seed`` that it is told: the fork says ``pid N``, then
``sent T`` before and ``kept T`` after each stroke with the token T; it never stops by itself.
"""

import os
import random
import sys

from poolscope.golden.actions import (
    Action,
    AddFacet,
    MarkPassage,
    MergeFacets,
    ReviseFacet,
    SplitFacet,
)
from poolscope.golden.model import Mark, Saved, Who
from poolscope.golden.store import Store, new_token, open_store

QUESTION = "q1"


def say(line: str) -> None:
    """Write a line at once, whole."""
    os.write(1, f"{line}\n".encode())


def action(store: Store, who: Who, rng: random.Random) -> Action:
    """Draw something to do: mostly marks, at times a change of many rows."""
    facets = store.facets(QUESTION)
    first = rng.choice(facets)
    drawn = rng.random()
    if drawn < 0.1 or len(facets) < 2:
        return AddFacet(new_token(), "new")
    if drawn < 0.2:
        second = rng.choice([facet for facet in facets if facet != first])
        return MergeFacets(first.id, second.id, first.version, second.version)
    if drawn < 0.25:
        parts = (AddFacet(new_token(), "part"), AddFacet(new_token(), "part"))
        return SplitFacet(first.id, parts, first.version)
    if drawn < 0.3:
        return ReviseFacet(first.id, first.version, label=f"label {rng.random()}")
    passage = rng.choice(store.passages(QUESTION)).key
    seen = {(one.cell.facet, one.cell.passage): one.version for one in store.marks(QUESTION, who)}
    mark = rng.choice(list(Mark))
    return MarkPassage(first.id, passage, mark, seen.get((first.id, passage), 0), first.version)


def work(address: str, name: str, seed: int) -> None:
    """Send strokes for ever, at most for a minute."""
    say(f"pid {os.getpid()}")
    store, who, rng = open_store(address), Who(name), random.Random(seed)  # noqa: S311
    for _ in range(100_000):
        token = new_token()
        wanted = action(store, who, rng)
        say(f"sent {token}")
        if isinstance(store.send(QUESTION, wanted, who, token=token, seconds=0.5), Saved):
            say(f"kept {token}")


def main() -> None:
    """Fork a worker for every line, and wait for its end before the next."""
    address = sys.argv[1]
    say("ready")
    for line in sys.stdin:
        name, seed = line.split()
        pid = os.fork()
        if pid == 0:
            work(address, name, int(seed))
            os._exit(0)
        os.waitpid(pid, 0)
        say("ended")


if __name__ == "__main__":
    main()
