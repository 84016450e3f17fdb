"""What stands in the context twice: copies, near copies, and chunks cut with overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poolscope.diagnosis.likeness import Likeness
from poolscope.diagnosis.shared_text import (
    COPIED,
    Words,
    common_runs,
    overlap,
    resemblance,
    without,
    words,
)
from poolscope.geometry import NEAR_COPY, Ints
from poolscope.model import Pool

SHARED_TEXT = 0.2
"""Share of the shorter chunk that two chunks must have in common to overlap."""

SAME_ORDER = 0.5
"""Share of neighbouring words in common from which two passages are near copies."""

NEAR_COPY_DISTANCE = 0.12
"""Distance of two near copies, relative to the pool's usual distance."""

CONTRADICTED = 0.3
"""Distance, relative to the pool's usual one, at which vectors deny that texts are copies."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Picks that repeat an earlier pick.

    Args:
        exact: How many picks have the text of an earlier one.
        near: How many more say almost the same words, or have almost the same vector.
        first: The first pair, pool indices; ``None`` without one.
    """

    exact: int
    near: int
    first: tuple[int, int] | None

    @property
    def wasted(self) -> int:
        """How many slots hold a repetition."""
        return self.exact + self.near


@dataclass(frozen=True, slots=True)
class Close:
    """A pick whose vector is close to that of an earlier one, and that is no copy of it.

    Args:
        pair: Pool indices, the earlier pick first.
        cosine: Of the two.
        resemblance: Share of their neighbouring words that both have.
        shares_text: Whether the two overlap, which is counted apart.
        is_usual: Whether such a cosine is nothing special in the pool.
    """

    pair: tuple[int, int]
    cosine: float
    resemblance: float
    shares_text: bool
    is_usual: bool


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Picks of one document that share text.

    Args:
        pairs: Pool indices of two picks each.
        shares: Shared part of the shorter chunk, one a pair.
        involved: How many picks share text with another.
        repeated: How many slots' worth of text stands in the context a second time.
    """

    pairs: tuple[tuple[int, int], ...]
    shares: tuple[float, ...]
    involved: int
    repeated: float


@dataclass(frozen=True, eq=False)
class Repetition:
    """The picks held against one another.

    Args:
        pool: The pool, of ``n`` candidates.
        picks: Pool indices of the picks in the order of selection.
        best: Pool indices of the candidates that say which words most passages hold.
        groups: Number of each candidate's source, shape ``(n,)``.
        likeness: The picks by their vectors.
    """

    pool: Pool
    picks: tuple[int, ...]
    best: tuple[int, ...]
    groups: Ints
    likeness: Likeness

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """The picks' texts as words, in the order of the picks, without what most passages hold."""
        return tuple(self._words_of(index) for index in self.picks)

    @cached_property
    def _read(self) -> dict[int, Words]:
        return {index: words(self.pool.texts[index]) for index in self.best}

    @cached_property
    def _common(self) -> frozenset[tuple[str, ...]]:
        return common_runs(tuple(self._read.values()))

    def _words_of(self, index: int) -> Words:
        read = self._read.get(index)
        return without(words(self.pool.texts[index]) if read is None else read, self._common)

    @cached_property
    def copies(self) -> Copies:
        """Picks that repeat an earlier one."""
        exact, near = 0, 0
        first: tuple[int, int] | None = None
        for later in range(len(self.picks)):
            same = [i for i in range(later) if self._is_exact(i, later)]
            alike = same or [i for i in range(later) if self._is_near_copy(i, later)]
            exact += bool(same)
            near += bool(alike) and not same
            if alike and first is None:
                first = (self.picks[alike[0]], self.picks[later])
        return Copies(exact, near, first)

    @cached_property
    def not_counted(self) -> tuple[Close, ...]:
        """Picks whose vector is close to an earlier one's and that are no copy of any."""
        found = []
        for later in range(len(self.picks)):
            earlier = range(later)
            if any(self._is_exact(i, later) or self._is_near_copy(i, later) for i in earlier):
                continue
            close = [i for i in earlier if self.likeness.cosines[i, later] >= NEAR_COPY]
            if close:
                found.append(self._close(close[0], later))
        return tuple(found)

    def _close(self, first: int, second: int) -> Close:
        shares = self._shared(first, second) >= SHARED_TEXT
        return Close(
            pair=(self.picks[first], self.picks[second]),
            cosine=float(self.likeness.cosines[first, second]),
            resemblance=resemblance(self.words[first], self.words[second]),
            shares_text=shares,
            is_usual=not shares and not self._is_very_close(first, second),
        )

    def _is_exact(self, first: int, second: int) -> bool:
        row = self.words[first].row
        if not row or row != self.words[second].row or self._is_denied(first, second):
            return False
        return len(row) > 2 or self._is_very_close(first, second)

    def _is_near_copy(self, first: int, second: int) -> bool:
        if SHARED_TEXT <= self._shared(first, second) < COPIED:
            return False
        one, other = self.words[first], self.words[second]
        close = self._is_very_close(first, second)
        if not (one.is_informative and other.is_informative):
            return close
        alike = resemblance(one, other)
        if alike >= SAME_ORDER:
            return not self._is_denied(first, second)
        return close and alike >= SAME_ORDER / 2.0

    def _is_very_close(self, first: int, second: int) -> bool:
        cosine = float(self.likeness.cosines[first, second])
        return cosine >= NEAR_COPY and self._distance(cosine) <= NEAR_COPY_DISTANCE

    def _is_denied(self, first: int, second: int) -> bool:
        """Whether the vectors say that two passages differ, whatever their texts say."""
        cosine = float(self.likeness.cosines[first, second])
        return not np.isnan(cosine) and cosine < 0.9 and self._distance(cosine) > CONTRADICTED

    def _distance(self, cosine: float) -> float:
        usual = self.likeness.usual_distance
        return (1.0 - cosine) / usual if usual > 0.0 else 1.0

    @cached_property
    def overlaps(self) -> Overlaps:
        """Picks of one document whose offsets or texts overlap."""
        pairs, shares = [], []
        most: dict[int, float] = {}
        for later in range(len(self.picks)):
            for earlier in range(later):
                share = self._shared(earlier, later)
                if share >= SHARED_TEXT:
                    pairs.append((self.picks[earlier], self.picks[later]))
                    shares.append(share)
                    most[later] = max(most.get(later, 0.0), share)
        involved = len({index for pair in pairs for index in pair})
        return Overlaps(tuple(pairs), tuple(shares), involved, sum(most.values()))

    def _shared(self, first: int, second: int) -> float:
        """Return the shared part of the shorter of two picks of one source."""
        return self._shared_by(
            (self.picks[first], self.words[first]), (self.picks[second], self.words[second])
        )

    def _shared_by(self, first: tuple[int, Words], second: tuple[int, Words]) -> float:
        (a, own), (b, other) = first, second
        if self.groups[a] != self.groups[b]:
            return 0.0
        by_text = overlap(own, other)
        span, other_span = self.pool.spans[a], self.pool.spans[b]
        if span is None or other_span is None:
            return by_text
        (start, end), (other_start, other_end) = span, other_span
        shorter = max(min(end - start, other_end - other_start), 1)
        return max(by_text, (min(end, other_end) - max(start, other_start)) / shorter)

    def passed_over(self, ranked: Sequence[int], k: int) -> tuple[int, ...]:
        """Walk down some candidates and pass over each that shares text with a better one taken."""
        taken: list[tuple[int, Words]] = []
        for index in ranked:
            if len(taken) == k:
                break
            candidate = (index, self._words_of(index))
            if all(self._shared_by(one, candidate) < SHARED_TEXT for one in taken):
                taken.append(candidate)
        return tuple(index for index, _ in taken)
