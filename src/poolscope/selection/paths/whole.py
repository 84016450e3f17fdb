"""Exact paths over whole numbers: cap, pool depth and k.

Most selectors are incremental, which makes these paths cheap: a smaller k gives the first picks of
a larger one, and taking away a candidate that was not picked changes nothing.
"""

from collections import Counter
from collections.abc import Callable

from poolscope.model import CAUSES, Cause, OnBudget, Policy, Pool, Rule, Selection
from poolscope.selection import select
from poolscope.selection.paths.sampled import Picks, every_value, merged
from poolscope.selection.paths.values import Axis, Interval, Path

K_HIGH = 50
"""How far a path over k goes, unless the pool is smaller or the policy asks for more."""

_OVER_BUDGET = CAUSES.index(Cause.OVER_BUDGET)


def over_k(pool: Pool, policy: Policy) -> Path:
    """Return the path over k, from 0: each selection is the first picks of the largest.

    Args:
        pool: What is selected from.
        policy: Everything but k; its selector is incremental.
    """
    high = k_high(pool, policy)
    picks = picks_of(select(pool, policy.changed(k=high)))
    return Path(Axis.K, merged(Interval(k, k, picks[:k]) for k in range(high + 1)))


def k_high(pool: Pool, policy: Policy) -> int:
    """Return the largest k of a path over k."""
    return max(policy.k, min(len(pool), K_HIGH))


def cap_high(policy: Policy) -> int:
    """Return the largest cap of a path over the cap: k, above which no cap is reached."""
    return max(policy.k, policy.cap)


def over_cap(pool: Pool, policy: Policy) -> Path:
    """Return the path over the cap, from 1; nothing changes past the largest group.

    Args:
        pool: What is selected from.
        policy: Everything but the cap.
    """
    high = cap_high(policy)
    settled = max(1, min(policy.k, _largest_group(pool, policy)))
    path = every_value(
        Axis.CAP, range(1, settled + 1), lambda cap: picks_of(select(pool, policy.changed(cap=cap)))
    )
    *before, last = path.intervals
    return Path(Axis.CAP, (*before, Interval(last.low, high, last.indices)))


def over_depth(pool: Pool, policy: Policy) -> Path:
    """Return the path over the pool depth, from 0 to the whole pool.

    From the deepest down: a selection stays the same until its own deepest candidate is cut off.

    Args:
        pool: What is selected from.
        policy: Everything but the depth; its selector is incremental.
    """
    return from_the_deepest(len(pool), lambda depth: select(pool, policy.changed(depth=depth)))


def from_the_deepest(n: int, ask: Callable[[int], Selection]) -> Path:
    """Return the path over the pool depth of whatever a cut of no pick leaves as it is.

    Args:
        n: How many candidates the pool has.
        ask: Gives the selection at a depth.
    """
    intervals = []
    high = n
    while True:
        selection = ask(high)
        needed = max(_deepest(selection), _stopper(selection))
        intervals.append(Interval(needed + 1, high, picks_of(selection)))
        if needed < 0:
            return Path(Axis.DEPTH, merged(reversed(intervals)))
        high = needed


def picks_of(selection: Selection) -> Picks:
    """Return the picks in the order of selection."""
    return tuple(selection.indices.tolist())


def _deepest(selection: Selection) -> int:
    """Index of the deepest pick that is not pinned, which the depth does not cut; -1 for none."""
    chosen = (
        index
        for index, rule in zip(selection.indices.tolist(), selection.rules, strict=True)
        if rule is not Rule.PINNED
    )
    return max(chosen, default=-1)


def _stopper(selection: Selection) -> int:
    """Index of the candidate that did not fit and ended the selection, -1 for none or a pin."""
    policy = selection.policy
    stops = policy.budget is not None and policy.on_budget is OnBudget.STOP
    if not stops or not (selection.causes == _OVER_BUDGET).any():
        return -1
    further = policy.changed(budget=None, k=len(selection) + 1)
    stopped = select(selection.pool, further)
    return -1 if stopped.rules[-1] is Rule.PINNED else int(stopped.indices[-1])


def _largest_group(pool: Pool, policy: Policy) -> int:
    """How many candidates share a value of the policy's key, those without one included."""
    return max(Counter(pool.codes(policy.key).tolist()).values(), default=0)
