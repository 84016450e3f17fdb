"""What the findings look at: one selection, measured once, from every side.

Each side is a part of its own: how candidates stand by relevance, which sources hold the slots, how
alike passages are, what stands in the context twice, what the facets say.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from poolscope import selection as selectors
from poolscope.diagnosis.coverage import Coverage, coverage_of
from poolscope.diagnosis.likeness import Likeness
from poolscope.diagnosis.meaning import Grouping, grouped
from poolscope.diagnosis.repetition import Repetition
from poolscope.diagnosis.shares import Shares
from poolscope.diagnosis.standing import Standing
from poolscope.model import Policy, Pool, Selection
from poolscope.selection.paths import Axis, Path, path

LEAST_USUAL = 30
"""Fewest of the best candidates that say which distances and words are usual."""


@dataclass(frozen=True, eq=False)
class Facts:
    """One selection and what can be said about it and the pool around it.

    Args:
        selection: The selection.
        is_whole: Whether candidates beyond the depth count as within reach.
    """

    selection: Selection
    is_whole: bool = False

    @property
    def pool(self) -> Pool:
        """The pool selected from."""
        return self.selection.pool

    @property
    def policy(self) -> Policy:
        """The policy that selected."""
        return self.selection.policy

    @cached_property
    def picks(self) -> tuple[int, ...]:
        """Pool indices of the picks in the order of selection."""
        return tuple(self.selection.indices.tolist())

    @cached_property
    def depth(self) -> int:
        """How many candidates lie within reach, from rank 1."""
        n, depth = len(self.pool), self.policy.depth
        return n if depth is None or self.is_whole else min(depth, n)

    @property
    def is_cut(self) -> bool:
        """Whether the pool goes on beyond the depth."""
        return self.depth < len(self.pool)

    @cached_property
    def deeper(self) -> "Facts":
        """The same selection, seen against the whole pool."""
        return replace(self, is_whole=True)

    @cached_property
    def standing(self) -> Standing:
        """How the candidates within reach stand by relevance."""
        return Standing(self.selection, self.depth)

    @cached_property
    def shares(self) -> Shares:
        """Which sources hold the slots."""
        return Shares(self.pool, self.policy, self.picks, self.depth, self.standing.reach)

    @cached_property
    def likeness(self) -> Likeness:
        """How alike the picks are by their vectors."""
        return Likeness(self.pool, self.picks, self._best)

    @cached_property
    def repetition(self) -> Repetition:
        """What stands in the context twice."""
        groups = self.shares.groups
        return Repetition(self.pool, self.picks, self._best, groups, self.likeness)

    @cached_property
    def _best(self) -> tuple[int, ...]:
        best = self.standing.reach[: max(4 * self.policy.k, LEAST_USUAL)]
        return tuple(best.tolist())

    @cached_property
    def coverage(self) -> Coverage | None:
        """What the facets say; ``None`` where they are not annotated or hardly judged."""
        return coverage_of(self.selection, self.depth)

    @property
    def is_covered_at_best(self) -> bool:
        """Whether facets are known and the selection covers all that any other could."""
        return self.coverage is not None and self.coverage.is_best

    @cached_property
    def meaning(self) -> Grouping | None:
        """How the picks and their alternatives group by meaning; ``None`` where that is unknown."""
        if not self.likeness.has_vectors or not self.standing.near:
            return None
        picks = [i for i in self.picks if self.pool.vector_mask[i]]
        near = [i for i in self.standing.near if self.pool.vector_mask[i]]
        if len(picks) < 3 or not near:
            return None
        beyond = self.likeness.beyond_question(picks, [*picks, *near])
        raw = self.likeness.similarities(picks, [*picks, *near])
        return grouped(raw if beyond is None else beyond, picks, near, is_raw=beyond is None)

    @cached_property
    def plain(self) -> "Facts":
        """Plain top-k at the same k and depth."""
        if self.policy.selector == "top_k":
            return self
        policy = self.policy.changed(selector="top_k", budget=None)
        return Facts(selectors.select(self.pool, policy), self.is_whole)

    @cached_property
    def under_caps(self) -> tuple[Selection, ...]:
        """What the two rules with a cap select, from the largest cap that binds to 1."""
        policies = (
            self.policy.changed(selector=selector, cap=cap, key=self.shares.key, overrides=())
            for selector in ("grouped_cap", "two_pass_cap")
            for cap in range(self.shares.largest - 1, 0, -1)
        )
        return tuple(selectors.select(self.pool, policy) for policy in policies)

    @cached_property
    def over_lambda(self) -> Path:
        """How MMR answers to lambda at this k and depth; only where there are vectors."""
        return path(self.pool, self.policy.changed(selector="mmr"), Axis.LAMBDA)
