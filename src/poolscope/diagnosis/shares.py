"""Which sources hold the slots, and which have none."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poolscope.geometry import Ints
from poolscope.model import Policy, Pool


@dataclass(frozen=True, eq=False)
class Shares:
    """The slots and the candidates within reach, counted by source.

    Args:
        pool: The pool, of ``n`` candidates.
        policy: The policy, for its key.
        picks: Pool indices of the picks.
        depth: How many candidates lie within reach, from rank 1.
        reach: Those of them that have a relevance, best first.
    """

    pool: Pool
    policy: Policy
    picks: tuple[int, ...]
    depth: int
    reach: Ints

    @cached_property
    def key(self) -> str:
        """The field that slots are counted by: the policy's key where the pool has it."""
        key = self.policy.key
        return key if key == "source" or key in self.pool.fields else "source"

    @cached_property
    def groups(self) -> Ints:
        """The number of each candidate's source, shape ``(n,)``; without one it stands alone."""
        codes = self.pool.codes(self.key).copy()
        missing = codes < 0
        codes[missing] = codes.max(initial=-1) + 1 + np.arange(int(missing.sum()))
        return codes

    def name(self, group: int) -> str:
        """Return the label of a group."""
        first = int(np.flatnonzero(self.groups == group)[0])
        return self.pool.column(self.key)[first] or "no source"

    @property
    def first_name(self) -> str:
        """The label of the first pick's source."""
        return self.name(int(self.groups[self.picks[0]]))

    @property
    def all_from(self) -> str:
        """Where all passages come from, where that is one source, as a clause."""
        name = self.pool.column(self.key)[self.picks[0]]
        return "without a source" if name is None else f"all from {name}"

    @cached_property
    def slots(self) -> tuple[tuple[int, int], ...]:
        """Groups of the picks with their slots, the largest first."""
        counts = Counter(self.groups[list(self.picks)].tolist())
        return tuple(counts.most_common())

    @property
    def largest(self) -> int:
        """Slots of the commonest source."""
        return self.slots[0][1] if self.slots else 0

    @cached_property
    def group_count(self) -> int:
        """How many sources lie within reach."""
        return int(np.unique(self.groups[: self.depth]).size)

    @cached_property
    def left_out_groups(self) -> tuple[int, ...]:
        """The best candidate of each source that has no slot, best first, however far below."""
        seen = set(self.groups[list(self.picks)].tolist())
        best = []
        for index in self.reach.tolist():
            if int(self.groups[index]) not in seen:
                seen.add(int(self.groups[index]))
                best.append(index)
        return tuple(best)
