"""Settings to try, each with what it would change, measured.

A step is looked for among the caps and over the exact path of MMR, the mildest first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from poolscope import selection as selectors
from poolscope.diagnosis.base import Effect, Step
from poolscope.diagnosis.facts import Facts
from poolscope.model import SUPPORTS, Policy, Selection
from poolscope.selection.paths import Axis, path

DEAREST = 0.5
"""Most relevance that a step may give away against plain top-k, in pool spreads."""

Test = Callable[[Facts], bool]


@dataclass(frozen=True, eq=False)
class Trial:
    """A setting and what it selects.

    Args:
        policy: The setting.
        facts: Its selection, measured like the first.
        low: Lowest lambda of the stretch with this selection; 0 for a cap.
        high: Highest lambda of the stretch.
    """

    policy: Policy
    facts: Facts
    low: float = 0.0
    high: float = 0.0


@dataclass(frozen=True, eq=False)
class Found:
    """A step, and the stretch of lambda over which it does as much.

    Args:
        step: What to try.
        low: Lowest lambda that covers as much or separates as well; 0 for a cap.
        high: Highest such lambda.
    """

    step: Step
    low: float = 0.0
    high: float = 0.0


def caps(facts: Facts) -> Iterator[Trial]:
    """Try every cap that changes the selection and leaves no slot empty, the largest first."""
    key = facts.key
    for cap in range(facts.largest - 1, 0, -1):
        for selector in ("grouped_cap", "two_pass_cap"):
            policy = facts.policy.changed(selector=selector, cap=cap, key=key, overrides=())
            trial = Trial(policy, _measured(facts, policy))
            if len(trial.facts.picks) == len(facts.picks) and _differs(trial.facts, facts):
                yield trial


def lambdas(facts: Facts) -> Iterator[Trial]:
    """Try every stretch of lambda under which MMR selects something else, the highest first."""
    if facts.pool.vectors is None:
        return
    mmr = facts.policy.changed(selector="mmr")
    for stretch in reversed(path(facts.pool, mmr, Axis.LAMBDA).intervals):
        if len(stretch.indices) != len(facts.picks) or set(stretch.indices) == set(facts.picks):
            continue
        policy = mmr.changed(lambda_=_round_within(stretch.low, stretch.high))
        yield Trial(policy, _measured(facts, policy), stretch.low, stretch.high)


def raising(facts: Facts, trials: Iterable[Trial]) -> Found | None:
    """Find the setting that covers most facets at least relevance, if any covers more."""
    now = covered(facts)
    better = [
        trial
        for trial in trials
        if covered(trial.facts) > now and facts.cost(trial.facts.picks) <= DEAREST
    ]
    if not better:
        return None
    best = max(better, key=lambda t: (covered(t.facts), facts.mean(t.facts.picks), t.high))
    as_good = [trial for trial in better if covered(trial.facts) == covered(best.facts)]
    return _found(facts, best, as_good)


def relieving(facts: Facts, trials: Iterable[Trial], is_relieved: Test, dearest: float) -> Found | None:
    """Find the mildest setting after which a test holds, if its relevance is not too dear."""
    for trial in trials:
        if facts.cost(trial.facts.picks) > dearest:
            continue
        if is_relieved(trial.facts):
            return _found(facts, trial, [trial])
    return None


def covered(facts: Facts) -> int:
    """Count the facets that the picks support."""
    return int((facts.pool.marks[list(facts.picks)] == SUPPORTS).any(axis=0).sum())


def step(facts: Facts, policy: Policy) -> Step:
    """Measure what another setting would change."""
    return Step(policy, _words(policy), _effect(facts.selection, selectors.select(facts.pool, policy)))


def _measured(facts: Facts, policy: Policy) -> Facts:
    return Facts(selectors.select(facts.pool, policy), facts.is_whole)


def _differs(first: Facts, second: Facts) -> bool:
    return set(first.picks) != set(second.picks)


def _found(facts: Facts, best: Trial, as_good: list[Trial]) -> Found:
    """Join the stretches of lambda that lie side by side around the best one."""
    low, high = best.low, best.high
    for trial in sorted(as_good, key=lambda t: -t.high):
        if trial.high < low and low - trial.high < 1e-9:
            low = trial.low
    for trial in sorted(as_good, key=lambda t: t.low):
        if trial.low > high and trial.low - high < 1e-9:
            high = trial.high
    made = Step(
        best.policy,
        _words(best.policy),
        _effect(facts.selection, best.facts.selection),
    )
    return Found(made, low, high)


def _round_within(low: float, high: float) -> float:
    """Return the roundest number inside a stretch of lambda, near its middle."""
    middle = (low + high) / 2.0
    for digits in (1, 2, 3):
        value = round(middle, digits)
        if low < value < high:
            return value
    return middle


def _effect(before: Selection, after: Selection) -> Effect:
    pool = before.pool
    coverage = None
    if pool.facets:
        shares = [
            float((pool.marks[list(s.indices)] == SUPPORTS).any(axis=0).mean()) for s in (before, after)
        ]
        coverage = (shares[0], shares[1])
    return Effect(
        coverage=coverage,
        relevance=(_mean(before, before), _mean(before, after)),
        sources=(_sources(before), _sources(after)),
        tokens=(_tokens(before), _tokens(after)),
    )


def _mean(measured_by: Selection, selection: Selection) -> float:
    values = measured_by.relevances[selection.indices]
    return float((values / len(values)).sum()) if len(values) else float("nan")


def _sources(selection: Selection) -> int:
    labels = [selection.pool.sources[i] or i for i in selection.indices.tolist()]
    return len(set(labels))


def _tokens(selection: Selection) -> int:
    return int(np.sum(selection.pool.tokens[selection.indices]))


def _words(policy: Policy) -> str:
    if policy.selector == "mmr":
        return f"MMR at lambda {policy.lambda_:g}"
    if policy.selector == "top_k":
        return "Plain top-k" if policy.depth is None else f"Plain top-k to rank {policy.depth}"
    rule = "Cap" if policy.selector == "grouped_cap" else "Two-pass cap"
    return f"{rule} of {policy.cap} per {policy.key}"
