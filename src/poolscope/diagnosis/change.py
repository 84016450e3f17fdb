"""A change of a setting: what should get in, what is moved for it, and what that does."""

from dataclasses import dataclass

import numpy as np

from poolscope.diagnosis.effect import Effect
from poolscope.diagnosis.effect import effect as measured
from poolscope.model import SUPPORTS, Policy, Pool, Selection


@dataclass(frozen=True, slots=True)
class Goal:
    """What should get in: any of some candidates.

    Args:
        name: What a person asked for, in words.
        indices: Candidates of which one is enough.
    """

    name: str
    indices: frozenset[int]


@dataclass(frozen=True, slots=True)
class Move:
    """One setting moved.

    Args:
        label: The setting's name.
        before: Its value now.
        low: First value of the stretch that lets the goal in, the other moves made; the key's
            name for a key.
        high: Last value of the stretch.
        value: The value taken. Moved alone, the nearest to the one now that is easy to read.
    """

    label: str
    before: float | str
    low: float | str
    high: float | str
    value: float | str


@dataclass(frozen=True, slots=True)
class Outcome(Effect):
    """What a change does, with the facets by name.

    Args:
        facets: How many facets the question has.
        gained: Labels of the facets that are covered after the change and were not before.
        lost: Labels of the facets that were covered before and are not after it.
    """

    facets: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def covered(self) -> tuple[int, int] | None:
        """Facets covered before and after; ``None`` without facets."""
        if self.coverage is None:
            return None
        before, after = (round(share * self.facets) for share in self.coverage)
        return before, after


@dataclass(frozen=True, slots=True)
class Change:
    """A change that lets the goal in, with what it does.

    Args:
        moves: One setting, a pair, or as many as it takes.
        policy: The changed policy.
        entered: Candidates that come in, by rank.
        left: Candidates that go out, by rank.
        effect: What it changes in facets, relevance, sources and tokens.
    """

    moves: tuple[Move, ...]
    policy: Policy
    entered: tuple[int, ...]
    left: tuple[int, ...]
    effect: Outcome

    @property
    def relevance_lost(self) -> float:
        """Mean relevance given up; negative where it rises."""
        before, after = self.effect.relevance
        return before - after


def candidate_goal(index: int) -> Goal:
    """Ask for one candidate."""
    return Goal(f"rank {index + 1}", frozenset({index}))


def facet_goal(pool: Pool, number: int) -> Goal:
    """Ask for any passage that supports a facet."""
    supporters = np.flatnonzero(pool.marks[:, number] == SUPPORTS)
    return Goal(pool.facets[number].label, frozenset(int(index) for index in supporters))


def effect(before: Selection, after: Selection) -> Outcome:
    """Measure what changes between two selections of one pool."""
    found = measured(before, after)
    was, becomes = _supported(before), _supported(after)
    labels = tuple(facet.label for facet in before.pool.facets)
    return Outcome(
        coverage=found.coverage,
        relevance=found.relevance,
        sources=found.sources,
        tokens=found.tokens,
        facets=len(labels),
        gained=tuple(label for i, label in enumerate(labels) if i in becomes - was),
        lost=tuple(label for i, label in enumerate(labels) if i in was - becomes),
    )


def _supported(selection: Selection) -> set[int]:
    """Return the places of the facets that a selection supports."""
    marks = selection.pool.marks[selection.indices]
    return {int(number) for number in (marks == SUPPORTS).any(axis=0).nonzero()[0]}
