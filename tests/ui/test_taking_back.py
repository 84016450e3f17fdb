"""Which stroke is taken back, and that each kind has words."""

from datetime import UTC, datetime
from typing import get_args

from poolscope.golden.actions import Action, FinishPass, SetGuidelines, SetProject, SpendTime, Undo
from poolscope.golden.model import Role, Stroke
from poolscope.ui.taking_back import WORDS, last

AT = datetime(2026, 3, 1, tzinfo=UTC)


def stroke(number: int, kind: str) -> Stroke:
    return Stroke(number, str(number), "q", "Ann", Role.ANNOTATOR, AT, kind, "{}", ())


def test_every_stroke_that_can_stand_on_a_question_has_words() -> None:
    elsewhere = {Undo, FinishPass, SpendTime, SetProject, SetGuidelines}
    assert set(WORDS) == {kind.__name__ for kind in set(get_args(Action)) - elsewhere}


def test_the_last_of_some_kinds_is_found() -> None:
    strokes = (stroke(1, "Adjudicate"), stroke(2, "AddFacet"))
    assert last(strokes) == strokes[1]
    assert last(strokes, "Adjudicate") == strokes[0]
    assert last(strokes, "SetNotes") is None
    assert last(()) is None
