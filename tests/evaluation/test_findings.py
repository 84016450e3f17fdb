"""What a golden set says, in sentences: sets with a known truth."""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
import pytest

from poolscope.evaluation import findings
from poolscope.evaluation.mix import Router, Scores
from poolscope.evaluation.proxy import Alarm, Correlation
from poolscope.evaluation.statistics import paired
from poolscope.evaluation.sweep import COVERAGE, NAMES, RELEVANCE, Sweep
from poolscope.geometry import Floats
from poolscope.model import Policy, Stratum
from poolscope.selection.paths import Axis


def made(
    coverage: Floats, axis: Axis = Axis.LAMBDA, relevance: Sequence[float] | None = None
) -> Sweep:
    """A sweep of given coverage: questions by pieces of equal width, the last the reference.

    The relevance of each piece is that of every question; 0.5 throughout where none is given.
    """
    count, pieces = coverage.shape
    values = {name: np.full(coverage.shape, 0.5) for name in NAMES}
    values[COVERAGE] = coverage
    if relevance is not None:
        values[RELEVANCE] = np.tile(np.array(relevance), (count, 1))
    lows = np.linspace(0.0, 1.0, pieces, endpoint=False)
    starts = lows if axis is Axis.LAMBDA else np.arange(pieces, dtype=np.float64)
    ends = np.append(np.nextafter(starts[1:], 0.0), 1.0) if axis is Axis.LAMBDA else starts
    return Sweep(
        axis=axis,
        policy=Policy(selector="mmr"),
        names=tuple(str(number) for number in range(count)),
        strata=(Stratum.SEVERAL,) * count,
        starts=starts,
        ends=ends,
        values=MappingProxyType(values),
        exact=True,
    )


def columns(*pieces: Sequence[float], count: int = 40) -> Floats:
    """Repeat each piece's pattern of coverage over the questions."""
    return np.array([[piece[at % len(piece)] for piece in pieces] for at in range(count)])


def said(coverage: Floats, axis: Axis = Axis.LAMBDA) -> str:
    found = findings.best(made(coverage, axis))
    assert found is not None
    return " ".join((findings.verdict(found), *findings.evidence(found)))


def test_nothing_beats_the_reference() -> None:
    words = said(columns([0.2], [0.3], [0.6]))
    assert words.startswith("No lambda beats plain top-k (lambda 1) on the 40 questions measured.")
    assert "better on" not in words
    assert "Within" not in said(columns([0.6, 0.4], [0.4, 0.6]))


@pytest.mark.parametrize("axis", list(Axis))
def test_what_never_changes_is_said_plainly(axis: Axis) -> None:
    assert said(columns([0.2, 0.0], [0.2, 0.0], [0.2, 0.0]), axis) == (
        f"Nothing changes over {findings.NAMES[axis]}: the mean is 0.100 at every value, on the 40 "
        "questions measured."
    )


def test_a_clear_gain_is_said_with_its_interval_and_the_held_out_gain() -> None:
    words = said(columns([0.2], [1.0, 0.9, 0.8], [0.5, 0.4, 0.6]))
    assert words.startswith("Lambda 0.333 to 0.667 beats plain top-k (lambda 1): +0.403")
    assert "95 % interval +0.358 to +0.447), mean relevance the same." in words
    assert "95 % interval +0.3" in words
    assert "better on 40, worse on 0" in words
    assert "the gain is +0.4" in words
    assert "100% of the splits gain" in words


def test_a_gain_that_may_be_nothing_is_not_called_one() -> None:
    random = np.random.default_rng(3)
    words = said(np.column_stack([random.random((30, 6)), random.random(30)]))
    assert words.startswith("No lambda is shown to beat plain top-k")
    assert "on the questions that chose it, mean relevance the same, and " in words
    assert "on halves that did not, mean relevance the same. This set does not" in words
    assert "a smaller difference than that cannot be told" in words


def test_what_only_the_questions_that_chose_show_is_not_called_a_gain() -> None:
    """Four of forty gain, none loses: an interval above 0, and yet an accident in one of eight."""
    coverage = np.zeros((40, 2))
    coverage[:4, 0] = 1.0
    found = findings.best(made(coverage))
    assert found is not None
    assert found.pairs.difference.low > 0.0
    assert found.pairs.chance > 0.05
    assert findings.verdict(found).startswith("No lambda is shown to beat")


def test_what_is_nearly_as_good_is_said() -> None:
    words = said(columns([0.895], [0.9], [0.892], [0.5]))
    assert "Best at lambda 0.250 to 0.500: mean 0.900." in words
    assert "Within 0.01 of it: lambda 0.000 to 0.750." in words


