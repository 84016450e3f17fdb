"""What would it take: the smallest change of a setting that lets a passage, or a facet, in.

Read off the exact paths, so that what is said holds for every value. The rule itself is kept; its
lambda, cap, pool depth, k and key are moved: one at a time; where none does, the cheapest pair;
where no pair does, as many as it takes.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poolscope import selection as selectors
from poolscope.diagnosis.base import Effect
from poolscope.measures.batch import headline
from poolscope.model import CAUSES, OPEN, SUPPORTS, Cause, Policy, Pool, Selection
from poolscope.selection.keys import cap_keys
from poolscope.selection.paths import Axis, Path, path

MOST_DEPTHS = 64
"""Up to as many candidates, a search over pairs asks every pool depth."""

SAMPLED_DEPTHS = 24
"""How many pool depths it asks in a larger pool, closer together near the goal."""

MOST_DECIMALS = 9
ROUNDED = 9
"""Decimals of a mean relevance from which two are equal."""

_LABELS = {Axis.LAMBDA: "lambda", Axis.CAP: "cap", Axis.DEPTH: "pool depth", Axis.K: "k"}


@dataclass(frozen=True, slots=True)
class Goal:
    """What should get in: any of some candidates.

    Args:
        name: What a person asked for, in words.
        indices: Candidates of which one is enough.
    """

    name: str
    indices: frozenset[int]


@dataclass(frozen=True, slots=True)
class Move:
    """One setting moved.

    Args:
        label: The setting's name.
        before: Its value now.
        low: First value of the stretch that lets the goal in, the other moves made; the key's
            name for a key.
        high: Last value of the stretch.
        value: The value taken. Moved alone, the nearest to the one now that is easy to read.
    """

    label: str
    before: float | str
    low: float | str
    high: float | str
    value: float | str


@dataclass(frozen=True, slots=True)
class Change:
    """A change that lets the goal in, with what it does.

    Args:
        moves: One setting, a pair, or as many as it takes.
        policy: The changed policy.
        entered: Candidates that come in, by rank.
        left: Candidates that go out, by rank.
        effect: What it changes in coverage, relevance, sources and tokens.
    """

    moves: tuple[Move, ...]
    policy: Policy
    entered: tuple[int, ...]
    left: tuple[int, ...]
    effect: Effect

    @property
    def relevance_lost(self) -> float:
        """Mean relevance given up; negative where it rises."""
        before, after = self.effect.relevance
        return before - after


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What it would take.

    Args:
        goal: What was asked for.
        selection: What the policy selects now.
        is_in: Whether the goal is in already.
        changes: One change a setting, the least relevance lost first; where no setting alone
            suffices one change, of a pair, or of more settings where no pair does; empty where
            nothing reaches it.
        cause: Why nothing reaches it; empty otherwise.
        is_exhaustive: Whether every value of one setting, and where it came to that of two, was
            looked at.
    """

    goal: Goal
    selection: Selection
    is_in: bool
    changes: tuple[Change, ...] = ()
    cause: str = ""
    is_exhaustive: bool = True


def candidate_goal(index: int) -> Goal:
    """Ask for one candidate."""
    return Goal(f"rank {index + 1}", frozenset({index}))


def facet_goal(pool: Pool, number: int) -> Goal:
    """Ask for any passage that supports a facet."""
    supporters = np.flatnonzero(pool.marks[:, number] == SUPPORTS)
    return Goal(pool.facets[number].label, frozenset(int(index) for index in supporters))


def what_would_it_take(pool: Pool, policy: Policy, goal: Goal) -> Answer:
    """Find the smallest changes of a policy that let a goal in.

    Raises:
        PolicyError: As ``select`` does.
    """
    now = selectors.select(pool, policy)
    if goal.indices & now.members:
        return Answer(goal, now, is_in=True)
    if not goal.indices:
        cause = (
            "No passage of the pool is marked as supporting it: no setting can select what was "
            "not retrieved."
        )
        return Answer(goal, now, is_in=False, cause=cause)
    search = _Search(now, goal)
    policies = search.singles() or search.pair() or search.several()
    changes = sorted((search.change(moved) for moved in policies), key=_cost)
    return Answer(
        goal,
        now,
        is_in=False,
        changes=tuple(changes),
        cause="" if changes else _cause(search.opened(policy.lambda_), goal),
        is_exhaustive=search.is_exhaustive,
    )


