"""The pools that this machine has seen, so that a link to one opens it for a colleague too.

They are kept in the memory of the server, the last ones only; who has the link has the pool.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from poolscope.formats import Load
from poolscope.ui.figures import Choices

MOST_POOLS = 200
MOST_LOADS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A question that somebody looked at.

    Args:
        load: What it belongs to.
        digest: The load's.
        origin: Where the load came from, for the screen.
        question: Its number, from 0.
        choices: How it is read.
    """

    load: Load
    digest: str
    origin: str
    question: int
    choices: Choices


class Shelf:
    """The last pools by their digests; sessions are threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pools: OrderedDict[str, Seen] = OrderedDict()

    def keep(self, digest: str, seen: Seen) -> None:
        """Remember a pool by its digest."""
        with self._lock:
            self._pools[digest] = seen
            self._pools.move_to_end(digest)
            loads = list(dict.fromkeys(item.digest for item in reversed(self._pools.values())))
            kept = set(loads[:MOST_LOADS])
            for name in [name for name, item in self._pools.items() if item.digest not in kept]:
                del self._pools[name]
            while len(self._pools) > MOST_POOLS:
                self._pools.popitem(last=False)

    def find(self, digest: str) -> Seen | None:
        """Return the pool of a digest; ``None`` where nobody looked at it, or not lately."""
        with self._lock:
            return self._pools.get(digest)
