"""The search for changes that let a goal in: single settings, then pairs, then as many as needed.

Read off the exact paths, so that what is said holds for every value.
"""

import math
from collections.abc import Iterator

import numpy as np

from poolscope import selection as selectors
from poolscope.diagnosis.change import Change, Goal, Move, effect
from poolscope.model import Policy, Selection
from poolscope.selection.keys import cap_keys
from poolscope.selection.paths import Axis, Path, path

MOST_DEPTHS = 64
"""Up to as many candidates, a search over pairs asks every pool depth."""

SAMPLED_DEPTHS = 24
"""How many pool depths it asks in a larger pool, closer together near the goal."""

MOST_DECIMALS = 9
ROUNDED = 9
"""Decimals of a mean relevance from which two are equal."""

RESERVED = {"best": "slots for the best", "neighbours": "slots for its neighbours"}
"""Fields of ``Policy`` that reserve slots, as they are called."""

_LABELS = {Axis.LAMBDA: "lambda", Axis.CAP: "cap", Axis.DEPTH: "pool depth", Axis.K: "k"}


class Search:
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
        for name in RESERVED:
            slots = self._reserved(name)
            if slots:
                found.append(self._policy.changed(**{name: slots[0]}))
        return found

    def _reserved(self, name: str) -> list[int]:
        """Return the first run of numbers of reserved slots, above the one now, that reach."""
        run: list[int] = []
        for value in range(getattr(self._policy, name) + 1, self._policy.k + 1):
            if self._reaches(self._policy.changed(**{name: value})):
                run.append(value)
            elif run:
                break
        return run

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
        for name, label in RESERVED.items():
            before, value = getattr(self._policy, name), getattr(moved, name)
            if before != value:
                yield Move(label, before, value, self._reserved(name)[-1], value)
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
