"""One selection filled by hand, for what a system does that no policy says."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from poolscope.geometry import Floats, Ints
from poolscope.model import Cause, Policy, Pool, Rule, Selection
from poolscope.selection import named
from poolscope.selection.base import Draft, Task, shortfall
from poolscope.selection.greedy import Marginal, Row, Ties, climb, explain
from poolscope.selection.relevance import Used

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True, eq=False)
class _Made(Generic[Kept]):
    """What was worked out from a pool, as it is kept with it."""

    value: Kept


class ByHand:
    """One selection by hand: its task, its draft, and their end; private to one function."""

    def __init__(
        self, pool: Pool, policy: Policy, weigh: Callable[[Task], Used] | None = None
    ) -> None:
        task = Task.of(pool, policy, named(policy.selector))
        if weigh is not None:
            task = replace(task, used=weigh(task))
        self.whole, self.draft = task, Draft(task)
        self.task = self.draft.admit_first()

    def leave_out(self, out: Ints, cause: Cause, limit: float | Floats) -> None:
        """Take candidates out of the running, with the reason."""
        out = out[self.task.eligible[out]]
        self.draft.refuse(out, cause, limit)
        self.task = self.task.without(out.tolist())

    def finish(self, notes: Iterable[str] = ()) -> Selection:
        """Return the selection, with a word on slots that stayed empty."""
        empty = len(self.draft.picks) < self.whole.policy.k
        short = (shortfall(self.draft, self.whole),) if empty else ()
        return self.draft.finish((*notes, *short))


def by_marginal(
    run: ByHand,
    row: Row,
    *,
    measure: str = "cosine",
    last_only: bool = False,
    ties: Ties | None = None,
) -> None:
    """Select by marginal relevance over any similarity."""
    index = np.flatnonzero(run.task.eligible)
    weighed = run.task.used.weighed[index]
    lambda_ = run.task.policy.lambda_
    objective = Marginal(weighed, lambda_, row, index, last_only=last_only)
    gains = climb(run.task, run.draft, index, objective, rule=Rule.MARGINAL_RELEVANCE, ties=ties)
    explain(run.draft, gains, row, measure=measure, last_only=last_only)


def by_mmr(run: ByHand) -> None:
    """Select as the selector does that the run's policy names."""
    policy = run.task.policy
    run.task.selector.function(
        run.task,
        run.draft,
        **{item.name: getattr(policy, item.name) for item in run.task.selector.parameters},
    )


def once(pool: Pool, name: str, make: Callable[[], Kept]) -> Kept:
    """Work something out from a pool once and keep it with the pool."""
    made: object = pool.kept.get(name)
    if not isinstance(made, _Made):
        made = pool.kept[name] = _Made(make())
    value: Kept = made.value
    return value
