"""What the pages ask of a pool: one question, one function, one frozen result."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from poolscope import selection as selectors
from poolscope import wording
from poolscope.geometry import Floats
from poolscope.measures import Measured, measure
from poolscope.measures.batch import headline, table
from poolscope.measures.redundancy import mean_pairwise_cosine, near_copy_pairs
from poolscope.measures.sources import distinct_sources, largest_share
from poolscope.model import SUPPORTS, Order, Policy, Pool, Selection
from poolscope.selection import offers
from poolscope.selection.offers import OFFERS, Offer
from poolscope.selection.paths import Axis
from poolscope.selection.presets import Need

Run: TypeAlias = Callable[[Pool, Policy], Measured]

USUAL = Policy()

CROWDED_AT = 5
"""The k at which the questions of a file are held against each other."""


@dataclass(frozen=True, eq=False)
class Column:
    """What one policy selects, held against the baseline.

    Args:
        offer: The rule: a selector or a preset.
        policy: What it was asked; a preset keeps settings of its own for the rest.
        measured: The selection with every measure.
        baseline: The same of plain top-k.
    """

    offer: Offer
    policy: Policy
    measured: Measured
    baseline: Measured

    @property
    def title(self) -> str:
        """The rule's name."""
        return self.offer.label

    @property
    def setting(self) -> str:
        """Its settings in a few words, or what it lacks."""
        if self.lacks:
            return f"needs {', '.join(self.lacks)}"
        return wording.column(self.offer, self.policy, self.selection)

    @property
    def lacks(self) -> tuple[Need, ...]:
        """What a preset lacks, and why it selects nothing."""
        if not self.offer.is_preset:
            return ()
        return self.offer.missing(self.selection.pool, self.policy)

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
        """Picks of plain top-k that are not in, by rank; none where the rule did not run."""
        if self.lacks:
            return ()
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
    """Select by a selector or a preset, and take every measure of the selection.

    A preset is measured by the relevance that the policy reads, whichever its system reads itself:
    its numbers stand beside those of the others.

    Raises:
        PolicyError: The pool lacks what the policy asks for.
    """
    chosen = offers.select(pool, policy)
    if not offers.named(policy.selector).is_preset:
        return measure(chosen)
    seen = policy.plain.changed(budget=None, order=Order.SELECTION)
    alike = replace(chosen, policy=seen, relevances=selectors.used(pool, policy).values)
    return replace(measure(alike), selection=chosen)


