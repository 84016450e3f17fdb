"""What is said of a golden set that is not finished."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from poolscope.golden.checking import remarks
from poolscope.golden.model import (
    Cell,
    GoldenFacet,
    GoldenSet,
    Judgement,
    Mark,
    Passage,
    Question,
    Record,
    Role,
    Weight,
)
from poolscope.model import Stratum

AT = datetime(2026, 1, 1, tzinfo=UTC)
YES, NO, UNSURE, LATER = Mark.SUPPORTS, Mark.DOES_NOT, Mark.CANT_TELL, Mark.LATER
P1, P2 = Passage("p1", "one"), Passage("p2", "two")
A, B = GoldenFacet("a", "cause"), GoldenFacet("b", "remedy", place=1)
ADJUDICATOR = Role.ADJUDICATOR


def said(
    facet: str, passage: str, mark: Mark | None, who: str = "Ann", role: Role = Role.ANNOTATOR
) -> Judgement:
    return Judgement(Cell(facet, passage), who, role, mark, mark, AT, 0)


DONE = (said("a", "p1", YES), said("a", "p2", NO), said("b", "p1", NO), said("b", "p2", YES))


@pytest.mark.parametrize(
    ("passages", "facets", "marks", "stratum", "sentences"),
    [
        ((P1, P2), (A, B), DONE, Stratum.SEVERAL, []),
        (
            (),
            (),
            (),
            Stratum.SEVERAL,
            ["No passages: add the question's pool.", "No facets: coverage is not defined."],
        ),
        (
            (P1, P2),
            (A, B),
            DONE[:2],
            Stratum.SEVERAL,
            ["2 cells that nobody has marked.", "Facet “remedy”: nothing supports it yet."],
        ),
        (
            (P1, P2),
            (A, B),
            (*DONE[:3], said("b", "p2", NO)),
            Stratum.SEVERAL,
            ["Facet “remedy”: no passage of the pool supports it."],
        ),
        (
            (P1, P2),
            (A, B),
            (*DONE, said("a", "p1", NO, "Ben"), said("b", "p2", UNSURE, "Ben")),
            Stratum.SEVERAL,
            ["2 cells to adjudicate.", "Facet “cause”: undecided, 1 cell to settle."],
        ),
        (
            (P1, P2),
            (A,),
            (*DONE[:2], said("a", "p1", NO, "Ben"), said("a", "p2", UNSURE, "Ben")),
            Stratum.ONE,
            ["2 cells to adjudicate.", "Facet “cause”: undecided, 2 cells to settle."],
        ),
        (
            (P1, P2),
            (A,),
            (
                *DONE[:2],
                said("a", "p1", NO, "Ben"),
                said("a", "p1", UNSURE, "Eve", ADJUDICATOR),
            ),
            Stratum.ONE,
            ["Facet “cause”: nothing supports it yet."],
        ),
        (
            (P1, P2),
            (A,),
            (
                *DONE[:2],
                said("a", "p1", NO, "Ben"),
                said("a", "p1", NO, "Eve", ADJUDICATOR),
            ),
            Stratum.ONE,
            ["Facet “cause”: no passage of the pool supports it."],
        ),
        (
            (P1, P2),
            (A, B),
            (
                *DONE,
                said("a", "p1", NO, "Ben"),
                said("a", "p1", YES, "Eve", ADJUDICATOR),
            ),
            Stratum.SEVERAL,
            [],
        ),
        (
            (P1, P2),
            (A, B),
            (*DONE[:3], said("b", "p2", LATER)),
            Stratum.SEVERAL,
            ["1 cell that nobody has marked.", "Facet “remedy”: nothing supports it yet."],
        ),
        (
            (P1, P2),
            (A, B),
            DONE,
            Stratum.ONE,
            ["It is said to have one true answer, and has 2 vital facets."],
        ),
        (
            (P1, P2),
            (A,),
            DONE[:2],
            Stratum.SEVERAL,
            ["It is said to have several components, and has one facet."],
        ),
        (
            (P1, Passage("id:x", "", id="x")),
            (GoldenFacet("a", "cause", weight=Weight.OKAY),),
            (said("a", "p1", YES), said("a", "id:x", NO)),
            Stratum.ONE,
            ["No facet is vital.", "1 passage known by an id alone, without a text."],
        ),
    ],
)
def test_what_is_left_to_do(
    passages: tuple[Passage, ...],
    facets: tuple[GoldenFacet, ...],
    marks: tuple[Judgement, ...],
    stratum: Stratum,
    sentences: Sequence[str],
) -> None:
    record = Record(Question("q", "?", stratum), passages, facets, marks)
    found = remarks(GoldenSet(records=(record,)))
    assert [remark.sentence for remark in found] == list(sentences)
    assert {remark.question for remark in found} <= {"q"}
