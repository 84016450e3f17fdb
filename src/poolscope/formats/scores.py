"""What a score measures and which end of it is better, found by looking, never by its name.

Where the vectors are at hand the score is recomputed by every formula in use; where they are
not, or none fits, the order of the list decides. Neither leaves only the order itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poolscope import geometry
from poolscope.formats.base import Known
from poolscope.geometry import Bools, Floats
from poolscope.model import Direction, ScoreKind

SLACK = 5e-4
"""Largest deviation of a recomputed score: vectors are often exported at 16 bits."""
CLOSE = 1e-6
FEWEST = 2
"""Fewest rows that a formula must fit."""
UNIT = 1e-3
"""Deviation from unit length up to which a distance is turned into a cosine."""
MOST_DECIMALS = 6
NEGATED = "-distance"


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What can be computed from vectors, for the rows that have one; shapes ``(n,)``."""

    cosine: Floats
    inner: Floats
    squared: Floats
    unit: bool


@dataclass(frozen=True, slots=True)
class Formula:
    """One way in which a score follows from vectors.

    Args:
        name: For the screen.
        compute: The score of every row.
        lower: Whether lower values are better.
        to_cosine: Turns the raw score into a cosine, for unit vectors.
        conversion: The same in words.
        of_cosine: Whether ``to_cosine`` holds for vectors of any length.
    """

    name: str
    compute: Callable[[Measured], Floats]
    lower: bool = False
    to_cosine: Callable[[Floats], Floats] | None = None
    conversion: str = "as loaded"
    of_cosine: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """A formula, how far it is from the scores at most, and whether the vectors have length 1."""

    formula: Formula
    deviation: float
    unit: bool

    @property
    def direction(self) -> Direction:
        """The better end of the raw score."""
        return Direction.LOWER if self.formula.lower else Direction.HIGHER


FORMULAS = (
    Formula("cosine", lambda m: m.cosine, to_cosine=lambda s: s, of_cosine=True),
    Formula(
        "cosine distance",
        lambda m: 1 - m.cosine,
        lower=True,
        to_cosine=lambda s: 1 - s,
        conversion="1 - distance",
        of_cosine=True,
    ),
    Formula(
        "L2 distance",
        lambda m: np.sqrt(m.squared),
        lower=True,
        to_cosine=lambda s: 1 - s**2 / 2,
        conversion="1 - distance² / 2",
    ),
    Formula(
        "squared L2 distance",
        lambda m: m.squared,
        lower=True,
        to_cosine=lambda s: 1 - s / 2,
        conversion="1 - distance / 2",
    ),
    Formula("inner product", lambda m: m.inner, to_cosine=lambda s: s),
    Formula(
        "1 - inner product",
        lambda m: 1 - m.inner,
        lower=True,
        to_cosine=lambda s: 1 - s,
        conversion="1 - distance",
    ),
    Formula(
        "negative inner product",
        lambda m: -m.inner,
        lower=True,
        to_cosine=lambda s: -s,
        conversion=NEGATED,
    ),
    Formula("(1 + cosine) / 2", lambda m: (1 + m.cosine) / 2),
    Formula("1 / (1 + L2²)", lambda m: 1 / (1 + m.squared)),
    Formula("1 / (1 + L2)", lambda m: 1 / (1 + np.sqrt(m.squared))),
    Formula("1 - L2² / √2", lambda m: 1 - m.squared / np.sqrt(2)),
    Formula("exp(-(1 - cosine))", lambda m: np.exp(m.cosine - 1)),
)


CONVERSIONS: dict[str, Callable[[Floats], Floats]] = {
    "as loaded": lambda s: s,
    **{item.conversion: item.to_cosine for item in FORMULAS if item.to_cosine is not None},
    NEGATED: lambda s: -s,
}
"""How the converted scores follow from the raw ones, by ``ScoreKind.conversion``."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A reading of the scores.

    Args:
        kind: What they measure.
        scores: Shape ``(n,)``, converted so that higher is better.
        note: What the user should decide; empty if nothing.
    """

    kind: ScoreKind
    scores: Floats
    note: str = ""


def measure(rows: Floats, has_vector: Bools, query: Floats) -> Measured:
    """Measure candidates against the question, as loaded, before any scaling.

    Args:
        rows: Shape ``(n, d)``.
        has_vector: Shape ``(n,)``.
        query: Shape ``(d,)``.
    """
    met = rows[has_vector]
    with np.errstate(all="ignore"):
        units, unit = geometry.unit_rows(met), geometry.unit_rows(query)
        lengths = max(units.deviation, unit.deviation)
        return Measured(
            cosine=geometry.cosines(units.rows, unit.rows[0]),
            inner=met @ query,
            squared=((met - query) ** 2).sum(axis=1),
            unit=lengths <= UNIT and not units.zero.any() and not unit.zero.any(),
        )


