"""A policy held against a baseline on a golden set, and against the limits that a build sets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from poolscope.counts import counted
from poolscope.errors import PolicyError
from poolscope.evaluation.contenders import Contender, Row
from poolscope.evaluation.statistics import Paired, paired
from poolscope.evaluation.sweep import (
    ALPHA_NDCG,
    COVERAGE,
    HIT,
    PAIRWISE,
    RELEVANCE,
    SAME,
    SOURCES,
    Asked,
)
from poolscope.geometry import Bools, Floats
from poolscope.model import Stratum

COMPARED = (COVERAGE, HIT, ALPHA_NDCG, RELEVANCE, PAIRWISE)
"""The measures that a comparison shows, truth before proxies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a policy must keep to, on the mean over all questions; ``None`` for no limit.

    Args:
        min_coverage: Least facet coverage.
        max_coverage_drop: Most that coverage may lie below the baseline's.
        min_hit: Least share, of the questions with one true answer, that find it.
        max_hit_drop: Most that this share may lie below the baseline's.
        max_relevance_drop: Most that mean relevance may lie below the baseline's.
    """

    min_coverage: float | None = None
    max_coverage_drop: float | None = None
    min_hit: float | None = None
    max_hit_drop: float | None = None
    max_relevance_drop: float | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is None:
                continue
            low, high, example = _RANGES[item.name]
            if not low <= value <= high or not np.isfinite(value):
                said = item.name.replace("_", " ")
                within = f", outside {low:g} to {high:g}" if np.isfinite(value - low) else ""
                raise PolicyError(f"{said} is {value:g}{within}.", f"Give {example}.")


_SHARE = (0.0, 1.0, "a share from 0 to 1, such as 0.8")
_DIFFERENCE = (-1.0, 1.0, "a difference of two shares, such as 0.02; below 0 it asks for a gain")
_RANGES = {
    "min_coverage": _SHARE,
    "max_coverage_drop": _DIFFERENCE,
    "min_hit": _SHARE,
    "max_hit_drop": _DIFFERENCE,
    "max_relevance_drop": (-np.inf, np.inf, "a number, such as 0.02"),
}
"""Between which values each limit can be kept and can be broken, and what to give."""
_MEASURED = {
    "min_coverage": (COVERAGE, None),
    "max_coverage_drop": (COVERAGE, None),
    "min_hit": (HIT, Stratum.ONE),
    "max_hit_drop": (HIT, Stratum.ONE),
    "max_relevance_drop": (RELEVANCE, None),
}
"""Each limit's measure, and the questions it looks at; ``None`` for all."""


@dataclass(frozen=True, slots=True)
class Held:
    """One limit and what was met.

    Args:
        name: The limit's field.
        limit: What it is.
        value: The mean, or the drop; ``nan`` where no question could be measured.
    """

    name: str
    limit: float
    value: float

    @property
    def is_broken(self) -> bool:
        """Whether the limit is not kept; what could not be measured keeps none."""
        if self.name.startswith("min"):
            return not self.value >= self.limit - SAME
        return not self.value <= self.limit + SAME


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """Two contenders on the same questions.

    Args:
        policy: What is looked at.
        baseline: What it is held against.
        asked: The questions.
        held: The limits that were set, in order, each with what was met.
    """

    policy: Row
    baseline: Row
    asked: tuple[Asked, ...]
    held: tuple[Held, ...]

    @property
    def broken(self) -> tuple[Held, ...]:
        """The limits that are not kept."""
        return tuple(item for item in self.held if item.is_broken)

    def of(self, stratum: Stratum | None) -> Bools:
        """Which questions belong to a stratum, all for ``None``; shape ``(q,)``."""
        return np.array([stratum in (None, item.stratum) for item in self.asked], dtype=np.bool_)

    def compared(self, name: str, stratum: Stratum | None = None) -> Paired:
        """Hold the two against each other where both have a value of a measure."""
        before, after = self.values(name, stratum)
        return paired(before, after)

    def values(self, name: str, stratum: Stratum | None = None) -> tuple[Floats, Floats]:
        """Return a measure of the baseline and of the policy, where both have it."""
        before, after = self.baseline.values[name], self.policy.values[name]
        met = self.of(stratum) & ~(np.isnan(before) | np.isnan(after))
        return before[met], after[met]

    def differing(self, name: str = COVERAGE) -> tuple[int, ...]:
        """Return the questions that differ in a measure, the largest difference first."""
        change = np.nan_to_num(self.policy.values[name] - self.baseline.values[name])
        order = np.argsort(-np.abs(change), kind="stable")
        return tuple(number for number in order.tolist() if abs(change[number]) > SAME)


def check(rows: Sequence[Row], asked: Sequence[Asked], limits: Limits) -> Check:
    """Hold a policy against a baseline.

    Args:
        rows: The policy, then the baseline, on the same questions.
        asked: The questions.
        limits: What is to be kept.

    Raises:
        PolicyError: One of them could not be measured on some question, there is no question, or
            the two read different kinds of relevance.
    """
    policy, baseline = rows
    if not asked:
        raise PolicyError("There is no question with facets.", "Give a golden set with facets.")
    for row in rows:
        if row.lacks:
            raise PolicyError(
                f"“{row.contender.label}” cannot select on {row.missed} of "
                f"{counted(len(asked), 'question')}: "
                f"{row.lacks}",
                "Change the policy, or leave those questions out.",
            )
        _check_selects(row, len(asked))
    _check_relevance(policy.contender, baseline.contender)
    made = Check(policy, baseline, tuple(asked), ())
    return Check(policy, baseline, tuple(asked), tuple(_held(made, limits)))


def _check_selects(row: Row, count: int) -> None:
    """Refuse what selects nothing anywhere: it would be measured as 0, and be no drop from 0."""
    if row.values[SOURCES].any():
        return
    policy = row.contender.policy
    set_to_0 = [
        f"{said} = 0"
        for said, value in (("k", policy.k), ("depth", policy.depth), ("budget", policy.budget))
        if value == 0
    ]
    why = f" ({', '.join(set_to_0)})" if set_to_0 else ""
    raise PolicyError(
        f"“{row.contender.label}” selects no passage{why} on any of "
        f"{counted(count, 'question')}: nothing would be measured.",
        "Give k, depth and budget room for a passage, such as k = 5.",
    )


def _check_relevance(policy: Contender, baseline: Contender) -> None:
    kinds = [str(item.policy.relevance or "the pool's own") for item in (policy, baseline)]
    if kinds[0] != kinds[1]:
        raise PolicyError(
            f"The policy reads {kinds[0]} as relevance, the baseline {kinds[1]}.",
            "Give both the same relevance: a difference between two scales says nothing.",
        )


def _held(made: Check, limits: Limits) -> Iterator[Held]:
    for item in fields(limits):
        limit = getattr(limits, item.name)
        if limit is None:
            continue
        name, stratum = _MEASURED[item.name]
        before, after = made.values(name, stratum)
        if not len(after):
            yield Held(item.name, limit, float("nan"))
        elif item.name.startswith("min"):
            yield Held(item.name, limit, float(after.mean()))
        else:
            yield Held(item.name, limit, float(before.mean() - after.mean()))
