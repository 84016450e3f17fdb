"""Evaluate's tables: what stands where nothing can be measured."""

import numpy as np

from poolscope.evaluation.contenders import Contender, Row
from poolscope.evaluation.findings import Peak
from poolscope.evaluation.mix import Scores
from poolscope.evaluation.plans import Gathered, Known, TableResult
from poolscope.evaluation.sweep import COVERAGE, HIT, NAMES, Stretch
from poolscope.model import Policy, Stratum
from poolscope.ui import evaluate_markup


def row(label: str, value: float, lacks: str = "", selector: str = "top_k") -> Row:
    values = {name: np.full(9, np.nan) for name in NAMES}
    values[COVERAGE], values[HIT] = np.full(9, value), np.full(9, 1.0)
    return Row(Contender(label, Policy(selector=selector)), values, lacks)


def test_what_is_undefined_is_blank_with_its_reason_and_what_lacks_is_left_out() -> None:
    known = (Known("q", "?", Stratum.SEVERAL, 2, 2),) * 9
    rows = (row("<b>Top-k</b>", 0.5), row("Other", 0.25), row("Gone", 0.1, lacks="A field."))
    ceiling = row("Facet oracle", 1.0, selector="facet_oracle")
    body = evaluate_markup.table(TableResult(Gathered((), known, {}), (*rows, ceiling)))
    assert "&lt;b&gt;Top-k" in body
    assert "Gone" not in body
    assert "\N{MINUS SIGN}0.250" in body
    assert "Facet oracle: knows the facets" in body
    assert "no question has one true answer" in body
    assert "there are no vectors" in body
    assert "0.500 to" not in body  # every question has the same: there is no interval


def test_scores_stand_by_kind_and_at_the_mix() -> None:
    body = evaluate_markup.scores([("a", Scores(1.0, 0.5))], 0.5)
    assert "1.000" in body
    assert "0.500" in body
    assert "0.750" in body
    assert "mean relevance at this mix" in body
    both = evaluate_markup.scores([("a", Scores(1.0, 0.5, 0.8, 0.6))], 0.25)
    assert "0.650" in both


def test_a_cell_of_the_grid_has_the_cost_of_its_gain() -> None:
    peaks = (Peak(Stretch(0.2, 0.4, 0.9), 0.1, -0.25), Peak(Stretch(0.5, 1.0, 0.8), 0.0, 0.0))
    body = evaluate_markup.grid([peaks], [None], [1])
    assert "+0.100 at 0.200 to 0.400</small><small>mean relevance \N{MINUS SIGN}0.250<" in body
    assert "same at 0.500 to 1.000<" in body
