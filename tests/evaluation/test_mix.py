"""The arithmetic of the query mix, pinned to the figures of the design."""

import math

import pytest

from poolscope.evaluation.mix import Router, Scores, break_even

TOP_K, MIDDLE, LOW = Scores(77.6, 58.9), Scores(75.2, 71.1), Scores(71.4, 68.9)


def test_mixed_scores() -> None:
    assert TOP_K.mixed(0.7) == pytest.approx(71.99)
    assert MIDDLE.mixed(0.7) == pytest.approx(73.97)
    assert LOW.mixed(0.7) == pytest.approx(70.65)


def test_break_even() -> None:
    share = break_even(TOP_K, MIDDLE)
    assert share is not None
    assert share == pytest.approx(0.8356, abs=5e-5)
    assert TOP_K.mixed(share) == pytest.approx(MIDDLE.mixed(share))
    assert break_even(MIDDLE, LOW) is None  # better on both kinds
    assert break_even(TOP_K, TOP_K) is None


def test_router() -> None:
    perfect = Router(TOP_K, MIDDLE)
    assert perfect.score(0.7) == pytest.approx(75.65)
    assert perfect.cost_one == pytest.approx(2.4)
    assert perfect.cost_several == pytest.approx(12.2)
    assert perfect.cost_of_error(0.7) / 100 == pytest.approx(0.0534)
    limit = perfect.pays_up_to(0.7)
    assert limit is not None
    assert limit == pytest.approx(0.315, abs=5e-4)
    erring = Router(TOP_K, MIDDLE, missed_one=limit, missed_several=limit)
    assert erring.score(0.7) == pytest.approx(MIDDLE.mixed(0.7))
    assert Router(TOP_K, TOP_K).pays_up_to(0.5) is None


def test_relevance_is_mixed_and_routed_as_the_scores_are() -> None:
    one, several = Scores(1.0, 0.5, 0.8, 0.6), Scores(0.8, 0.9, 0.5, 0.3)
    assert one.relevance.mixed(0.25) == pytest.approx(0.65)
    router = Router(one, several, 0.5, 0.0)
    # Half of the single-answer questions at 0.8, half at 0.5; all others at 0.3.
    assert router.relevance.score(0.5) == pytest.approx(0.475)
    assert math.isnan(Scores(1.0, 0.5).relevance.mixed(0.5))
