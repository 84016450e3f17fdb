"""How a selection answers to one parameter: a path, as a value, for lambda, cap, depth and k.

``path`` gives one, ``through`` all four for a policy. A drag of one slider is answered by looking
up its path; when another setting changes, the paths are computed afresh.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poolscope.model import Policy, Pool
from poolscope.selection import named, select
from poolscope.selection.base import Task
from poolscope.selection.mmr import MMR, MMR_CAP
from poolscope.selection.paths import over_depth, over_lambda, whole
from poolscope.selection.paths.over_lambda import Guard
from poolscope.selection.paths.sampled import Picks, every_value, some_values
from poolscope.selection.paths.values import Axis, Interval, Path

GRID = 65
"""Values of lambda that an approximate path asks first."""

ASKED = 257
"""Most values that an approximate path asks."""
WORK = 20_000_000
"""Candidates times picks past which an approximate path over lambda asks fewer values."""
GUARD = Guard()

_LINEAR = (MMR, MMR_CAP)

__all__ = ["Axis", "Guard", "Interval", "Path", "Paths", "path", "through"]


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
    if axis is Axis.DEPTH and selector.cut_is_free:
        return _over_depth(pool, policy)
    if axis is Axis.K and selector.prefix.holds:
        return whole.over_k(pool, policy)
    return _by_asking(pool, policy, axis)


def _over_lambda(pool: Pool, policy: Policy, guard: Guard) -> Path:
    selector = named(policy.selector)
    if selector in _LINEAR:
        found = over_lambda.exact(Task.of(pool, policy, selector), guard)
        if found is not None:
            return found
    asked = max(GRID // 2 + 1, min(ASKED, WORK // max(len(pool) * policy.k, 1)))
    grid = np.linspace(0.0, 1.0, min(GRID, asked)).tolist()
    return some_values(Axis.LAMBDA, grid, _asker(pool, policy, Axis.LAMBDA), asked)


def _over_depth(pool: Pool, policy: Policy) -> Path:
    selector = named(policy.selector)
    found = None
    if selector in _LINEAR:
        found = over_depth.exact(Task.of(pool, policy.changed(depth=None), selector))
    return found or whole.over_depth(pool, policy)


def _by_asking(pool: Pool, policy: Policy, axis: Axis) -> Path:
    low, high = _range(pool, policy, axis)
    ask = _asker(pool, policy, axis)
    if high - low < ASKED:
        return every_value(axis, range(low, high + 1), ask)
    grid = np.unique(np.linspace(low, high, GRID).astype(np.intp)).tolist()
    return some_values(axis, grid, ask, ASKED)


def _constant(pool: Pool, policy: Policy, axis: Axis) -> Path:
    """Return the path of a selector that does not read the parameter."""
    return Path(
        axis, (Interval(*_range(pool, policy, axis), whole.picks_of(select(pool, policy))),)
    )


def _range(pool: Pool, policy: Policy, axis: Axis) -> tuple[int, int]:
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
