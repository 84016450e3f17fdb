"""Where an action takes place, and what it comes to. ``step`` finds the function of each action."""

from dataclasses import dataclass
from functools import singledispatch

from poolscope.golden.model import Cell, Change, Conflict, Role, Who
from poolscope.golden.rows import Row, Rows
from poolscope.golden.schema import ADJUDICATED, ATTENDANCE


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an action takes place.

    Args:
        rows: The tables.
        question: Id of the question.
        who: Who acts.
        at: When, as it is stored.
    """

    rows: Rows
    question: str
    who: Who
    at: str

    @property
    def owner(self) -> str:
        """Under which name a mark stands."""
        return ADJUDICATED if self.who.role is Role.ADJUDICATOR else self.who.name

    @property
    def is_done(self) -> bool:
        """Whether the own pass is done."""
        row = self.rows.get(ATTENDANCE, self.question, self.who.name)
        return row is not None and bool(row.whole("is_done"))


@dataclass(frozen=True, slots=True)
class Step:
    """What an action changes.

    Args:
        changes: The rows.
        clashes: Cells where a merge met “supports” and “does not”.
    """

    changes: tuple[Change, ...] = ()
    clashes: tuple[Cell, ...] = ()


@singledispatch
def step(action: object, scene: Scene) -> Step | Conflict:
    """Return what an action changes.

    Raises:
        StoreError: It may not be asked for.
    """
    raise TypeError(f"{type(action).__name__} is no action, in question {scene.question}")


def present(row: Row | None) -> tuple[Row, ...]:
    """Return a row as one or none."""
    return () if row is None else (row,)
