"""Agreement: by hand, by published numbers, and against scikit-learn."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from poolscope.golden import agreement as measured
from poolscope.golden.model import Cell, GoldenFacet, Judgement, Mark, Question, Record, Role

YES, NO = Mark.SUPPORTS, Mark.DOES_NOT


def units(*annotators: Sequence[object]) -> list[dict[str, str]]:
    """Turn rows of labels, ``None`` where missing, into units."""
    return [
        {f"r{at}": str(label) for at, label in enumerate(unit) if label is not None}
        for unit in zip(*annotators, strict=True)
    ]


def binary(*annotators: Sequence[int | None]) -> list[dict[str, str]]:
    words = {1: YES, 0: NO, None: None}
    return units(*([words[label] for label in row] for row in annotators))


def test_the_reference_of_two_annotators() -> None:
    found = measured.agreement(binary([1, 1, 0, 0], [1, 0, 0, 0]))
    assert found.raw.value == 0.75
    assert found.kappa.value == pytest.approx(0.5)
    assert found.alpha.value == pytest.approx(8 / 15)
    assert found.ac1.value == pytest.approx(9 / 17)
    assert (found.units, found.paired, found.left_out) == (4, 4, 0)
    assert found.labels == {"supports": 3, "does not": 5}
    assert found.annotators == ("r0", "r1")


@pytest.mark.parametrize(
    ("rows", "raw", "kappa", "alpha", "ac1", "counts"),
    [
        # Two annotators, two labels missing. Both label 3 units: 11, 10, 00.
        # By kappa (2/3 - 4/9) of 5/9, by alpha 1 less 5 times 1 in 3 * 3.
        # AC1: the shares of “supports” are 1, 1/2, 0, 0, 1, so chance is 1/2.
        (
            ([1, 1, 0, 0, None], [1, 0, 0, None, 1]),
            *(2 / 3, 2 / 5, 4 / 9, 1 / 3),
            (5, 3, 2),
        ),
        # A rare label, met by both once and missed by one once, among 100 units.
        # chance of kappa: (2 * 1 + 98 * 99) / 100²; alpha: 1 - 199 * 1 / (3 * 197);
        # chance of AC1: 2 * 0.015 * 0.985.
        (
            ([1, 1, *[0] * 98], [1, 0, *[0] * 98]),
            *(0.99, (0.99 - 0.9704) / 0.0296, 1 - 199 / 591, (0.99 - 0.02955) / 0.97045),
            (100, 100, 0),
        ),
        # Three annotators and missing labels: 111, 110, 00-, 1-0, --1.
        # raw: 3 + 1 + 1 + 0 of 3 + 3 + 1 + 1 pairs; kappa of the pairs: 1, 0 and 0;
        # alpha: 1 - 9 * (1 + 1) / (6 * 4); AC1: agreed 1, 1/3, 1, 0; share of “supports” 19/30.
        (
            ([1, 1, 0, 1, None], [1, 1, 0, None, None], [1, 0, None, 0, 1]),
            *(5 / 8, 1 / 3, 1 / 4, 107 / 482),
            (5, 4, 4),
        ),
        # Three annotators, full agreement but for one label of nine.
        # alpha: 1 - 8 * 1 / (4 * 5); AC1: agreed 1, 1, 1/3; share of “supports” 4/9.
        (
            ([1, 0, 0], [1, 0, 0], [1, 0, 1]),
            *(7 / 9, (1 + 0.4 + 0.4) / 3, 1 - 8 / 20, (7 / 9 - 40 / 81) / (41 / 81)),
            (3, 3, 0),
        ),
    ],
)
def test_numbers_worked_out_by_hand(
    rows: Sequence[Sequence[int | None]],
    raw: float,
    kappa: float,
    alpha: float,
    ac1: float,
    counts: tuple[int, int, int],
) -> None:
    found = measured.agreement(binary(*rows))
    assert found.raw.value == pytest.approx(raw)
    assert found.kappa.value == pytest.approx(kappa)
    assert found.alpha.value == pytest.approx(alpha)
    assert found.ac1.value == pytest.approx(ac1)
    assert (found.units, found.paired, found.left_out) == counts


PUBLISHED = units(
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
)
"""Krippendorff (2011), section C: four observers, twelve units, seven labels missing."""


def test_published_numbers_with_missing_labels() -> None:
    assert measured.krippendorff_alpha(PUBLISHED).value == pytest.approx(0.743, abs=5e-4)
    labels = ("1", "2", "3", "4", "5")
    # Gwet, Handbook of inter-rater reliability, has the same table.
    assert measured.gwet_ac1(PUBLISHED, labels).value == pytest.approx(0.77544, abs=5e-6)
    assert measured.krippendorff_alpha(PUBLISHED).counted == 11


def test_a_rare_label_turns_kappa_and_alpha_but_not_ac1_to_zero() -> None:
    """99 of 100 agreed, and the two annotators support one passage each, another one."""
    first = [1, 0, *[0] * 98]
    second = [0, 1, *[0] * 98]
    found = measured.agreement(binary(first, second))
    assert found.raw.value == 0.98
    assert found.kappa.value == pytest.approx(-1 / 99)
    assert found.alpha.value == pytest.approx(1 - 199 * 4 / (200**2 - 198**2 - 2**2))
    # pi = 0.01: chance 2 * 0.01 * 0.99
    assert found.ac1.value == pytest.approx((0.98 - 0.0198) / (1 - 0.0198))


def test_one_label_throughout_is_undefined_but_for_ac1() -> None:
    found = measured.agreement(binary([0, 0, 0], [0, 0, 0]))
    assert (found.raw.value, found.ac1.value) == (1.0, 1.0)
    assert math.isnan(found.kappa.value)
    assert found.kappa.reason == "each of two annotators gave one label only"
    assert math.isnan(found.alpha.value)
    assert found.alpha.reason == "only one label was given"


@pytest.mark.parametrize("table", [[], binary([1, 0, None], [None, None, 1])])
def test_without_a_cell_of_two_labels_nothing_is_defined(table: list[dict[str, str]]) -> None:
    found = measured.agreement(table)
    for value in (found.raw, found.kappa, found.ac1, found.alpha):
        assert math.isnan(value.value)
        assert value.reason == "no cell has two labels"
    assert found.paired == 0


def test_full_disagreement() -> None:
    found = measured.agreement(binary([1, 0], [0, 1]))
    assert found.raw.value == 0
    assert found.kappa.value == -1
    # observed 0, chance 1/2; and 1 - (4 - 1) * 4 / (16 - 8)
    assert found.ac1.value == -1
    assert found.alpha.value == pytest.approx(-0.5)


def test_kappa_of_three_is_the_mean_over_pairs() -> None:
    table = binary([1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0])
    # 0.5, 1 and 0.5
    assert measured.cohen_kappa(table).value == pytest.approx(2 / 3)
    # Pairs of labels: 4 of 4, 4 of 4 for the first and third; 3 of 4 twice.
    assert measured.raw(table).value == pytest.approx(10 / 12)


def test_missing_labels_are_counted() -> None:
    found = measured.agreement(binary([1, None, 0, None], [1, 1, None, None]))
    assert (found.units, found.paired, found.left_out) == (3, 1, 4)


label = st.sampled_from([0, 1])


@given(st.lists(st.tuples(label, label), min_size=1, max_size=30))
def test_kappa_is_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    first, second = [one for one, _ in pairs], [two for _, two in pairs]
    found = measured.cohen_kappa(binary(first, second))
    if len({*first, *second}) == 1:
        assert math.isnan(found.value)
        assert found.reason
    else:
        assert found.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


row = st.lists(st.sampled_from([0, 1, None]), min_size=6, max_size=6)


@given(st.lists(row, min_size=2, max_size=4))
def test_alpha_is_what_its_coincidence_table_gives(rows: list[list[int | None]]) -> None:
    """The definition, written out: observed and expected coincidences."""
    table = binary(*rows)
    seen = {(one, two): 0.0 for one in (YES, NO) for two in (YES, NO)}
    for unit in table:
        said = list(unit.values())
        for at, one in enumerate(said):
            for other, two in enumerate(said):
                if at != other:
                    seen[Mark(one), Mark(two)] += 1 / (len(said) - 1)
    totals = {one: seen[one, YES] + seen[one, NO] for one in (YES, NO)}
    n = sum(totals.values())
    found = measured.krippendorff_alpha(table)
    if totals[YES] * totals[NO] == 0:
        assert math.isnan(found.value)
        assert found.reason
    else:
        wanted = 1 - (n - 1) * seen[YES, NO] / (totals[YES] * totals[NO])
        assert found.value == pytest.approx(wanted, abs=1e-9)


@given(st.lists(row, min_size=2, max_size=4))
def test_every_number_is_at_most_1_and_says_why_not(rows: list[list[int | None]]) -> None:
    found = measured.agreement(binary(*rows))
    for value in (found.raw, found.kappa, found.ac1, found.alpha):
        assert math.isnan(value.value) == bool(value.reason)
        assert math.isnan(value.value) or value.value <= 1 + 1e-12


def _judgement(
    who: str, facet: str, passage: str, mark: Mark | None, role: Role = Role.ANNOTATOR
) -> Judgement:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Judgement(Cell(facet, passage), who, role, YES, mark, at, 1)


def test_a_golden_set_facet_by_facet_and_over_all() -> None:
    marks = (
        *(_judgement("Ann", "a", f"p{at}", mark) for at, mark in enumerate([YES, YES, NO, NO])),
        *(_judgement("Ben", "a", f"p{at}", mark) for at, mark in enumerate([YES, NO, NO, NO])),
        _judgement("Ann", "b", "p0", Mark.CANT_TELL),
        _judgement("Ben", "b", "p0", YES),
        _judgement("Ann", "b", "p1", None),
        _judgement("Ben", "b", "p1", Mark.LATER),
        _judgement("Eve", "b", "p0", YES, Role.ADJUDICATOR),
    )
    facets = (GoldenFacet("a", "A"), GoldenFacet("b", "B"))
    record = Record(Question("q", "?"), (), facets, marks)
    found = measured.agreement_of([record])
    assert [one.facet.id for one in found.facets] == ["a", "b"]
    assert found.facets[0].agreement.kappa.value == pytest.approx(0.5)
    assert found.facets[1].agreement.paired == 0
    assert found.overall.kappa.value == pytest.approx(0.5)
    assert found.overall.units == 5
    assert "“Can't tell”, “later” and empty cells count as missing" in found.treatment

    counted = measured.agreement_of([record], counts_cant_tell=True)
    assert counted.facets[1].agreement.raw.value == 0
    assert counted.overall.labels == {"supports": 4, "does not": 5, "can't tell": 1}
    assert "Can't" not in counted.treatment
