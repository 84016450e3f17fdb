"""The figures of a file's questions: a stretch at a time, in one order."""

import json

from poolscope import formats
from poolscope.analysis import Crowding
from poolscope.formats import Load
from poolscope.ui.figures import Choices, Figure, Figures, ordered

NAN = float("nan")


def load(number: int) -> Load:
    lines = [
        {
            "query_id": f"q{place}",
            "candidates": [
                {"id": f"{rank}", "text": "x", "source": f"{rank % (place + 1)}.md", "team": "t"}
                for rank in range(4)
            ],
        }
        for place in range(number)
    ]
    return formats.read("\n".join(json.dumps(line) for line in lines).encode(), "many.jsonl")


def test_a_stretch_measures_one_at_least_and_goes_on_where_it_stopped() -> None:
    many = load(3)
    figures = Figures(many, Choices())
    assert (len(figures), figures.is_complete) == (0, False)
    for number in (1, 2, 3):
        figures.go_on(0.0)
        assert len(figures) == number
    assert figures.is_complete
    figures.go_on(0.0)
    shares = [found.crowding.largest_share for found in figures.measured() if found.crowding]
    assert shares == [1.0, 0.5, 0.5]


def test_the_choices_are_those_of_every_question() -> None:
    figures = Figures(load(2), Choices(source_field="team"))
    figures.go_on(60.0)
    assert [item.crowding.largest_share for item in figures.measured() if item.crowding] == [1, 1]


def test_a_field_that_a_question_lacks_is_not_asked_of_it() -> None:
    many = load(1)
    assert Choices(source_field="team").field_of(many, 0) == "team"
    assert Choices(source_field="colour").field_of(many, 0) is None


def test_a_question_that_cannot_be_read_says_why() -> None:
    text = b'{"query_id": "q", "candidates": [{"id": "a", "text": "x", "vector": "[0.1 ... 0.9]"}]}'
    figures = Figures(formats.read(text, "one.jsonl"), Choices())
    figures.go_on(0.0)
    (found,) = figures.measured()
    assert found.crowding is None
    assert "lost on export" in found.problem


def test_the_most_crowded_come_first_and_what_has_no_figures_last() -> None:
    figures = (
        Figure(Crowding(0.4, 4, 0.9, 0)),
        Figure(problem="It cannot be read."),
        Figure(Crowding(0.8, 2, NAN, NAN)),
        Figure(Crowding(0.8, 2, 0.2, 3)),
        Figure(Crowding(NAN, 0, NAN, NAN)),
        Figure(Crowding(0.4, 4, 0.9, 0)),
    )
    assert ordered(figures, 8) == (3, 2, 0, 5, 4, 1, 6, 7)
    assert ordered((), 3) == (0, 1, 2)
