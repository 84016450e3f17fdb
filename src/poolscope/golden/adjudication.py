"""What everybody's marks come to, and the cells in which somebody has to decide."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from poolscope.golden.model import Cell, GoldenFacet, Judgement, Mark, Passage, Record, Role

Settled = Mapping[Cell, bool]
"""Whether the passage of a cell supports its facet; without the cells that are open."""

DECISIVE = (Mark.SUPPORTS, Mark.DOES_NOT)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A cell in which annotators differ, or nobody could tell.

    Args:
        facet: Its facet.
        passage: Its passage.
        marks: What each annotator says, by name.
        ruling: The adjudicator's mark; ``None`` while there is none.
        comes_to: Whether the passage supports the facet as things stand; ``None`` while open.
    """

    facet: GoldenFacet
    passage: Passage
    marks: Mapping[str, Mark]
    ruling: Judgement | None
    comes_to: bool | None

    @property
    def cell(self) -> Cell:
        """Where it stands."""
        return Cell(self.facet.id, self.passage.key)

    @property
    def is_ruled(self) -> bool:
        """Whether an adjudicator has decided."""
        return self.ruling is not None and self.ruling.mark is not None


def settled(judgements: Iterable[Judgement]) -> Settled:
    """Return what everybody's marks come to, cell by cell.

    An adjudicator's mark decides; without one the majority of “supports” and “does not” does. A
    draw, and a cell of which nobody says either, stay open.
    """
    votes: dict[Cell, int] = {}
    decided: dict[Cell, Mark | None] = {}
    for one in judgements:
        if one.role is Role.ADJUDICATOR and one.mark is not None:
            decided[one.cell] = one.mark
        elif one.mark in DECISIVE:
            votes[one.cell] = votes.get(one.cell, 0) + (1 if one.mark is Mark.SUPPORTS else -1)
    found = {cell: vote > 0 for cell, vote in votes.items() if vote and cell not in decided}
    return found | {
        cell: mark is Mark.SUPPORTS for cell, mark in decided.items() if mark in DECISIVE
    }


def disputes(record: Record) -> tuple[Dispute, ...]:
    """Return the cells that need an adjudicator, facet by facet in the order of the passages.

    Marks count as they stand now: who changed their mind after seeing the others' is heard.
    “Later” and empty cells say nothing.
    """
    said: dict[Cell, dict[str, Mark]] = {}
    rulings: dict[Cell, Judgement] = {}
    for one in record.judgements:
        if one.role is Role.ADJUDICATOR:
            rulings[one.cell] = one
        elif one.mark is not None and one.mark.is_final:
            said.setdefault(one.cell, {})[one.annotator] = one.mark
    comes_to = settled(record.judgements)
    return tuple(
        Dispute(facet, passage, said[cell], rulings.get(cell), comes_to.get(cell))
        for facet in record.facets
        for passage in record.passages
        for cell in [Cell(facet.id, passage.key)]
        if _is_disputed(said.get(cell, {}))
    )


def shared(record: Record) -> int:
    """Return how many cells two or more annotators have marked; “later” says nothing."""
    said: dict[Cell, set[str]] = {}
    for one in record.judgements:
        if one.role is Role.ANNOTATOR and one.mark is not None and one.mark.is_final:
            said.setdefault(one.cell, set()).add(one.annotator)
    return sum(len(names) > 1 for names in said.values())


def _is_disputed(marks: Mapping[str, Mark]) -> bool:
    return len(set(marks.values())) > 1 or Mark.CANT_TELL in marks.values()
