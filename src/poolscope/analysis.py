"""What the pages ask of a pool: one question, one function, one frozen result."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from poolscope import selection as selectors
from poolscope import wording
from poolscope.measures import Measured, measure
from poolscope.measures.batch import headline, table
from poolscope.measures.redundancy import mean_pairwise_cosine, near_copy_pairs
from poolscope.measures.sources import distinct_sources, largest_share
from poolscope.model import SUPPORTS, Policy, Pool, Selection
from poolscope.selection.paths import Axis, path

Run: TypeAlias = Callable[[Pool, Policy], Measured]

USUAL = Policy()

CROWDED_AT = 5
"""The k at which the questions of a file are held against each other."""


@dataclass(frozen=True, eq=False)
class Column:
    """What one policy selects, held against the baseline.

    Args:
        title: The rule's name.
        setting: Its settings in a few words.
        measured: The selection with every measure.
        baseline: The same of plain top-k.
    """

    title: str
    setting: str
    measured: Measured
    baseline: Measured

    @property
    def selection(self) -> Selection:
        """The selection."""
        return self.measured.selection

    @cached_property
    def entered(self) -> frozenset[int]:
        """Picks that plain top-k does not have."""
        return self.selection.members - self.baseline.selection.members

    @cached_property
    def left(self) -> tuple[int, ...]:
        """Picks of plain top-k that are not in, by rank."""
        return tuple(sorted(self.baseline.selection.members - self.selection.members))

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why each of ``left`` is not in, in its order."""
        return tuple(wording.reason(self.selection, index) for index in self.left)

    @property
    def shared_reason(self) -> str:
        """The one reason for which all of ``left`` are out, several at least; else empty."""
        return self.reasons[0] if len(self.left) > 1 and len(set(self.reasons)) == 1 else ""

    def change(self, name: str) -> float:
        """Return a measure's difference to plain top-k; ``nan`` where either is undefined."""
        return self.measured[name] - self.baseline[name]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several policies on one pool, the baseline first.

    Args:
        pool: The pool.
        columns: One a policy; the first is plain top-k.
    """

    pool: Pool
    columns: tuple[Column, ...]

    @property
    def baseline(self) -> Column:
        """Plain top-k."""
        return self.columns[0]

    @property
    def depth(self) -> int:
        """How many candidates the selectors see."""
        depth = self.baseline.selection.policy.depth
        return len(self.pool) if depth is None else min(depth, len(self.pool))


def select_and_measure(pool: Pool, policy: Policy) -> Measured:
    """Select and take every measure of the selection.

    Raises:
        PolicyError: The pool lacks what the policy asks for.
    """
    return measure(selectors.select(pool, policy))


def compare(
    pool: Pool, setting: Policy, rules: tuple[str, ...], run: Run = select_and_measure
) -> Comparison:
    """Run plain top-k and further rules at one setting.

    Args:
        pool: The pool.
        setting: What the controls say; its ``selector`` is not read.
        rules: Names of selectors, one a further column.
        run: Selects and measures. It is asked with policies in which lambda and the cap are the
            usual ones where the rule reads neither, so one that remembers is asked the same again.

    Raises:
        PolicyError: The pool lacks what the setting asks for.
    """
    policies = (setting.plain, *(setting.changed(selector=rule) for rule in rules))
    measured = tuple(_as_asked(run(pool, bare(policy)), policy) for policy in policies)
    columns = tuple(
        Column(
            title=selectors.named(policy.selector).label,
            setting=wording.setting(policy),
            measured=result,
            baseline=measured[0],
        )
        for policy, result in zip(policies, measured, strict=True)
    )
    return Comparison(pool, columns)


def bare(policy: Policy) -> Policy:
    """Return a policy with the usual lambda and cap where its rule does not read them."""
    return with_unread(policy, USUAL)


def with_unread(policy: Policy, other: Policy) -> Policy:
    """Return a policy with another's lambda and cap where its own rule does not read them."""
    reads = {parameter.name for parameter in selectors.named(policy.selector).parameters}
    unread = [axis.value for axis in (Axis.LAMBDA, Axis.CAP) if axis not in reads]
    return policy.changed(**{name: getattr(other, name) for name in unread})


