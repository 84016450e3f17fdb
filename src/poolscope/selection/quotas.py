"""Quotas by category: so many slots for each value of the key, whatever the ranks say.

Each value's slots are filled by rank inside it, and the picks of all values merge by relevance.
What is pinned or reserved counts toward the quota of its value but is not held to it.
"""

from collections import Counter
from collections.abc import Iterable

from poolscope.model import Cause, Rule
from poolscope.selection.base import Draft, Parameter, Prefix, Selector, Task

QUOTAS = Parameter(
    name="quotas",
    label="Quotas",
    help="Slots for each value of the key; a value that is not listed has none.",
)
REFILL = Parameter(
    name="refill",
    label="Refill",
    help="Give slots that the quotas leave empty to the best of the rest; off, they are lost.",
)


def quotas(
    task: Task, draft: Draft, *, quotas: tuple[tuple[str, int], ...], refill: bool
) -> Iterable[str]:
    """Take the best of each value of the key, as many as its quota says, merged by relevance.

    Merged by relevance and cut to k, they are the candidates that a walk by relevance meets while
    their values have slots left. A candidate without a value is not listed. Without any quota
    nothing is limited: the rule is top-k.

    Args:
        task: What is selected from.
        draft: What is filled.
        quotas: Pairs of a value and its slots, 0 or more.
        refill: Whether slots still empty go to the others, by relevance.
    """
    slots = dict(quotas)
    values = task.pool.column(task.policy.key)
    taken = Counter(values[index] for index in draft.picks)
    walk = task.order.tolist()
    over: list[int] = []

    def quota(index: int) -> int:
        value = values[index]
        return 0 if value is None else slots.get(value, 0)

    def listed(index: int) -> bool:
        return not slots or taken[values[index]] < quota(index)

    for place, index in enumerate(walk):
        if not draft.has_room():
            return ()
        if not listed(index):
            over.append(index)
            draft.refuse(index, Cause.QUOTA_FULL, quota(index))
            continue
        runner_up, margin = draft.runner_up(walk, place, listed)
        if draft.admit(index, Rule.QUOTA, runner_up=runner_up, margin=margin):
            taken[values[index]] += 1
    if refill:
        draft.fill(over, Rule.REFILL)
    return ()


BY_QUOTA = Selector(
    name="quotas",
    label="Quotas",
    summary="So many slots for each value of the key, each filled by rank, merged by relevance.",
    differs="Breadth is fixed by the values of a field, not found by likeness.",
    function=quotas,
    parameters=(QUOTAS, REFILL),
    reads_key=True,
    prefix=Prefix(
        holds=True,
        why="Quotas do not depend on k, and what is refilled comes behind them.",
    ),
)
