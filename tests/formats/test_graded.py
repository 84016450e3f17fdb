"""Files of judged answers: what is read, and what is wrong with a row said."""

import pytest

from poolscope.errors import FormatError
from poolscope.formats import graded
from poolscope.model.graded import Claim, Graded, Made


def test_a_table_of_answers_and_numbers_for_settings() -> None:
    data = b"lambda,question_id,correct\n1.0,q1,true\n0.6,q1,0\n0.6,q2,0.5\n"
    assert graded.read(data, "a.csv") == (
        Graded("1.0", "q1", 1.0),
        Graded("0.6", "q1", 0.0),
        Graded("0.6", "q2", 0.5),
    )


def test_claims_of_one_answer_come_together() -> None:
    data = (
        b'{"setting": "MMR", "question": "Why?", "facet": "a", "made": "support"}\n'
        b'{"setting": "MMR", "question": "Why?", "facet": "b", "made": "partial_support",'
        b' "importance": "okay"}\n'
        b'{"setting": "MMR", "question": "Why?", "correct": 1}\n'
    )
    claims = (Claim("a", Made.FULLY), Claim("b", Made.PARTLY, is_vital=False))
    assert graded.read(data, "a.jsonl") == (Graded("MMR", "Why?", 1.0, claims),)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"hello", "no table"),
        (b"[]", "no table"),
        (b'[{"question": "q", "correct": 1}]', "no setting in this row"),
        (b'[{"setting": "s", "correct": 1}]', "no question in this row"),
        (b'[{"setting": "s", "question": "q"}]', "neither how right"),
        (b'[{"setting": "s", "question": "q", "correct": 2}]', "does not say how right"),
        (b'[{"setting": "s", "question": "q", "correct": "maybe"}]', "“maybe”"),
        (b'[{"setting": "s", "question": "q", "facet": "f", "made": "so so"}]', "“so so”"),
        (b'[{"setting": "s", "question": "q", "facet": "f"}]', "whether the claim is made"),
        (
            b'[{"setting": "s", "question": "q", "facet": "f", "made": "yes", "importance": "x"}]',
            "no importance",
        ),
    ],
)
def test_what_cannot_be_read_is_said(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        graded.read(data, "answers.json")
    assert caught.value.place.file == "answers.json"