def compare(
    pool: Pool, setting: Policy, rules: tuple[str, ...], run: Run = select_and_measure
) -> Comparison:
    """Run plain top-k and further rules at one setting.

    Args:
        pool: The pool.
        setting: What the controls say; its ``selector`` is not read.
        rules: Names of selectors and presets, as ``offers`` reads them, one a further column.
        run: Selects and measures. It is asked with policies in which lambda and the cap are the
            usual ones where the rule reads neither, so one that remembers is asked the same again.

    Raises:
        PolicyError: The pool lacks what the setting asks for.
    """
    policies = (setting.plain, *(setting.changed(selector=rule) for rule in rules))
    measured = tuple(_as_asked(run(pool, bare(policy)), policy) for policy in policies)
    columns = tuple(
        Column(
            offer=offers.named(policy.selector),
            policy=policy,
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
    reads = offers.named(policy.selector).reads
    unread = [axis.value for axis in (Axis.LAMBDA, Axis.CAP) if axis not in reads]
    return policy.changed(**{name: getattr(other, name) for name in unread})


def _as_asked(found: Measured, policy: Policy) -> Measured:
    """Return a result under the policy that was asked for; a preset's keeps the system's own."""
    if found.selection.preset:
        return found
    return replace(found, selection=replace(found.selection, policy=policy))


@dataclass(frozen=True, slots=True)
class Standing:
    """One rule on a pool, as a row of the table of all rules.

    Args:
        offer: The rule.
        lacks: What it lacks; then it selects nothing, and every number is ``nan``.
        picks: The candidates picked, in the order handed out.
        coverage: Facet coverage; ``nan`` without facets.
        relevance: Mean of the relevance that the policy reads.
        sources: Number of different sources.
        tokens: Tokens of all picks.
        shared: How many picks plain top-k has too.
    """

    offer: Offer
    lacks: tuple[Need, ...]
    picks: tuple[int, ...]
    coverage: float
    relevance: float
    sources: float
    tokens: float
    shared: float


def every_rule(
    pool: Pool, setting: Policy, offered: Sequence[Offer] = OFFERS
) -> tuple[Standing, ...]:
    """Run every selector and every preset on a pool at one setting.

    Args:
        pool: The pool.
        setting: What the controls say; its ``selector`` is not read.
        offered: The rules, plain top-k at any place.

    Raises:
        PolicyError: The pool lacks what the setting asks for.
    """
    policies = [
        setting.plain if offer.name == "top_k" else setting.changed(selector=offer.name)
        for offer in offered
    ]
    lacks = [offer.missing(pool, policy) for offer, policy in zip(offered, policies, strict=True)]
    picks = [
        () if lack else offers.select(pool, policy).ordered
        for lack, policy in zip(lacks, policies, strict=True)
    ]
    top = set(selectors.select(pool, setting.plain).ordered)
    values = headline(pool, selectors.used(pool, setting).values, table(picks))
    return tuple(
        Standing(
            offer=offer,
            lacks=lacks[row],
            picks=picks[row],
            coverage=_of(values["facet_coverage"], row, lacks[row]),
            relevance=_of(values["mean_relevance"], row, lacks[row]),
            sources=_of(values["distinct_sources"], row, lacks[row]),
            tokens=_of(values["tokens"], row, lacks[row]),
            shared=math.nan if lacks[row] else float(len(top & set(picks[row]))),
        )
        for row, offer in enumerate(offered)
    )


def _of(values: Floats, row: int, lacks: tuple[Need, ...]) -> float:
    return math.nan if lacks else float(values[row])


@dataclass(frozen=True, slots=True)
class Step:
    """One stretch of a parameter over which a selection does not change.

    Args:
        low: First value of the stretch.
        high: Last value of the stretch.
        coverage: Facet coverage; ``nan`` without facets.
        kept: Mean relevance over that of plain top-k at the same depth and k. Where that is not
            above 0 somewhere, as with distances: mean relevance from the lowest, 0, to the
            highest, 1, of all stretches and of plain top-k. ``nan`` without a pick.
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
        cost: What ``kept`` is, in words.
    """

    policy: Policy
    axis: Axis
    steps: tuple[Step, ...]
    current: float
    baseline: float
    exact: bool
    cost: str = "relevance kept"


def trade_off(pool: Pool, policy: Policy, axis: Axis) -> TradeOff:
    """Follow one parameter of a rule over its whole range.

    Raises:
        PolicyError: The pool lacks what the policy asks for.
    """
    mine = offers.path(pool, policy, axis)
    ground = offers.path(pool, policy.plain.changed(budget=None), axis)
    relevances = selectors.used(pool, policy).values
    rows = headline(pool, relevances, table([part.indices for part in mine.intervals]))
    grounds = headline(pool, relevances, table([part.indices for part in ground.intervals]))
    places = [ground.intervals.index(ground.at(part.high)) for part in mine.intervals]
    kept, cost = _kept(rows["mean_relevance"], grounds["mean_relevance"][places])
    steps = [
        Step(
            low=part.low,
            high=part.high,
            coverage=float(rows["facet_coverage"][number]),
            kept=float(kept[number]),
            pairwise=float(rows["mean_pairwise_cosine"][number]),
        )
        for number, part in enumerate(mine.intervals)
    ]
    value = getattr(policy, axis.value)
    current = float(len(pool) if value is None else value)
    place = ground.intervals.index(ground.at(min(max(current, ground.low), ground.high)))
    baseline = float(grounds["facet_coverage"][place])
    return TradeOff(policy, axis, tuple(steps), current, baseline, mine.exact, cost)


def _kept(mine: Floats, plain: Floats) -> tuple[Floats, str]:
    """Return how much relevance is kept beside plain top-k, and what that is in words.

    Args:
        mine: Mean relevance at each stretch.
        plain: That of plain top-k there; the same shape.
    """
    known = np.concatenate((mine, plain))
    known = known[~np.isnan(known)]
    if not (plain <= 0.0).any() or not known.size:
        return mine / plain, "relevance kept"
    low, high = float(known.min()), float(known.max())
    span = high - low
    kept = (mine - low) / span if span > 0.0 else np.where(np.isnan(mine), mine, 1.0)
    return kept, f"mean relevance, {wording.figure(low)} to {wording.figure(high)} drawn as 0 to 1"


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
