"""The citations of a generated answer and what each refers to.

A number is a slot of the context in the order handed out, from 1, or from 0 where a 0 is cited, or
an id where every number is one and some are no slot; which of these was taken is said with the
reason, and can be said by hand. A name is an id or a source label of the pool. What cannot be
resolved is kept and reported.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from poolscope.diagnosis.attribution import Context
from poolscope.diagnosis.citation_names import Names
from poolscope.diagnosis.citation_styles import NUMBER, Found, Mark, Style, find
from poolscope.model import Selection

__all__ = ["Citation", "Cited", "Numbering", "Style", "cited"]


class Numbering(StrEnum):
    """What a cited number means."""

    FROM_ONE = "slots from 1"
    FROM_ZERO = "slots from 0"
    IDS = "ids"


@dataclass(frozen=True, slots=True)
class Citation:
    """One reference of an answer to one passage.

    Args:
        text: As written; of a list ``[1, 3]`` the part of this passage.
        span: Where it stands in the answer, from and to.
        index: The candidate's index in the pool; ``None`` where it refers to nothing there.
        kind: How it is written.
        in_context: Whether that candidate is selected.
        among: How many passages of the context it may mean: a source label can name several.
    """

    text: str
    span: tuple[int, int]
    index: int | None
    kind: Style
    in_context: bool
    among: int = 1


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer taken apart.

    Args:
        citations: In the order of the answer.
        prose: The answer with citations, lists of references and code blanked: as long as it was.
        numbering: How its numbers were read.
        why: Why they were read so; empty where no number is cited.
        numberings: The ways in which its numbers can be read; empty where no number is cited.
    """

    citations: tuple[Citation, ...]
    prose: str
    numbering: Numbering = Numbering.FROM_ONE
    why: str = ""
    numberings: tuple[Numbering, ...] = ()

    @property
    def from_zero(self) -> bool:
        """Whether its numbers count from 0."""
        return self.numbering is Numbering.FROM_ZERO


def cited(selection: Selection, text: str, numbering: Numbering | None = None) -> Cited:
    """Find every citation of an answer and what it refers to.

    Args:
        selection: The context; its order is the one handed out.
        text: The answer.
        numbering: What its numbers mean, where a person has said so; ``None`` reads it off the
            answer.
    """
    names = Names(selection)
    found = find(text, names, len(selection))
    numbers = {mark.number for mark in found.marks if mark.number is not None}
    ids = {selection.pool.ids[index] for index in selection.ordered}
    read, why = _numbering(numbers, slots=len(selection), ids=ids)
    if numbering is not None:
        read, why = numbering, f"Numbers are read as {numbering.value}, as you chose."
    resolver = _Resolver(selection, names, found, read)
    # A number that the list of references explains needs no counting.
    counted = {number for number in numbers if not resolver.defined(str(number))}
    ways = [Numbering.FROM_ONE, Numbering.FROM_ZERO]
    if any(str(number) in ids for number in counted):
        ways.append(Numbering.IDS)
    citations = dict.fromkeys(chain.from_iterable(map(resolver.resolved, found.marks)))
    return Cited(
        citations=tuple(sorted(citations, key=lambda citation: citation.span)),
        prose=found.prose,
        numbering=read,
        why=why if counted else "",
        numberings=tuple(ways) if counted else (),
    )


def _numbering(numbers: set[int], *, slots: int, ids: set[str]) -> tuple[Numbering, str]:
    """Read off what cited numbers mean, and say why."""
    first = 0 if 0 in numbers else 1
    places = set(range(first, slots + first))
    if not numbers <= places and {str(number) for number in numbers} <= ids:
        return (
            Numbering.IDS,
            "Not every cited number is a slot and every one is an id of the context: numbers are "
            "read as ids.",
        )
    if first == 0:
        return Numbering.FROM_ZERO, "A 0 is cited: numbers count from 0, so 0 is slot 1."
    return Numbering.FROM_ONE, "No 0 is cited: numbers count from 1, so 1 is slot 1."


class _Resolver:
    """What the marks of one answer refer to; private to one call of ``cited``."""

    def __init__(
        self, selection: Selection, names: Names, found: Found, numbering: Numbering
    ) -> None:
        self._selection = selection
        self._names = names
        self._definitions = found.definitions
        self._as_ids = numbering is Numbering.IDS
        self._first = 0 if numbering is Numbering.FROM_ZERO else 1
        self._slots = selection.ordered
        self._context = Context(
            tuple(selection.pool.texts[index] for index in self._slots), selection.pool.query
        )

    def resolved(self, mark: Mark) -> Iterator[Citation]:
        """Give what a mark refers to: a passage, several of a source, or nothing known."""
        label = mark.label if mark.number is None else str(mark.number)
        if label is not None and label in self._definitions:
            indices = self.defined(label)
            if indices or mark.number is None:
                return self._citations(mark, indices)
        if mark.number is None:
            return self._citations(mark, self._names.within(mark.text))
        return self._citations(mark, self._numbered(mark.number))

    def _numbered(self, number: int) -> list[int]:
        if self._as_ids:
            return self._names.exact(str(number))
        place = number - self._first
        return [self._slots[place]] if 0 <= place < len(self._slots) else []

    def defined(self, label: str) -> list[int]:
        """Return what a list of references says of a label: a name, a number, or a quotation."""
        text = self._definitions[label][0] if label in self._definitions else ""
        named = self._names.within(text)
        if named:
            return named
        number = NUMBER.fullmatch(text.strip("[]. "))
        if number is not None:
            return self._numbered(int(number[1]))
        return [self._slots[match.place] for match in self._context.matches(text)]

    def _citations(self, mark: Mark, indices: list[int]) -> Iterator[Citation]:
        inside = [index for index in indices if index in self._selection.members]
        for index in inside:
            yield Citation(
                mark.text, mark.span, index, mark.style, in_context=True, among=len(inside)
            )
        if not inside:
            best = min(indices) if indices else None
            yield Citation(mark.text, mark.span, best, mark.style, in_context=False)
