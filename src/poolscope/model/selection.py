"""A selection: what a policy picks from a pool, the trace, and a reason for everything left out.

Shapes are written in ``n`` (candidates of the pool) and ``p`` (picks, at most ``k``).
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from poolscope import geometry
from poolscope.geometry import Floats, Ints
from poolscope.model.policy import NearCopy, Order, Policy
from poolscope.model.pool import Pool


class Rule(StrEnum):
    """What admitted a pick."""

    PINNED = "pinned"
    BEST = "reserved for the best"
    NEIGHBOUR = "reserved for a neighbour of the best"
    RELEVANCE = "relevance"
    FIRST_OF_SOURCE = "first of its source"
    DEPTH = "depth within the cap"
    WITHIN_CAP = "within the cap"
    BACKFILL = "backfill"
    MARGINAL_RELEVANCE = "marginal relevance"
    QUOTA = "within the quota"
    REFILL = "refill"
    FUSED_RANK = "fused rank"
    GAIN = "gain"
    COVERAGE = "coverage of facets"
    DEMOTED = "put behind, not dropped"
    PRIORITY = "kept by priority"


class Cause(StrEnum):
    """Why a candidate is out; ``Reason`` adds the values."""

    BELOW_K = "below k"
    BEYOND_DEPTH = "beyond depth"
    NO_VECTOR = "no vector"
    NO_SOURCE = "no source"
    CAP_REACHED = "cap reached"
    SOURCE_SERVED = "source served"
    OVER_BUDGET = "over token budget"
    TOO_SIMILAR = "too similar"
    BANNED = "banned"
    NEAR_COPY = "near copy"
    QUOTA_FULL = "quota full"
    BELOW_GATE = "below the gate"
    SHED = "shed by priority"
    DEMOTED = "put behind all others"
    ARM_CUT = "cut from its arm's list"


CAUSES: tuple[Cause, ...] = tuple(Cause)
"""The order in which ``Selection.causes`` numbers them."""

_BEFORE = (Rule.PINNED, Rule.BEST, Rule.NEIGHBOUR)
_ASIDE = (Rule.PINNED, Rule.NEIGHBOUR)

PICKED, OPEN = -2, -1
"""In ``Selection.causes``: the candidate is in; it was eligible to the end and lost on merit."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One pick of the trace.

    Args:
        slot: Place in the order of selection, from 1.
        index: Candidate's index in the pool, from 0.
        rule: What admitted it.
        relevance: The relevance used.
        weighed: The same after scaling, as MMR held it against a cosine.
        redundancy: Largest similarity to an earlier pick; ``None`` where the rule reads none.
        blocker: Index of the earlier pick behind the redundancy.
        runner_up: Index of the candidate that would have been picked instead, in the same pass
            of a rule that has several.
        margin: By how much the pick beat the runner-up, on the rule's own scale.
    """

    slot: int
    index: int
    rule: Rule
    relevance: float
    weighed: float
    redundancy: float | None
    blocker: int | None
    runner_up: int | None
    margin: float | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one candidate is out, with the values that say so.

    Args:
        cause: Which of the causes.
        rank: The candidate's rank, from 1.
        limit: The depth, cap, k or tokens left that it met.
        value: The candidate's own figure: tokens, its score at the last pick, or its fused score.
        group: The key's value whose cap was reached.
        blocker: Index of the pick it resembles.
        similarity: Its cosine to that pick.
        last_value: The last pick's score, or the least fused score of a pick, to hold ``value``
            against.
        measure: What ``similarity`` is, where it is no cosine; for a near copy the test's name.
    """

    cause: Cause
    rank: int
    limit: float | None = None
    value: float | None = None
    group: str | None = None
    blocker: int | None = None
    similarity: float | None = None
    last_value: float | None = None
    measure: str = "cosine"


@dataclass(frozen=True, eq=False)
class Copies:
    """The near copies taken out of a pool before a selector chose.

    Args:
        of: Shape ``(n,)``, the candidate kept in each one's place, -1 for who is no copy.
        tests: Shape ``(n,)``, the number of the test in ``NearCopy``, -1 for who is no copy.
        similarities: Shape ``(n,)``, what the test measured, ``nan`` for who is no copy.
    """

    of: Ints
    tests: npt.NDArray[np.int8]
    similarities: Floats


