"""The value that a map is drawn from."""

from dataclasses import dataclass
from enum import StrEnum

from poolscope import geometry
from poolscope.geometry import Bools, Floats


class Method(StrEnum):
    """How a layout came about, in words."""

    UMAP = "UMAP"
    PCA = "PCA"
    LINE = "line"
    POINT = "point"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A place in the plane for every candidate that has a vector.

    Args:
        coordinates: Shape ``(n, 2)``, read-only; ``nan`` for a candidate without a place. Only
            distances mean something: axes have no unit and no name.
        placed: Shape ``(n,)``, whether the candidate has a place.
        query: Shape ``(2,)``, the place of the question; ``None`` without a usable query vector.
        method: What made it.
        note: Why it is this and not UMAP, and what has no place; may be empty.
    """

    coordinates: Floats
    placed: Bools
    query: Floats | None
    method: Method
    note: str = ""

    def __post_init__(self) -> None:
        for array in (self.coordinates, self.placed, self.query):
            if array is not None:
                geometry.read_only(array)
