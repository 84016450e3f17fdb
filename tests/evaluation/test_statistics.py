"""Intervals, pairs and held-out choices: known cases, and sets where nothing is to be found."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from poolscope.evaluation import run
from poolscope.evaluation.questions import Question
from poolscope.evaluation.statistics import FEWEST, band, estimate, held_out, paired
from poolscope.model import Policy
from poolscope.selection.paths import Axis

MMR = Policy(selector="mmr", k=4)


def test_an_interval_holds_the_mean_and_narrows_with_questions() -> None:
    random = np.random.default_rng(1)
    few, many = random.normal(0.3, 1.0, 20), random.normal(0.3, 1.0, 500)
    for values in (few, many):
        found = estimate(values)
        assert found.low < found.mean < found.high
        assert found.count == len(values)
    assert estimate(many).high - estimate(many).low < estimate(few).high - estimate(few).low
    assert estimate(many).tells


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(7)
    held = [
        (found := estimate(random.normal(1.0, 2.0, 40), seed=trial)).low <= 1.0 <= found.high
        for trial in range(120)
    ]
    assert 0.86 <= np.mean(held) <= 0.995


def test_too_few_or_equal_values_say_so() -> None:
    found = estimate(np.ones(FEWEST - 1))
    assert found.mean == 1.0
    assert math.isnan(found.low)
    assert not found.tells
    assert estimate(np.ones(FEWEST)).low == 1.0
    assert math.isnan(estimate(np.empty(0)).mean)


def test_pairs_are_counted_and_the_largest_difference_comes_first() -> None:
    before = np.zeros(10)
    after = np.array([0.0, 1.0, -0.5, 0, 0, 0, 0, 0.25, 0, 0])
    found = paired(before, after)
    assert (found.better, found.worse, found.even) == (2, 1, 7)
    assert found.order[:3] == (1, 2, 7)
    assert found.difference.mean == pytest.approx(0.075)
    assert 0.0 < found.chance <= 1.0


def test_chance_is_small_for_a_clear_difference_and_large_for_none() -> None:
    random = np.random.default_rng(2)
    base = random.normal(size=30)
    assert paired(base, base + 0.5).chance < 0.01
    assert paired(base, base + random.normal(size=30) * 0.1).chance > 0.01
    assert paired(base, base).chance == 1.0
    assert math.isnan(paired(base[:3], base[:3]).chance)


def test_the_band_holds_the_mean(golden: Callable[..., list[Question]]) -> None:
    found = run.sweep(golden(12), MMR, Axis.LAMBDA, workers=1)
    low, high = band(found, "facet_coverage")
    mean = found.mean("facet_coverage")
    assert (low <= mean + 1e-12).all()
    assert (mean <= high + 1e-12).all()
    few = run.sweep(golden(3), MMR, Axis.LAMBDA, workers=1)
    assert np.isnan(band(few, "facet_coverage")[0]).all()


def test_a_choice_on_half_flatters_itself(golden: Callable[..., list[Question]]) -> None:
    found = run.sweep(golden(20, seed=5), MMR, Axis.LAMBDA, workers=1)
    chosen = held_out(found, "facet_coverage", 1.0)
    assert chosen is not None
    assert chosen.apparent >= chosen.gain
    assert ((chosen.chosen >= 0.0) & (chosen.chosen <= 1.0)).all()
    assert 0.0 <= chosen.share_better <= 1.0


def test_where_nothing_beats_top_k_the_choice_is_top_k(
    golden: Callable[..., list[Question]],
) -> None:
    found = run.sweep(golden(10, facets=1, seed=3), MMR, Axis.LAMBDA, workers=1)
    if found.mean("facet_coverage").max() == found.mean("facet_coverage")[-1]:
        chosen = held_out(found, "facet_coverage", 1.0)
        assert chosen is not None
        assert chosen.gain <= 1e-12
    assert held_out(run.sweep(golden(2), MMR, Axis.LAMBDA, workers=1), "hit", 1.0) is None


def test_intervals_and_chances_are_those_of_scipy() -> None:
    """Another library's draws differ: the ends agree to what 2,000 resamples leave."""
    random = np.random.default_rng(4)
    for values in (random.exponential(size=30), random.normal(0.2, 1.0, 60), random.random(9) ** 3):
        found, error = estimate(values), float(values.std() / len(values) ** 0.5)
        wanted = stats.bootstrap(
            (values,), np.mean, n_resamples=20_000, method="BCa", rng=random
        ).confidence_interval
        assert found.low == pytest.approx(wanted.low, abs=0.3 * error)
        assert found.high == pytest.approx(wanted.high, abs=0.3 * error)
        chance = stats.permutation_test(
            (values,), np.mean, permutation_type="samples", n_resamples=20_000, rng=random
        ).pvalue
        assert paired(np.zeros(len(values)), values).chance == pytest.approx(chance, abs=0.02)
