import pytest

from poolscope.errors import FormatError
from poolscope.formats.shapes.base import Passage, Question, raw_pools


def test_no_question_is_refused() -> None:
    with pytest.raises(FormatError, match="no list of passages was found"):
        raw_pools([], "x.json")


def test_a_question_keeps_its_problem_for_later() -> None:
    good = Question(
        [Passage("a", 7, metadata={"source": "s", "page": 2.0})], "q", columns={"id": "i"}
    )
    first, second = raw_pools([good, Question([], problem="It is broken.", remedy="Mend it.")], "x")
    assert first.rows[0].id == "7"
    assert first.rows[0].fields == {"source": "s", "page": "2"}
    assert first.columns == {"id": "i"}
    assert second.problem is not None
    assert second.problem.place.file == "x"


def test_what_is_no_text_counts_as_none() -> None:
    (pool,) = raw_pools([Question([Passage({"a": 1}, ["b"])], ["q"])], "x")
    assert (pool.rows[0].text, pool.rows[0].id, pool.query) == (None, None, "")
