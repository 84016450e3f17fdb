"""The proxy: sets where it tells, where it does not, and where it cannot be measured."""

import math
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import pytest
from scipy import stats

from poolscope.evaluation import proxy, run
from poolscope.evaluation.questions import Question
from poolscope.evaluation.sweep import NAMES, Sweep
from poolscope.geometry import Floats
from poolscope.model import Policy, Stratum
from poolscope.selection.paths import Axis


def made(likeness: Floats, coverage: Floats) -> Sweep:
    """A sweep of given values: questions by pieces."""
    pieces = likeness.shape[1]
    values = {name: np.zeros(likeness.shape) for name in NAMES}
    values[proxy.PROXY], values[proxy.TRUTH] = likeness, coverage
    starts = np.linspace(0.0, 1.0, pieces, endpoint=False)
    return Sweep(
        axis=Axis.LAMBDA,
        policy=Policy(selector="mmr"),
        names=tuple(str(i) for i in range(len(likeness))),
        strata=(Stratum.SEVERAL,) * len(likeness),
        starts=starts,
        ends=np.append(starts[1:], 1.0),
        values=MappingProxyType(values),
        exact=True,
    )


def test_a_proxy_that_tells_and_one_that_does_not() -> None:
    likeness = np.linspace(0.2, 0.9, 30)[:, None]
    telling = proxy.across_questions(made(likeness, 1.0 - likeness), 0.5)
    assert telling.value == pytest.approx(-1.0)
    assert telling.high < 0.0
    random = np.random.default_rng(0)
    other = proxy.across_questions(made(likeness, random.random((30, 1))), 0.5)
    assert other.low < 0.0 < other.high


def test_what_does_not_vary_or_is_too_little_has_no_correlation() -> None:
    flat = made(np.full((20, 1), 0.5), np.random.default_rng(0).random((20, 1)))
    assert math.isnan(proxy.across_questions(flat, 0.5).value)
    few = made(np.random.default_rng(0).random((3, 1)), np.random.default_rng(1).random((3, 1)))
    assert math.isnan(proxy.across_questions(few, 0.5).value)


def test_over_the_sweep_every_piece_counts_by_its_width() -> None:
    likeness = np.tile(np.array([0.1, 0.4, 0.7, 0.9]), (10, 1))
    found = proxy.over_the_sweep(made(likeness, likeness * 0.5))
    assert found.value == pytest.approx(1.0)
    assert proxy.over_the_sweep(made(likeness, 1.0 - likeness)).value == pytest.approx(-1.0)
    assert math.isnan(proxy.over_the_sweep(made(likeness, np.ones_like(likeness))).value)


def test_an_alarm_is_calibrated_where_it_tells_best() -> None:
    likeness = np.array([0.9, 0.88, 0.86, 0.6, 0.5, 0.4])[:, None]
    coverage = np.array([0.3, 0.5, 0.6, 1.0, 1.0, 1.0])[:, None]
    sweep, ceiling = made(likeness, coverage), np.ones(6)
    found = proxy.calibrated(sweep, 0.5, ceiling)
    assert found == proxy.Alarm(0.86, 1.0, 0.0)
    default = proxy.alarm(sweep, 0.5, ceiling, 0.87)
    assert default.hits == pytest.approx(2 / 3)
    assert default.false_alarms == 0.0
    assert proxy.calibrated(sweep, 0.5, np.zeros(6)) is None


def test_on_drawn_questions_it_is_measured(golden: Callable[..., list[Question]]) -> None:
    found = run.sweep(golden(12, facets=5), Policy(selector="mmr", k=4), Axis.LAMBDA, workers=1)
    assert -1.0 <= proxy.across_questions(found, 0.5).value <= 1.0
    assert proxy.over_the_sweep(found).count <= 12


def test_the_rank_correlation_is_that_of_scipy() -> None:
    random = np.random.default_rng(5)
    likeness = random.integers(0, 6, size=(40, 1)) / 6.0  # with ties
    coverage = np.round(random.random((40, 1)) - 0.3 * likeness, 1)
    found = proxy.across_questions(made(likeness, coverage), 0.5)
    wanted = stats.spearmanr(likeness[:, 0], coverage[:, 0]).statistic
    assert found.value == pytest.approx(wanted, abs=1e-12)
