"""What every selector is made of: its declaration, what it sees, and the draft it fills.

Shapes are written in ``n`` (candidates of the pool).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from poolscope import geometry
from poolscope.counts import counted
from poolscope.geometry import Bools, Floats, Ints
from poolscope.model import (
    CAUSES,
    OPEN,
    PICKED,
    Cause,
    Copies,
    Merits,
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Policy,
    Pool,
    Rule,
    Scaling,
    Selection,
)
from poolscope.selection.arms import Arms
from poolscope.selection.near_copies import near_copies
from poolscope.selection.relevance import Used, scaled, used

Codes: TypeAlias = npt.NDArray[np.int8]
CODES = {cause: number for number, cause in enumerate(CAUSES)}
_TESTS = tuple(NearCopy)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting that a selector reads: a field of ``Policy`` with what a control must say.

    Args:
        name: Name of the field of ``Policy``, and the selector's keyword.
        label: What the control is called.
        help: What it does, which end does what: one sentence.
        low: Smallest value of a number.
        high: Largest value of a number; ``None`` where the pool decides.
        step: Step of a number's control.
        choices: Values of a choice, in display order.
    """

    name: str
    label: str
    help: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: type[Enum] | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """Whether the picks at one k are the first of the picks at the next.

    Args:
        holds: Whether they are, for every pool and policy.
        why: The reason: one sentence.
    """

    holds: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """One way to choose k candidates.

    Args:
        name: How policies name it.
        label: Its name on screen.
        summary: What it does, in a sentence.
        differs: Where it differs from plain MMR, in a sentence.
        function: What runs.
        prefix: Whether a larger k only adds picks.
        parameters: The settings it reads beside k, depth, relevance, budget and order.
        reads_similarity: Whether it needs vectors.
        reads_key: Whether it needs the cap's key.
        reads_facets: Whether it needs annotated facets.
        cut_is_free: Whether cutting the depth changes nothing while no pick is cut off.
    """

    name: str
    label: str
    summary: str
    differs: str
    function: Callable[..., Iterable[str]]
    prefix: Prefix
    parameters: tuple[Parameter, ...] = ()
    reads_similarity: bool = False
    reads_key: bool = False
    reads_facets: bool = False
    cut_is_free: bool = True