def read(
    raw: Floats,
    measured: Measured | None,
    has_vector: Bools,
    direction: Direction | None = None,
    known: Known | None = None,
    declared: ScoreKind | None = None,
) -> Reading:
    """Find what the scores measure and turn them so that higher is better.

    Args:
        raw: Shape ``(n,)``, finite, in rank order.
        measured: What the vectors say; ``None`` without vectors or without the question's.
        has_vector: Shape ``(n,)``; ``measured`` is of these rows.
        direction: The user's word on which end is better, which wins.
        known: What the producer is known to mean, where no formula tells.
        declared: What the file says they are, which only the user's word overrules.
    """
    if declared is not None and direction in (None, declared.direction):
        convert = CONVERSIONS.get(declared.conversion)
        if convert is not None:
            return Reading(declared, convert(raw))
    fit = _fit(raw[has_vector], measured) if measured is not None else None
    if fit is None or (direction is not None and direction is not fit.direction):
        if direction is None and known is not None:
            return _by_producer(raw, known)
        return _by_order(raw, direction)
    return _by_formula(raw, fit, direction)


def _fit(raw: Floats, measured: Measured) -> Fit | None:
    """Return the formula that gives the scores; ``None`` where none does, or two disagree."""
    if len(raw) < FEWEST:
        return None
    slack = max(SLACK, 0.6 * 10.0 ** -_decimals(raw)) * max(1.0, float(np.abs(raw).max()))
    with np.errstate(all="ignore"):
        fits = [
            Fit(formula, float(np.abs(formula.compute(measured) - raw).max()), measured.unit)
            for formula in FORMULAS
        ]
    best = min((fit.deviation for fit in fits if fit.deviation <= slack), default=None)
    if best is None:
        return None
    close = [fit for fit in fits if fit.deviation <= 2 * best + CLOSE]
    return close[0] if len({fit.direction for fit in close}) == 1 else None


def _decimals(raw: Floats) -> int:
    """Return to how many decimals, from 2, scores look rounded."""
    for places in range(2, MOST_DECIMALS):
        if np.array_equal(np.round(raw, places), raw):
            return places
    return MOST_DECIMALS


def _by_formula(raw: Floats, fit: Fit, direction: Direction | None) -> Reading:
    formula = fit.formula
    scores, conversion, is_cosine = raw, "as loaded", False
    if formula.to_cosine is not None and (fit.unit or formula.of_cosine):
        scores, conversion, is_cosine = formula.to_cosine(raw), formula.conversion, True
    elif formula.lower:
        scores, conversion = -raw, NEGATED
    close = "exactly" if fit.deviation == 0 else f"to {fit.deviation:.0e}"
    evidence = f"The recomputed {formula.name} equals the score {close}."
    found, note = fit.direction, ""
    if direction is None and not _descends(scores):
        found = Direction.ORDER
        evidence += " The list is not in that order, so the order is authoritative."
        note = _ask("The candidates are not listed by their score.")
    kind = ScoreKind(formula.name, found, evidence, conversion, is_cosine=is_cosine)
    return Reading(kind, scores, note)


def _by_producer(raw: Floats, known: Known) -> Reading:
    lower = known.direction is Direction.LOWER
    scores, conversion = (-raw, NEGATED) if lower else (raw, "as loaded")
    if _descends(scores) or known.direction is Direction.ORDER:
        kind = ScoreKind(known.name, known.direction, known.evidence, conversion)
        return Reading(kind, scores)
    evidence = f"{known.evidence} The list is not in that order, so the order is authoritative."
    kind = ScoreKind(known.name, Direction.ORDER, evidence, conversion)
    return Reading(kind, scores, _ask("The candidates are not listed by their score."))


def _by_order(raw: Floats, direction: Direction | None) -> Reading:
    if direction is not None:
        return _chosen(raw, direction)
    constant = len(raw) < FEWEST or bool((raw == raw[0]).all())
    if not constant and _descends(raw):
        evidence = "The scores fall down the list, so higher is better; what they measure is open."
        return Reading(ScoreKind("similarity of unknown kind", Direction.HIGHER, evidence), raw)
    if not constant and _descends(-raw):
        evidence = "The scores rise down the list, so lower is better; what they measure is open."
        kind = ScoreKind("distance of unknown kind", Direction.LOWER, evidence, NEGATED)
        return Reading(kind, -raw)
    found = "All scores are equal" if constant else "The scores neither fall nor rise down the list"
    evidence = f"{found}, so the order is authoritative."
    note = "" if constant else _ask("The scores are not monotone in list order.")
    return Reading(ScoreKind("score of unknown kind", Direction.ORDER, evidence), raw, note)


def _chosen(raw: Floats, direction: Direction) -> Reading:
    lower = direction is Direction.LOWER
    conversion = NEGATED if lower else "as loaded"
    kind = ScoreKind("score of unknown kind", direction, "Chosen by hand.", conversion)
    return Reading(kind, -raw if lower else raw)


def _descends(scores: Floats) -> bool:
    return bool((np.diff(scores) <= CLOSE * np.maximum(1.0, np.abs(scores[1:]))).all())


def _ask(found: str) -> str:
    return f"{found} The list order is kept as the rank; choose a direction to rank by the score."
