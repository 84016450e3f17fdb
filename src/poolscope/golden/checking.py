"""What is still to do in a golden set, and what in it does not fit together."""

from collections.abc import Iterator
from dataclasses import dataclass

from poolscope import wording
from poolscope.golden.adjudication import Settled, disputes, settled
from poolscope.golden.model import Cell, GoldenSet, Record, Role, Weight
from poolscope.model import Stratum


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about one question.

    Args:
        question: Its id.
        sentence: What was found.
    """

    question: str
    sentence: str


def remarks(golden_set: GoldenSet) -> tuple[Remark, ...]:
    """Return what is still to do, question by question; nothing for a finished set."""
    return tuple(
        Remark(record.question.id, sentence)
        for record in golden_set.records
        for sentence in _sentences(record)
    )


def _sentences(record: Record) -> Iterator[str]:
    if not record.passages:
        yield "No passages: add the question's pool."
    if not record.facets:
        yield "No facets: coverage is not defined."
        return
    yield from _strata(record)
    yield from _cells(record)
    without = sum(not passage.text for passage in record.passages)
    if without:
        yield f"{wording.counted(without, 'passage')} known by an id alone, without a text."


def _strata(record: Record) -> Iterator[str]:
    vital = sum(facet.weight is Weight.VITAL for facet in record.facets)
    if record.question.stratum is Stratum.ONE and vital > 1:
        yield f"It is said to have one true answer, and has {vital} vital facets."
    if record.question.stratum is Stratum.SEVERAL and len(record.facets) == 1:
        yield "It is said to have several components, and has one facet."
    if not vital:
        yield "No facet is vital."


def _cells(record: Record) -> Iterator[str]:
    said = settled(record.judgements)
    disputed = [dispute for dispute in disputes(record) if not dispute.is_ruled]
    if disputed:
        yield f"{wording.counted(len(disputed), 'cell')} to adjudicate."
    marked = {
        one.cell
        for one in record.judgements
        if one.mark is not None and (one.mark.is_final or one.role is Role.ADJUDICATOR)
    }
    open_ = len(record.facets) * len(record.passages) - len(marked)
    if open_:
        yield f"{wording.counted(open_, 'cell')} that nobody has marked."
    supported = {cell.facet for cell, is_support in said.items() if is_support}
    for facet in record.facets:
        if facet.id not in supported:
            to_settle = sum(dispute.facet.id == facet.id for dispute in disputed)
            yield f"Facet “{facet.label}”: {_unsupported(record, facet.id, said, to_settle)}."


def _unsupported(record: Record, facet: str, said: Settled, to_settle: int) -> str:
    """Say why a facet has no support: an open dispute may yet bring one, so it comes first."""
    if to_settle:
        return f"undecided, {wording.counted(to_settle, 'cell')} to settle"
    is_complete = all(Cell(facet, passage.key) in said for passage in record.passages)
    return "no passage of the pool supports it" if is_complete else "nothing supports it yet"
