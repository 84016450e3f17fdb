"""How far annotators agree, by more than chance. ``nan`` with a reason where it is not defined.

Four numbers, because each hides something: raw agreement hides chance; Cohen's kappa and
Krippendorff's alpha fall near zero where one label is rare, however much is agreed; Gwet's AC1
does not. Missing labels are left out, and counted.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from poolscope.golden.model import Cell, GoldenFacet, Judgement, Mark, Record, Role

LABELS = (Mark.SUPPORTS, Mark.DOES_NOT)

Labels = Mapping[str, str]
"""What each annotator says of one unit; who says nothing is missing."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One number of agreement.

    Args:
        value: 1 is full agreement; ``nan`` where it is not defined.
        reason: Why it is not defined; empty where it is.
        counted: How many units it rests on.
    """

    value: float
    reason: str = ""
    counted: int = 0


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree over some units.

    Args:
        units: Cells that anybody labelled.
        paired: Those that two or more labelled: the others say nothing of agreement.
        annotators: Their names.
        labels: How often each label was given.
        left_out: How often an annotator who took part left a unit without such a label.
        raw: Share of pairs of labels on one unit that are equal.
        kappa: Cohen's, the mean over pairs of annotators.
        ac1: Gwet's.
        alpha: Krippendorff's, nominal.
    """

    units: int
    paired: int
    annotators: tuple[str, ...]
    labels: Mapping[str, int]
    left_out: int
    raw: Coefficient
    kappa: Coefficient
    ac1: Coefficient
    alpha: Coefficient


@dataclass(frozen=True, slots=True)
class FacetAgreement:
    """Agreement on one facet of one question."""

    question: str
    facet: GoldenFacet
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class SetAgreement:
    """Agreement on a golden set.

    Args:
        overall: Over all cells of all questions.
        facets: Facet by facet.
        treatment: How missing labels were treated, for the screen.
    """

    overall: Agreement
    facets: tuple[FacetAgreement, ...]
    treatment: str


def agreement_of(records: Iterable[Record], *, counts_cant_tell: bool = False) -> SetAgreement:
    """Measure agreement on every facet, and over all.

    Only marks that were made before others' could be seen are compared, and no adjudicator's.

    Args:
        records: The questions.
        counts_cant_tell: Whether “can't tell” is a label of its own; otherwise it is missing.
    """
    labels = (*LABELS, Mark.CANT_TELL) if counts_cant_tell else LABELS
    found: list[FacetAgreement] = []
    pooled: dict[tuple[str, Cell], Labels] = {}
    for record in records:
        units = units_of(record.judgements, labels)
        pooled |= {(record.question.id, cell): said for cell, said in units.items()}
        for facet in record.facets:
            own = [said for cell, said in units.items() if cell.facet == facet.id]
            found.append(FacetAgreement(record.question.id, facet, agreement(own, labels)))
    missing = "“Later”" if counts_cant_tell else "“Can't tell”, “later”"
    return SetAgreement(
        agreement(list(pooled.values()), labels),
        tuple(found),
        f"{missing} and empty cells count as missing; a cell with one label is left out; marks "
        "made after others' were seen, and adjudicators', are not compared.",
    )


def units_of(judgements: Iterable[Judgement], labels: Sequence[str]) -> dict[Cell, dict[str, str]]:
    """Return what each annotator says, independently, of each cell."""
    units: dict[Cell, dict[str, str]] = {}
    for judgement in judgements:
        if judgement.role is Role.ANNOTATOR and judgement.independent in labels:
            units.setdefault(judgement.cell, {})[judgement.annotator] = str(judgement.independent)
    return units


def agreement(units: Sequence[Labels], labels: Sequence[str] = LABELS) -> Agreement:
    """Measure agreement over units.

    Args:
        units: What each annotator says of each unit.
        labels: All labels that could be given, two or more.
    """
    names = tuple(sorted({name for unit in units for name in unit}))
    given = Counter(label for unit in units for label in unit.values())
    return Agreement(
        units=sum(bool(unit) for unit in units),
        paired=sum(len(unit) > 1 for unit in units),
        annotators=names,
        labels={str(label): given[label] for label in labels},
        left_out=sum(len(names) - len(unit) for unit in units),
        raw=raw(units),
        kappa=cohen_kappa(units),
        ac1=gwet_ac1(units, labels),
        alpha=krippendorff_alpha(units),
    )