def _as_asked(found: Measured, policy: Policy) -> Measured:
    """Return a result under the policy that was asked for."""
    return replace(found, selection=replace(found.selection, policy=policy))


@dataclass(frozen=True, slots=True)
class Step:
    """One stretch of a parameter over which a selection does not change.

    Args:
        low: First value of the stretch.
        high: Last value of the stretch.
        coverage: Facet coverage; ``nan`` without facets.
        kept: Mean relevance over that of plain top-k at the same depth and k; ``nan`` where
            that is not above 0.
        pairwise: Mean pairwise cosine; ``nan`` without vectors.
    """

    low: float
    high: float
    coverage: float
    kept: float
    pairwise: float


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What one parameter of a rule buys and costs: exact step functions.

    Args:
        policy: The rule, and everything but the parameter.
        axis: The parameter.
        steps: In rising order, over the whole range.
        current: The parameter's value in the policy.
        baseline: Coverage of plain top-k at the policy's depth and k.
        exact: Whether every change was found; false where the path was sampled.
    """

    policy: Policy
    axis: Axis
    steps: tuple[Step, ...]
    current: float
    baseline: float
    exact: bool


def trade_off(pool: Pool, policy: Policy, axis: Axis) -> TradeOff:
    """Follow one parameter of a rule over its whole range.

    Raises:
        PolicyError: The pool lacks what the policy asks for.
    """
    mine = path(pool, policy, axis)
    ground = path(pool, policy.plain.changed(budget=None), axis)
    relevances = selectors.used(pool, policy).values
    rows = headline(pool, relevances, table([part.indices for part in mine.intervals]))
    grounds = headline(pool, relevances, table([part.indices for part in ground.intervals]))
    steps = []
    for number, part in enumerate(mine.intervals):
        base = float(grounds["mean_relevance"][ground.intervals.index(ground.at(part.high))])
        relevance = float(rows["mean_relevance"][number])
        steps.append(
            Step(
                low=part.low,
                high=part.high,
                coverage=float(rows["facet_coverage"][number]),
                kept=relevance / base if base > 0.0 else math.nan,
                pairwise=float(rows["mean_pairwise_cosine"][number]),
            )
        )
    value = getattr(policy, axis.value)
    current = float(len(pool) if value is None else value)
    place = ground.intervals.index(ground.at(min(max(current, ground.low), ground.high)))
    return TradeOff(
        policy, axis, tuple(steps), current, float(grounds["facet_coverage"][place]), mine.exact
    )


@dataclass(frozen=True, slots=True)
class Crowding:
    """How crowded plain top-k is, for a table of many questions; ``nan`` where undefined.

    Args:
        largest_share: Slots of the commonest source over the slots filled.
        distinct_sources: Number of different sources.
        mean_pairwise: Mean cosine over the pairs of the selected.
        near_copies: Pairs of near copies among the selected.
    """

    largest_share: float
    distinct_sources: float
    mean_pairwise: float
    near_copies: float

    @property
    def place(self) -> tuple[float, ...]:
        """What questions are sorted by, the most crowded first: a share, then copies, then cosine.

        What is undefined comes after what is measured.
        """
        parts = (self.largest_share, self.near_copies, self.mean_pairwise)
        return tuple(math.inf if math.isnan(part) else -part for part in parts)


def crowding(pool: Pool, k: int = CROWDED_AT) -> Crowding:
    """Measure how crowded plain top-k is over the whole pool.

    Args:
        pool: One question's.
        k: How many are selected.
    """
    chosen = selectors.select(pool, USUAL.plain.changed(k=k, depth=None))
    return Crowding(
        largest_share=largest_share(chosen),
        distinct_sources=distinct_sources(chosen),
        mean_pairwise=mean_pairwise_cosine(chosen),
        near_copies=near_copy_pairs(chosen),
    )


def supported(pool: Pool, index: int) -> tuple[str, ...]:
    """Return the labels of the facets that a candidate supports."""
    return tuple(
        facet.label
        for facet, mark in zip(pool.facets, pool.marks[index], strict=True)
        if mark == SUPPORTS
    )
