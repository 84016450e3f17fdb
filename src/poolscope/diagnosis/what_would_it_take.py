"""What would it take: the smallest change of a setting that lets a passage, or a facet, in.

The rule itself is kept; its lambda, cap, pool depth, k and key are moved: one at a time; where none
does, the cheapest pair; where no pair does, as many as it takes.
"""

import math
from dataclasses import dataclass

from poolscope import selection as selectors
from poolscope import wording
from poolscope.counts import agreed, counted
from poolscope.diagnosis.change import (
    Change,
    Goal,
    Move,
    Outcome,
    candidate_goal,
    effect,
    facet_goal,
)
from poolscope.diagnosis.search import ROUNDED, Search
from poolscope.model import CAUSES, OPEN, Cause, Policy, Pool, Selection

__all__ = [
    "Answer",
    "Change",
    "Goal",
    "Move",
    "Outcome",
    "candidate_goal",
    "effect",
    "facet_goal",
    "what_would_it_take",
]


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
    search = Search(now, goal)
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
    if cause is Cause.BANNED:
        return f"Rank {rank} is banned by hand: release it first."
    if cause is Cause.CAP_REACHED:
        cap = int(opened.limits[best])
        return f"Rank {rank} is kept out by the cap of {cap} set for {opened.groups[best]} alone."
    if cause is Cause.OVER_BUDGET:
        return (
            f"Rank {rank} has {int(pool.tokens[best]):,} tokens and does not fit into the token "
            f"budget of {policy.budget:,} after the picks before it."
        )
    if cause in (Cause.NEAR_COPY, Cause.QUOTA_FULL, Cause.ARM_CUT):
        return f"Rank {rank} is out: {wording.reason(opened, best)}."
    return f"Up to a k of {policy.k} others come first: {_passed_by(opened, best)}."


def _passed_by(opened: Selection, best: int) -> str:
    pool = opened.pool
    keys = [opened.relevances] if opened.fused is None else [opened.fused, opened.relevances]
    places = [tuple(-float(values[index]) for values in keys) for index in range(len(pool))]
    ahead = [index for index, place in enumerate(places) if (*place, index) < (*places[best], best)]
    if opened.fused is None:
        are = f"{agreed(len(ahead), 'is', 'are')} at least as relevant as rank {best + 1}"
    else:
        has = agreed(len(ahead), "has", "have")
        are = f"{has} at least as large a fused score as rank {best + 1}"
    count = f"{counted(len(ahead), 'passage')} {are}"
    if not ahead or not opened.reads_similarity or pool.vectors is None:
        return count
    likeness = pool.vectors[ahead] @ pool.vectors[best]
    nearest = int(likeness.argmax())
    return (
        f"{count}, and one of them, rank {ahead[nearest] + 1}, lies at a cosine of "
        f"{float(likeness[nearest]):.3f} to it"
    )
