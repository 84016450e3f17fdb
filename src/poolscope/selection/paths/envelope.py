"""The upper envelope of candidates' scores over lambda, for many sets of picks at once.

Given the picks before, a candidate's score is a line over lambda: ``lambda * relevance -
(1 - lambda) * redundancy``. Who is picked follows the upper envelope of these lines, and near a
crossing the rule for ties. Arrays only. Shapes are written in ``s`` (sets of picks), ``m``
(candidates, best relevance first), ``w`` (candidates that can win, padded), ``q`` (questions).
"""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from poolscope.geometry import TOLERANCE, Bools, Floats, Ints

NEVER = 1e300
"""Redundancy, and minus relevance, of a padding column: it wins nowhere in 0..1."""

ULP = 1e-15
"""Distance in lambda that counts as no distance: a few floating-point numbers next to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The candidates that every set of picks chooses from.

    Args:
        index: Shape ``(m,)``, the candidate of each column; by relevance, ties by rank.
        relevance: Shape ``(m,)``, falling.
        spare: Shape ``(m,)``, by how much a candidate may be dominated and still win a tie;
            ``None`` where the order by relevance is the order by rank, so that it never can.
    """

    index: Ints
    relevance: Floats
    spare: Floats | None

    @classmethod
    def of(cls, index: Ints, relevance: Floats) -> Self:
        """Prepare columns from eligible candidates.

        Args:
            index: Shape ``(m,)``, rising.
            relevance: Shape ``(m,)``.
        """
        order = np.argsort(-relevance, kind="stable")
        index, relevance = index[order], relevance[order]
        behind = np.zeros(len(index), dtype=np.bool_)
        behind[1:] = np.maximum.accumulate(index)[:-1] > index[1:]
        if not behind.any():
            return cls(index, relevance, None)
        most = 4.0 * TOLERANCE * (1.0 + float(np.abs(relevance).max()))
        gaps = np.diff(relevance, prepend=np.inf)
        spare = np.where(behind, np.where(-gaps <= most, np.inf, most), 0.0)
        return cls(index, relevance, spare)


