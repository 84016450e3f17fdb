"""Caps by source, or by any other key: breadth by identity, whatever the passages say.

The two-pass rule is the source-diverse context of retrieval practice: the best of each source
first, then depth under the cap. The grouped rule keeps the best of each source and merges.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from poolscope.counts import counted
from poolscope.model import OPEN, Cause, Rule
from poolscope.selection.base import Draft, Parameter, Prefix, Selector, Task

CAP = Parameter(
    name="cap",
    label="Cap per source",
    help="Most picks for one value of the key: 1 is breadth only; a high cap is top-k's order.",
    low=1,
    step=1,
)
BACKFILL = Parameter(
    name="backfill",
    label="Backfill",
    help="Fill slots that would stay empty with over-cap candidates, by rank, marked as such.",
)


def two_pass_cap(task: Task, draft: Draft, *, cap: int, backfill: bool) -> Iterable[str]:
    """Take the best of each source, then fill by rank under the cap.

    Args:
        task: What is selected from; ``task.caps`` holds ``cap`` with the policy's overrides.
        draft: What is filled.
        cap: Most picks for one value of the key, at least 1.
        backfill: Whether over-cap candidates, by rank, fill the slots that would stay empty.
    """
    held, taken = len(draft.picks), count_groups(task, draft)
    waiting = _first_of_each(task, draft, taken)
    if draft.stopped:
        return ()
    if not draft.has_room():
        for index in waiting:
            if draft.causes[index] == OPEN:
                draft.refuse(index, Cause.SOURCE_SERVED, task.policy.k)
        return _breadth_only(task, cap) if len(draft.picks) > held else ()
    over = walk(task, draft, waiting, taken, Rule.DEPTH)
    if backfill:
        draft.fill(over, Rule.BACKFILL)
    return ()


def grouped_cap(task: Task, draft: Draft, *, cap: int) -> Iterable[str]:  # noqa: ARG001 - task.caps
    """Keep the best ``cap`` of each source, merge by relevance, cut to k; no refill.

    Args:
        task: What is selected from; ``task.caps`` holds ``cap`` with the policy's overrides.
        draft: What is filled.
        cap: Most picks for one value of the key, at least 1.
    """
    walk(
        task,
        draft,
        [int(index) for index in task.order],
        count_groups(task, draft),
        Rule.WITHIN_CAP,
    )
    return ()


def count_groups(task: Task, draft: Draft) -> Counter[int]:
    """Count the slots that each group has already, by what is pinned."""
    return Counter(int(task.groups[index]) for index in draft.picks)


def _first_of_each(task: Task, draft: Draft, taken: Counter[int]) -> list[int]:
    """Admit the best of each source, in rank order; return those passed over on the way."""
    groups = task.groups
    waiting: list[int] = []

    def unserved(index: int) -> bool:
        return taken[int(groups[index])] == 0

    for place, item in enumerate(task.order):
        index = int(item)
        if not draft.has_room():
            # The rest of a served source did not lose on merit either: it was passed over.
            waiting.extend(int(i) for i in task.order[place:] if not unserved(int(i)))
            break
        if not unserved(index):
            waiting.append(index)
            continue
        runner_up, margin = draft.runner_up(task.order, place, unserved)
        if draft.admit(index, Rule.FIRST_OF_SOURCE, runner_up=runner_up, margin=margin):
            taken[int(groups[index])] += 1
    return waiting


def walk(
    task: Task, draft: Draft, candidates: list[int], taken: Counter[int], rule: Rule
) -> list[int]:
    """Admit by rank while a group is under its cap; return those over it."""
    groups, caps = task.groups, task.caps
    over: list[int] = []

    def under_cap(index: int) -> bool:
        return taken[int(groups[index])] < int(caps[index])

    for place, index in enumerate(candidates):
        if not draft.has_room():
            break
        if not under_cap(index):
            over.append(index)
            draft.refuse(index, Cause.CAP_REACHED, int(caps[index]))
            continue
        runner_up, margin = draft.runner_up(candidates, place, under_cap)
        if draft.admit(index, rule, runner_up=runner_up, margin=margin):
            taken[int(groups[index])] += 1
    return over


def _breadth_only(task: Task, cap: int) -> tuple[str, ...]:
    values = np.unique(task.groups[task.order]).size
    return (
        f"The cap of {cap} does nothing here: with {counted(values, 'value')} of "
        f"“{task.policy.key}” "
        f"for {counted(task.policy.k, 'slot')}, the first pass fills them all and no slot "
        "goes to depth.",
    )


TWO_PASS_CAP = Selector(
    name="two_pass_cap",
    label="Two-pass cap",
    summary="The best of each source first, then by rank with at most the cap for one source.",
    differs="It counts identities and never looks at what passages say.",
    function=two_pass_cap,
    prefix=Prefix(holds=True, why="Each pass goes by rank and ends where the one behind begins."),
    parameters=(CAP, BACKFILL),
    reads_key=True,
)
GROUPED_CAP = Selector(
    name="grouped_cap",
    label="Capped",
    summary="By rank with at most the cap for one source; slots are not refilled.",
    differs="It counts identities and never looks at what passages say.",
    function=grouped_cap,
    prefix=Prefix(holds=True, why="The walk goes by rank; a further slot lets it go on."),
    parameters=(CAP,),
    reads_key=True,
)
