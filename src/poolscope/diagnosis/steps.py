"""Settings to try, each with what it would change, measured.

A step is looked for among the caps and over the exact path of MMR, the mildest first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from poolscope import selection as selectors
from poolscope.diagnosis.base import Step
from poolscope.diagnosis.effect import effect
from poolscope.diagnosis.facts import Facts
from poolscope.model import SUPPORTS, Policy

DEAREST = 0.5
"""Most relevance that a step may give away against plain top-k, in pool spreads."""

CHEAP = 0.15
"""Most relevance, in pool spreads, that an unmeasured step may give away."""

MILD = tuple(twentieth / 20 for twentieth in range(19, 9, -1))
"""Values of lambda that are tried where no facet measures the outcome, the mildest first."""

TOUCHING = 1e-9
"""Two stretches of lambda that lie nearer together than this are one."""

Test = Callable[[Facts], bool]


@dataclass(frozen=True, eq=False)
class Trial:
    """A setting and what it selects.

    Args:
        policy: The setting.
        picks: Pool indices of what it selects.
        low: Lowest lambda of the stretch with this selection; 0 for a cap.
        high: Highest lambda of the stretch.
    """

    policy: Policy
    picks: tuple[int, ...]
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
    """Try every cap that changes the selection and leaves no slot empty, the largest first.

    The plain cap stands before the two-pass rule, which takes the best of every source first.
    """
    for selection in facts.under_caps:
        picks = tuple(selection.indices.tolist())
        if _is_another(picks, facts):
            yield Trial(selection.policy, picks)


def lambdas(facts: Facts) -> Iterator[Trial]:
    """Try every stretch of lambda under which MMR selects something else, the highest first."""
    if facts.pool.vectors is None:
        return
    mmr = facts.policy.changed(selector="mmr")
    for stretch in reversed(facts.over_lambda.intervals):
        if _is_another(stretch.indices, facts):
            policy = mmr.changed(lambda_=_round_within(stretch.low, stretch.high))
            yield Trial(policy, stretch.indices, stretch.low, stretch.high)


def mild_lambdas(facts: Facts) -> Iterator[Trial]:
    """Try MMR from lambda 0.95 down to 0.5 where it selects something else."""
    if facts.pool.vectors is None:
        return
    last = set(facts.picks)
    for lambda_ in MILD:
        policy = facts.policy.changed(selector="mmr", lambda_=lambda_)
        picks = picks_of(facts, policy)
        if _is_another(picks, facts) and set(picks) != last:
            last = set(picks)
            yield Trial(policy, picks, lambda_, lambda_)


def raising(facts: Facts, trials: Iterable[Trial]) -> Found | None:
    """Find the setting that covers most facets at least relevance, if any covers more."""
    now = covered(facts, facts.picks)
    better = [
        (covered(facts, trial.picks), _even(facts.standing.mean(trial.picks)), trial)
        for trial in trials
        if covered(facts, trial.picks) > now and facts.standing.cost(trial.picks) <= DEAREST
    ]
    if not better:
        return None
    most, _, best = max(better, key=lambda entry: entry[:2])
    return _found(facts, best, [trial for reached, _, trial in better if reached == most])


def relieving(
    facts: Facts, trials: Iterable[Trial], is_relieved: Test, *, dearest: float
) -> Found | None:
    """Find the mildest setting after which a test holds, if its relevance is not too dear."""
    for trial in trials:
        if facts.standing.cost(trial.picks) > dearest:
            continue
        after = Facts(selectors.select(facts.pool, trial.policy), facts.is_whole)
        if is_relieved(after):
            return _found(facts, trial, [trial])
    return None


def picks_of(facts: Facts, policy: Policy) -> tuple[int, ...]:
    """Return what another setting selects."""
    return tuple(selectors.select(facts.pool, policy).indices.tolist())


def covered(facts: Facts, picks: tuple[int, ...]) -> int:
    """Count the facets that some candidates support."""
    return int((facts.pool.marks[list(picks)] == SUPPORTS).any(axis=0).sum())


def step(facts: Facts, policy: Policy) -> Step:
    """Measure what another setting would change."""
    after = selectors.select(facts.pool, policy)
    return Step(policy, _words(policy), effect(facts.selection, after))


def _is_another(picks: tuple[int, ...], facts: Facts) -> bool:
    return len(picks) == len(facts.picks) and set(picks) != set(facts.picks)


def _found(facts: Facts, best: Trial, as_good: list[Trial]) -> Found:
    """Join the stretches of lambda that lie side by side around the best one."""
    low, high = best.low, best.high
    for trial in sorted(as_good, key=lambda trial: -trial.high):
        if 0.0 <= low - trial.high < TOUCHING:
            low = trial.low
    for trial in sorted(as_good, key=lambda trial: trial.low):
        if 0.0 <= trial.low - high < TOUCHING:
            high = trial.high
    policy = best.policy
    if policy.selector == "mmr":
        policy = policy.changed(lambda_=_round_near_top(low, high, policy.lambda_))
    return Found(step(facts, policy), low, high)


def _even(value: float) -> float:
    """Drop the digits in which two orders of one sum may differ."""
    return float(f"{value:.9g}")


def _round_near_top(low: float, high: float, otherwise: float) -> float:
    """Return the highest lambda with one decimal inside a stretch, if it has one."""
    tenths = [tenth / 10 for tenth in range(9, 0, -1) if low < tenth / 10 < high]
    return tenths[0] if tenths else otherwise


def _round_within(low: float, high: float) -> float:
    """Return the roundest number inside a stretch of lambda, near its middle."""
    middle = (low + high) / 2.0
    for digits in (1, 2, 3):
        value = round(middle, digits)
        if low < value < high:
            return value
    return middle


def _words(policy: Policy) -> str:
    if policy.selector == "mmr":
        return f"MMR at lambda {policy.lambda_:g}"
    if policy.selector == "top_k":
        return "Plain top-k" if policy.depth is None else f"Plain top-k to rank {policy.depth}"
    rule = "Cap" if policy.selector == "grouped_cap" else "Two-pass cap"
    return f"{rule} of {policy.cap} per {policy.key}"