@dataclass(frozen=True, slots=True, eq=False)
class Front:
    """For every set of picks the candidates that win somewhere in 0..1, in rank order.

    Args:
        columns: Shape ``(s, w)``, numbers of columns; padding repeats column 0.
        relevance: Shape ``(s, w)``.
        redundancy: Shape ``(s, w)``.
        sizes: Shape ``(s,)``, how many of ``w`` are real; 0 where nobody is left.
    """

    columns: Ints
    relevance: Floats
    redundancy: Floats
    sizes: Ints

    @classmethod
    def of(cls, columns: Columns, redundancy: Floats) -> Self:
        """Keep who is not beaten at every lambda: no better ranked candidate is less redundant.

        Args:
            columns: The candidates.
            redundancy: Shape ``(s, m)``, ``inf`` where a candidate cannot be picked.
        """
        bar = np.minimum.accumulate(redundancy[:, :-1], axis=1)
        if columns.spare is not None:
            bar = bar + columns.spare[1:]
        keep = redundancy < np.inf
        keep[:, 1:] &= redundancy[:, 1:] < bar
        rows, chosen = np.nonzero(keep)
        if columns.spare is not None:
            by_rank = np.lexsort((columns.index[chosen], rows))
            rows, chosen = rows[by_rank], chosen[by_rank]
        sizes = np.bincount(rows, minlength=len(redundancy))
        width = max(int(sizes.max(initial=0)), 1)
        place = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        shape = (len(redundancy), width)
        padded = cls(
            np.zeros(shape, dtype=np.intp), np.full(shape, -NEVER), np.full(shape, NEVER), sizes
        )
        padded.columns[rows, place] = chosen
        padded.relevance[rows, place] = columns.relevance[chosen]
        padded.redundancy[rows, place] = redundancy[rows, chosen]
        return padded

    def winners(self, sets: Ints, lambdas: Floats) -> Ints:
        """Find who wins at a lambda, by the very arithmetic of ``select``: places in ``w``.

        Args:
            sets: Shape ``(q,)``, the set of each question.
            lambdas: Shape ``(q,)``.
        """
        relevance, redundancy = self.relevance[sets], self.redundancy[sets]
        scores = relevance * lambdas[:, None] - (1.0 - lambdas[:, None]) * redundancy
        best = scores.argmax(axis=1)
        each = np.arange(len(sets))
        slack = TOLERANCE * (
            np.abs(relevance[each, best] * lambdas)
            + (1.0 - lambdas) * np.abs(redundancy[each, best])
        )
        return (scores >= (scores[each, best] - slack)[:, None]).argmax(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Stretches of lambda whose ends have different winners.

    Args:
        node: Shape ``(q,)``, what each belongs to.
        low: Shape ``(q,)``, the left end.
        left: Shape ``(q,)``, who wins there.
        high: Shape ``(q,)``, the right end.
        right: Shape ``(q,)``, who wins there.
    """

    node: Ints
    low: Floats
    left: Ints
    high: Floats
    right: Ints

    def __len__(self) -> int:
        return len(self.node)

    def where(self, mask: Bools) -> Self:
        """Return the spans under a mask."""
        return type(self)(*(getattr(self, item.name)[mask] for item in fields(self)))

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """Return all spans of several as one."""
        return cls(
            *(np.concatenate([getattr(p, item.name) for p in parts]) for item in fields(cls))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Duels:
    """Pairs of candidates, one of which hands over to the other as lambda rises.

    Args:
        relevance: Shape ``(2, q)``: of the better ranked, of the other.
        redundancy: Shape ``(2, q)``, the same way.
        better_is_left: Shape ``(q,)``, whether the better ranked wins at the lower lambda.
    """

    relevance: Floats
    redundancy: Floats
    better_is_left: Bools

    @classmethod
    def of(cls, front: Front, sets: Ints, left: Ints, right: Ints) -> Self:
        """Pair two winners; who is better ranked stands further to the front."""
        pair = np.stack((np.minimum(left, right), np.maximum(left, right)))
        return cls(front.relevance[sets, pair], front.redundancy[sets, pair], left < right)

    def crossings(self) -> tuple[Floats, Floats]:
        """Bracket where the better ranked stops, or starts, being equal or better.

        Returns:
            Two bounds of shape ``(q,)``, as close as rounding allows; not finite where the two
            lines are parallel.
        """
        bonus = TOLERANCE * np.abs(self.relevance[1])
        at_one = self.relevance[0] - self.relevance[1] + bonus
        at_zero = self.redundancy[1] - self.redundancy[0] + TOLERANCE * np.abs(self.redundancy[1])
        size = np.abs(self.relevance).max(axis=0) + np.abs(self.redundancy).max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = at_zero / (at_zero - at_one)
            blur = ULP * (1.0 + size / np.abs(at_zero - at_one))
            return crossing - blur, crossing + blur

    def left_wins(self, lambdas: Floats) -> Bools:
        """Say whether the left one wins, by the very arithmetic of ``select``; shape ``(q,)``."""
        weighted = self.relevance * lambdas
        penalty = (1.0 - lambdas) * self.redundancy
        scores = weighted - penalty
        slack = TOLERANCE * (np.abs(weighted[1]) + (1.0 - lambdas) * np.abs(self.redundancy[1]))
        better_wins = scores[0] >= scores[1] - slack
        return better_wins == self.better_is_left


def handovers(front: Front, sets: Ints, low: Floats, high: Floats) -> tuple[Ints, Spans]:
    """Find every change of the winner between two ends.

    A stretch with one winner at both ends has it throughout, since the envelope is convex; one
    with two is cut where the two are equal, and so on until each cut has only its two on its
    sides.

    Args:
        front: Who can win.
        sets: Shape ``(q,)``, the set of picks of each stretch.
        low: Shape ``(q,)``, left ends.
        high: Shape ``(q,)``, right ends.

    Returns:
        Who wins at the left ends, and a narrow span around every change.
    """
    count = len(sets)
    both = front.winners(np.concatenate((sets, sets)), np.concatenate((low, high)))
    first, last = both[:count], both[count:]
    spans = Spans(np.arange(count), low, first, high, last).where(first != last)
    found: list[Spans] = [spans.where(np.zeros(len(spans), dtype=np.bool_))]
    while len(spans):
        settled, spans = _cut(front, sets, spans)
        found.append(settled)
    return first, Spans.joined(found)


def _cut(front: Front, sets: Ints, spans: Spans) -> tuple[Spans, Spans]:
    """Cut every span where its two winners are equal; return what is settled and what is not."""
    rows, count = sets[spans.node], len(spans)
    below, above = _cuts(Duels.of(front, rows, spans.left, spans.right), spans)
    both = front.winners(np.concatenate((rows, rows)), np.concatenate((below, above)))
    at_below, at_above = both[:count], both[count:]
    settled = (at_below == spans.left) & (at_above == spans.right)
    close = spans.high - spans.low <= ULP
    narrow = Spans(
        spans.node,
        np.where(close, spans.low, below),
        spans.left,
        np.where(close, spans.high, above),
        spans.right,
    )
    parts = Spans.joined(
        [
            Spans(spans.node, spans.low, spans.left, below, at_below),
            Spans(spans.node, below, at_below, above, at_above),
            Spans(spans.node, above, at_above, spans.high, spans.right),
        ]
    )
    done = settled | close
    return narrow.where(done), parts.where((parts.left != parts.right) & ~np.tile(done, 3))


def _cuts(duels: Duels, spans: Spans) -> tuple[Floats, Floats]:
    """Place two cuts closely around each crossing; at the middle where that leads nowhere."""
    below, above = duels.crossings()
    below, above = np.maximum(below, spans.low), np.minimum(above, spans.high)
    useful = (below < above) & ((below > spans.low) | (above < spans.high))
    middle = (spans.low + spans.high) / 2.0
    return np.where(useful, below, middle), np.where(useful, above, middle)
