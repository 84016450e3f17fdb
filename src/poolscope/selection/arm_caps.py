"""Caps by retrieval arm as a rule: the arms' lists are cut and fused, the fused order is taken.

For another rule over what is left, a policy's ``arm_cap`` does the same before that rule chooses.
The key names the field that holds a candidate's arms.
"""

from collections.abc import Iterable

import numpy as np

from poolscope.model import Cause, Rule
from poolscope.selection.arms import Arms
from poolscope.selection.base import Draft, Prefix, Selector, Task
from poolscope.selection.source_cap import CAP


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
    arms = Arms(task.pool, task.policy.key, task.policy.missing_key)
    order = task.order.tolist()
    fused = arms.fuse(order, cap, held=draft.picks, overrides=dict(task.policy.overrides))
    draft.order_by(fused.scores)
    for index in order:
        if fused.scores[index] > 0.0:
            continue
        if arms.of(index):
            draft.refuse(index, Cause.CAP_REACHED, float(fused.limits[index]))
        else:
            draft.refuse(index, Cause.NO_SOURCE, np.nan)
    for place, index in enumerate(fused.order):
        if not draft.has_room():
            break
        runner_up, _ = draft.runner_up(fused.order, place, lambda _: True)
        margin = np.nan if runner_up < 0 else float(fused.scores[index] - fused.scores[runner_up])
        draft.admit(index, Rule.FUSED_RANK, runner_up=runner_up, margin=margin)
    return ()


ARM_CAPS = Selector(
    name="arm_caps",
    label="Arm caps",
    summary="Each retrieval arm's list is cut at the cap, then all are fused by reciprocal rank.",
    differs="It limits who proposes passages, not which are alike.",
    function=arm_caps,
    parameters=(CAP,),
    reads_key=True,
    reads_arms=True,
    cut_is_free=False,
    prefix=Prefix(holds=True, why="The fused order does not depend on k; a slot adds the next."),
)
