"""Judged answers as values."""

from poolscope.model.graded import Claim, Graded, Made


def test_nothing_is_said_where_nobody_judged() -> None:
    answer = Graded("top_k", "q1")
    assert answer.correct is None
    assert answer.claims == ()


def test_a_claim_is_vital_unless_it_is_said_to_be_welcome_only() -> None:
    assert Claim("a", Made.FULLY).is_vital
    assert [str(made) for made in Made] == ["supported", "partly supported", "not supported"]
