"""What would it take: the smallest change of a setting that lets a passage, or a facet, in.

Read off the exact paths, so "no setting reaches it" is a statement about every value. The rule
itself is kept; its lambda, cap, pool depth, k and key are varied, one at a time, then in pairs.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from poolscope import selection as selectors
from poolscope.diagnosis.base import Effect
from poolscope.measures.batch import headline
from poolscope.model import SUPPORTS, Policy, Pool, Selection
from poolscope.selection.keys import cap_keys
from poolscope.selection.paths import Axis, path

MOST_DEPTHS = 64
"""Most pool depths that a search over pairs asks; below that many candidates, all of them."""

MOST_DECIMALS = 9
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
        low: First value of the stretch that lets the goal in; the key's name for a key.
        high: Last value of the stretch.
        value: The value taken, the nearest to the one now that is easy to read.
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
        moves: One setting, or a pair.
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
        changes: One change a setting, the least relevance lost first; a single pair where no
            setting alone suffices; empty where nothing reaches it.
        cause: Why nothing reaches it; empty otherwise.
        is_exhaustive: Whether every value was looked at.
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
        cause = "No passage of the pool supports it: no setting can select what was not retrieved."
        return Answer(goal, now, is_in=False, cause=cause)
    exact = True
    changes: list[Change] = []
    for axis in _axes(policy):
        found, is_exact = _along(pool, policy, axis, goal)
        exact &= is_exact
        changes += [_change(now, moved, (move,)) for move, moved in found]
    changes += [_change(now, moved, (move,)) for move, moved in _keys(pool, policy, goal)]
    if not changes:
        exact &= len(pool) <= MOST_DEPTHS
        pairs = [_change(now, moved, moves) for moves, moved in _pairs(pool, policy, goal)]
        changes = sorted(pairs, key=_cost)[:1]
    cause = "" if changes else _cause(now, goal)
    return Answer(
        goal,
        now,
        is_in=False,
        changes=tuple(sorted(changes, key=_cost)),
        cause=cause,
        is_exhaustive=exact,
    )


def _cost(change: Change) -> tuple[float, float]:
    span = sum(
        abs(float(move.value) - float(move.before))
        for move in change.moves
        if not isinstance(move.value, str) and not isinstance(move.before, str)
    )
    lost = change.relevance_lost
    return (math.inf if math.isnan(lost) else round(lost, 9), span)


def _axes(policy: Policy) -> list[Axis]:
    """Return the parameters that a policy's rule reads; depth and k are read by every rule."""
    reads = {parameter.name for parameter in selectors.named(policy.selector).parameters}
    return [axis for axis in Axis if axis in (Axis.DEPTH, Axis.K) or axis.value in reads]


def _along(
    pool: Pool, policy: Policy, axis: Axis, goal: Goal
) -> tuple[list[tuple[Move, Policy]], bool]:
    """Find the nearest stretch of one parameter that lets the goal in; none gives no entry."""
    found = path(pool, policy, axis)
    before = _value(pool, policy, axis)
    best: tuple[float, float, float] | None = None
    for part in found.intervals:
        if goal.indices.intersection(part.indices):
            distance = max(part.low - before, before - part.high, 0.0)
            if best is None or distance < best[0]:
                best = (distance, part.low, part.high)
    if best is None:
        return [], found.exact
    _, low, high = best
    value = _readable(low, high, before) if axis is Axis.LAMBDA else min(max(before, low), high)
    kept = value if axis is Axis.LAMBDA else round(value)
    move = Move(_LABELS[axis], before, low, high, kept)
    return [(move, policy.changed(**{axis.value: kept}))], found.exact


def _value(pool: Pool, policy: Policy, axis: Axis) -> float:
    value = getattr(policy, axis.value)
    return float(len(pool) if value is None else value)


def _readable(low: float, high: float, before: float) -> float:
    """Return the value of a stretch nearest to another, with as few decimals as lie inside."""
    nearest = min(max(before, low), high)
    for decimals in range(2, MOST_DECIMALS):
        scale = 10.0**decimals
        value = (math.floor if nearest == high else math.ceil)(nearest * scale) / scale
        if low <= value <= high:
            return value
    return (low + high) / 2.0


def _keys(pool: Pool, policy: Policy, goal: Goal) -> Iterator[tuple[Move, Policy]]:
    """Try every other field that a cap could count by."""
    if not selectors.named(policy.selector).reads_key:
        return
    for key in cap_keys(pool):
        moved = policy.changed(key=key.name, overrides=())
        if key.name != policy.key and goal.indices & selectors.select(pool, moved).members:
            yield Move("key", policy.key, key.name, key.name, key.name), moved


def _pairs(pool: Pool, policy: Policy, goal: Goal) -> Iterator[tuple[tuple[Move, ...], Policy]]:
    """Move one whole-numbered parameter to each of its values, and search along another."""
    axes = _axes(policy)
    for first, second in combinations(sorted(axes, key=lambda axis: axis is Axis.LAMBDA), 2):
        before = _value(pool, policy, first)
        for value in _values(pool, policy, first, goal):
            if value == before:
                continue
            moved = policy.changed(**{first.value: value})
            found, _ = _along(pool, moved, second, goal)
            for move, both in found:
                if move.value != move.before:
                    yield (Move(_LABELS[first], before, value, value, value), move), both


def _values(pool: Pool, policy: Policy, axis: Axis, goal: Goal) -> list[int]:
    if axis is not Axis.DEPTH:
        low, high = path(pool, policy, axis).low, path(pool, policy, axis).high
        return list(range(max(round(low), 1), round(high) + 1))
    n = len(pool)
    if n <= MOST_DEPTHS:
        return list(range(1, n + 1))
    spread = np.unique(np.linspace(1, n, MOST_DEPTHS - 8).astype(int)).tolist()
    nearest = [index + 1 for index in sorted(goal.indices)[:8]]
    return sorted({*spread, *nearest})


def _change(now: Selection, policy: Policy, moves: tuple[Move, ...]) -> Change:
    after = selectors.select(now.pool, policy)
    return Change(
        moves=moves,
        policy=policy,
        entered=tuple(sorted(after.members - now.members)),
        left=tuple(sorted(now.members - after.members)),
        effect=effect(now, after),
    )


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


def _cause(now: Selection, goal: Goal) -> str:
    """Say why no setting of this rule reaches the goal."""
    pool = now.pool
    best = min(goal.indices)
    values = now.relevances
    if math.isnan(float(values[best])) or (now.reads_similarity and not pool.vector_mask[best]):
        return f"Rank {best + 1} has no vector, and this rule weighs similarity."
    ahead = [
        int(index)
        for index in range(len(pool))
        if index not in goal.indices and values[index] >= values[best]
    ]
    if not ahead:
        return f"Nothing that this rule reads brings rank {best + 1} in."
    if now.reads_similarity and pool.vectors is not None:
        likeness = pool.vectors[ahead] @ pool.vectors[best]
        nearest = int(likeness.argmax())
        return (
            f"Rank {best + 1} is always passed by: rank {ahead[nearest] + 1} is at least as "
            f"relevant and lies at a cosine of {float(likeness[nearest]):.3f} to it."
        )
    return f"Rank {best + 1} is always passed by: {len(ahead)} passages are at least as relevant."
