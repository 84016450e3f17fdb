"""The figures of a file's questions, measured a stretch at a time and kept.

A file may hold ten thousand questions: each is assembled, measured and let go, and no run of the
page measures for longer than it is told to.
"""

import threading
import time
from dataclasses import dataclass

from poolscope.analysis import Crowding, crowding
from poolscope.errors import PoolscopeError
from poolscope.formats import Load
from poolscope.model import Direction


@dataclass(frozen=True, slots=True)
class Choices:
    """How the questions of a load are read.

    Args:
        source_field: The source field chosen by hand or by the sample; ``None`` for the detected.
        direction: The person's word on which end of the score is better; ``None`` for the file's.
        merges: Rules that merge source labels, by name.
    """

    source_field: str | None = None
    direction: Direction | None = None
    merges: tuple[str, ...] = ()

    def field_of(self, load: Load, index: int) -> str | None:
        """Return the source field of one question.

        A field chosen for one question may be missing in another: that one is read as detected.
        """
        field = self.source_field
        met = field is None or any(field in row.fields for row in load.raws[index].rows)
        return field if met else None


@dataclass(frozen=True, slots=True)
class Figure:
    """One question, measured.

    Args:
        crowding: Its figures; ``None`` where it cannot be read.
        problem: Why it cannot be read; empty where it can.
    """

    crowding: Crowding | None = None
    problem: str = ""


class Figures:
    """The figures of a load's questions, as far as they are measured, in file order.

    Shared by every session that looks at the load.

    Args:
        load: The load.
        choices: How its questions are read.
    """

    def __init__(self, load: Load, choices: Choices) -> None:
        self._load = load
        self._choices = choices
        self._measured: list[Figure] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many questions are measured."""
        return len(self._measured)

    @property
    def is_complete(self) -> bool:
        """Whether every question is measured."""
        return len(self) == len(self._load)

    def measured(self) -> tuple[Figure, ...]:
        """Return the figures of the questions that are measured, in file order."""
        return tuple(self._measured)

    def go_on(self, seconds: float) -> None:
        """Measure questions for a time, at least one; another session's work counts too."""
        last = time.monotonic() + seconds
        with self._lock:
            while not self.is_complete:
                self._measured.append(self._figure(len(self._measured)))
                if time.monotonic() >= last:
                    return

    def _figure(self, index: int) -> Figure:
        choices = self._choices
        try:
            loaded = self._load.question(
                index,
                source_field=choices.field_of(self._load, index),
                direction=choices.direction,
                merges=choices.merges,
            )
            return Figure(crowding(loaded.pool))
        except PoolscopeError as error:
            return Figure(problem=error.problem)


def ordered(figures: tuple[Figure, ...], total: int) -> tuple[int, ...]:
    """Return the questions of a load, the most crowded first, those without figures last.

    Args:
        figures: Of the first questions, in file order.
        total: How many questions there are.
    """
    known = [(found.crowding.place, index) for index, found in enumerate(figures) if found.crowding]
    met = {index for _, index in known}
    rest = (index for index in range(total) if index not in met)
    return (*(index for _, index in sorted(known)), *rest)
