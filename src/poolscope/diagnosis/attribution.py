"""Which passages a sentence takes its wording from: shared words and shared runs of words.

A sentence is held against every passage of the context. Words that many passages or the question
share weigh little, grammatical words nothing. A paraphrase that keeps few words is not recognised:
what is found here is evidence of use, what is not found proves nothing.
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

RUN = 3
"""Words in a shingle: the shortest run of words that counts as shared."""

LEAST_WORDS = 3
"""Fewest telling words that a sentence and a passage must share."""

LEAST_SHARE = 0.5
"""Least share of a sentence's weighed words that a passage must hold."""

LEAST_SHARE_WITH_RUN = 0.25
"""The same where they share a run of at least four words."""

NEAR_BEST = 0.95
"""A passage counts beside the best one from this share of its figure on: a copy of it."""

ASKED_WEIGHT = 0.5
"""Weight of a word of the question, which an answer repeats anyway."""

MOST_SAMPLES = 3
"""Shared runs that are given as evidence, the longest."""

MOST_WORDS = 6
"""Shared words given where there is no run."""

_GRAMMATICAL = (
    "a about after all also although always an and another any are as at be because been before "
    "being both but by can cannot could did do does each either every few for from further get "
    "given had has have having he her here his how however i if in into is it its itself just "
    "let like made make many may me might more most much must my need no nor not of on once one "
    "only onto or other our out over own per same several she should since so some such than "
    "that the their them then there therefore these they this those though through thus to too "
    "under until up upon us use used using very via was we were what when where whether which "
    "while who whom whose why will with within without would yet you your"
)
STOP_WORDS = frozenset(_GRAMMATICAL.split())

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # scripts without spaces: each sign is a word
    r"|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['\u2019.\-][^\W_]+)*"
)


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that a sentence shares wording with.

    Args:
        place: The passage's place in the context, from 0.
        share: Share of the sentence's weighed words that the passage holds, 0 to 1.
        is_use: Whether that is enough to say that the sentence takes from the passage.
        shared: The longest shared runs as the sentence has them; single words without a run.
    """

    place: int
    share: float
    is_use: bool
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as words: as written, and as compared."""

    written: tuple[tuple[int, int], ...]
    compared: tuple[str, ...]

    @property
    def telling(self) -> set[str]:
        return {word for word in self.compared if _tells(word)}

    @property
    def shingles(self) -> list[tuple[str, ...]]:
        words = self.compared
        return [words[start : start + RUN] for start in range(len(words) - RUN + 1)]


@dataclass(frozen=True)
class Context:
    """The passages that an answer was written from.

    Args:
        passages: Their texts.
        query: The question; its words weigh less.
    """

    passages: tuple[str, ...]
    query: str = ""

    def matches(self, sentence: str) -> tuple[Match, ...]:
        """Return the passages that a sentence takes its wording from, the best first.

        One passage, or several that do equally well; none where nothing tells.
        """
        found = [match for match in self.compared(sentence) if match.is_use]
        found.sort(key=lambda match: (-match.share, match.place))
        return tuple(match for match in found if match.share >= NEAR_BEST * found[0].share)

    def compared(self, sentence: str) -> tuple[Match, ...]:
        """Hold a sentence against every passage; nothing where no word of it tells."""
        words = words_of(sentence)
        total = sum(self._weight(word) for word in words.telling)
        if not total:
            return ()
        return tuple(self._match(sentence, words, place, total) for place in range(len(self)))

    def __len__(self) -> int:
        return len(self.passages)

    def _match(self, sentence: str, words: _Words, place: int, total: float) -> Match:
        shared = words.telling & self._words[place].telling
        share = sum(self._weight(word) for word in shared) / total
        runs = _runs(words, self._shingles[place])
        has_run = any(last - first > RUN for first, last in runs)
        least = LEAST_SHARE_WITH_RUN if has_run else LEAST_SHARE
        return Match(
            place=place,
            share=share,
            is_use=len(shared) >= LEAST_WORDS and share >= least,
            shared=_samples(sentence, words, runs, shared),
        )

    @cached_property
    def _words(self) -> tuple[_Words, ...]:
        return tuple(words_of(passage) for passage in self.passages)

    @cached_property
    def _shingles(self) -> tuple[frozenset[tuple[str, ...]], ...]:
        return tuple(frozenset(words.shingles) for words in self._words)

    @cached_property
    def _held_by(self) -> Counter[str]:
        return Counter(word for words in self._words for word in words.telling)

    @cached_property
    def _asked(self) -> set[str]:
        return words_of(self.query).telling

    def _weight(self, word: str) -> float:
        rarity = math.log1p(len(self.passages) / max(self._held_by[word], 1))
        return rarity * (ASKED_WEIGHT if word in self._asked else 1.0)


def words_of(text: str) -> _Words:
    """Take a text apart into words: lower case, plural endings off."""
    found = list(_WORD.finditer(text))
    return _Words(
        tuple(match.span() for match in found), tuple(_compared(match[0]) for match in found)
    )


def _compared(word: str) -> str:
    plain = word.casefold().replace("\u2019", "'").removesuffix("'s")
    is_plural = len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is"))
    return plain[:-1] if is_plural and plain not in STOP_WORDS else plain


def _tells(word: str) -> bool:
    """Say whether a word is about something: not grammatical, not a letter."""
    return word not in STOP_WORDS and (len(word) > 1 or not word.isascii() or word.isdigit())


def _runs(words: _Words, shingles: frozenset[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Return the runs of words that lie in a passage too and tell: first, past the last."""
    runs: list[tuple[int, int]] = []
    for start, shingle in enumerate(words.shingles):
        if shingle not in shingles:
            continue
        if runs and start + RUN - 1 == runs[-1][1]:
            runs[-1] = (runs[-1][0], start + RUN)
        else:
            runs.append((start, start + RUN))
    return [run for run in runs if sum(map(_tells, words.compared[slice(*run)])) > 1]


def _samples(
    sentence: str, words: _Words, runs: list[tuple[int, int]], shared: set[str]
) -> tuple[str, ...]:
    """Return the longest shared runs in the sentence's own words, or else the shared words."""
    if runs:
        longest = sorted(sorted(runs, key=lambda run: run[0] - run[1])[:MOST_SAMPLES])
        return tuple(
            sentence[words.written[first][0] : words.written[last - 1][1]]
            for first, last in longest
        )
    written = (
        sentence[slice(*span)]
        for span, word in zip(words.written, words.compared, strict=True)
        if word in shared
    )
    return tuple(dict.fromkeys(written))[:MOST_WORDS]
