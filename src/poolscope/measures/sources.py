"""Where the selected come from: sources, their shares, neighbours in a document, tokens.

A passage whose source is missing is a source of its own.
"""

import math
from dataclasses import dataclass

import numpy as np

from poolscope.measures.base import Better, Measure, Need
from poolscope.model import Selection


@dataclass(frozen=True, slots=True)
class SourceRow:
    """What one source has in the selection.

    Args:
        source: Its label; ``None`` for a passage without one, which stands alone.
        picks: Indices in the pool of its picks, in the order of selection.
        tokens: Their tokens, by the pool's tokenizer.
        low: Their smallest raw score; ``None`` without scores.
        high: Their largest raw score; ``None`` without scores.
    """

    source: str | None
    picks: tuple[int, ...]
    tokens: int
    low: float | None
    high: float | None

    @property
    def count(self) -> int:
        """How many slots it fills."""
        return len(self.picks)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two picks of one source that touch or overlap in the document.

    Args:
        first: Index in the pool of the one selected earlier.
        second: Index in the pool of the one selected later.
    """

    first: int
    second: int


def source_rows(selection: Selection) -> tuple[SourceRow, ...]:
    """List the sources in the selection by their first pick, with score range and tokens."""
    scores = selection.pool.raw_scores
    rows = []
    for picks in _by_source(selection):
        own = None if scores is None else scores[list(picks)]
        rows.append(
            SourceRow(
                source=selection.pool.sources[picks[0]],
                picks=picks,
                tokens=int(selection.pool.tokens[list(picks)].sum()),
                low=None if own is None else float(own.min()),
                high=None if own is None else float(own.max()),
            )
        )
    return tuple(rows)


def distinct_sources(selection: Selection) -> float:
    """Count the different sources of the selected."""
    return float(len(_by_source(selection)))


def effective_sources(selection: Selection) -> float:
    """Raise e to the Shannon entropy of the sources' shares (Hill number of order 1).

    Hill, "Diversity and evenness: a unifying notation and its consequences", Ecology 1973.
    """
    if len(selection) == 0:
        return math.nan
    shares = np.array([len(picks) for picks in _by_source(selection)]) / len(selection)
    return math.exp(float(-(shares * np.log(shares)).sum()))


def largest_share(selection: Selection) -> float:
    """Divide the slots of the commonest source by the slots filled."""
    if len(selection) == 0:
        return math.nan
    return max(len(picks) for picks in _by_source(selection)) / len(selection)


def adjacent_pairs(selection: Selection) -> float:
    """Count the pairs of one source that touch or overlap."""
    pool = selection.pool
    if all(place is None for place in (*pool.positions, *pool.spans)):
        return math.nan
    return float(len(neighbours(selection)))


def neighbours(selection: Selection) -> tuple[Neighbours, ...]:
    """List the pairs of one source whose positions or offsets touch or overlap.

    Positions touch when they differ by at most 1; a span touches one that starts where it ends.
    Either is enough; a pick that has neither has no neighbours.
    """
    pool = selection.pool
    slots = {index: slot for slot, index in enumerate(selection.indices.tolist())}
    pairs: set[tuple[int, int]] = set()
    for picks in _by_source(selection):
        # A position is the stretch up to the next one, so one sweep serves both.
        places = [
            _Stretch(place, place + 1, slots[index])
            for index in picks
            if (place := pool.positions[index]) is not None
        ]
        spans = [
            _Stretch(*span, slots[index])
            for index in picks
            if (span := pool.spans[index]) is not None
        ]
        pairs |= _meeting(places) | _meeting(spans)
    picked = selection.indices.tolist()
    return tuple(Neighbours(picked[first], picked[second]) for first, second in sorted(pairs))


def tokens(selection: Selection) -> float:
    """Sum the tokens of the selected."""
    return float(selection.pool.tokens[selection.indices].sum())


def _by_source(selection: Selection) -> tuple[tuple[int, ...], ...]:
    """Group the picks by source, groups and picks in the order of selection."""
    groups: dict[str | int, list[int]] = {}
    for index in selection.indices.tolist():
        source = selection.pool.sources[index]
        groups.setdefault(index if source is None else source, []).append(index)
    return tuple(tuple(picks) for picks in groups.values())


@dataclass(frozen=True, slots=True, order=True)
class _Stretch:
    """Where a pick lies in its document, and its slot in the order of selection."""

    start: int
    end: int
    slot: int


def _meeting(stretches: list[_Stretch]) -> set[tuple[int, int]]:
    """Find the slots of the stretches that share at least their border, each pair in order."""
    pairs: set[tuple[int, int]] = set()
    ordered = sorted(stretches)
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.start > one.end:
                break
            pairs.add((min(one.slot, other.slot), max(one.slot, other.slot)))
    return pairs


DISTINCT_SOURCES = Measure(
    name="distinct_sources",
    label="Distinct sources",
    summary=(
        "How many different sources the selected passages come from; one without a source counts "
        "as a source of its own. A count; neither way is better."
    ),
    function=distinct_sources,
    better=Better.NEITHER,
    decimals=0,
)

EFFECTIVE_SOURCES = Measure(
    name="effective_sources",
    label="Effective sources",
    summary=(
        "How many sources of equal share would be as mixed as these: e to the Shannon entropy of "
        "the sources' shares of the slots filled. 1 is a single source; neither way is better."
    ),
    function=effective_sources,
    better=Better.NEITHER,
    needs=frozenset({Need.PICK}),
    low=1.0,
)

LARGEST_SHARE = Measure(
    name="largest_share",
    label="Largest share",
    summary="Slots of the commonest source divided by the slots filled. Lower is better.",
    function=largest_share,
    better=Better.DOWN,
    needs=frozenset({Need.PICK}),
    high=1.0,
)

ADJACENT_PAIRS = Measure(
    name="adjacent_pairs",
    label="Adjacent pairs",
    summary=(
        "Pairs of selected passages of one source at positions, or offsets, that touch or overlap. "
        "A count; lower is better."
    ),
    function=adjacent_pairs,
    better=Better.DOWN,
    needs=frozenset({Need.POSITIONS}),
    decimals=0,
)

TOKENS = Measure(
    name="tokens",
    label="Tokens",
    summary=(
        "Tokens of the selected passages together, by the tokenizer named beside it. "
        "A count; neither way is better."
    ),
    function=tokens,
    better=Better.NEITHER,
    decimals=0,
)
