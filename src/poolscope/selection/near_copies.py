"""Near copies, taken out before a selector chooses; the best ranked of them stays.

The walk goes by rank. Whoever is a near copy of a candidate that stays is out; whoever is only
like one that is out already stays: likeness is not passed on. A pinned candidate stays whatever it
is like, and is met before all others. Who is banned, beyond the depth or out for want of a vector
neither goes nor takes anyone with it. Shapes are written in ``n`` (candidates of the pool).
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from poolscope import geometry
from poolscope.geometry import TOLERANCE, Bools, Ints
from poolscope.model import Copies, NearCopy, Policy, Pool

RUN = 3
"""Words in a row that make a run; a text of fewer words is one run."""
BLOCK = 256
"""Candidates whose cosines are worked out together."""

Runs: TypeAlias = frozenset[tuple[str, ...]]

_WORD = re.compile(r"\w+")
_KINDS = tuple(NearCopy)


@dataclass(frozen=True, slots=True)
class _Hit:
    """One candidate found to be a near copy of another.

    Args:
        of: The candidate that stays.
        similarity: What the test measured.
    """

    of: int
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What was found in a pool, and for which question.

    Args:
        asked: Fingerprint of who took part, whatever the depth, and of the pins.
        depth: How many candidates were looked at.
        copies: The answer, which holds for every smaller depth too.
    """

    asked: str
    depth: int
    copies: Copies


class _Test(Protocol):
    """One way to tell near copies, private to one walk."""

    def find(self, index: int) -> _Hit | None:
        """Return the first of those that stay which a candidate is a copy of."""

    def keep(self, index: int) -> None:
        """Note that a candidate stays."""


def near_copies(
    pool: Pool, policy: Policy, *, part: Bools, depth: int, pinned: Sequence[int]
) -> Copies:
    """Find the near copies among the candidates that take part; kept with the pool.

    Args:
        pool: The pool.
        policy: Names the tests and their thresholds; a candidate that several tests find is
            noted under the first of them in the order of ``NearCopy``.
        part: Shape ``(n,)``, who takes part, whatever the depth.
        depth: How many candidates from rank 1 are looked at; those pinned are beyond it too.
        pinned: Candidates that stay.
    """
    tests = policy.near_copies
    limits = [f"{test.value} {policy.copy_threshold(test)!r}" for test in tests]
    name = f"near copies by {', '.join(limits)}"
    asked = hashlib.sha256(part.tobytes() + repr(list(pinned)).encode()).hexdigest()
    known = pool.kept.get(name)
    if isinstance(known, _Found) and known.asked == asked and known.depth >= depth:
        return known.copies
    marked = set(pinned)
    walk = [index for index in np.flatnonzero(part[:depth]).tolist() if index not in marked]
    copies = _copies(pool, policy, walk, pinned)
    pool.kept[name] = _Found(asked, depth, copies)
    return copies


def notes(pool: Pool, policy: Policy) -> Iterator[str]:
    """Say which test for near copies this pool cannot be put to."""
    if NearCopy.COSINE in policy.near_copies and pool.vectors is None:
        yield "No near copies by cosine are removed: the pool has no vectors."


def _copies(pool: Pool, policy: Policy, walk: Sequence[int], pinned: Sequence[int]) -> Copies:
    n = len(pool)
    of, kinds = np.full(n, -1, dtype=np.intp), np.full(n, -1, dtype=np.int8)
    similarities = np.full(n, np.nan)
    tests = {
        kind: _MAKERS[kind](pool, policy.copy_threshold(kind), walk)
        for kind in policy.near_copies
        if kind is not NearCopy.COSINE or pool.vectors is not None
    }
    for index in (*pinned, *walk):
        if index not in pinned:
            kind, hit = _first_hit(tests, index)
            if hit is not None:
                of[index], similarities[index] = hit.of, hit.similarity
                kinds[index] = _KINDS.index(kind)
                continue
        for test in tests.values():
            test.keep(index)
    read_only = geometry.read_only
    return Copies(read_only(of), read_only(kinds), read_only(similarities))


def _first_hit(tests: dict[NearCopy, _Test], index: int) -> tuple[NearCopy, _Hit | None]:
    for kind, test in tests.items():
        hit = test.find(index)
        if hit is not None:
            return kind, hit
    return NearCopy.TEXT, None


class _SameText:
    """The same characters from first to last; a text without any is no copy of another."""

    def __init__(self, pool: Pool, _: float, __: Sequence[int]) -> None:
        self._texts = pool.texts
        self._first: dict[str, int] = {}

    def find(self, index: int) -> _Hit | None:
        text = self._texts[index]
        return _Hit(self._first[text], 1.0) if text in self._first else None

    def keep(self, index: int) -> None:
        if self._texts[index].strip():
            self._first.setdefault(self._texts[index], index)