@dataclass(frozen=True, eq=False)
class Task:
    """What a selector sees: a pool cut to its depth, without what is not eligible.

    Args:
        pool: The whole pool.
        policy: The policy asked for.
        used: The relevance it reads.
        selector: The selector to run.
        depth: How many candidates the selector may see.
        causes: Shape ``(n,)``: why a candidate is out before any pick, ``OPEN`` where it is
            eligible.
        eligible: Shape ``(n,)``: which candidates the selector may choose.
        pinned: Candidates that are in before it chooses, by rank; not eligible.
        copies: The near copies removed; ``None`` where none are looked for.
    """

    pool: Pool
    policy: Policy
    used: Used
    selector: Selector
    depth: int
    causes: Codes
    eligible: Bools
    pinned: list[int]
    copies: Copies | None = None

    @classmethod
    def of(cls, pool: Pool, policy: Policy, selector: Selector) -> Self:
        """Find out what a selector sees.

        Raises:
            PolicyError: The pool lacks the field or the relevance that the policy asks for.
        """
        relevance = used(pool, policy)
        n = len(pool)
        depth = n if policy.depth is None else min(policy.depth, n)
        task = cls(pool, policy, relevance, selector, depth, _nobody_out(n), _everybody(n), [])
        if task._is_open_to_all():
            return task
        task = task._narrowed()
        return task if policy.arm_cap is None else task._fused(policy.arm_cap)

    @property
    def is_open(self) -> bool:
        """Whether nothing in the policy, or missing in the pool, leaves a candidate out."""
        return self.eligible is _everybody(len(self.pool))

    def _is_open_to_all(self) -> bool:
        policy, pool = self.policy, self.pool
        return (
            self.depth == len(pool)
            and self.used.is_whole
            and not (self.selector.reads_key and policy.missing_key is MissingKey.REJECT)
            and (not self.selector.reads_similarity or pool.has_all_vectors)
            and not (policy.near_copies or policy.banned or policy.pinned)
            and policy.arm_cap is None
        )

    def _narrowed(self) -> Self:
        """Return the task without who is not eligible."""
        pool, policy, n = self.pool, self.policy, len(self.pool)
        causes = self.causes.copy()
        if self.selector.reads_key and policy.missing_key is MissingKey.REJECT:
            causes[pool.codes(policy.key) < 0] = CODES[Cause.NO_SOURCE]
        leave_out = policy.missing_vector is MissingVector.LEAVE_OUT
        if self.selector.reads_similarity and leave_out and not pool.has_all_vectors:
            causes[~pool.vector_mask] = CODES[Cause.NO_VECTOR]
        if not self.used.is_whole:
            causes[np.isnan(self.used.values)] = CODES[Cause.NO_VECTOR]
        banned = _places(pool, policy.banned) if policy.banned else []
        pinned = _places(pool, policy.pinned) if policy.pinned else []
        copies = None
        if policy.near_copies:
            part = causes == OPEN
            part[banned], part[pinned] = False, True
            copies = near_copies(pool, policy, part=part, depth=self.depth, pinned=pinned)
            causes[copies.of >= 0] = CODES[Cause.NEAR_COPY]
        if self.depth < n:
            causes[self.depth :] = CODES[Cause.BEYOND_DEPTH]
        if banned:
            causes[banned] = CODES[Cause.BANNED]
        if pinned:
            causes[pinned] = OPEN
        eligible = causes == OPEN
        if pinned:
            eligible[pinned] = False
        return replace(self, causes=causes, eligible=eligible, pinned=pinned, copies=copies)

    def _fused(self, cap: int) -> Self:
        """Return the task of choosing from what is left of the arms' lists, by the fused score."""
        arms = Arms(self.pool, self.policy.arm_key, self.policy.missing_key)
        fused = arms.fuse(self.order.tolist(), cap, held=self.pinned)
        left = fused.scores > 0.0
        causes = np.where(self.eligible & ~left, CODES[Cause.ARM_CUT], self.causes)
        scores = np.where(left, fused.scores, np.nan)
        # A fused score is on no scale of a cosine.
        weighed = np.nan_to_num(scaled(scores, self.policy.scaling or Scaling.MIN_MAX))
        order = np.array(fused.order, dtype=np.intp)
        relevance = replace(
            self.used,
            weighed=geometry.read_only(weighed),
            fused=fused.scores,
            fused_order=geometry.read_only(order),
        )
        eligible = self.eligible & left
        return replace(self, used=relevance, causes=causes.astype(np.int8), eligible=eligible)

    def without(self, picks: Sequence[int]) -> Self:
        """Return the task of choosing among the others."""
        eligible = self.eligible.copy()
        eligible[list(picks)] = False
        return replace(self, eligible=eligible)

    @cached_property
    def order(self) -> Ints:
        """Shape ``(eligible,)``: eligible candidates by relevance, best first, ties by rank."""
        order = self.used.order
        if self.is_open:
            return order
        return order[self.eligible[order]]

    @cached_property
    def groups(self) -> Ints:
        """Shape ``(n,)``: the number of each candidate's group under the policy's key."""
        codes = self.pool.codes(self.policy.key)
        missing = codes < 0
        if not missing.any():
            return codes
        first = int(codes.max()) + 1
        alone = self.policy.missing_key is not MissingKey.SHARED
        fresh = first + np.arange(int(missing.sum())) if alone else first
        filled = codes.copy()
        filled[missing] = fresh
        return filled

    @cached_property
    def caps(self) -> Ints:
        """Shape ``(n,)``: how many picks each candidate's group may have."""
        caps = np.full(len(self.pool), self.policy.cap, dtype=np.intp)
        overrides = dict(self.policy.overrides)
        if overrides:
            for index, value in enumerate(self.pool.column(self.policy.key)):
                if value is not None and value in overrides:
                    caps[index] = overrides[value]
        return caps


@lru_cache(maxsize=64)
def _nobody_out(n: int) -> Codes:
    return geometry.read_only(np.full(n, OPEN, dtype=np.int8))


@lru_cache(maxsize=64)
def _everybody(n: int) -> Bools:
    return geometry.read_only(np.ones(n, dtype=np.bool_))


@lru_cache(maxsize=64)
def _no_limits(n: int) -> Floats:
    return geometry.read_only(np.full(n, np.nan))


def _always(_: int) -> bool:
    return True


def _places(pool: Pool, names: Sequence[str]) -> list[int]:
    """Return the indices, by rank, of the ids that the pool has."""
    return sorted(pool.places[name] for name in names if name in pool.places)


