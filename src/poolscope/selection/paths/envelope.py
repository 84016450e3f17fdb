"""The upper envelope of candidates' scores over lambda, for many sets of picks at once.

Given the picks before, a candidate's score is a line over lambda: ``lambda * relevance -
(1 - lambda) * redundancy``. Who is picked follows the upper envelope of these lines, and near a
crossing the rule for ties. Arrays only. Shapes are written in ``s`` (sets of picks), ``m``
(candidates, best relevance first), ``w`` (candidates that can win, padded), ``q`` (questions).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from poolscope.geometry import TOLERANCE, Bools, Floats, Ints

NEVER = 1e300
"""Redundancy, and minus relevance, of a padding column: it wins nowhere in 0..1."""

PARTS = 32
"""Parts into which a stretch is cut at a time to find where the winner changes."""
_STEPS = np.arange(1, PARTS)[:, None]

ULP = 1e-15
"""Distance in lambda that counts as no distance: a few floating-point numbers next to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The candidates that every set of picks chooses from.

    Args:
        index: Shape ``(m,)``, the candidate of each column; by unscaled relevance, ties by rank.
        relevance: Shape ``(m,)``, as weighed; falling.
        spare: Shape ``(m,)``, by how much a candidate may be dominated and still win a tie;
            ``None`` where the order by relevance is the order by rank, so that it never can.
    """

    index: Ints
    relevance: Floats
    spare: Floats | None

    @classmethod
    def of(cls, index: Ints, weighed: Floats) -> Self:
        """Prepare columns from eligible candidates.

        Args:
            index: Shape ``(m,)``, by unscaled relevance, ties by rank.
            weighed: Shape ``(n,)``, the relevance that MMR weighs.
        """
        relevance = weighed[index]
        behind = np.zeros(len(index), dtype=np.bool_)
        behind[1:] = np.maximum.accumulate(index)[:-1] > index[1:]
        if not behind.any():
            return cls(index, relevance, None)
        most = 4.0 * TOLERANCE * (1.0 + float(np.abs(relevance).max()))
        lead = -np.diff(relevance, prepend=np.inf)
        return cls(index, relevance, np.where(behind, np.where(lead <= most, np.inf, most), 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Front:
    """For every set of picks the candidates that win somewhere in 0..1, in rank order.

    Args:
        columns: Shape ``(s, w)``, numbers of columns; ``m`` where padded.
        relevance: Shape ``(s, w)``.
        redundancy: Shape ``(s, w)``.
        sizes: Shape ``(s,)``, how many of ``w`` are real; 0 where nobody is left.
        top: Shape ``(s,)``, who wins by relevance alone.
    """

    columns: Ints
    relevance: Floats
    redundancy: Floats
    sizes: Ints
    top: Ints

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
        numbers = np.full(shape, redundancy.shape[1])
        numbers[rows, place] = chosen
        relevance, penalty = np.full(shape, -NEVER), np.full(shape, NEVER)
        relevance[rows, place] = columns.relevance[chosen]
        penalty[rows, place] = redundancy[rows, chosen]
        return cls(numbers, relevance, penalty, sizes, numbers.argmin(axis=1))

    def winners(self, sets: Ints, lambdas: Floats) -> Ints:
        """Find who wins at a lambda, by the very arithmetic of ``select``.

        Args:
            sets: Shape ``(q,)``, the set of picks of each question.
            lambdas: Shape ``(2, q)``, two questions to each.

        Returns:
            Shape ``(2, q)``, places in ``w``.
        """
        relevance, weight = self.relevance[sets], lambdas[:, :, None]
        scores = weight * relevance - (1.0 - weight) * self.redundancy[sets]
        best = relevance[np.arange(len(sets)), scores.argmax(axis=2)]
        bar = scores.max(axis=2) - slack(lambdas, best)
        winners = (scores >= bar[:, :, None]).argmax(axis=2)
        return np.where(lambdas == 1.0, self.top[sets], winners)


def slack(lambdas: Floats | float, relevance: Floats) -> Floats:
    """How far below the best score a score still equals it, as in ``select``; any one shape."""
    return TOLERANCE * (lambdas * np.abs(relevance) + 1.0 - lambdas)


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Stretches of lambda whose ends have different winners.

    Args:
        ends: Shape ``(2, q)``, the left and the right end.
        who: Shape ``(3, q)``: what each belongs to, who wins at its left end, who at its right.
    """

    ends: Floats
    who: Ints

    def __len__(self) -> int:
        return len(self.ends[0])

    def where(self, mask: Bools) -> Self:
        """Return the spans under a mask."""
        return type(self)(self.ends[:, mask], self.who[:, mask])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the spans of several as one."""
        ends, who = [part.ends for part in parts], [part.who for part in parts]
        return cls(np.concatenate(ends, axis=1), np.concatenate(who, axis=1))


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
    def of(cls, front: Front, sets: Ints, spans: Spans) -> Self:
        """Pair the winners of spans; who is better ranked stands further to the front.

        Args:
            front: Who can win.
            sets: Shape ``(q,)``, the set of picks of each span.
            spans: ``q`` of them.
        """
        _, left, right = spans.who
        pair = np.array((np.minimum(left, right), np.maximum(left, right)))
        return cls(front.relevance[sets, pair], front.redundancy[sets, pair], left < right)

    def where(self, mask: Bools) -> Self:
        """Return the duels under a mask."""
        return type(self)(
            self.relevance[:, mask], self.redundancy[:, mask], self.better_is_left[mask]
        )

    def crossings(self) -> tuple[Floats, Floats]:
        """Bracket where the better ranked stops, or starts, being equal or better.

        Returns:
            Two bounds of shape ``(q,)``, as close as rounding allows; not finite where the two
            lines are parallel.
        """
        relevance, redundancy = self.relevance, self.redundancy
        at_one = relevance[0] - relevance[1] + slack(1.0, relevance[1])
        at_zero = redundancy[1] - redundancy[0] + slack(0.0, relevance[1])
        size = 1.0 + np.abs(relevance[0]) + np.abs(relevance[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = at_zero - at_one
            crossing = at_zero / slope
            blur = ULP * (1.0 + size / np.abs(slope))
            return crossing - blur, crossing + blur

    def narrowed(self, ends: Floats) -> Floats:
        """Cut spans around each change until their ends are neighbouring numbers.

        Args:
            ends: Shape ``(2, q)``: where the left one still wins, and where the right one does.

        Returns:
            The same shape.
        """
        # Floating-point numbers from 0 up are ordered as the whole numbers with the same bits.
        below, above = ends.copy().view(np.int64)
        column = np.arange(len(below))
        while (above - below > 1).any():
            width = above - below
            cuts = below + (width // PARTS) * _STEPS + (width % PARTS) * _STEPS // PARTS
            left = self.left_wins(cuts.view(np.float64)) | (cuts == below)
            first = np.where(left.all(axis=0), PARTS - 1, left.argmin(axis=0))
            marks = np.vstack((below, cuts, above))
            below, above = marks[first, column], marks[first + 1, column]
        return np.array((below, above)).view(np.float64)

    def left_wins(self, lambdas: Floats) -> Bools:
        """Say whether the left one wins, by the very arithmetic of ``select``.

        Args:
            lambdas: Shape ``(..., q)``.

        Returns:
            The same shape.
        """
        rest = 1.0 - lambdas
        better = lambdas * self.relevance[0] - rest * self.redundancy[0]
        other = lambdas * self.relevance[1] - rest * self.redundancy[1]
        better_wins = better >= other - slack(lambdas, self.relevance[1])
        left_wins: Bools = better_wins == self.better_is_left
        return left_wins


def handovers(front: Front, sets: Ints, low: Floats, high: Floats) -> tuple[Ints, Spans]:
    """Find every change of the winner between two ends.

    A stretch with one winner at both ends has it throughout, since the envelope is convex; one
    with two is cut where the two are equal, and so on until each cut has only its two on its
    sides. Then the change is placed between two neighbouring floating-point numbers.

    Args:
        front: Who can win.
        sets: Shape ``(q,)``, the set of picks of each stretch.
        low: Shape ``(q,)``, left ends.
        high: Shape ``(q,)``, right ends.

    Returns:
        Who wins at the left ends; and a span around every change, from the last number before
        it to the first after it.
    """
    ends = np.array((low, high))
    first, last = front.winners(sets, ends)
    spans = Spans(ends, np.array((np.arange(len(sets)), first, last))).where(first != last)
    found: list[Spans] = []
    while len(spans) or not found:
        settled, duels, spans = _cut(front, sets[spans.who[0]], spans)
        found.append(_narrowed(front, sets, settled, duels))
    return first, found[0] if len(found) == 1 else Spans.joined(found)


def _narrowed(front: Front, sets: Ints, spans: Spans, duels: Duels) -> Spans:
    """Narrow every span until its ends are neighbouring floating-point numbers.

    The two that a span is about decide most of them; where a third wins between, as rounding or
    the rule for ties has it, everybody is asked at every step, and the span becomes several.
    """
    if not len(spans):
        return spans
    ends = duels.narrowed(spans.ends)
    right = (front.winners(sets[spans.who[0]], ends) == spans.who[1:]).all(axis=0)
    narrow = Spans(ends, spans.who).where(right)
    if right.all():
        return narrow
    return Spans.joined([narrow, _asked(front, sets, spans.where(~right))])


def _asked(front: Front, sets: Ints, spans: Spans) -> Spans:
    """Halve spans, asking who wins at every middle, until their ends are neighbours."""
    found: list[Spans] = []
    while len(spans):
        low, high = spans.ends.view(np.int64)
        done = high - low <= 1
        found.append(spans.where(done))
        spans = spans.where(~done)
        low, high = spans.ends.view(np.int64)
        node, left, right = spans.who
        middle = (low + (high - low) // 2).view(np.float64)
        winner = front.winners(sets[node], np.array((middle, middle)))[0]
        parts = Spans.joined(
            [
                Spans(np.array((spans.ends[0], middle)), np.array((node, left, winner))),
                Spans(np.array((middle, spans.ends[1])), np.array((node, winner, right))),
            ]
        )
        spans = parts.where(parts.who[1] != parts.who[2])
    return Spans.joined(found)


def _cut(front: Front, sets: Ints, spans: Spans) -> tuple[Spans, Duels, Spans]:
    """Cut every span where its two winners are equal; return what is settled and what is not."""
    duels = Duels.of(front, sets, spans)
    cuts = _cuts(duels, spans)
    winners = front.winners(sets, cuts)
    low, high = spans.ends
    close = high - low <= ULP
    done = (winners == spans.who[1:]).all(axis=0) | close
    narrow = Spans(np.where(close, spans.ends, cuts), spans.who)
    if done.all():
        return narrow, duels, spans.where(~done)
    node, left, right = spans.who
    below, above = cuts
    at_below, at_above = winners
    parts = Spans.joined(
        [
            Spans(np.array((low, below)), np.array((node, left, at_below))),
            Spans(cuts, np.array((node, at_below, at_above))),
            Spans(np.array((above, high)), np.array((node, at_above, right))),
        ]
    )
    unsettled = parts.where((parts.who[1] != parts.who[2]) & ~np.tile(done, 3))
    return narrow.where(done), duels.where(done), unsettled


def _cuts(duels: Duels, spans: Spans) -> Floats:
    """Place two cuts closely around each crossing; at the middle where that leads nowhere.

    Returns:
        Shape ``(2, q)``.
    """
    low, high = spans.ends
    below, above = duels.crossings()
    below, above = np.maximum(below, low), np.minimum(above, high)
    useful = (below < above) & ((below > low) | (above < high))
    return np.where(useful, (below, above), (low + high) / 2.0)