class _SharedRuns:
    """Jaccard index of runs of words, exact: shared runs are counted in an inverted index."""

    def __init__(self, pool: Pool, threshold: float, _: Sequence[int]) -> None:
        self._texts = pool.texts
        self._bar = threshold - TOLERANCE
        self._holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        self._runs: dict[int, Runs] = {}
        self._turn: dict[int, int] = {}

    def find(self, index: int) -> _Hit | None:
        mine = _runs(self._texts[index])
        self._runs[index] = mine
        shared = Counter(other for run in mine for other in self._holders.get(run, ()))
        hits = [
            _Hit(other, count / (len(mine) + len(self._runs[other]) - count))
            for other, count in shared.items()
        ]
        return min(
            (hit for hit in hits if hit.similarity >= self._bar),
            key=lambda hit: self._turn[hit.of],
            default=None,
        )

    def keep(self, index: int) -> None:
        mine = self._runs.setdefault(index, _runs(self._texts[index]))
        self._turn[index] = len(self._turn)
        for run in mine:
            self._holders[run].append(index)


class _SharedSpan:
    """The share of the shorter of two passages of one source that the other holds.

    By their offsets where both have them, else by the runs of words that they share.
    """

    def __init__(self, pool: Pool, threshold: float, _: Sequence[int]) -> None:
        self._pool = pool
        self._bar = threshold - TOLERANCE
        self._of_source: defaultdict[str, list[int]] = defaultdict(list)
        self._runs: dict[int, Runs] = {}

    def find(self, index: int) -> _Hit | None:
        source = self._pool.sources[index]
        if source is None:
            return None
        for other in self._of_source[source]:
            share = self._share(index, other)
            if share >= self._bar:
                return _Hit(other, share)
        return None

    def keep(self, index: int) -> None:
        source = self._pool.sources[index]
        if source is not None:
            self._of_source[source].append(index)

    def _share(self, first: int, second: int) -> float:
        one, other = self._pool.spans[first], self._pool.spans[second]
        if one is not None and other is not None:
            shorter = min(one[1] - one[0], other[1] - other[0])
            shared = min(one[1], other[1]) - max(one[0], other[0])
            return max(shared, 0) / shorter if shorter > 0 else 0.0
        mine, theirs = self._of(first), self._of(second)
        shorter = min(len(mine), len(theirs))
        return len(mine & theirs) / shorter if shorter else 0.0

    def _of(self, index: int) -> Runs:
        if index not in self._runs:
            self._runs[index] = _runs(self._pool.texts[index])
        return self._runs[index]


class _Cosine:
    """Cosine, a block of candidates at a time; without a vector, or with a zero one, no copy."""

    def __init__(self, pool: Pool, threshold: float, walk: Sequence[int]) -> None:
        assert pool.vectors is not None  # noqa: S101 - only made where there are any
        self._rows = pool.vectors
        self._bar = threshold - TOLERANCE
        self._place = {index: place for place, index in enumerate(walk)}
        self._walk = np.array(walk, dtype=np.intp)
        self._kept: list[int] = []
        self._start = -1
        self._settled: Ints = np.empty(0, dtype=np.intp)
        self._within: Bools = np.empty((0, 0), dtype=np.bool_)
        self._fresh: list[int] = []

    def find(self, index: int) -> _Hit | None:
        place = self._place[index]
        if not 0 <= self._start <= place < self._start + BLOCK:
            self._open(place - place % BLOCK)
        row = place - self._start
        if self._settled[row] >= 0:
            return self._hit(index, int(self._settled[row]))
        for fresh in self._fresh:
            if self._within[row, fresh]:
                return self._hit(index, int(self._walk[self._start + fresh]))
        return None

    def keep(self, index: int) -> None:
        self._kept.append(index)
        if index in self._place:
            self._fresh.append(self._place[index] - self._start)

    def _open(self, start: int) -> None:
        """Hold the next block against those that stay, and against itself."""
        block = self._rows[self._walk[start : start + BLOCK]]
        settled = np.full(len(block), -1, dtype=np.intp)
        if self._kept:
            near = block @ self._rows[self._kept].T >= self._bar
            hit = near.any(axis=1)
            settled[hit] = np.array(self._kept)[near[hit].argmax(axis=1)]
        self._start, self._fresh = start, []
        self._settled, self._within = settled, block @ block.T >= self._bar

    def _hit(self, index: int, of: int) -> _Hit:
        return _Hit(of, float(self._rows[index] @ self._rows[of]))


def _runs(text: str) -> Runs:
    """Return the different runs of words of a text, lower case, without punctuation."""
    row = _WORD.findall(text.casefold())
    if len(row) <= RUN:
        return frozenset([tuple(row)] if row else ())
    return frozenset(zip(*(row[shift:] for shift in range(RUN)), strict=False))


_MAKERS: dict[NearCopy, Callable[[Pool, float, Sequence[int]], _Test]] = {
    NearCopy.TEXT: _SameText,
    NearCopy.WORDS: _SharedRuns,
    NearCopy.SPANS: _SharedSpan,
    NearCopy.COSINE: _Cosine,
}
