"""Charts of a golden set, read from the figures."""

import dataclasses
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import pytest

from poolscope.charts import golden as charts
from poolscope.charts.theme import DARK, LIGHT, Theme
from poolscope.evaluation import findings
from poolscope.evaluation.mix import Scores
from poolscope.evaluation.sweep import COVERAGE, NAMES, RELEVANCE, Sweep
from poolscope.model import Policy, Stratum
from poolscope.selection.paths import Axis


@pytest.fixture
def sweep() -> Callable[..., Sweep]:
    """A sweep of ten questions and two pieces: coverage 1 below 0.5, a half from there."""

    def made(low: float = 1.0) -> Sweep:
        values = {name: np.full((10, 2), 0.5) for name in NAMES}
        values[COVERAGE] = np.tile([low, 0.5], (10, 1))
        values[RELEVANCE] = np.tile([0.4, 0.8], (10, 1))
        return Sweep(
            axis=Axis.LAMBDA,
            policy=Policy(selector="mmr"),
            names=tuple("abcdefghij"),
            strata=(Stratum.SEVERAL,) * 10,
            starts=np.array([0.0, 0.5]),
            ends=np.array([np.nextafter(0.5, 0.0), 1.0]),
            values=MappingProxyType(values),
            exact=True,
        )

    return made


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_sweep_shows_mean_band_cost_and_the_best(
    sweep: Callable[..., Sweep], theme: Theme
) -> None:
    found = findings.best(sweep())
    assert found is not None
    figure = charts.sweep_curve(sweep(), found, "Facet coverage", None, theme)
    by_name = {trace.name: trace for trace in figure.data}
    mean = by_name["Facet coverage"]
    assert list(mean.x) == [0.0, pytest.approx(0.5), 0.5, 1.0]
    assert list(mean.y) == [1.0, 1.0, 0.5, 0.5]
    assert mean.line.color == theme.accent
    assert list(by_name["mean relevance, as a share of the reference's"].y) == [0.5, 0.5, 1.0, 1.0]
    assert by_name["95 % interval of the mean"].fill in ("tonexty", None)
    (rectangle,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert (rectangle.x0, rectangle.x1) == (0.0, pytest.approx(0.5))
    (label,) = figure.layout.annotations
    assert label.text == "plain top-k (lambda 1)"
    assert (label.x, label.xanchor, label.yanchor) == (0.0, "left", "bottom")  # above its line
    assert label.xshift >= 12  # off the ticks
    assert figure.layout.modebar.bgcolor == "rgba(0,0,0,0)"
    assert figure.layout.modebar.color == theme.quiet


def test_where_nothing_beats_the_reference_nothing_is_shaded(sweep: Callable[..., Sweep]) -> None:
    found = findings.best(sweep(0.2))
    assert found is not None
    figure = charts.sweep_curve(sweep(0.2), found, "Facet coverage", None, LIGHT)
    assert not [shape for shape in figure.layout.shapes if shape.type == "rect"]


def test_a_mix_marks_where_two_break_even() -> None:
    named = (("a", Scores(1.0, 0.0)), ("b", Scores(0.0, 1.0)))
    figure = charts.mix_lines(named, 0.3, LIGHT)
    assert [list(trace.y) for trace in figure.data] == [[0.0, 1.0], [1.0, 0.0], [0.5]]
    assert figure.data[2].x == (0.5,)
    assert figure.layout.shapes[0].x0 == 0.3
    assert len(charts.mix_lines((named[0], named[0]), 0.3, LIGHT).data) == 2


def test_differences_leave_out_what_stays_and_cut_long_names() -> None:
    figure = charts.differences(
        [0.0, -0.5, 0.25, float("nan")], ["a", "b", "c" * 99, "d"], "x", LIGHT
    )
    (bars,) = figure.data
    assert list(bars.x) == [-0.5, 0.25]
    assert figure.layout.yaxis.ticktext[0] == "b"
    assert len(figure.layout.yaxis.ticktext[1]) <= 28
    many = charts.differences([0.1 * place for place in range(99)], ["q"] * 99, "x", LIGHT)
    assert len(many.data[0].x) == charts.MOST_BARS


def test_the_proxy_leaves_out_what_is_undefined() -> None:
    proxy, coverage = np.array([0.5, np.nan, 0.7]), np.array([1.0, 0.5, 0.2])
    figure = charts.proxy_against_coverage(proxy, coverage, 0.6, DARK)
    assert list(figure.data[0].x) == [0.5, 0.7]
    assert figure.layout.shapes[0].x0 == 0.6
    assert not charts.proxy_against_coverage(proxy, coverage, None, DARK).layout.shapes


def test_a_sweep_over_k_is_drawn_in_steps_with_each_k_in_its_middle(
    sweep: Callable[..., Sweep],
) -> None:
    over_k = dataclasses.replace(
        sweep(), axis=Axis.K, starts=np.array([1.0, 3.0]), ends=np.array([2.0, 9.0])
    )
    found = findings.best(over_k)
    assert found is not None
    figure = charts.sweep_curve(over_k, found, "Facet coverage", None, LIGHT)
    assert {trace.line.shape for trace in figure.data} == {"hvh"}
    best = findings.best(sweep())
    assert best is not None
    over_lambda = charts.sweep_curve(sweep(), best, "Facet coverage", None, LIGHT)
    assert {trace.line.shape for trace in over_lambda.data} == {"linear"}
