"""The trade-off, read back from the figure: flat steps, the setting, and plain top-k."""

from collections.abc import Callable

import numpy as np
import pytest

from poolscope import analysis
from poolscope.analysis import Step, TradeOff
from poolscope.charts.theme import DARK, LIGHT
from poolscope.charts.trade_off import trade_off
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis

STEPS = (
    Step(low=0.0, high=0.25, coverage=0.5, kept=0.8, pairwise=0.4),
    Step(low=0.25, high=1.0, coverage=0.25, kept=1.0, pairwise=0.9),
)


def found(*, coverage: bool = True) -> TradeOff:
    nan = float("nan")
    steps = (
        STEPS
        if coverage
        else tuple(
            Step(s.low, s.high, coverage=nan, kept=s.kept, pairwise=s.pairwise) for s in STEPS
        )
    )
    return TradeOff(
        policy=Policy(selector="mmr"),
        axis=Axis.LAMBDA,
        steps=steps,
        current=0.6,
        baseline=0.25 if coverage else nan,
        exact=True,
    )


def test_steps_are_flat_and_meet_at_the_break() -> None:
    coverage, kept = trade_off(found(), LIGHT).data
    assert list(coverage.x) == [0.0, 0.25, 0.25, 1.0]
    assert list(coverage.y) == [0.5, 0.5, 0.25, 0.25]
    assert list(kept.y) == [0.8, 0.8, 1.0, 1.0]
    assert [coverage.name, kept.name] == ["facet coverage", "relevance kept"]


def test_the_setting_and_top_k_are_marked() -> None:
    figure = trade_off(found(), LIGHT)
    lines = {(shape.x0, shape.y0) for shape in figure.layout.shapes}
    assert any(x == 0.6 for x, _ in lines)
    assert any(y == 0.25 for _, y in lines)


def test_without_facets_likeness_takes_the_place_of_coverage() -> None:
    figure = trade_off(found(coverage=False), DARK)
    assert [trace.name for trace in figure.data] == ["relevance kept", "mean pairwise cosine"]
    assert len(figure.layout.shapes) == 1


@pytest.mark.parametrize("axis", Axis)
def test_every_axis_of_a_real_pool_draws(make_pool: Callable[..., Pool], axis: Axis) -> None:
    pool = make_pool(
        vectors=np.eye(6) + 0.3, scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], sources="aabbcc"
    )
    real = analysis.trade_off(pool, Policy(selector="mmr_cap", k=3, depth=6), axis)
    figure = trade_off(real, LIGHT)
    assert figure.layout.xaxis.title.text
    assert all(low <= high for low, high in ((s.low, s.high) for s in real.steps))


def test_below_zero_relevance_is_drawn_from_its_lowest_to_its_highest(
    make_pool: Callable[..., Pool],
) -> None:
    scores = [-0.1, -0.2, -0.3, -0.4, -0.9, -1.1]
    rows = [[1, 0], [0.99, 0.1], [0.98, 0.2], [0.97, 0.2], [0, 1], [-1, 1]]
    pool = make_pool(vectors=rows, scores=scores, sources="aabbcc")
    real = analysis.trade_off(pool, Policy(selector="mmr", k=3), Axis.LAMBDA)
    assert [real.steps[0].kept, real.steps[-1].kept] == [0.0, 1.0]
    figure = trade_off(real, LIGHT)
    assert figure.data[0].name == real.cost
    assert real.cost.startswith("mean relevance, −")  # noqa: RUF001
    assert real.cost.endswith(" to −0.200 drawn as 0 to 1")  # noqa: RUF001


def test_a_whole_number_stands_in_the_middle_of_its_step() -> None:
    steps = tuple(Step(low, high, 0.5, 0.8, 0.4) for low, high in ((1.0, 1.0), (2.0, 5.0)))
    caps = TradeOff(Policy(selector="grouped_cap"), Axis.CAP, steps, 2, baseline=0.5, exact=True)
    figure = trade_off(caps, LIGHT)
    assert {trace.line.shape for trace in figure.data} == {"hvh"}
    assert list(figure.data[0].x) == [1.0, 1.0, 2.0, 5.0]
    assert figure.layout.xaxis.dtick == 1
    over_lambda = trade_off(found(), LIGHT)
    assert {trace.line.shape for trace in over_lambda.data} == {"linear"}
    assert over_lambda.layout.xaxis.dtick is None


def test_plain_top_k_stands_in_the_legend() -> None:
    shapes = trade_off(found(), LIGHT).layout.shapes
    assert [shape.name for shape in shapes if shape.showlegend] == ["coverage of plain top-k"]