def _cost(change: Change) -> tuple[float, float, int, int]:
    """Order changes: relevance lost, then coverage, then moves, then tokens."""
    before, after = change.effect.relevance
    lost = -after if math.isnan(before) else change.relevance_lost
    gained = 0.0 if change.effect.coverage is None else change.effect.coverage[1]
    return round(lost, ROUNDED), -gained, len(change.moves), change.effect.tokens[1]


class _Search:
    """One search; private to one call of ``what_would_it_take``.

    Args:
        now: What the policy selects now.
        goal: What should get in; not in yet.
    """

    def __init__(self, now: Selection, goal: Goal) -> None:
        self._now, self._pool, self._policy = now, now.pool, now.policy
        self._goal = goal
        rule = selectors.named(now.policy.selector)
        reads = {parameter.name for parameter in rule.parameters}
        always = (Axis.DEPTH, Axis.K)
        self._axes = [axis for axis in Axis if axis in always or axis.value in reads]
        keys = [key.name for key in cap_keys(now.pool)] if rule.reads_key else []
        self._keys = [key for key in keys if key != now.policy.key]
        self._paths: dict[tuple[Policy, Axis], Path] = {}
        self.is_exhaustive = True

    def singles(self) -> list[Policy]:
        """Move one setting, to the nearest value that lets the goal in."""
        found = []
        for axis in self._axes:
            stretches = self._stretches(self._policy, axis)
            if stretches:
                found.append(self._nearest(self._policy, axis, stretches))
        for key in self._keys:
            moved = self._policy.changed(key=key, overrides=())
            if self._reaches(moved):
                found.append(moved)
        return found

    def pair(self) -> list[Policy]:
        """Move two settings so that least relevance is lost; of equals the least moved."""
        best: tuple[float, float] | None = None
        chosen: list[Policy] = []
        for moved, picks in self._pairs():
            relevance = float(self._now.relevances[list(picks)].mean())
            cost = (-round(relevance, ROUNDED), self._span(moved))
            if best is None or cost < best:
                best, chosen = cost, [moved]
        return chosen

    def several(self) -> list[Policy]:
        """Open everything; where that lets the goal in, take back what is not needed."""
        for lambda_ in (self._policy.lambda_, 1.0, 0.0):
            moved = self.opened(lambda_).policy
            if self._reaches(moved):
                for axis in self._axes:
                    moved = self._nearest(moved, axis, self._stretches(moved, axis))
                return [moved]
        return []

    def opened(self, lambda_: float) -> Selection:
        """Select with the widest depth, cap and k at a lambda."""
        n = len(self._pool)
        opened = self._policy.changed(
            depth=None, lambda_=lambda_, k=round(self._path(self._policy, Axis.K).high)
        )
        if Axis.CAP in self._axes:
            opened = opened.changed(cap=max(n, self._policy.cap))
        return selectors.select(self._pool, opened)

    def change(self, moved: Policy) -> Change:
        """Say what a changed policy moves and does."""
        after = selectors.select(self._pool, moved)
        now = self._now
        return Change(
            moves=tuple(self._moves(moved)),
            policy=moved,
            entered=tuple(sorted(after.members - now.members)),
            left=tuple(sorted(now.members - after.members)),
            effect=effect(now, after),
        )

    def _moves(self, moved: Policy) -> Iterator[Move]:
        if moved.key != self._policy.key:
            yield Move("key", self._policy.key, moved.key, moved.key, moved.key)
        for axis in self._axes:
            before, value = self._value(self._policy, axis), self._value(moved, axis)
            if before != value:
                stretches = self._stretches(moved, axis)
                low, high = next(
                    ((low, high) for low, high in stretches if low <= value <= high),
                    (value, value),
                )
                yield Move(_LABELS[axis], before, low, high, value)

    def _pairs(self) -> Iterator[tuple[Policy, tuple[int, ...]]]:
        """Give every pair of settings that lets the goal in, a value for each selection."""
        for key in self._keys:
            moved = self._policy.changed(key=key, overrides=())
            for axis in self._axes:
                yield from self._along(moved, axis)
        for axis in self._axes:
            if axis is not Axis.K:
                yield from self._with_k(axis)
        for cap in self._caps():
            for axis in self._axes:
                if axis in (Axis.LAMBDA, Axis.DEPTH):
                    yield from self._along(self._policy.changed(cap=cap), axis)
        for depth in self._depths():
            yield from self._along(self._policy.changed(depth=depth), Axis.LAMBDA)

    def _along(self, policy: Policy, axis: Axis) -> Iterator[tuple[Policy, tuple[int, ...]]]:
        for part in self._path(policy, axis).intervals:
            if self._goal.indices.intersection(part.indices):
                yield self._nearest(policy, axis, [(part.low, part.high)]), part.indices

    def _with_k(self, axis: Axis) -> Iterator[tuple[Policy, tuple[int, ...]]]:
        """Move k and another: every rule is incremental, a smaller k gives the first picks."""
        most = round(self._path(self._policy, Axis.K).high)
        for moved, picks in self._along(self._policy.changed(k=most), axis):
            first = next(slot for slot, index in enumerate(picks) if index in self._goal.indices)
            totals = np.cumsum(self._now.relevances[list(picks)])[first:]
            means = np.round(totals / np.arange(first + 1, len(picks) + 1), ROUNDED)
            k = first + 1 + int(means.argmax())
            yield moved.changed(k=k), picks[:k]

    def _caps(self) -> range:
        """Return the caps that can differ; none where the rule reads none."""
        most = max(self._policy.k, self._policy.cap) if Axis.CAP in self._axes else 0
        return range(1, most + 1)

    def _depths(self) -> list[int]:
        """Return depths that reach the goal, some of a large pool; none without a lambda."""
        if Axis.LAMBDA not in self._axes:
            return []
        nearest, n = min(self._goal.indices) + 1, len(self._pool)
        if n <= MOST_DEPTHS:
            return list(range(nearest, n + 1))
        self.is_exhaustive = False
        spread = nearest + np.geomspace(1, n - nearest + 1, SAMPLED_DEPTHS) - 1
        goals = [index + 1 for index in sorted(self._goal.indices)[:8]]
        return sorted({*np.rint(spread).astype(int).tolist(), *goals})

    def _path(self, policy: Policy, axis: Axis) -> Path:
        if (policy, axis) not in self._paths:
            found = path(self._pool, policy, axis)
            self.is_exhaustive &= found.exact
            self._paths[policy, axis] = found
        return self._paths[policy, axis]

    def _stretches(self, policy: Policy, axis: Axis) -> list[tuple[float, float]]:
        """Return the stretches of one setting over which the goal is in, neighbours as one."""
        stretches: list[tuple[float, float]] = []
        is_open = False
        for part in self._path(policy, axis).intervals:
            reaches = bool(self._goal.indices.intersection(part.indices))
            if reaches:
                low = stretches.pop()[0] if is_open else part.low
                stretches.append((low, part.high))
            is_open = reaches
        return stretches

    def _nearest(self, policy: Policy, axis: Axis, stretches: list[tuple[float, float]]) -> Policy:
        """Set a parameter to the value in some stretches that is nearest to the one now."""
        before = self._value(self._policy, axis)
        low, high = min(stretches, key=lambda ends: max(ends[0] - before, before - ends[1], 0.0))
        if low <= before <= high:
            return policy.changed(**{axis.value: getattr(self._policy, axis.value)})
        if axis is Axis.LAMBDA:
            return policy.changed(lambda_=_readable(low, high, before))
        return policy.changed(**{axis.value: round(min(max(before, low), high))})

    def _value(self, policy: Policy, axis: Axis) -> float:
        if axis is Axis.DEPTH:
            n = len(self._pool)
            return float(n if policy.depth is None else min(policy.depth, n))
        return float(getattr(policy, axis.value))

    def _span(self, moved: Policy) -> float:
        """How far settings moved, each as a share of its range; a key counts as all of it."""
        n = max(len(self._pool), 1)
        spans = [
            abs(self._value(moved, axis) - self._value(self._policy, axis))
            / (1.0 if axis is Axis.LAMBDA else n)
            for axis in self._axes
        ]
        return sum(spans) + float(moved.key != self._policy.key)

    def _reaches(self, policy: Policy) -> bool:
        return bool(self._goal.indices & selectors.select(self._pool, policy).members)


