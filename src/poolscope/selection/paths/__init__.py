"""How a selection answers to one parameter: a path, as a value, for lambda, cap, depth and k.

``path`` gives one, ``through`` all four for a policy. A drag of one slider is answered by looking
up its path; when another setting changes, the paths are computed afresh.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from poolscope.model import MissingKey, Policy, Pool
from poolscope.selection import named, select
from poolscope.selection.base import Task
from poolscope.selection.mmr import MMR, MMR_CAP
from poolscope.selection.paths import over_depth, over_lambda, whole
from poolscope.selection.paths.over_lambda import Guard
from poolscope.selection.paths.sampled import Picks, every_value, merged, some_values
from poolscope.selection.paths.values import Axis, Interval, Path

GRID = 65
"""Values of lambda that an approximate path asks first."""

ASKED = 257
"""Most values that an approximate path asks."""
WORK = 20_000_000
"""Candidates times picks past which an approximate path over lambda asks fewer values."""
TOGETHER = 8_000
"""Most candidates of walks over lambda that are made together: memory, and what a cache holds."""
GUARD = Guard()

_LINEAR = (MMR, MMR_CAP)

__all__ = [
    "Axis",
    "Guard",
    "Interval",
    "Path",
    "Paths",
    "by_asking",
    "ends",
    "path",
    "several",
    "shortened",
    "through",
]


@dataclass(frozen=True)
class Paths:
    """The four paths through one policy: each varies one parameter and keeps the others.

    Args:
        policy: Where the paths cross.
        lambda_: Over lambda, 0 to 1.
        cap: Over the cap, 1 to k.
        depth: Over the pool depth, 0 to the whole pool.
        k: Over k, 0 to 50 or the policy's k, at most the whole pool.
    """

    policy: Policy
    lambda_: Path
    cap: Path
    depth: Path
    k: Path


def through(pool: Pool, policy: Policy, guard: Guard = GUARD) -> Paths:
    """Compute the paths over lambda, cap, depth and k through one policy.

    Raises:
        PolicyError: As ``select`` does.
    """
    return Paths(policy, *(path(pool, policy, axis, guard) for axis in Axis))


def path(pool: Pool, policy: Policy, axis: Axis, guard: Guard = GUARD) -> Path:
    """Compute how a selection answers to one parameter, the others kept as the policy has them.

    Args:
        pool: What is selected from.
        policy: Everything but the parameter.
        axis: The parameter.
        guard: Where an exact path over lambda gives way to an approximate one.

    Raises:
        PolicyError: As ``select`` does.
    """
    selector = named(policy.selector)
    reads = {parameter.name for parameter in selector.parameters}
    if axis is Axis.LAMBDA:
        return _over_lambda(pool, policy, guard) if axis in reads else _constant(pool, policy, axis)
    if axis is Axis.CAP:
        return whole.over_cap(pool, policy) if axis in reads else _constant(pool, policy, axis)
    # A shallower pool moves the others up in their arms' lists.
    if axis is Axis.DEPTH and selector.cut_is_free and policy.arm_cap is None:
        return _over_depth(pool, policy)
    if axis is Axis.K and selector.prefix.holds:
        return whole.over_k(pool, policy)
    return by_asking(pool, policy, axis, _asker(pool, policy, axis))


def shortened(found: Path, policy: Policy) -> Path:
    """Return the path at a policy's k, from the path at a larger one.

    Args:
        found: Exact, over lambda, cap or depth, of a rule whose larger k only adds picks
            (``Prefix.holds``).
        policy: As ``found`` was computed with, but for k.
    """
    parts = (replace(part, indices=part.indices[: policy.k]) for part in found.intervals)
    intervals = merged(parts)
    if found.axis is Axis.CAP:
        high = whole.cap_high(policy)
        within = [part for part in intervals if part.low <= high]
        intervals = (*within[:-1], replace(within[-1], high=high))
    return replace(found, intervals=intervals)


def several(
    pool: Pool, policies: Sequence[Policy], axis: Axis, guard: Guard = GUARD
) -> tuple[Path, ...]:
    """Compute the paths through several policies; those over lambda that may be, together.

    Args:
        pool: What is selected from.
        policies: Everything but the parameter, several ways.
        axis: The parameter.
        guard: As for ``path``, for each of them.

    Raises:
        PolicyError: As ``select`` does.
    """
    found: dict[Policy, Path] = {}
    for group in _alike(pool, policies) if axis is Axis.LAMBDA else ():
        tasks = [Task.of(pool, policy, named(policy.selector)) for policy in group]
        paths = over_lambda.together(tasks, guard)
        found.update(zip(group, paths or (), strict=paths is not None))
    for policy in policies:
        if policy not in found:
            found[policy] = path(pool, policy, axis, guard)
    return tuple(found[policy] for policy in policies)


def _alike(pool: Pool, policies: Sequence[Policy]) -> Iterator[list[Policy]]:
    """Group the policies whose walks differ only in depth and cap, the deepest first."""
    groups: dict[Policy, list[Policy]] = {}
    for policy in dict.fromkeys(policies):
        is_first_empty = not (policy.pinned or policy.best or policy.neighbours)
        is_all_seen = not policy.near_copies and policy.arm_cap is None
        if named(policy.selector) in _LINEAR and is_first_empty and is_all_seen:
            rejects = policy.missing_key is MissingKey.REJECT  # then a cap changes who is eligible
            selector = policy.selector if rejects else MMR.name
            varied = policy.changed(depth=None, cap=1, overrides=(), lambda_=1.0, selector=selector)
            groups.setdefault(varied, []).append(policy)
    most = max(TOGETHER // max(len(pool), 1), 1)
    for group in groups.values():
        group.sort(key=lambda item: -(len(pool) if item.depth is None else item.depth))
        yield from (group[start : start + most] for start in range(0, len(group), most))


def _over_lambda(pool: Pool, policy: Policy, guard: Guard) -> Path:
    selector = named(policy.selector)
    if selector in _LINEAR:
        found = over_lambda.exact(Task.of(pool, policy, selector), guard)
        if found is not None:
            return found
    return by_asking(pool, policy, Axis.LAMBDA, _asker(pool, policy, Axis.LAMBDA))


def _over_depth(pool: Pool, policy: Policy) -> Path:
    selector = named(policy.selector)
    found = None
    if selector in _LINEAR:
        found = over_depth.exact(Task.of(pool, policy.changed(depth=None), selector))
    return found or whole.over_depth(pool, policy)


def by_asking(pool: Pool, policy: Policy, axis: Axis, ask: Callable[[float], Picks]) -> Path:
    """Follow whatever gives picks at a value; exact where every value of the axis can be asked.

    Args:
        pool: What is selected from.
        policy: Everything but the parameter.
        axis: The parameter.
        ask: Gives the picks at a value.
    """
    if axis is Axis.LAMBDA:
        asked = max(GRID // 2 + 1, min(ASKED, WORK // max(len(pool) * policy.k, 1)))
        grid = np.linspace(0.0, 1.0, min(GRID, asked)).tolist()
        return some_values(Axis.LAMBDA, grid, ask, asked)
    low, high = ends(pool, policy, axis)
    if high - low < ASKED:
        return every_value(axis, range(low, high + 1), ask)
    grid = np.unique(np.linspace(low, high, GRID).astype(np.intp)).tolist()
    return some_values(axis, grid, ask, ASKED)


def _constant(pool: Pool, policy: Policy, axis: Axis) -> Path:
    """Return the path of a selector that does not read the parameter."""
    return Path(axis, (Interval(*ends(pool, policy, axis), whole.picks_of(select(pool, policy))),))


def ends(pool: Pool, policy: Policy, axis: Axis) -> tuple[int, int]:
    """Return the first and the last value of an axis."""
    highs = {
        Axis.LAMBDA: 1,
        Axis.CAP: whole.cap_high(policy),
        Axis.DEPTH: len(pool),
        Axis.K: whole.k_high(pool, policy),
    }
    return (1 if axis is Axis.CAP else 0), highs[axis]


def _asker(pool: Pool, policy: Policy, axis: Axis) -> Callable[[float], Picks]:
    return lambda value: whole.picks_of(select(pool, policy.changed(**{axis.value: value})))
