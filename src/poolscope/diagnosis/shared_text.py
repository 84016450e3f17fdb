"""What passages share, read off their words: copies, near copies, chunks cut with overlap.

Nothing here knows of pools or vectors. A text is informative when it has enough words to tell a
copy from a coincidence.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

ENOUGH = 6
"""Words from which on a text tells anything."""

RUN = 6
"""Words in a row that two texts must share before it counts as shared text."""

LONG = 10
"""Words in a row that say that one passage continues another, whatever their labels say."""

COPIED = 0.85
"""Share of the shorter text from which two texts are copies rather than neighbours."""

ENOUGH_PASSAGES = 8
"""Passages from which on it can be said what most of them hold."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Words:
    """One passage as a row of words, lower case, without punctuation.

    Args:
        row: The words in order.
    """

    row: tuple[str, ...]

    @cached_property
    def pairs(self) -> frozenset[tuple[str, ...]]:
        """The different pairs of neighbouring words."""
        return frozenset(zip(self.row, self.row[1:], strict=False))

    @cached_property
    def runs(self) -> Mapping[tuple[str, ...], int]:
        """Where each run of ``RUN`` words stands first."""
        places: dict[tuple[str, ...], int] = {}
        for start in range(len(self.row) - RUN + 1):
            places.setdefault(self.row[start : start + RUN], start)
        return places

    @property
    def is_informative(self) -> bool:
        """Whether there are enough words to compare."""
        return len(self.row) >= ENOUGH


def words(text: str) -> Words:
    """Take a passage apart into words."""
    return Words(tuple(_WORD.findall(text.casefold())))


def resemblance(first: Words, second: Words) -> float:
    """Divide the pairs of neighbouring words that two passages share by all such pairs.

    Pairs and not words: two passages on one subject share its words, a copy shares their order.
    """
    together = len(first.pairs | second.pairs)
    return len(first.pairs & second.pairs) / together if together else 0.0


def common_runs(passages: Sequence[Words]) -> frozenset[tuple[str, ...]]:
    """Find the runs of words that most passages of a pool hold: a header, a footer, a disclaimer.

    Nothing is called common among fewer than ``ENOUGH_PASSAGES``.
    """
    if len(passages) < ENOUGH_PASSAGES:
        return frozenset()
    holders = Counter(run for passage in passages for run in passage.runs)
    return frozenset(run for run, count in holders.items() if 2 * count > len(passages))


def without(passage: Words, runs: frozenset[tuple[str, ...]]) -> Words:
    """Leave out the words that lie in some runs, unless nothing would be left."""
    row = passage.row
    is_common = [False] * len(row)
    for start in range(len(row) - RUN + 1):
        if row[start : start + RUN] in runs:
            is_common[start : start + RUN] = [True] * RUN
    kept = tuple(word for word, common in zip(row, is_common, strict=True) if not common)
    return Words(kept) if 0 < len(kept) < len(row) else passage


def continued(first: Words, second: Words) -> int:
    """Count the words at the end of the first passage that the second one starts with.

    The cut may lie within a word, so the first word of the second passage and the last of the
    first one need not agree.
    """
    for skipped in (0, 1):
        start = first.runs.get(second.row[skipped : skipped + RUN])
        if start is None:
            continue
        tail = first.row[start:]
        head = second.row[skipped : skipped + len(tail)]
        agreed = _agreement(tail, head)
        if agreed >= len(tail) - 1:
            return agreed
    return 0


def shared_words(first: Words, second: Words) -> int:
    """Count the words in the longest run that both passages hold, other than a common start.

    A heading that every chunk of a document repeats is a common start and does not count.
    """
    start = _agreement(first.row, second.row)
    longest, place = 0, start
    while place + RUN <= len(first.row):
        other = second.runs.get(first.row[place : place + RUN])
        if other is None or other < start:
            place += 1
            continue
        length = _agreement(first.row[place:], second.row[other:])
        longest = max(longest, length)
        place += length
    return longest


def overlap(first: Words, second: Words) -> float:
    """Divide the words that two chunks share by the words of the shorter one.

    Either continues the other, or both hold one long run of words.
    """
    shorter = min(len(first.row), len(second.row))
    if shorter < ENOUGH:
        return 0.0
    shared = max(continued(first, second), continued(second, first), shared_words(first, second))
    return shared / shorter


def chained(passages: Sequence[Words]) -> tuple[tuple[int, int], ...]:
    """Find the pairs ``(a, b)`` where passage ``b`` starts with the end of passage ``a``.

    A copy starts with the end of its original too, and continues nothing.
    """
    holders: dict[tuple[str, ...], list[int]] = {}
    for number, passage in enumerate(passages):
        for run, place in passage.runs.items():
            if place > 0:
                holders.setdefault(run, []).append(number)
    pairs: list[tuple[int, int]] = []
    for number, passage in enumerate(passages):
        heads = {passage.row[skipped : skipped + RUN] for skipped in (0, 1)}
        before = {other for head in heads for other in holders.get(head, ()) if other != number}
        pairs.extend(
            (other, number)
            for other in sorted(before)
            if continued(passages[other], passage) >= LONG
            and overlap(passages[other], passage) < COPIED
        )
    return tuple(pairs)


def _agreement(first: Sequence[str], second: Sequence[str]) -> int:
    """Count the leading words on which two rows agree."""
    length = min(len(first), len(second))
    return next((i for i in range(length) if first[i] != second[i]), length)