class Draft:
    """The picks made so far; private to one call of ``select``.

    Args:
        task: What is selected from.

    Attributes:
        stops_at_misfit: Whether an item that does not fit the budget ends the selection.
        stopped: Whether one did.
        picks: The picks so far, in the order of selection.
        causes: Shape ``(n,)``, why each candidate is out, so far.
        limits: Shape ``(n,)``, the limit behind the cause, ``nan`` for none.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._k = task.policy.k
        self._budget = task.policy.budget
        self._left = 0 if task.policy.budget is None else task.policy.budget
        self.stops_at_misfit = task.policy.on_budget is OnBudget.STOP
        self.stopped = False
        self._rules: list[Rule] = []
        self._redundancies: Sequence[float] | None = None
        self._blockers: Sequence[int] | None = None
        self._runners_up: list[int] = []
        self._margins: list[float] = []
        self._merits: Merits | None = None
        self._fused = task.used.fused
        self.picks: list[int] = []
        self.causes = task.causes.copy()
        self.limits = _no_limits(len(task.pool)).copy()
        if task.copies is not None:
            out = task.copies.of >= 0
            thresholds = np.array([task.policy.copy_threshold(test) for test in _TESTS])
            self.limits[out] = thresholds[task.copies.tests[out]]
        if task.depth < len(task.pool):
            self.limits[task.depth :] = task.depth
        if task.policy.arm_cap is not None:
            self.limits[self.causes == CODES[Cause.ARM_CUT]] = task.policy.arm_cap

    def count(self, *rules: Rule) -> int:
        """Count the picks that some rules admitted."""
        return sum(rule in rules for rule in self._rules)

    def has_room(self) -> bool:
        """Say whether a further candidate may be admitted."""
        return len(self.picks) < self._k and not self.stopped

    @property
    def left(self) -> int:
        """Tokens left of the budget; meaningless without one."""
        return self._left

    def admit_first(self) -> Task:
        """Admit what is in before the selector chooses, as far as slots and tokens go.

        First the pinned candidates, by rank; then as many of the most relevant as slots are
        reserved for the best; then, by relevance, the neighbours of the best pick so far.

        Returns:
            What is left for the selector to choose from.
        """
        task = self._task
        for index in task.pinned:
            if self.has_room():
                self.admit(index, Rule.PINNED)
        best, neighbours = task.policy.best, task.policy.neighbours
        if not best and not neighbours:
            return task
        held = len(self.picks)
        self.fill(task.order.tolist(), Rule.BEST, most=max(best, 1))
        if neighbours and self.picks:
            beside = self._beside(max(self.picks, key=self._by_relevance))
            self.fill(list(beside), Rule.NEIGHBOUR, most=neighbours)
        return task.without(self.picks[held:])

    def fill(self, walk: Sequence[int], rule: Rule, *, most: int | None = None) -> None:
        """Admit from a walk in its order, until the slots or those granted are filled.

        Args:
            walk: Candidates, best first.
            rule: What admits them.
            most: How many at most; ``None`` for all there is room for.
        """
        held = len(self.picks)
        for place, index in enumerate(walk):
            if len(self.picks) - held == most or not self.has_room():
                return
            runner_up, margin = self.runner_up(walk, place, _always)
            self.admit(index, rule, runner_up=runner_up, margin=margin)

    def _by_relevance(self, index: int) -> tuple[float, int]:
        value = float(self._task.used.deciding[index])
        return (-np.inf if np.isnan(value) else value, -index)

    def _beside(self, index: int) -> Iterator[int]:
        """Give the eligible candidates one position before or behind one, by relevance."""
        pool = self._task.pool
        position, source = pool.positions[index], pool.sources[index]
        if position is None or source is None:
            return
        for item in self._task.order.tolist():
            place = pool.positions[item]
            if place is None or pool.sources[item] != source or self.causes[item] != OPEN:
                continue
            if abs(place - position) == 1:
                yield item

    def fits(self, index: int) -> bool:
        """Say whether a candidate fits what is left of the token budget."""
        if self._budget is None or (self._task.policy.first_item_always and not self.picks):
            return True
        return int(self._task.pool.tokens[index]) <= self._left

    def admit(
        self,
        index: int,
        rule: Rule,
        *,
        runner_up: int = -1,
        margin: float = np.nan,
    ) -> bool:
        """Admit a candidate if it fits the token budget; say whether it did."""
        if self._budget is not None and not self.fits(index):
            self.refuse(index, Cause.OVER_BUDGET, self._left)
            if self.stops_at_misfit:
                self.stopped = True
                self.refuse(np.flatnonzero(self.causes == OPEN), Cause.OVER_BUDGET, self._left)
            return False
        if self._budget is not None:
            self._left -= int(self._task.pool.tokens[index])
        self.picks.append(index)
        self.causes[index] = PICKED
        self._rules.append(rule)
        self._runners_up.append(runner_up)
        self._margins.append(margin)
        return True

    def admit_all(
        self,
        picks: Sequence[int],
        rule: Rule,
        *,
        runners_up: Sequence[int],
        margins: Sequence[float],
    ) -> None:
        """Admit candidates that a rule chose without regard to a budget, where there is none."""
        self.picks.extend(picks)
        self.causes[self.picks] = PICKED
        self._rules.extend([rule] * len(picks))
        self._runners_up.extend(runners_up)
        self._margins.extend(margins)

    def compare(self, merits: Merits) -> None:
        """Note what the rule held against each other at its last pick."""
        self._merits = merits

    def order_by(self, fused: Floats) -> None:
        """Note the fused score that a rule of its own goes by; shape ``(n,)``."""
        self._fused = fused

    def explain(self, redundancies: Sequence[float], slots: Sequence[int]) -> None:
        """Note what each pick resembles most among those before it.

        Args:
            redundancies: Length ``p``, the similarity, ``nan`` for none.
            slots: Length ``p``, the earlier pick's slot, from 0; -1 for none.
        """
        picks = [*self.picks, -1]
        self._redundancies = redundancies
        self._blockers = [picks[slot] for slot in slots]

    def rivals(self, scores: Floats, index: Ints) -> Floats:
        """Return the scores without what would be passed over, being too long.

        Args:
            scores: Shape ``(c,)``.
            index: Shape ``(c,)``, the candidates scored.

        Returns:
            Shape ``(c,)``: ``-inf`` for a candidate that does not fit; the very scores where all
            do, or where one that does not ends the selection.
        """
        if self._budget is None or self.stops_at_misfit:
            return scores
        return np.where(self._task.pool.tokens[index] > self._left, -np.inf, scores)

    def refuse(self, index: int | Ints, cause: Cause, limit: float | Floats) -> None:
        """Note why a candidate, or several, cannot be admitted any more."""
        self.causes[index] = CODES[cause]
        self.limits[index] = limit

    def runner_up(
        self, walk: Sequence[int] | Ints, place: int, admissible: Callable[[int], bool]
    ) -> tuple[int, float]:
        """Find who would have been admitted instead of ``walk[place]``, and the margin.

        Args:
            walk: Candidates in the order in which the rule visits them.
            place: Where in it the pick stands.
            admissible: Whether the rule could take a candidate at this step.

        Returns:
            The candidate's index and the difference in relevance; -1 and ``nan`` for none.
        """
        values = self._task.used.deciding
        for later in range(place + 1, len(walk)):
            index = int(walk[later])
            if not admissible(index):
                continue
            if self.fits(index):
                return index, float(values[walk[place]] - values[index])
            if self.stops_at_misfit:
                break
        return -1, float("nan")

    def finish(self, notes: Iterable[str]) -> Selection:
        """Freeze the draft into a selection."""
        task = self._task
        slots, read_only = len(self.picks), geometry.read_only
        redundancies, blockers = self._redundancies, self._blockers
        if redundancies is None or blockers is None:
            redundancies, blockers = [math.nan] * slots, [-1] * slots
        whole = read_only(np.array((self.picks, blockers, self._runners_up), dtype=np.intp))
        parts = read_only(np.array((redundancies, self._margins), dtype=np.float64))
        return Selection(
            pool=task.pool,
            policy=task.policy,
            indices=whole[0],
            rules=tuple(self._rules),
            relevances=task.used.values,
            weighed=task.used.weighed,
            redundancies=parts[0],
            blockers=whole[1],
            runners_up=whole[2],
            margins=parts[1],
            causes=read_only(self.causes),
            limits=read_only(self.limits),
            groups=task.pool.column(task.policy.key) if task.selector.reads_key else (),
            notes=tuple(notes),
            relevance_name=task.used.name,
            reads_similarity=task.selector.reads_similarity,
            copies=task.copies,
            merits=self._merits,
            fused=self._fused,
        )


def shortfall(draft: Draft, task: Task) -> str:
    """Say how many slots stayed empty, and why."""
    empty = task.policy.k - len(draft.picks)
    counts = np.bincount(draft.causes[draft.causes >= 0], minlength=len(CAUSES)).tolist()
    parts = [
        f"{_WHY_EMPTY[cause]} ({count})"
        for cause, count in zip(CAUSES, counts, strict=True)
        if count and cause in _WHY_EMPTY
    ]
    total = len(task.pool)
    why = f" Left out: {', '.join(parts)}." if parts else ""
    return f"{empty} of {counted(task.policy.k, 'slot')} stayed empty: {total} in the pool.{why}"


_WHY_EMPTY = {
    Cause.BEYOND_DEPTH: "beyond the pool depth",
    Cause.NO_VECTOR: "without a vector",
    Cause.NO_SOURCE: "without a source",
    Cause.CAP_REACHED: "over the cap",
    Cause.OVER_BUDGET: "over the token budget",
    Cause.BANNED: "banned",
    Cause.NEAR_COPY: "near copies",
    Cause.QUOTA_FULL: "over the quota",
    Cause.BELOW_GATE: "below the gate",
    Cause.SHED: "shed by priority",
    Cause.ARM_CUT: "cut from their arms' lists",
}