def test_few_questions_are_said_to_be_few() -> None:
    words = said(columns([1.0], [0.5], count=3))
    assert "3 questions are too few to tell" in words
    assert "no interval is given" in words


def test_a_gain_has_a_true_minus() -> None:
    pairs = paired(np.full(10, 0.5), np.linspace(0.0, 0.4, 10))
    costs = paired(np.full(10, 0.9), np.full(10, 0.8))
    words = " ".join(findings.compared(pairs, costs, "a", "b", "Coverage"))
    assert "“b” less “a” is \N{MINUS SIGN}0.300" in words
    assert "better on 0, worse on 10, the same on 0" in words
    assert (
        "Mean relevance changes by \N{MINUS SIGN}0.100 (95 % interval \N{MINUS SIGN}0.100 to "
        "\N{MINUS SIGN}0.100), over 10 questions." in words
    )
    level = paired(np.zeros(10), np.tile([0.5, -0.5], 5))
    even = " ".join(findings.compared(level, None, "a", "b", "C"))
    assert "Mean relevance is not known: no question has a selection by both." in even
    same = findings.compared(level, paired(costs.differences, costs.differences), "a", "b", "C")
    assert same[1] == "Mean relevance is the same, over 10 questions."
    assert "does not tell the two apart" in even


@pytest.mark.parametrize(("axis", "at"), [(Axis.DEPTH, "1"), (Axis.CAP, "1")])
def test_whole_numbers_are_written_whole(axis: Axis, at: str) -> None:
    words = said(columns([0.1], [0.9, 1.0], [0.4]), axis)
    assert f"{findings.NAMES[axis].capitalize()} {at} beats {findings.REFERENCES[axis]}" in words


def test_over_k_the_reference_is_the_k_that_is_set() -> None:
    sweep = made(columns(*[[0.1 * piece] for piece in range(9)]), Axis.K)
    assert findings.reference(sweep) == 5.0
    found = findings.best(sweep)
    assert found is not None
    assert findings.verdict(found) == (
        "More slots cover more by themselves: 0.800 from k = 8 on, 0.500 at k = 5; mean relevance "
        "the same."
    )
    assert findings.best(sweep, COVERAGE, Stratum.ONE) is None


def test_the_mix_is_said_as_the_design_counts_it() -> None:
    named = (("top-k", Scores(77.6, 58.9)), ("lambda 0.6", Scores(75.2, 71.1)))
    words = " ".join(findings.mixed(named, 0.7))
    assert "“top-k” scores 71.990 and “lambda 0.6” 73.970: “lambda 0.6” is ahead." in words
    assert "break even where 83.56% of the questions" in words
    low = ("lambda 0.4", Scores(71.4, 68.9))
    assert "“lambda 0.6” is ahead, or even, at every mix" in findings.mixed((named[1], low), 0.5)[1]
    assert findings.mixed((named[0], named[0]), 0.5)[1] == "They score the same at every mix."
    tie = (("a", Scores(1.0, 0.8)), ("b", Scores(1.0, 0.9)))
    assert "“b” is ahead, or even, at every mix" in findings.mixed(tie, 0.5)[1]


def test_a_router_is_said_with_its_costs_and_its_limit() -> None:
    router = Router(Scores(77.6, 58.9), Scores(75.2, 71.1), 0.1, 0.1)
    words = " ".join(findings.routed(router, 0.7))
    assert (
        "without errors it would score 75.650, and the better of the two for everybody 73.970"
        in words
    )
    assert "loses 2.400, one with several components 12.200" in words
    assert "costs 0.0534" in words
    assert "stops paying at an error rate of 31.5%" in words
    same = findings.routed(Router(Scores(1.0, 0.5), Scores(1.0, 0.9)), 0.5)
    assert "Routing gains nothing here" in same[-1]


@pytest.mark.parametrize(
    ("low", "value", "high", "wanted"),
    [
        (-0.8, -0.6, -0.4, "cover less, closely"),
        (-0.4, -0.3, -0.1, "cover less, loosely"),
        (-0.2, 0.1, 0.4, "says nothing about coverage"),
        (0.2, 0.5, 0.7, "as a goal it would mislead"),
        (float("nan"), 0.5, float("nan"), "too few for an interval"),
        (float("nan"), float("nan"), float("nan"), "cannot be measured"),
    ],
)
def test_a_correlation_is_read_plainly(low: float, value: float, high: float, wanted: str) -> None:
    assert wanted in findings.correlated(Correlation(value, low, high, 30), "Here")


