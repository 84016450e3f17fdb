"""Evaluate's tables as HTML; every text is escaped by ``markup.text``."""

import math
from collections.abc import Sequence

import numpy as np

from poolscope.evaluation.answers import JudgedRow
from poolscope.evaluation.contenders import CEILING, Row
from poolscope.evaluation.findings import Peak, cost, signed, span
from poolscope.evaluation.mix import Scores
from poolscope.evaluation.plans import Gathered, TableResult
from poolscope.evaluation.statistics import estimate, paired
from poolscope.evaluation.sweep import ALPHA_NDCG, COVERAGE, HIT, PAIRWISE, RELEVANCE, SAME
from poolscope.geometry import Bools, Floats
from poolscope.model import Stratum
from poolscope.selection.paths import Axis
from poolscope.ui.explain_markup import Cell, blank, number, rows
from poolscope.wording import counted

HEADINGS = (
    "setting",
    "coverage, several components",
    "less top-k",
    "hit, one true answer",
    "less top-k",
    "mean relevance",
    "alpha-nDCG",
    "pairwise cosine",
)


def table(found: TableResult) -> str:
    """Return the settings that could be measured on every question, as rows."""
    base = found.rows[0]
    several, one = (_of(found.gathered, item) for item in (Stratum.SEVERAL, Stratum.ONE))
    cells = [
        [
            Cell(_label(row)),
            _estimate(row.values[COVERAGE][several], "no question has several components"),
            _change(base, row, COVERAGE, several),
            _estimate(row.values[HIT][one], "no question has one true answer"),
            _change(base, row, HIT, one),
            _mean(row.values[RELEVANCE], "nothing was selected"),
            _mean(row.values[ALPHA_NDCG], "no passage supports a facet"),
            _mean(row.values[PAIRWISE], "there are no vectors"),
        ]
        for row in found.rows
        if not row.lacks
    ]
    return rows(HEADINGS, cells, "Settings on the golden set")


def grid(lines: Sequence[Sequence[Peak]], depths: Sequence[int | None], caps: Sequence[int]) -> str:
    """Return the best of lambda at every depth, a row, and cap, a column.

    Args:
        lines: For every depth the best without a cap and with each.
        depths: ``None`` for the whole pool.
        caps: The caps.
    """
    head = ("pool depth", "no cap", *(f"cap {cap}" for cap in caps))
    cells = [
        [Cell("whole pool" if depth is None else str(depth)), *(_peak(item) for item in line)]
        for depth, line in zip(depths, lines, strict=True)
    ]
    return rows(head, cells, "Best of lambda by pool depth and cap")


def _peak(found: Peak) -> Cell:
    less = "same" if abs(found.gain) <= SAME else signed(found.gain)
    at = span(found.stretch, Axis.LAMBDA)
    price = "" if abs(found.gain) <= SAME else f"\n{cost(found.relevance)}"
    return number(f"{found.stretch.value:.3f}", f"{less} at {at}{price}")


ANSWER_HEADINGS = (
    "setting",
    "coverage, several components",
    "mean relevance",
    "accuracy, several components",
    "accuracy, one true answer",
    "vital claims, strict",
    "vital claims, with parts",
    "all claims, strict",
    "all claims, with parts",
)


def answers(found: Sequence[JudgedRow]) -> str:
    """Return settings with what judged answers say of them beside what is measured here."""
    cells = [
        [
            Cell(item.name),
            _mean(item.coverage, "the file's name is no setting known here"),
            _mean(item.relevance, "the file's name is no setting known here"),
            _judged(item.correct_several, "nobody judged such an answer"),
            _judged(item.correct_one, "nobody judged such an answer"),
            *(_judged(column, "nobody marked claims") for column in item.claims.T),
        ]
        for item in found
    ]
    return rows(ANSWER_HEADINGS, cells, "Judged answers by setting")


def _judged(values: Floats, why: str) -> Cell:
    """Return a mean over the answers that were judged, with their number beneath."""
    met = values[~np.isnan(values)]
    return number(f"{met.mean():.3f}", counted(len(met), "answer")) if len(met) else blank(why)


def _of(gathered: Gathered, stratum: Stratum) -> Bools:
    return np.array([item.stratum is stratum for item in gathered.known], dtype=np.bool_)


def _label(row: Row) -> str:
    is_ceiling = row.contender.policy.selector == CEILING and not row.contender.preset
    return f"{row.contender.label}: knows the facets" if is_ceiling else row.contender.label


def _mean(values: Floats, why: str) -> Cell:
    """Return a mean over the questions that have a value."""
    met = values[~np.isnan(values)]
    return number(f"{met.mean():.3f}") if len(met) else blank(why)


def _estimate(values: Floats, why: str) -> Cell:
    """Return a mean with its interval beneath."""
    met = values[~np.isnan(values)]
    if not len(met):
        return blank(why)
    found = estimate(met)
    return number(f"{found.mean:.3f}", _interval(found.low, found.high, changes=False))


def _change(base: Row, row: Row, name: str, of: Bools) -> Cell:
    """Return the mean difference to the baseline, question by question, with its interval."""
    before, after = base.values[name][of], row.values[name][of]
    if not len(before):
        return blank("no question is of that kind")
    if row is base:
        return number("baseline")
    found = paired(before, after).difference
    if not (after - before).any():
        return number("same")
    return number(signed(found.mean), _interval(found.low, found.high, changes=True))


def _interval(low: float, high: float, *, changes: bool) -> str:
    """Write an interval; nothing where every question has the same value."""
    if math.isnan(low):
        return "too few for an interval"
    if low == high:
        return ""
    return f"{signed(low, 2)} to {signed(high, 2)}" if changes else f"{low:.2f} to {high:.2f}"


def scores(named: Sequence[tuple[str, Scores]], share: float) -> str:
    """Return what two settings score on each kind of question, and at a mix."""
    head = (
        "setting",
        "hit, one true answer",
        "coverage, several components",
        "at this mix",
        "mean relevance at this mix",
    )
    cells = [
        [
            Cell(label),
            number(f"{item.one:.3f}"),
            number(f"{item.several:.3f}"),
            number(f"{item.mixed(share):.3f}"),
            _mean(np.array([item.relevance.mixed(share)]), "nothing was selected"),
        ]
        for label, item in named
    ]
    return rows(head, cells, "Scores by kind of question")
