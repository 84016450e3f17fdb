from poolscope.formats.shapes import reranked
from poolscope.formats.shapes.base import Passage, Question

BEFORE = Question([Passage("a", "1", 0.9, metadata={"source": "s"}), Passage("b", "2", 0.8)])


def test_what_the_order_after_lacks_is_taken_from_before() -> None:
    after, before = reranked.questions(BEFORE, Question([Passage(None, "2", 7.0)]), "r")
    assert after.passages[0].text == "b"
    assert after.passages[0].metadata["rank before"] == 2
    assert (after.query_id, before.query_id) == ("r reranked", "r before reranking")


def test_a_text_without_its_id_is_found_by_its_text() -> None:
    after, _ = reranked.questions(BEFORE, Question([Passage("a", None, 7.0)]), "r")
    assert after.passages[0].id == "1"
    assert after.passages[0].metadata == {"source": "s", "rank before": 1, "score before": 0.9}


def test_one_side_alone() -> None:
    (after,) = reranked.questions(Question([]), BEFORE, "r")
    assert after.query_id == "r"
    (before,) = reranked.questions(BEFORE, Question([]), "r")
    assert "order is not in it" in before.notes[0]


def test_what_was_not_given_before_stays_as_it_is() -> None:
    after, _ = reranked.questions(BEFORE, Question([Passage("new", "9", 7.0)]), "r")
    assert after.passages[0].metadata == {}
