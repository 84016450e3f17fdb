"""Caps by retrieval arm: each arm's list is cut, then the lists are fused by reciprocal rank.

Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods", SIGIR 2009. The key names the field that holds a candidate's arms.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np

from poolscope import geometry
from poolscope.model import Cause, MissingKey, Rule
from poolscope.selection.base import Draft, Prefix, Selector, Task
from poolscope.selection.source_cap import CAP

CONSTANT = 60
"""What reciprocal rank fusion adds to every rank."""

_SEPARATORS = re.compile(r"\s*[,;|+]\s*")


def arm_caps(task: Task, draft: Draft, *, cap: int) -> Iterable[str]:
    """Cut each arm's list, fuse what is left, take the candidates with the largest fused score.

    An arm's list holds its eligible candidates by relevance; a candidate found by several arms
    (their names in one value, parted by a comma, semicolon, bar or plus) stands in each of their
    lists, and is out when it is cut from all. Equal fused scores: by relevance, then by rank.

    Args:
        task: What is selected from; the policy's overrides give an arm a cap of its own.
        draft: What is filled; what is in already counts toward its arms' caps.
        cap: Most candidates of one arm, at least 1.
    """
    caps = dict(task.policy.overrides)
    held = Counter(arm for index in draft.picks for arm in _arms(task, index))
    fused, limits = np.zeros(len(task.pool)), np.zeros(len(task.pool))
    for arm, found in _lists(task).items():
        limit = caps.get(arm, cap)
        room = max(limit - held[arm], 0)
        for rank, index in enumerate(found[:room], start=1):
            fused[index] += 1.0 / (CONSTANT + rank)
        limits[found] = np.maximum(limits[found], limit)
    fused = geometry.canonical(fused)
    order = task.order.tolist()
    cut = [index for index in order if fused[index] == 0.0]
    for index in cut:
        draft.refuse(index, Cause.CAP_REACHED, float(limits[index]))
    kept = [index for index in order if fused[index] > 0.0]
    kept.sort(key=lambda index: -fused[index])
    for place, index in enumerate(kept):
        if not draft.has_room():
            break
        runner_up, _ = draft.runner_up(kept, place, lambda _: True)
        margin = np.nan if runner_up < 0 else float(fused[index] - fused[runner_up])
        draft.admit(index, Rule.FUSED_RANK, runner_up=runner_up, margin=margin)
    return ()


def _lists(task: Task) -> dict[str, list[int]]:
    """Return each arm's eligible candidates by relevance."""
    lists: defaultdict[str, list[int]] = defaultdict(list)
    for index in task.order.tolist():
        for arm in _arms(task, index):
            lists[arm].append(index)
    return lists


def _arms(task: Task, index: int) -> list[str]:
    """Return the arms that found a candidate, each once."""
    value = task.pool.column(task.policy.key)[index]
    if value is None:
        # Names that no arm has: one is empty, the others hold a separator.
        return ["" if task.policy.missing_key is MissingKey.SHARED else f"|{index}"]
    return list(dict.fromkeys(filter(None, _SEPARATORS.split(value.strip()))))


ARM_CAPS = Selector(
    name="arm_caps",
    label="Arm caps",
    summary="Each retrieval arm's list is cut at the cap, then all are fused by reciprocal rank.",
    differs="It limits who proposes passages, not which are alike.",
    function=arm_caps,
    parameters=(CAP,),
    reads_key=True,
    cut_is_free=False,
    prefix=Prefix(holds=True, why="The fused order does not depend on k; a slot adds the next."),
)
