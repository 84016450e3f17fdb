"""Answer coverage, strictly and with parts, by hand."""

import math

import numpy as np
import pytest

from poolscope.evaluation.answers import (
    AnswerCoverage,
    answer_coverage,
    by_setting,
    correctness,
    coverages,
)
from poolscope.model.graded import Claim, Graded, Made

CLAIMS = (
    Claim("a", Made.FULLY),
    Claim("b", Made.PARTLY),
    Claim("c", Made.NOT, is_vital=False),
    Claim("d", Made.FULLY, is_vital=False),
)
ASKED = [("q1", "One?"), ("q2", "Two?"), ("q3", "Three?")]


def test_strict_and_partial_vital_and_all() -> None:
    assert answer_coverage(CLAIMS) == AnswerCoverage(0.5, 0.75, 0.5, 0.625)


def test_without_claims_nothing_is_invented() -> None:
    found = answer_coverage(())
    assert all(math.isnan(value) for value in (found.vital, found.all_strict))
    only = answer_coverage(CLAIMS[2:])
    assert math.isnan(only.vital)
    assert only.all == 0.5


def test_answers_are_found_by_id_or_question_and_missing_ones_stay_missing() -> None:
    graded = by_setting(
        [Graded("s", "q1", 1.0), Graded("s", "Two?", 0.0, CLAIMS), Graded("t", "q3", 1.0)]
    )
    assert set(graded) == {"s", "t"}
    assert correctness(graded["s"], ASKED) == pytest.approx([1.0, 0.0, np.nan], nan_ok=True)
    found = coverages(graded["s"], ASKED)
    assert found[1].tolist() == [0.5, 0.75, 0.5, 0.625]
    assert np.isnan(found[[0, 2]]).all()