NOBODY = "no cell has two labels"


def _paired(units: Sequence[Labels]) -> list[Labels]:
    return [unit for unit in units if len(unit) > 1]


def raw(units: Sequence[Labels]) -> Coefficient:
    """Return the share of equal labels among all pairs of labels that units have."""
    pairs = [
        first == second
        for unit in units
        for first, second in itertools.combinations(unit.values(), 2)
    ]
    if not pairs:
        return Coefficient(math.nan, NOBODY)
    return Coefficient(sum(pairs) / len(pairs), counted=len(_paired(units)))


def cohen_kappa(units: Sequence[Labels]) -> Coefficient:
    """Return Cohen's kappa; of more than two annotators the mean over their pairs.

    Cohen (1960), A coefficient of agreement for nominal scales; Light (1971), Measures of response
    agreement for qualitative data, for the mean. Pairs for which it is not defined are left out.
    """
    names = sorted({name for unit in units for name in unit})
    values: list[float] = []
    shared: set[int] = set()
    for first, second in itertools.combinations(names, 2):
        places = [at for at, unit in enumerate(units) if first in unit and second in unit]
        shared.update(places)
        if places:
            pairs = [(units[at][first], units[at][second]) for at in places]
            values.append(_kappa(pairs))
    if not values:
        return Coefficient(math.nan, NOBODY)
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return Coefficient(
            math.nan, "each of two annotators gave one label only", counted=len(shared)
        )
    return Coefficient(sum(defined) / len(defined), counted=len(shared))


def _kappa(pairs: Sequence[tuple[str, str]]) -> float:
    n = len(pairs)
    observed = sum(first == second for first, second in pairs) / n
    firsts = Counter(first for first, _ in pairs)
    seconds = Counter(second for _, second in pairs)
    # Whole numbers, so that two constant annotators give exactly 1.
    chance = sum(firsts[label] * seconds[label] for label in firsts) / (n * n)
    return math.nan if chance == 1 else (observed - chance) / (1 - chance)


def gwet_ac1(units: Sequence[Labels], labels: Sequence[str] = LABELS) -> Coefficient:
    """Return Gwet's AC1, for any number of annotators and with missing labels.

    Gwet (2008), Computing inter-rater reliability and its variance in the presence of high
    agreement. Every unit with a label speaks for how common labels are, those with two or more
    for agreement.

    Args:
        units: What each annotator says of each unit.
        labels: All labels that could be given, two or more.
    """
    paired = _paired(units)
    if not paired:
        return Coefficient(math.nan, NOBODY)
    observed = math.fsum(_agreed(unit) for unit in paired) / len(paired)
    labelled = [unit for unit in units if unit]
    chance = 0.0
    for label in labels:
        shares = (sum(said == label for said in unit.values()) / len(unit) for unit in labelled)
        share = math.fsum(shares) / len(labelled)
        chance += share * (1 - share) / (len(labels) - 1)
    return Coefficient((observed - chance) / (1 - chance), counted=len(paired))


def _agreed(unit: Labels) -> float:
    """Return the share of equal pairs of labels on one unit."""
    counts = Counter(unit.values())
    n = len(unit)
    return sum(count * (count - 1) for count in counts.values()) / (n * (n - 1))


def krippendorff_alpha(units: Sequence[Labels]) -> Coefficient:
    """Return Krippendorff's alpha for nominal labels, for any number of annotators.

    Krippendorff (2011), Computing Krippendorff's alpha-reliability. Units with one label are left
    out.
    """
    paired = _paired(units)
    if not paired:
        return Coefficient(math.nan, NOBODY)
    counts = Counter(label for unit in paired for label in unit.values())
    n = counts.total()
    expected = n * n - sum(count * count for count in counts.values())
    if expected == 0:
        return Coefficient(math.nan, "only one label was given", counted=len(paired))
    differing = math.fsum((1 - _agreed(unit)) * len(unit) for unit in paired)
    return Coefficient(1 - (n - 1) * differing / expected, counted=len(paired))
