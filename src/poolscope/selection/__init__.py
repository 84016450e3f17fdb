"""How k candidates are chosen from a pool: the list of selectors, and the one entrance, ``select``.

pool -> depth -> selector (objective and constraints) -> k -> Selection
"""

from collections.abc import Iterator

import numpy as np

from poolscope.counts import counted
from poolscope.errors import PolicyError
from poolscope.model import Cause, Policy, Pool, Rule, Selection
from poolscope.selection import near_copies
from poolscope.selection.arm_caps import ARM_CAPS
from poolscope.selection.base import CODES, Draft, Parameter, Prefix, Selector, Task, shortfall
from poolscope.selection.dpp import DPP
from poolscope.selection.facet_oracle import FACET_ORACLE
from poolscope.selection.facility_location import FACILITY_LOCATION
from poolscope.selection.max_sum import MAX_SUM
from poolscope.selection.mmr import MMR, MMR_CAP
from poolscope.selection.quotas import BY_QUOTA
from poolscope.selection.relevance import available, scaling_of, used
from poolscope.selection.source_cap import GROUPED_CAP, TWO_PASS_CAP
from poolscope.selection.top_k import TOP_K

SELECTORS: tuple[Selector, ...] = (
    TOP_K,
    TWO_PASS_CAP,
    GROUPED_CAP,
    MMR,
    MMR_CAP,
    BY_QUOTA,
    ARM_CAPS,
    DPP,
    FACILITY_LOCATION,
    MAX_SUM,
    FACET_ORACLE,
)
"""Every selector, in display order."""

_BY_NAME = {selector.name: selector for selector in SELECTORS}

__all__ = [
    "SELECTORS",
    "Parameter",
    "Prefix",
    "Selector",
    "available",
    "named",
    "scaling_of",
    "select",
    "used",
]


def named(name: str) -> Selector:
    """Return the selector of a name.

    Raises:
        PolicyError: There is none.
    """
    if name not in _BY_NAME:
        raise PolicyError(f"There is no selector “{name}”.", f"Use one of: {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]


def select(pool: Pool, policy: Policy) -> Selection:
    """Select from a pool what a policy asks for, with the trace and a reason for everything else.

    Raises:
        PolicyError: The policy names a selector or a field that does not exist, or asks for a
            relevance that the pool does not have.
    """
    selector = named(policy.selector)
    task = Task.of(pool, policy, selector)
    draft = Draft(task)
    rest = draft.admit_first()
    settings = {item.name: getattr(policy, item.name) for item in selector.parameters}
    notes = tuple(selector.function(rest, draft, **settings))
    if policy.pinned or policy.banned:
        notes = (*_strangers(pool, policy), *notes)
    if policy.near_copies:
        notes = (*near_copies.notes(pool, policy), *notes)
    if policy.arm_cap is not None:
        notes = (*notes, _arms_fused(task, policy))
    if policy.neighbours:
        notes = (*notes, *_neighbours_missed(draft, policy))
    if len(draft.picks) < policy.k:
        notes = (*notes, shortfall(draft, task))
    return draft.finish(notes)


def _strangers(pool: Pool, policy: Policy) -> Iterator[str]:
    """Say which pinned and banned ids this pool does not have."""
    for what, names in (("pinned", policy.pinned), ("banned", policy.banned)):
        missing = [name for name in names if name not in pool.places]
        if missing:
            listed = ", ".join(f"“{name}”" for name in missing[:3])
            more = "" if len(missing) <= 3 else f" and {len(missing) - 3} more"
            yield f"Not in this pool, so not {what}: {listed}{more}."


def _arms_fused(task: Task, policy: Policy) -> str:
    """Say what was cut from the arms' lists, and what is weighed since."""
    cut = int(np.count_nonzero(task.causes == CODES[Cause.ARM_CUT]))
    who = "1 passage was" if cut == 1 else f"{cut:,} passages were"
    return (
        f"{who} cut from the lists by “{policy.arm_key}”, {policy.arm_cap} to a list; the rule "
        "reads the fused reciprocal ranks (k = 60) of the others."
    )


def _neighbours_missed(draft: Draft, policy: Policy) -> Iterator[str]:
    """Say how many slots reserved for neighbours went to the rule instead."""
    found = draft.count(Rule.NEIGHBOUR)
    if draft.picks and found < policy.neighbours and policy.k > max(policy.best, 1):
        yield (
            f"{found} of {counted(policy.neighbours, 'slot')} reserved for neighbours of "
            "the best pick found "
            "one that fits: the same source, one position before or behind."
        )
