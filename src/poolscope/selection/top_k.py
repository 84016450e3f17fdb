"""Plain top-k: by relevance, each candidate on its own. The baseline of every comparison."""

from collections.abc import Iterable

from poolscope.model import Rule
from poolscope.selection.base import Draft, Prefix, Selector, Task


def top_k(task: Task, draft: Draft) -> Iterable[str]:
    """Take the most relevant candidates."""
    for place, index in enumerate(task.order):
        if not draft.has_room():
            break
        runner_up, margin = draft.runner_up(task.order, place, _always)
        draft.admit(int(index), Rule.RELEVANCE, runner_up=runner_up, margin=margin)
    return ()


def _always(_: int) -> bool:
    return True


TOP_K = Selector(
    name="top_k",
    label="Top-k",
    summary="The k most relevant candidates, each judged alone: nothing asks what is already in.",
    differs="It has no term for likeness: it is MMR at lambda 1.",
    function=top_k,
    prefix=Prefix(holds=True, why="Each candidate is judged alone; a further slot adds the next."),
)
