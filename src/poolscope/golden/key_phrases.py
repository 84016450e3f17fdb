"""Texts by their words: what a group of them shares and others do not; rows to compare them by."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from poolscope import geometry
from poolscope.geometry import Floats

LONGEST = 3
"""Words of a phrase."""

PHRASES = 3
"""Phrases that name a group."""

_PART = re.compile(r"[^.,;:!?()\[\]\"“”|\n]+")
_WORD = re.compile(r"\w+(?:[-'\u2019]\w+)*")
FUNCTION_WORDS = frozenset(
    """
    a about after all also an and any are as at be because been before both but by can could did
    do first make used does each for from had has have he her his how i if in into is it its
    just may more most must no not of on once one only or other our out over own s she should so
    some such t than that the their them then there these they this those to too under until up
    us very was we were what when where which while who why will with would you your
    """.split()  # noqa: SIM905 - a list of a hundred strings would be read by nobody
)
"""English words that begin or end no phrase; in other languages what all groups share is low."""


def words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return _WORD.findall(text.casefold())


def word_rows(texts: Sequence[str]) -> Floats:
    """Return unit rows of TF-IDF weights over the words that two or more texts share, ``(n, d)``.

    A word's weight is ``(1 + log count) log((1 + n) / (1 + texts with it))``; a text that shares
    none has a zero row.
    """
    counts = [Counter(words(text)) for text in texts]
    spread = Counter(word for count in counts for word in count)
    columns = {word: at for at, word in enumerate(word for word, n in spread.items() if n > 1)}
    rows = np.zeros((len(texts), max(len(columns), 1)))
    for at, count in enumerate(counts):
        for word, times in count.items():
            if word in columns:
                rarity = np.log((1 + len(texts)) / (1 + spread[word]))
                rows[at, columns[word]] = (1.0 + np.log(times)) * rarity
    return geometry.unit_rows(rows).rows


def key_phrases(groups: Sequence[Sequence[str]], rest: Sequence[str]) -> list[tuple[str, ...]]:
    """Name each group of texts by phrases of one to three words that two of its texts share.

    Words are weighed by class-based TF-IDF, Grootendorst (2022), BERTopic: how often a word stands
    in the group, times ``log(1 + A / f)``, with ``f`` how often it stands anywhere and ``A`` the
    mean number of words of a group. A phrase weighs the mean of its words, function words aside,
    times the number of texts of the group that hold it, times the root of its length.

    Args:
        groups: Texts that belong together.
        rest: All other texts, which are one more group to be told from.
    """
    counts = [_counted(group) for group in groups]
    everywhere = sum(counts, _counted(rest))
    mean = everywhere.total() / max(len(groups) + bool(rest), 1)
    found = []
    for group, count in zip(groups, counts, strict=True):
        weight = {word: n * float(np.log1p(mean / everywhere[word])) for word, n in count.items()}
        found.append(_named(group, weight))
    return found


def _counted(texts: Sequence[str]) -> Counter[str]:
    return Counter(word for text in texts for word in words(text) if _names(word))


def _named(group: Sequence[str], weight: Mapping[str, float]) -> tuple[str, ...]:
    holders = Counter(phrase for text in group for phrase in _phrases(text))
    worth = {
        phrase: times * sum(told) / len(told) * len(phrase.split()) ** 0.5
        for phrase, times in holders.items()
        if times > 1
        for told in [[weight[word] for word in phrase.split() if word in weight]]
    }
    found: list[str] = []
    taken: set[str] = set()
    for phrase in sorted(worth, key=lambda each: (-worth[each], -len(each), each)):
        stems = {word.removesuffix("s") for word in phrase.split()}
        if not stems & taken:
            found.append(phrase)
            taken |= stems - FUNCTION_WORDS
    return tuple(found[:PHRASES])


def _phrases(text: str) -> set[str]:
    """Return the rows of one to three words within a text's clauses that name something."""
    found: set[str] = set()
    for clause in _PART.findall(text):
        row = words(clause)
        for start in range(len(row)):
            for end in range(start + 1, min(start + LONGEST, len(row)) + 1):
                if _names(row[start]) and _names(row[end - 1]):
                    found.add(" ".join(row[start:end]))
    return found


def _names(word: str) -> bool:
    return word not in FUNCTION_WORDS and len(word) > 1 and not word.isdecimal()