def test_an_alarm_says_on_what_it_sounds() -> None:
    words = findings.alarmed(Alarm(0.85, 0.5, float("nan")), "The usual threshold")
    assert "0.850: it sounds on 50% of the questions that miss" in words
    assert "none (there are none) of the others" in words


def test_peaks_are_held_against_top_k_of_the_first() -> None:
    plain, capped = made(columns([0.9], [0.2], [0.5])), made(columns([0.3], [0.6], [0.4]))
    first, second = findings.peaks((plain, capped))
    assert first.stretch.low == 0.0
    assert first.stretch.value == pytest.approx(0.9)
    assert first.gain == pytest.approx(0.4)
    assert second.stretch.low == pytest.approx(1 / 3)
    assert second.stretch.value == pytest.approx(0.6)
    assert second.gain == pytest.approx(0.1)


def test_what_no_setting_can_cover_is_said_of_one_and_of_several() -> None:
    assert findings.unsupported(1, "1 of them") == (
        "1 of them has no supporting passage in the pool: no setting can cover it, and it counts "
        "as not covered."
    )
    assert findings.unsupported(2, "2 questions").endswith(
        "no setting can cover them, and they count as not covered."
    )


PIECES = columns([0.2], [1.0, 0.9, 0.8], [0.5, 0.4, 0.6])


@pytest.mark.parametrize(
    ("coverage", "axis", "relevance", "sentences"),
    [
        (PIECES, Axis.LAMBDA, (0.1, 0.3, 0.5), 3),
        (PIECES[:3], Axis.LAMBDA, (0.1, 0.3, 0.5), 2),
        (columns(*[[0.1 * piece] for piece in range(9)]), Axis.K, np.linspace(0.6, 0.0, 9), 2),
        (columns([0.6], [0.9, 0.3], [0.59], count=20), Axis.LAMBDA, (0.3, 0.3, 0.5), 3),
    ],
)
def test_no_sentence_says_a_gain_without_the_relevance_that_it_cost(
    coverage: Floats, axis: Axis, relevance: Sequence[float], sentences: int
) -> None:
    found = findings.best(made(coverage, axis, relevance))
    assert found is not None
    gains = [
        sentence
        for sentence in (findings.verdict(found), *findings.evidence(found))
        if any(word in sentence for word in (" beat", "cover more", "too few to tell", "Held out"))
        or sentence.startswith("Against")
    ]
    assert len(gains) == sentences
    cost = -0.225 if axis is Axis.K else -0.2
    assert found.relevance == pytest.approx(cost)
    assert all(f"mean relevance {findings.signed(cost)}" in sentence for sentence in gains)


def test_the_best_of_several_sweeps_has_its_cost_against_plain_top_k() -> None:
    first = made(columns([0.2], [0.4], [0.5]), relevance=(0.1, 0.3, 0.5))
    second = made(columns([0.2], [0.9], [0.5]), relevance=(0.05, 0.25, 0.45))
    one, two = findings.peaks((first, second))
    assert (one.gain, one.relevance) == (0.0, 0.0)
    assert two.gain == pytest.approx(0.4)
    assert two.relevance == pytest.approx(-0.25)


def test_the_mix_and_the_router_say_the_relevance_of_what_they_score() -> None:
    first, second = Scores(1.0, 0.5, 0.8, 0.6), Scores(0.8, 0.9, 0.5, 0.3)
    words = findings.mixed((("a", first), ("b", second)), 0.5)[0]
    assert words.endswith(
        "“a” scores 0.750 and “b” 0.850, at a mean relevance of 0.700 and 0.400: “b” is ahead."
    )
    level = findings.mixed((("a", first), ("c", first)), 0.5)[0]
    assert level.endswith("both score 0.750, at the same mean relevance of 0.700.")
    routed = findings.routed(Router(first, second, 0.0, 0.5), 0.5)[0]
    # One: 0.8. Several: half 0.3, half 0.6.
    assert "scores 0.850 at a mean relevance of 0.625; without errors" in routed


@pytest.mark.parametrize(("pieces", "short"), [(3, 0.5), (7, 0.4), (40, 0.34)])
def test_the_value_that_is_written_down_is_on_the_best_stretch(pieces: int, short: float) -> None:
    """The best is the piece before the middle one, one of equal width."""
    coverage = np.full((40, pieces), 0.2)
    place = pieces // 3 if pieces > 3 else 1
    coverage[:, place] = 0.9
    found = findings.best(made(coverage))
    assert found is not None
    assert found.short == short
    assert place / pieces <= found.short < (place + 1) / pieces
