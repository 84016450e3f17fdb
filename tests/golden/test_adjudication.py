"""What marks come to, and which cells need an adjudicator."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from poolscope.golden.actions import Adjudicate, MarkPassage, Undo
from poolscope.golden.adjudication import disputes, settled, shared
from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    Judgement,
    Mark,
    Passage,
    Question,
    Record,
    Role,
    Saved,
    Who,
)
from poolscope.golden.store import Store

AT = datetime(2026, 1, 1, tzinfo=UTC)
ANN, BEN, EVE = Who("Ann"), Who("Ben"), Who("Eve", Role.ADJUDICATOR)
YES, NO, UNSURE, LATER = Mark.SUPPORTS, Mark.DOES_NOT, Mark.CANT_TELL, Mark.LATER

Do = Callable[..., Saved]


def said(
    who: str, mark: Mark | None, facet: str = "a", passage: str = "p1", role: Role = Role.ANNOTATOR
) -> Judgement:
    return Judgement(Cell(facet, passage), who, role, mark, mark, AT, 0)


@pytest.mark.parametrize(
    ("marks", "adjudicated", "result"),
    [
        ([YES], None, True),
        ([NO], None, False),
        ([YES, YES, NO], None, True),
        ([YES, NO, NO], None, False),
        ([YES, NO], None, None),
        ([YES, NO, UNSURE, LATER, None], None, None),
        ([UNSURE], None, None),
        ([], None, None),
        ([NO, NO], YES, True),
        ([YES, YES], UNSURE, None),
        ([], NO, False),
    ],
)
def test_what_marks_come_to(
    marks: list[Mark | None],
    adjudicated: Mark | None,
    result: bool | None,  # noqa: FBT001 - a case's value
) -> None:
    judgements = [said(f"r{at}", mark) for at, mark in enumerate(marks)]
    if adjudicated:
        judgements.append(said("Eve", adjudicated, role=Role.ADJUDICATOR))
    assert settled(judgements).get(Cell("a", "p1")) is result


def _record(*judgements: Judgement) -> Record:
    passages = (Passage("p1", "one", rank=1), Passage("p2", "two", rank=2))
    facets = (GoldenFacet("b", "B"), GoldenFacet("a", "A", place=1))
    return Record(Question("q", "?"), passages, facets, judgements)


@pytest.mark.parametrize(
    ("marks", "is_listed"),
    [
        ([YES, NO], True),
        ([YES, YES, NO], True),
        ([YES, UNSURE], True),
        ([UNSURE], True),
        ([YES, YES], False),
        ([NO, LATER], False),
        ([YES, None], False),
        ([LATER], False),
        ([], False),
    ],
)
def test_a_cell_is_listed_where_annotators_differ_or_could_not_tell(
    marks: list[Mark | None],
    is_listed: bool,  # noqa: FBT001 - a case's value
) -> None:
    found = disputes(_record(*(said(f"r{at}", mark) for at, mark in enumerate(marks))))
    assert [each.cell for each in found] == ([Cell("a", "p1")] if is_listed else [])


def test_disputes_come_facet_by_facet_with_what_everybody_says() -> None:
    ruling = said("Eve", NO, "b", "p2", Role.ADJUDICATOR)
    found = disputes(
        _record(
            said("Ann", YES),
            said("Ben", NO),
            said("Cid", YES),
            said("Ann", YES, "b", "p2"),
            said("Ben", NO, "b", "p2"),
            ruling,
            said("Eve", YES, "b", "p1", Role.ADJUDICATOR),
        )
    )
    ruled, open_ = found
    assert (ruled.cell, ruled.ruling, ruled.is_ruled) == (Cell("b", "p2"), ruling, True)
    assert ruled.comes_to is False
    assert (open_.cell, open_.ruling, open_.is_ruled) == (Cell("a", "p1"), None, False)
    assert open_.marks == {"Ann": YES, "Ben": NO, "Cid": YES}
    assert open_.comes_to is True


def test_a_ruling_is_a_stroke_of_its_own_and_can_be_taken_back(asked: Store, do: Do) -> None:
    do(MarkPassage("a", "p1", YES, 0, 1), ANN)
    do(MarkPassage("a", "p1", NO, 0, 1), BEN)
    first = do(Adjudicate("a", "p1", NO, 0, 1), EVE)
    assert (first.stroke.kind, first.stroke.annotator, first.stroke.role) == (
        "Adjudicate",
        "Eve",
        Role.ADJUDICATOR,
    )
    record = asked.record("q1")
    assert record is not None
    (one,) = disputes(record)
    assert one.is_ruled
    assert one.ruling is not None
    assert (one.ruling.annotator, one.ruling.mark, one.ruling.version) == ("Eve", NO, 1)
    assert one.marks == {"Ann": YES, "Ben": NO}
    do(Undo(first.stroke.token), EVE)
    record = asked.record("q1")
    assert record is not None
    (one,) = disputes(record)
    assert not one.is_ruled
    assert one.comes_to is None


def test_only_a_cell_that_two_annotators_marked_is_shared() -> None:
    def said(passage: str, mark: Mark | None, who: Who) -> Judgement:
        return Judgement(Cell("a", passage), who.name, who.role, mark, mark, AT, 0)

    marks = [
        *(said("both", mark, who) for mark, who in ((YES, ANN), (UNSURE, BEN))),
        *(said("ruled", mark, who) for mark, who in ((YES, ANN), (NO, EVE))),
        *(said("put off", mark, who) for mark, who in ((YES, ANN), (LATER, BEN))),
        *(said("empty", mark, who) for mark, who in ((YES, ANN), (None, BEN))),
    ]
    assert shared(Record(Question("q", "?"), judgements=tuple(marks))) == 1
