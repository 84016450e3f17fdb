from poolscope.formats.shapes import arms
from poolscope.formats.shapes.base import Passage, Question


def _arm(*texts: str, prefix: str = "") -> Question:
    return Question(
        [Passage(text, f"{prefix}{text}", 1.0, metadata={"source": "s"}) for text in texts]
    )


def test_one_arm_is_the_question() -> None:
    (only,) = arms.questions({"a": _arm("x")})
    assert only.query_id == "a"
    assert only.notes == ()


def test_ids_of_the_arms_own_making_do_not_hide_that_a_text_is_the_same() -> None:
    merged, *rest = arms.questions({"a": _arm("x", "y", prefix="v_"), "b": _arm("y", "z")})
    assert [passage.text for passage in merged.passages] == ["x", "y", "z"]
    assert merged.passages[1].metadata["rank in a"] == 2
    assert merged.passages[1].metadata["rank in b"] == 1
    assert [question.query_id for question in rest] == ["a", "b"]


def test_copies_within_one_arm_stay_two_candidates() -> None:
    copies = Question([Passage("x", "1"), Passage("x", "2")])
    merged, *_ = arms.questions({"a": copies, "b": _arm("y")})
    assert [passage.id for passage in merged.passages] == ["1", "y", "2"]


def test_an_arm_that_holds_all_is_the_pool() -> None:
    first, second = arms.questions({"a": _arm("x"), "join": _arm("y", "x")})
    assert (first.query_id, second.query_id) == ("join", "a")
    assert [passage.text for passage in first.passages] == ["y", "x"]
    assert first.passages[1].metadata == {
        "source": "s",
        "arms": "a",
        "rank in a": 1,
        "score in a": 1.0,
    }
