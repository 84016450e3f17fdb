"""Everything that a user can put right, as exceptions that say what was met and what to do.

The tree::

    PoolscopeError        a problem and its remedy
    ├── FormatError       a file or a pasted text cannot be read
    ├── PoolError         the rows were read but do not make a pool
    ├── PolicyError       a setting is out of range, or needs something the pool lacks
    ├── JudgeError        a language model that was asked gave no usable reply
    └── StoreError        a golden set could not be opened, read or written

A bug is none of these: it keeps its own type and goes to the log.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the input a problem was met; parts that are unknown stay empty.

    Args:
        file: File name, or ``pasted text``.
        line: Line number, from 1.
        row: Row number among the candidates, from 1.
        column: Column or field name.
    """

    file: str = ""
    line: int | None = None
    row: int | None = None
    column: str = ""

    def __str__(self) -> str:
        parts = (
            self.file,
            f"line {self.line}" if self.line is not None else "",
            f"row {self.row}" if self.row is not None else "",
            f"field “{self.column}”" if self.column else "",
        )
        return ", ".join(part for part in parts if part)


class PoolscopeError(Exception):
    """Something a user can put right.

    Args:
        problem: What was met: found and wanted, a whole sentence.
        remedy: What to do about it, a whole sentence.
        place: Where it was met.
    """

    def __init__(self, problem: str, remedy: str, place: Place | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.place = place or Place()

    def __str__(self) -> str:
        where = f"{self.place}: " if str(self.place) else ""
        return f"{where}{self.problem} {self.remedy}"


class FormatError(PoolscopeError):
    """A file or a pasted text cannot be read as what it claims to be."""


class PoolError(PoolscopeError):
    """The rows were read, but together they do not make a candidate pool."""


class PolicyError(PoolscopeError):
    """A setting is out of its range, or needs something that the pool lacks."""


class JudgeError(PoolscopeError):
    """A language model that was asked to judge could not be reached, or gave no usable reply."""


class StoreError(PoolscopeError):
    """A golden set could not be opened, read or written; nothing of the request was kept."""
