"""Why is it here, why not: trace, reasons, shared text and neighbours, as rows for a screen."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poolscope import wording
from poolscope.geometry import Floats
from poolscope.model import SUPPORTS, Pool, Selection
from poolscope.selection import named
from poolscope.selection.paths import Axis, path

MOST_WORDS = 3_000
LEAST_SHARED_WORDS = 3
_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One pick, with what decided it.

    Args:
        slot: Place in the order of selection, from 1.
        index: The candidate.
        rule: What admitted it.
        relevance: The relevance used.
        penalty: What its likeness to the picks before cost it; ``None`` where none is weighed.
        blocker: The earlier pick it is most like.
        similarity: Its cosine to that pick.
        runner_up: Who would have been picked instead.
        margin: By how much it won.
        stands: First and last lambda at which this slot holds this candidate; ``None`` where the
            rule reads no lambda, or is a preset, which sets its own.
    """

    slot: int
    index: int
    rule: str
    relevance: float
    penalty: float | None
    blocker: int | None
    similarity: float | None
    runner_up: int | None
    margin: float | None
    stands: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class PoolRow:
    """One candidate of the pool, in or out, with the reason.

    Args:
        index: The candidate.
        slot: Its slot; ``None`` where it is out.
        reason: Why it is out; empty where it is in.
        cause: The reason's kind, for filtering; ``selected`` where it is in.
        facets: Labels of the facets it supports.
    """

    index: int
    slot: int | None
    reason: str
    cause: str
    facets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage, shared with another one or not."""

    text: str
    is_shared: bool


def trace(selection: Selection) -> tuple[TraceRow, ...]:
    """Return the picks with what decided each."""
    stands = _stands(selection)
    weight = 1.0 - selection.policy.lambda_
    return tuple(
        TraceRow(
            slot=pick.slot,
            index=pick.index,
            rule=pick.rule.value,
            relevance=pick.relevance,
            penalty=None if pick.redundancy is None else weight * pick.redundancy,
            blocker=pick.blocker if pick.redundancy is not None else None,
            similarity=pick.redundancy,
            runner_up=pick.runner_up,
            margin=pick.margin,
            stands=stands.get(pick.slot),
        )
        for pick in selection.picks
    )


def _stands(selection: Selection) -> dict[int, tuple[float, float]]:
    """Return, for each slot, the stretch of lambda around the setting in which its pick stands."""
    policy = selection.policy
    if selection.preset or "lambda_" not in {
        item.name for item in named(policy.selector).parameters
    }:
        return {}
    intervals = path(selection.pool, policy, Axis.LAMBDA).intervals
    now = next(i for i, part in enumerate(intervals) if policy.lambda_ in part)
    found: dict[int, tuple[float, float]] = {}
    for slot, index in enumerate(selection.indices):
        low, high = now, now
        while low > 0 and _holds(intervals[low - 1].indices, slot, int(index)):
            low -= 1
        while high + 1 < len(intervals) and _holds(intervals[high + 1].indices, slot, int(index)):
            high += 1
        found[slot + 1] = (intervals[low].low, intervals[high].high)
    return found


def _holds(indices: tuple[int, ...], slot: int, index: int) -> bool:
    return slot < len(indices) and indices[slot] == index


def rows(selection: Selection) -> tuple[PoolRow, ...]:
    """Return every candidate of the pool in rank order, each with its slot or its reason."""
    slots = {int(index): slot + 1 for slot, index in enumerate(selection.indices)}
    return tuple(_row(selection, index, slots.get(index)) for index in range(len(selection.pool)))


def _row(selection: Selection, index: int, slot: int | None) -> PoolRow:
    pool = selection.pool
    why = selection.reason(index)
    return PoolRow(
        index=index,
        slot=slot,
        reason=wording.reason(selection, index),
        cause="selected" if why is None else why.cause.value,
        facets=tuple(
            facet.label
            for facet, mark in zip(pool.facets, pool.marks[index], strict=True)
            if mark == SUPPORTS
        ),
    )


def shared_text(first: str, second: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Split two passages into shared and own pieces; joined, the pieces are the passages again.

    Runs of fewer than three shared words count as own: every two passages share some.
    """
    left, right = _TOKENS.findall(first), _TOKENS.findall(second)
    matcher = difflib.SequenceMatcher(None, left[:MOST_WORDS], right[:MOST_WORDS], autojunk=False)
    blocks = [
        block
        for block in matcher.get_matching_blocks()
        if _words(left[block.a : block.a + block.size]) >= LEAST_SHARED_WORDS
    ]
    return (
        tuple(_pieces(left, [(block.a, block.size) for block in blocks])),
        tuple(_pieces(right, [(block.b, block.size) for block in blocks])),
    )


def _words(tokens: list[str]) -> int:
    return sum(1 for token in tokens if token[0].isalnum())


def _pieces(tokens: list[str], shared: list[tuple[int, int]]) -> Iterator[Piece]:
    place = 0
    for start, size in shared:
        if start > place:
            yield Piece("".join(tokens[place:start]), is_shared=False)
        yield Piece("".join(tokens[start : start + size]), is_shared=True)
        place = start + size
    if place < len(tokens):
        yield Piece("".join(tokens[place:]), is_shared=False)


def pairwise(selection: Selection) -> Floats:
    """Return the cosine of every pair of picks in the order handed out, ``nan`` without vectors."""
    picks = list(selection.ordered)
    pool = selection.pool
    if pool.vectors is None:
        return np.full((len(picks), len(picks)), np.nan)
    rows_ = pool.vectors[picks]
    cosines = rows_ @ rows_.T
    missing = ~pool.vector_mask[picks]
    cosines[missing, :] = np.nan
    cosines[:, missing] = np.nan
    return cosines


def neighbours(pool: Pool, index: int, reach: int = 2) -> tuple[int, ...]:
    """Return the candidates of the same source at positions near a candidate's, in document order.

    Args:
        pool: The pool.
        index: The candidate; it is among the result where its position is known.
        reach: How far away a position may lie.
    """
    place, source = pool.positions[index], pool.sources[index]
    if place is None or source is None:
        return ()
    near = [
        other
        for other in range(len(pool))
        if pool.sources[other] == source and _near(pool.positions[other], place, reach)
    ]
    return tuple(sorted(near, key=lambda other: (pool.positions[other] or 0, other)))


def _near(position: int | None, place: int, reach: int) -> bool:
    return position is not None and abs(position - place) <= reach
