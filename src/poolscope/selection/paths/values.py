"""The values that a path is made of: its axis, its intervals, and the path itself."""

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from poolscope.errors import PolicyError

NEAR = 1e-9
"""Breaks over lambda that lie nearer together than this are one tick on a screen."""


class Axis(StrEnum):
    """The parameter that a path runs over; each value names a field of ``Policy``."""

    LAMBDA = "lambda_"
    CAP = "cap"
    DEPTH = "depth"
    K = "k"


@dataclass(frozen=True, slots=True)
class Interval:
    """A stretch of one parameter over which the selection does not change.

    Args:
        low: First value that belongs to it.
        high: Last value that belongs to it; equal to ``low`` where it is a single point.
        indices: The candidates picked, in the order of selection.
    """

    low: float
    high: float
    indices: tuple[int, ...]

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Path:
    """How a selection answers to one parameter, as the stretches over which it does not change.

    Both ends of every interval belong to it, and together the intervals hold every value of the
    range: over whole numbers the next interval starts one higher; over lambda it starts at the
    next floating-point number.

    An exact path over lambda follows the rule that ``select`` follows, ties within ``TOLERANCE``
    included, by the same arithmetic: at both ends of every interval ``select`` picks what the
    interval says. Only in a pool whose vectors hold more than ``similarities.LARGE`` numbers, and
    whose similarities are not kept any more, may a run of ``select`` within some 1e-15 of an end
    (divided by how fast the two scores part, per unit of lambda) fall to either side.

    Args:
        axis: The parameter.
        intervals: In rising order; adjacent ones differ in membership or in order.
        exact: Whether every change is found; false where the path was sampled.
        note: How it was found, where it is not exact: one sentence for the screen.
    """

    axis: Axis
    intervals: tuple[Interval, ...]
    exact: bool = True
    note: str = ""

    @property
    def low(self) -> float:
        """First value of the range."""
        return self.intervals[0].low

    @property
    def high(self) -> float:
        """Last value of the range."""
        return self.intervals[-1].high

    @cached_property
    def _highs(self) -> tuple[float, ...]:
        return tuple(interval.high for interval in self.intervals)

    @cached_property
    def breaks(self) -> tuple[float, ...]:
        """Values at which a new selection starts, in rising order.

        Over lambda, those nearer than ``NEAR`` to the one before are left out.
        """
        nearest = NEAR if self.axis is Axis.LAMBDA else 0.0
        kept: list[float] = []
        for interval in self.intervals[1:]:
            if not kept or interval.low - kept[-1] > nearest:
                kept.append(interval.low)
        return tuple(kept)

    def at(self, value: float) -> Interval:
        """Return the interval that holds a value.

        Raises:
            PolicyError: The value is outside the path's range.
        """
        if not self.low <= value <= self.high:
            raise PolicyError(
                f"{self.axis.value.rstrip('_')} is {value!r}, outside {self.low} to {self.high}.",
                "Give a value within the range of the path.",
            )
        return self.intervals[bisect_left(self._highs, value)]
