"""A policy against a baseline and limits: by hand."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.evaluation.check import Check, Limits, check
from poolscope.evaluation.contenders import Contender, Row
from poolscope.evaluation.sweep import COVERAGE, HIT, NAMES, RELEVANCE, SOURCES
from poolscope.model import Policy, Relevance, Stratum


@dataclass(frozen=True)
class Asked:
    name: str
    stratum: Stratum


STRATA = (Stratum.SEVERAL, Stratum.SEVERAL, Stratum.ONE)
ASKED = tuple(Asked(f"q{number}", stratum) for number, stratum in enumerate(STRATA))


def row(coverage: Sequence[float], relevance: Sequence[float] = (0.5, 0.5, 0.5)) -> Row:
    values = {name: np.full(len(coverage), 0.5) for name in NAMES}
    values[COVERAGE], values[RELEVANCE] = np.array(coverage), np.array(relevance)
    values[HIT] = (np.array(coverage) > 0.0).astype(np.float64)
    return Row(Contender("x"), values)


def made(**limits: float) -> Check:
    policy = row([1.0, 0.5, 0.0], [0.4, 0.5, 0.3])
    return check([policy, row([0.5, 0.5, 1.0])], ASKED, Limits(**limits))


@pytest.mark.parametrize(
    ("limits", "value", "broken"),
    [
        ({"min_coverage": 0.5}, 0.5, False),
        ({"min_coverage": 0.51}, 0.5, True),
        ({"max_coverage_drop": 0.1}, 1 / 6, True),
        ({"max_coverage_drop": 0.17}, 1 / 6, False),
        ({"min_hit": 0.0}, 0.0, False),
        ({"min_hit": 0.5}, 0.0, True),
        ({"max_hit_drop": 0.5}, 1.0, True),
        ({"max_relevance_drop": 0.1}, 0.1, False),
        ({"max_relevance_drop": 0.09}, 0.1, True),
    ],
)
def test_limits(limits: dict[str, float], value: float, broken: bool) -> None:  # noqa: FBT001
    found = made(**limits)
    (held,) = found.held
    assert held.value == pytest.approx(value)
    assert held.is_broken is broken
    assert found.broken == ((held,) if broken else ())


def test_questions_that_differ_come_by_size() -> None:
    assert made().differing() == (2, 0)
    assert made().compared(COVERAGE, Stratum.SEVERAL).better == 1


def test_what_could_not_be_measured_keeps_no_limit() -> None:
    policy = row([1.0], [math.nan])
    found = check(
        [policy, row([1.0], [0.5])], ASKED[:1], Limits(min_hit=0.1, max_relevance_drop=1.0)
    )
    assert all(held.is_broken and math.isnan(held.value) for held in found.held)


def test_what_cannot_be_compared_is_refused() -> None:
    good = row([1.0, 1.0, 1.0])
    lacking = Row(Contender("y"), good.values, "The pool has no field.", 2)
    with pytest.raises(PolicyError, match="“y” cannot select on 2 of 3"):
        check([good, lacking], ASKED, Limits())
    with pytest.raises(PolicyError, match="no question"):
        check([row([]), row([])], (), Limits())
    other = Row(Contender("z", Policy(relevance=Relevance.RANK)), good.values)
    with pytest.raises(PolicyError, match="reads rank"):
        check([other, good], ASKED, Limits())
    with pytest.raises(PolicyError, match="min coverage is nan"):
        Limits(min_coverage=math.nan)


@pytest.mark.parametrize(
    ("name", "kept", "refused"),
    [
        ("min_coverage", (0.0, 1.0), (8.0, -0.1, 80.0)),
        ("min_hit", (0.0, 1.0), (1.01, -1.0)),
        ("max_coverage_drop", (-1.0, 0.02, 1.0), (2.0, -1.5)),
        ("max_hit_drop", (-0.1, 0.1), (5.0,)),
        ("max_relevance_drop", (-3.0, 40.0), (math.inf, math.nan)),
    ],
)
def test_a_limit_that_can_never_be_kept_or_never_be_broken_is_refused(
    name: str, kept: Sequence[float], refused: Sequence[float]
) -> None:
    for value in kept:
        assert getattr(Limits(**{name: value}), name) == value
    for value in refused:
        with pytest.raises(PolicyError, match=name.replace("_", " ")) as met:
            Limits(**{name: value})
        assert "such as 0." in met.value.remedy


@pytest.mark.parametrize("at", [0, 1])
def test_what_selects_nothing_is_refused_and_not_measured_as_0(at: int) -> None:
    both = [row([1.0, 1.0, 1.0]), row([1.0, 1.0, 1.0])]
    nothing = row([0.0, 0.0, 0.0], [math.nan] * 3)
    values = {**nothing.values, SOURCES: np.zeros(3)}
    both[at] = Row(Contender("none", Policy(k=0, depth=0)), values)
    with pytest.raises(PolicyError, match=r"“none” selects no passage \(k = 0, depth = 0\) on any"):
        check(both, ASKED, Limits())
