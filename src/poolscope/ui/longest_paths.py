"""The longest paths that this machine has followed, so that shorter ones need not be."""

from collections import OrderedDict
from threading import Lock
from typing import TypeAlias

from poolscope.selection.paths import Axis, Path

Scope: TypeAlias = tuple[str, str, Axis]
"""A pool's digest, a policy without its k, and the axis."""

MOST_LONGEST = 1_000


class LongestPaths:
    """The path at the largest k so far of each scope, the last ones used; sessions are threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._paths: OrderedDict[Scope, tuple[int, Path]] = OrderedDict()

    def find(self, scope: Scope, k: int) -> tuple[int, Path] | None:
        """Return the longest path of a scope and its k; ``None`` where it is shorter than k."""
        with self._lock:
            found = self._paths.get(scope)
            if found is None or found[0] < k:
                return None
            self._paths.move_to_end(scope)
            return found

    def keep(self, scope: Scope, k: int, path: Path) -> None:
        """Remember the path at a k, unless a longer one is known."""
        with self._lock:
            if k > self._paths.get(scope, (-1, path))[0]:
                self._paths[scope] = (k, path)
            self._paths.move_to_end(scope)
            while len(self._paths) > MOST_LONGEST:
                self._paths.popitem(last=False)