@dataclass(frozen=True, eq=False)
class Merits:
    """What a rule other than MMR over cosines held against each other at its last pick.

    Args:
        values: Shape ``(n,)``, each candidate's merit at that step, ``nan`` where it had none.
        last: The last pick's.
        blockers: Shape ``(n,)``, the earlier pick that each is most like, -1 for none.
        similarities: Shape ``(n,)``, its similarity to that, ``nan`` for none.
        measure: What that similarity is.
    """

    values: Floats
    last: float
    blockers: Ints
    similarities: Floats
    measure: str = "cosine"


@dataclass(frozen=True, eq=False, kw_only=True)
class Selection:
    """What one policy selects from one pool, and why.

    Args:
        pool: The pool selected from.
        policy: The policy that made it.
        indices: Shape ``(p,)``, picks in the order of selection, ``p <= k``.
        rules: What admitted each pick.
        relevances: Shape ``(n,)``, the relevance used, ``nan`` where a candidate has none.
        weighed: Shape ``(n,)``, the same after scaling, as MMR weighed it.
        redundancies: Shape ``(p,)``, largest similarity to an earlier pick, ``nan`` for none.
        blockers: Shape ``(p,)``, index of that earlier pick, -1 for none.
        runners_up: Shape ``(p,)``, -1 for none.
        margins: Shape ``(p,)``, ``nan`` for none.
        causes: Shape ``(n,)``, ``PICKED``, ``OPEN`` or a number into ``CAUSES``.
        limits: Shape ``(n,)``, the limit behind the cause where it has one.
        groups: ``n`` values of the policy's key; empty where the rule reads none.
        notes: Sentences about the selection as a whole.
        relevance_name: The relevance used, by name.
        reads_similarity: Whether the rule weighs similarity.
        copies: The near copies removed; ``None`` where none were looked for.
        merits: What the rule compared, where that is not lambda and cosines.
        fused: Shape ``(n,)``, the fused score that candidates were ordered by where the lists of
            retrieval arms were fused, 0 for who was in none; ``None`` where none were.
        preset: Name of the preset that made it; ``policy`` is then the system's own and may not
            say all of it. Empty where the policy made it.
    """

    pool: Pool
    policy: Policy
    indices: Ints
    rules: tuple[Rule, ...]
    relevances: Floats
    weighed: Floats
    redundancies: Floats
    blockers: Ints
    runners_up: Ints
    margins: Floats
    causes: npt.NDArray[np.int8]
    limits: Floats
    groups: tuple[str | None, ...] = ()
    notes: tuple[str, ...] = ()
    relevance_name: str = ""
    reads_similarity: bool = False
    copies: Copies | None = None
    merits: Merits | None = None
    fused: Floats | None = None
    preset: str = ""

    def __len__(self) -> int:
        return len(self.indices)

    def __contains__(self, index: object) -> bool:
        return index in self.members

    @cached_property
    def members(self) -> frozenset[int]:
        """Indices of the picks, as a set."""
        return frozenset(int(index) for index in self.indices)

    @property
    def empty_slots(self) -> int:
        """How many of the k slots stayed empty."""
        return self.policy.k - len(self)

    @cached_property
    def ordered(self) -> tuple[int, ...]:
        """Indices of the picks in the order that the policy hands out."""
        picks = [int(index) for index in self.indices]
        if self.policy.order is Order.SCORE:
            picks.sort(key=lambda i: (-float(self.relevances[i]), i))
        elif self.policy.order is Order.DOCUMENT:
            picks.sort(key=self._document_place)
        elif self.policy.order is Order.RANK:
            picks.sort()
        return tuple(picks)

    def _document_place(self, index: int) -> tuple[str, float, int]:
        position = self.pool.positions[index]
        place = math.inf if position is None else float(position)
        return (self.pool.sources[index] or "", place, index)

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The trace, pick by pick."""
        return tuple(
            Pick(
                slot=slot + 1,
                index=int(index),
                rule=self.rules[slot],
                relevance=float(self.relevances[index]),
                weighed=float(self.weighed[index]),
                redundancy=_or_none(self.redundancies[slot]),
                blocker=self._blocker(slot),
                runner_up=_index_or_none(self.runners_up[slot]),
                margin=_or_none(self.margins[slot]),
            )
            for slot, index in enumerate(self.indices)
        )

    def _blocker(self, slot: int) -> int | None:
        """Return the pick behind a redundancy; a candidate without a vector resembles none."""
        if self.merits is None and not self.pool.vector_mask[self.indices[slot]]:
            return None
        return _index_or_none(self.blockers[slot])

    def reason(self, index: int) -> Reason | None:
        """Say why the candidate at an index is out; ``None`` for one that is in."""
        code = int(self.causes[index])
        if code == PICKED:
            return None
        rank = index + 1
        if code == OPEN:
            return self._lost_on_merit(index)
        cause = CAUSES[code]
        limit = _or_none(self.limits[index])
        if cause is Cause.OVER_BUDGET:
            return Reason(cause, rank, limit=limit, value=float(self.pool.tokens[index]))
        if cause is Cause.NEAR_COPY and self.copies is not None:
            return Reason(
                cause,
                rank,
                limit=limit,
                blocker=int(self.copies.of[index]),
                similarity=float(self.copies.similarities[index]),
                measure=tuple(NearCopy)[self.copies.tests[index]],
            )
        if cause is Cause.BELOW_GATE:
            return Reason(cause, rank, limit=limit, value=_or_none(self.relevances[index]))
        groups = self.groups
        if cause is Cause.ARM_CUT:
            groups = self.pool.column(self.policy.arm_key)
        return Reason(cause, rank, limit=limit, group=groups[index] if groups else None)

    def _lost_on_merit(self, index: int) -> Reason:
        below = self._below(index)
        merit = self.reads_similarity and len(self) > 0 and self.rules[-1] not in _BEFORE
        if merit and self.merits is not None:
            return self._by_merits(index, self.merits, below)
        if not merit or self.pool.vectors is None:
            return below
        least = float(np.min(self.weighed[self.indices]))
        if self.weighed[index] <= least:
            return below
        earlier = self.indices[:-1] if len(self) > 1 else self.indices
        similarities = geometry.cosines(self.pool.vectors[earlier], self.pool.vectors[index])
        if self.policy.clip_negative:
            similarities = np.maximum(similarities, 0.0)
        nearest = int(similarities.argmax())
        last = len(self) - 1
        return Reason(
            Cause.TOO_SIMILAR,
            index + 1,
            value=self._marginal(float(self.weighed[index]), float(similarities[nearest])),
            blocker=int(earlier[nearest]),
            similarity=float(similarities[nearest]),
            last_value=self._marginal(
                float(self.weighed[self.indices[last]]),
                float(np.nan_to_num(self.redundancies[last])),
            ),
        )

    def _below(self, index: int) -> Reason:
        """Say that others came first: by the fused score, where that says it of every pick."""
        below = Reason(Cause.BELOW_K, index + 1, limit=float(self.policy.k))
        if self.fused is None:
            return below
        chosen = [
            float(self.fused[pick])
            for pick, rule in zip(self.indices, self.rules, strict=True)
            if rule not in _ASIDE
        ]
        own = float(self.fused[index])
        if not chosen or min(chosen) < own:
            return below
        return replace(below, value=own, last_value=min(chosen))

    def _by_merits(self, index: int, merits: Merits, below: Reason) -> Reason:
        """Say what a rule of its own held against a candidate."""
        least = float(np.min(self.weighed[self.indices]))
        value = float(merits.values[index])
        if self.weighed[index] <= least or math.isnan(value) or merits.blockers[index] < 0:
            return below
        return Reason(
            Cause.TOO_SIMILAR,
            index + 1,
            value=value,
            blocker=int(merits.blockers[index]),
            similarity=float(merits.similarities[index]),
            last_value=merits.last,
            measure=merits.measure,
        )

    def _marginal(self, relevance: float, redundancy: float) -> float:
        lambda_ = self.policy.lambda_
        return lambda_ * relevance - (1.0 - lambda_) * redundancy


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _index_or_none(value: int) -> int | None:
    return None if value < 0 else int(value)
