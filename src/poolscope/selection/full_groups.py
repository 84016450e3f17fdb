"""Which candidates drop out because their group has all the picks that the cap allows.

Shapes are written in ``f`` (candidates of one full group).
"""

import numpy as np

from poolscope.geometry import Ints
from poolscope.model import OPEN, Cause
from poolscope.selection.base import Draft, Task

NOBODY: Ints = np.empty(0, dtype=np.intp)


class FullGroups:
    """Counts the picks of each group; private to one walk.

    Args:
        task: What is selected from.
    """

    def __init__(self, task: Task) -> None:
        self._groups, self._caps = task.groups, task.caps
        self._depth = task.depth
        self._taken: dict[int, int] = {}

    def add(self, index: int) -> Ints:
        """Count a pick; return the candidates that cannot be picked any more; shape ``(f,)``."""
        group = int(self._groups[index])
        self._taken[group] = self._taken.get(group, 0) + 1
        if self._taken[group] < self._caps[index]:
            return NOBODY
        return np.flatnonzero(self._groups[: self._depth] == group)

    def refuse(self, draft: Draft, full: Ints) -> None:
        """Note why a full group's candidates are out, while there is a slot that they miss.

        Args:
            draft: Where it is noted.
            full: Shape ``(f,)``, what ``add`` returned.
        """
        if full.size and draft.has_room():
            waiting = full[draft.causes[full] == OPEN]
            draft.refuse(waiting, Cause.CAP_REACHED, int(self._caps[full[0]]))
