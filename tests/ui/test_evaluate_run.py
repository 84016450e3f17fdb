"""How far a run is, in words."""

import pytest

from poolscope.evaluation.background import Progress, State
from poolscope.evaluation.plans import Gathered, Known
from poolscope.evaluation.run import Refused
from poolscope.model import Stratum
from poolscope.ui.evaluate_run import composition, words


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (Progress(State.WAITING, 0, 9, 0.0, None), "Another run takes the cores"),
        (Progress(State.RUNNING, 0, 1, 1.0, None), "0 of 1 question."),
        (Progress(State.RUNNING, 3, 9, 1.0, 0.2), "3 of 9 questions, about 1 s left."),
        (Progress(State.RUNNING, 3, 9, 1.0, 59.9), "about 1 min 0 s left."),
        (Progress(State.RUNNING, 3, 9, 1.0, 125.0), "about 2 min 5 s left."),
    ],
)
def test_progress_in_words(progress: Progress, said: str) -> None:
    assert said in words(progress)


def test_which_questions_were_measured() -> None:
    known = (
        Known("a", "?", Stratum.SEVERAL, 2, 0),
        Known("b", "?", Stratum.ONE, 1, 1),
    )
    said = composition(Gathered((0, 2), known, {1: Refused("It has no facets.", "Annotate.")}))
    assert said[0] == "2 questions: 1 with several components, 1 with one true answer."
    assert said[1] == (
        "1 of them has no supporting passage in the pool: no setting can cover it, and it counts "
        "as not covered."
    )
    assert said[2] == "1 question left out; number 2: It has no facets."


def test_what_is_undecided_is_told_apart_where_the_golden_set_judges() -> None:
    known = (
        Known("a", "?", Stratum.SEVERAL, 2, 0),
        Known("b", "?", Stratum.SEVERAL, 2, 0),
        Known("c", "?", Stratum.SEVERAL, 2, 0, undecided=3),
        Known("d", "?", Stratum.SEVERAL, 2, 1, undecided=1),
    )
    gathered = Gathered((0, 1, 2, 3), known, {})
    said = composition(gathered, by_golden_set=True)
    assert said[1].startswith("2 of them have no supporting passage in the pool")
    assert said[1].endswith("no setting can cover them, and they count as not covered.")
    assert said[2].startswith("Undecided: 4 cells of 2 questions to settle on Annotate")
    (_, alone) = composition(gathered)
    assert alone.startswith("3 of them have no supporting passage in the pool")