def _readable(low: float, high: float, before: float) -> float:
    """Return the value of a stretch nearest to another, with as few decimals as lie inside."""
    nearest = min(max(before, low), high)
    for decimals in range(2, MOST_DECIMALS):
        scale = 10.0**decimals
        value = (math.floor if nearest == high else math.ceil)(nearest * scale) / scale
        if low <= value <= high:
            return value
    return (low + high) / 2.0


def effect(before: Selection, after: Selection) -> Effect:
    """Measure what changes between two selections of one pool."""
    widest = max(len(before), len(after), 1)
    table = np.full((2, widest), -1, dtype=np.intp)
    for row, chosen in enumerate((before, after)):
        table[row, : len(chosen)] = chosen.indices
    values = headline(before.pool, before.relevances, table)
    coverage = values["facet_coverage"].tolist()
    relevance = values["mean_relevance"].tolist()
    sources = values["distinct_sources"].tolist()
    tokens = values["tokens"].tolist()
    return Effect(
        coverage=None if math.isnan(coverage[0]) else (coverage[0], coverage[1]),
        relevance=(relevance[0], relevance[1]),
        sources=(int(sources[0]), int(sources[1])),
        tokens=(int(tokens[0]), int(tokens[1])),
    )


def _cause(opened: Selection, goal: Goal) -> str:
    """Say why no setting of a rule reaches the goal.

    Args:
        opened: What the rule selects at the widest depth, cap and k.
        goal: What is not in it either.
    """
    pool, policy = opened.pool, opened.policy
    best = min(goal.indices, key=lambda index: (int(opened.causes[index]), index))
    code, rank = int(opened.causes[best]), best + 1
    cause = None if code == OPEN else CAUSES[code]
    if cause is Cause.NO_VECTOR:
        why = "this rule weighs similarity" if opened.reads_similarity else "relevance is a cosine"
        return f"Rank {rank} has no vector, and {why}."
    if cause is Cause.NO_SOURCE:
        return f"Rank {rank} has no {policy.key}, and such candidates are rejected."
    if cause is Cause.CAP_REACHED:
        cap = int(opened.limits[best])
        return f"Rank {rank} is kept out by the cap of {cap} set for {opened.groups[best]} alone."
    if cause is Cause.OVER_BUDGET:
        return (
            f"Rank {rank} has {int(pool.tokens[best]):,} tokens and does not fit into the token "
            f"budget of {policy.budget:,} after the picks before it."
        )
    return f"Up to a k of {policy.k} others come first: {_passed_by(opened, best)}."


def _passed_by(opened: Selection, best: int) -> str:
    pool, values = opened.pool, opened.relevances
    ahead = [
        index
        for index in range(len(pool))
        if values[index] > values[best] or (values[index] == values[best] and index < best)
    ]
    count = f"{len(ahead)} passages are at least as relevant as rank {best + 1}"
    if not ahead or not opened.reads_similarity or pool.vectors is None:
        return count
    likeness = pool.vectors[ahead] @ pool.vectors[best]
    nearest = int(likeness.argmax())
    return (
        f"{count}, and one of them, rank {ahead[nearest] + 1}, lies at a cosine of "
        f"{float(likeness[nearest]):.3f} to it"
    )
