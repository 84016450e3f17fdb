"""What the pages ask of a pool: one question, one function, one frozen result."""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from poolscope import selection as selectors
from poolscope import wording
from poolscope.measures import Measured, measure
from poolscope.model import SUPPORTS, Policy, Pool, Selection


@dataclass(frozen=True, eq=False)
class Column:
    """What one policy selects, held against the baseline.

    Args:
        title: The rule's name.
        setting: Its settings in a few words.
        measured: The selection with every measure.
        baseline: The same of plain top-k.
    """

    title: str
    setting: str
    measured: Measured
    baseline: Measured

    @property
    def selection(self) -> Selection:
        """The selection."""
        return self.measured.selection

    @cached_property
    def entered(self) -> frozenset[int]:
        """Picks that plain top-k does not have."""
        return self.selection.members - self.baseline.selection.members

    @cached_property
    def left(self) -> tuple[int, ...]:
        """Picks of plain top-k that are not in, by rank."""
        return tuple(sorted(self.baseline.selection.members - self.selection.members))

    def change(self, name: str) -> float:
        """Return a measure's difference to plain top-k; ``nan`` where either is undefined."""
        return self.measured[name] - self.baseline[name]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several policies on one pool, the baseline first.

    Args:
        pool: The pool.
        columns: One a policy; the first is plain top-k.
    """

    pool: Pool
    columns: tuple[Column, ...]

    @property
    def baseline(self) -> Column:
        """Plain top-k."""
        return self.columns[0]

    @property
    def depth(self) -> int:
        """How many candidates the selectors see."""
        depth = self.baseline.selection.policy.depth
        return len(self.pool) if depth is None else min(depth, len(self.pool))


def compare(pool: Pool, setting: Policy, rules: tuple[str, ...]) -> Comparison:
    """Run plain top-k and further rules at one setting.

    Args:
        pool: The pool.
        setting: What the controls say; its ``selector`` is not read.
        rules: Names of selectors, one a further column.

    Raises:
        PolicyError: The pool lacks what the setting asks for.
    """
    policies = tuple(setting.changed(selector=rule) for rule in ("top_k", *rules))
    measured = tuple(measure(selectors.select(pool, policy)) for policy in policies)
    columns = tuple(
        Column(
            title=selectors.named(policy.selector).label,
            setting=wording.setting(policy),
            measured=result,
            baseline=measured[0],
        )
        for policy, result in zip(policies, measured, strict=True)
    )
    return Comparison(pool, columns)


def supported(pool: Pool, index: int) -> tuple[str, ...]:
    """Return the labels of the facets that a candidate supports."""
    return tuple(
        facet.label
        for facet, mark in zip(pool.facets, pool.marks[index], strict=True)
        if mark == SUPPORTS
    )


def finding(comparison: Comparison, key: str) -> str:
    """Say what plain top-k holds: measured, with no advice.

    Args:
        comparison: The columns.
        key: The field that slots are counted by.
    """
    pool, top = comparison.pool, comparison.baseline
    picks = top.selection.ordered
    if not picks:
        return "Plain top-k selects nothing here."
    parts = [_crowding([pool.column(key)[index] for index in picks], key)]
    total, ceiling = len(pool.facets), top.measured["ceiling"]
    if total and math.isnan(ceiling):
        parts.append(f"No passage of the pool is marked as supporting any of the {total} facets.")
    elif total:
        covered = round(top.measured["facet_coverage"] * total)
        parts.append(
            f"It covers {covered} of {total} facets; the best {len(picks)} of these "
            f"{comparison.depth} would cover {round(ceiling * total)} of {total}."
        )
    return " ".join(parts)


def _crowding(values: list[str | None], key: str) -> str:
    """Say how the slots are shared; candidates without a value belong together by nothing."""
    slots = len(values)
    known = Counter(value for value in values if value is not None)
    if not known:
        return f"Plain top-{slots}: no pick has a {key}."
    name, most = known.most_common(1)[0]
    if slots == 1:
        return f"Plain top-1 takes its one slot from {name}."
    if most > 1:
        return f"Plain top-{slots} takes {most} of {slots} slots from {name}."
    if known.total() < slots:
        return f"Plain top-{slots} takes no two slots from one {key}."
    return f"Plain top-{slots} takes every slot from a different {key}."
