import pytest

from poolscope import formats
from poolscope.errors import FormatError

CORPUS = formats.Beside(corpus=formats.File(b'{"a": "one", "b": "two", "c": "three"}', "c.json"))


def _read(text: str) -> formats.Load:
    return formats.read(text.encode(), "x.txt", beside=CORPUS)


def test_a_run_is_read_by_score_and_ties_keep_their_order() -> None:
    loaded = _read("q Q0 b 1 0.5 t\nq Q0 a 2 0.9 t\nq Q0 c 3 0.5 t\n").question()
    assert loaded.pool.ids == ("a", "b", "c")
    assert "The ranks do not follow the scores; a run is read by its scores." in loaded.report.notes
    assert loaded.pool.score_kind is not None
    assert loaded.pool.score_kind.direction == "higher is better"


def test_rank_0_on_every_line_and_tabs() -> None:
    loaded = _read("q\tQ0\ta\t0\t0.9\tt\nq\tQ0\tb\t0\t0.5\tt\n").question()
    assert loaded.pool.ids == ("a", "b")
    assert loaded.pool.fields["run_tag"] == ("t", "t")
    assert not any("ranks" in note for note in loaded.report.notes)


def test_several_questions_and_several_runs() -> None:
    load = _read("q Q0 a 1 0.9 x\nr Q0 b 1 0.9 x\nq Q0 a 1 3 y\n")
    assert [outline.query_id for outline in load.outlines] == ["q", "r", "q"]
    assert "this is “y”" in load.question(2).report.notes[0]


def test_a_broken_line_is_set_aside() -> None:
    lines = ["q Q0 a 1 0.9 t"] * 20 + ["q Q0 an id 2 0.8 t", "q Q0 b 3 inf t"]
    report = _read("\n".join(lines)).question().report
    assert report.candidates == 1
    assert (report.set_aside[-2].reason, report.set_aside[-2].line) == (
        "The line has 7 columns, a run has 6.",
        21,
    )
    assert report.set_aside[-1].reason == "The score is infinite."


def test_lines_of_four_columns_are_judgements() -> None:
    with pytest.raises(FormatError, match="These are judgements, not a pool"):
        _read("q 0 a 1\nq 0 b 0\n")


def test_prose_is_neither() -> None:
    with pytest.raises(FormatError, match="format is not known"):
        _read("There is no such run\nin this text of words here\n")
