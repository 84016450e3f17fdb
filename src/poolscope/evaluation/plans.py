"""What is asked of every question of a golden set, as work that can travel to another process."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.evaluation.contenders import Contender, Outcome, Row, outcomes, require, rows
from poolscope.evaluation.questions import question
from poolscope.evaluation.run import Refused
from poolscope.evaluation.sweep import Curve, Sweep, combined, curves
from poolscope.geometry import Floats, read_only
from poolscope.measures import most_covered
from poolscope.model import SUPPORTS, UNJUDGED, Policy, Pool, Stratum
from poolscope.selection.paths import Axis


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of a question when its pool is let go.

    Args:
        name: Its id, or the question itself.
        query: The question; may be empty.
        stratum: What a full answer is made of.
        facets: How many facets it has.
        supported: How many of them a passage of the pool supports.
        undecided: How many cells nobody has decided, of the facets that no passage supports.
    """

    name: str
    query: str
    stratum: Stratum
    facets: int
    supported: int
    undecided: int = 0

    @classmethod
    def of(cls, pool: Pool, stratum: Stratum | None = None) -> "Known":
        """Know a question by its pool.

        Raises:
            PoolError: It has no facets.
        """
        item = question(pool, stratum)
        supported = (pool.marks == SUPPORTS).any(axis=0)
        undecided = int((pool.marks[:, ~supported] == UNJUDGED).sum())
        facets = len(pool.facets)
        return cls(item.name, pool.query, item.stratum, facets, int(supported.sum()), undecided)


@dataclass(frozen=True, slots=True, eq=False)
class Swept:
    """One question over a parameter.

    Args:
        known: The question.
        curves: Its measures, under the plan's policy and then under the others.
        ceiling: The coverage that any k within the depth could reach.
    """

    known: Known
    curves: tuple[Curve, ...]
    ceiling: float


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """Follow every question over one parameter.

    Args:
        policy: Everything but the parameter.
        axis: The parameter.
        others: Further policies that are followed too; those that differ in depth and cap share
            nearly all of the work.
    """

    policy: Policy
    axis: Axis
    others: tuple[Policy, ...] = ()

    def __call__(self, pool: Pool) -> Swept:
        """Work on one question.

        Raises:
            PoolError: It has no facets.
            PolicyError: The pool lacks what the policy asks for.
        """
        known = Known.of(pool)
        for policy in (self.policy, *self.others):
            require(pool, policy)
        depth = len(pool) if self.policy.depth is None else self.policy.depth
        most = most_covered(pool.marks[:depth] == SUPPORTS, self.policy.k)
        found = curves(pool, (self.policy, *self.others), self.axis)
        return Swept(known, found, most / known.facets)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One question under several contenders.

    Args:
        known: The question.
        outcomes: One a contender.
    """

    known: Known
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Measure every question under several contenders.

    Args:
        contenders: The contenders, what the others are held against first.
    """

    contenders: tuple[Contender, ...]

    def __call__(self, pool: Pool) -> Measured:
        """Work on one question.

        Raises:
            PoolError: It has no facets.
        """
        return Measured(Known.of(pool), outcomes(pool, self.contenders))


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """The questions of a run that were measured, and those that were not.

    Args:
        numbers: Places of those measured, in the order of the golden set.
        known: The questions.
        refused: Why others could not be, by their places.
    """

    numbers: tuple[int, ...]
    known: tuple[Known, ...]
    refused: Mapping[int, Refused]

    def count(self, stratum: Stratum) -> int:
        """Count the questions of a stratum."""
        return sum(item.stratum is stratum for item in self.known)

    @property
    def unsupported(self) -> int:
        """How many questions have no supporting passage in their pool at all, settled or not."""
        return sum(not item.supported for item in self.known)

    @property
    def without_support(self) -> int:
        """How many of those have every cell decided: no passage of the pool supports a facet."""
        return sum(not item.supported and not item.undecided for item in self.known)

    @property
    def undecided(self) -> tuple[int, int]:
        """How many cells are undecided in facets without support, and of how many questions."""
        cells = [item.undecided for item in self.known if item.undecided]
        return sum(cells), len(cells)


@dataclass(frozen=True, slots=True, eq=False)
class SweepResult:
    """A golden set over a parameter.

    Args:
        gathered: The questions.
        sweep: Their measures.
        ceiling: Shape ``(q,)``, the coverage that any k within the depth could reach.
        others: Their measures under the plan's other policies, in order.
    """

    gathered: Gathered
    sweep: Sweep
    ceiling: Floats
    others: tuple[Sweep, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TableResult:
    """A golden set under several contenders.

    Args:
        gathered: The questions.
        rows: One a contender.
    """

    gathered: Gathered
    rows: tuple[Row, ...]


def swept(plan: SweepPlan, found: Mapping[int, Swept | Refused]) -> SweepResult | None:
    """Put what was found together; ``None`` where no question could be measured."""
    done = {at: item for at, item in found.items() if isinstance(item, Swept)}
    if not done:
        return None
    known = tuple(item.known for item in done.values())
    first, *others = (
        combined(known, [item.curves[place] for item in done.values()], policy, plan.axis)
        for place, policy in enumerate((plan.policy, *plan.others))
    )
    ceiling = read_only(np.array([item.ceiling for item in done.values()]))
    return SweepResult(_gathered(found, done, known), first, ceiling, tuple(others))


def measured(plan: TablePlan, found: Mapping[int, Measured | Refused]) -> TableResult | None:
    """Put what was found together; ``None`` where no question could be measured."""
    done = {at: item for at, item in found.items() if isinstance(item, Measured)}
    if not done:
        return None
    known = tuple(item.known for item in done.values())
    table = rows(plan.contenders, [item.outcomes for item in done.values()])
    return TableResult(_gathered(found, done, known), table)


def _gathered(found: Mapping[int, object], done: Iterable[int], known: Sequence[Known]) -> Gathered:
    refused = {at: item for at, item in found.items() if isinstance(item, Refused)}
    return Gathered(tuple(done), tuple(known), refused)
