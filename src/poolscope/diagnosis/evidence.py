"""Which facets of a passage an answer makes: how much is known, and from which sentence.

A passage can support several facets while the sentence that cites it makes one. So a citation
alone is possible use; the words that it closes have to point to the facet: by its label, or, where
the passage supports nothing else, by the passage. Words of the question and words that labels
share point to nothing.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from poolscope.diagnosis.attribution import Context, words_of
from poolscope.diagnosis.uses import Basis, Resting, Uses, sentences
from poolscope.model import SUPPORTS, Pool

LEAST_LABEL_WORDS = 2
"""Words of its own that a label must share with a sentence to be pointed to."""

LEAST_SENTENCE_SHARE = 0.5
"""Or the share of the sentence's telling words that the label must hold."""


class Grade(StrEnum):
    """How it is known that an answer makes a facet, the surest first."""

    MARKED = "marked by you"
    CITED_AND_WORDED = "cited, and the sentence's wording matches"
    WORDED = "not cited, the sentence's wording matches"
    LABELLED = "its label's wording, resting on no passage that supports it"
    CITED = "cited only"
    CITED_FOR_ANOTHER = "cited only, and the wording points to another facet"
    WORDED_AMONG_OTHERS = "not cited; wording of a passage that supports other facets too"
    NONE = "no sign of it"

    @property
    def tells(self) -> bool:
        """Whether it says that the facet is made, rather than that it may be."""
        return self in (Grade.MARKED, Grade.CITED_AND_WORDED, Grade.WORDED)

    @property
    def hints(self) -> bool:
        """Whether it says that the facet may be made."""
        return not self.tells and self is not Grade.NONE


_ORDER = tuple(Grade)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What says that an answer makes a facet.

    Args:
        grade: How much is known.
        index: The passage that it rests on; ``None`` without one.
        sentence: The sentence of the answer; empty where only a list of sources names the passage.
    """

    grade: Grade
    index: int | None = None
    sentence: str = ""


class Labels:
    """The words by which a question's facets can be told apart.

    Args:
        pool: The pool; its facets' labels and its question are read.
    """

    def __init__(self, pool: Pool) -> None:
        self._asked = words_of(pool.query).telling
        telling = [words_of(facet.label).telling - self._asked for facet in pool.facets]
        held_by = Counter(word for words in telling for word in words)
        self._own = [{word for word in words if held_by[word] == 1} for words in telling]

    def points(self, text: str, number: int) -> bool:
        """Say whether the words of a sentence, or of a part of one, point to a facet's label."""
        words = words_of(text).telling - self._asked
        shared = words & self._own[number]
        if not shared:
            return False
        return len(shared) >= LEAST_LABEL_WORDS or len(shared) >= LEAST_SENTENCE_SHARE * len(words)


class Reader:
    """What an answer's uses say of each facet; private to one call of ``examine``.

    Args:
        pool: The pool.
        uses: What the answer used.
    """

    def __init__(self, pool: Pool, uses: Uses) -> None:
        self._pool = pool
        self._uses = uses
        self._labels = Labels(pool)

    def evidence(self, number: int, used: Iterable[int]) -> Evidence:
        """Return the best evidence for a facet.

        Args:
            number: The facet's place.
            used: Candidates that the answer used and that support it, in the order handed out.
        """
        found = [item for index in used for item in self._on(number, index)]
        found += [
            Evidence(Grade.LABELLED, sentence=sentence)
            for sentence in self._uses.sentences
            if self._labels.points(sentence, number)
        ]
        return min(found, key=lambda item: _ORDER.index(item.grade), default=Evidence(Grade.NONE))

    def _on(self, number: int, index: int) -> list[Evidence]:
        resting = self._uses.sentences_on(index)
        if not resting:
            return [Evidence(Grade.CITED, index)]
        return [
            Evidence(self._grade(number, index, sentence), index, sentence.text)
            for sentence in resting
        ]

    def _grade(self, number: int, index: int, sentence: Resting) -> Grade:
        pointed = self._pointed(index, sentence)
        if sentence.by is Basis.WORDING:
            return Grade.WORDED if number in pointed else Grade.WORDED_AMONG_OTHERS
        if number in pointed:
            return Grade.CITED_AND_WORDED
        facets = range(len(self._pool.facets))
        is_another = pointed or any(self._labels.points(sentence.clause, n) for n in facets)
        return Grade.CITED_FOR_ANOTHER if is_another else Grade.CITED

    def _pointed(self, index: int, sentence: Resting) -> set[int]:
        """Return the facets of a passage that a sentence's words point to."""
        facets = [int(number) for number in (self._pool.marks[index] == SUPPORTS).nonzero()[0]]
        pointed = {number for number in facets if self._labels.points(sentence.clause, number)}
        if pointed:
            return pointed
        if len(facets) == 1:
            return set(facets) if sentence.is_worded else set()
        part = self._taken(sentence.clause, self._pool.texts[index])
        told = {number for number in facets if self._labels.points(part, number)}
        return told if len(told) == 1 else set()

    def _taken(self, sentence: str, passage: str) -> str:
        """Return the part of a passage that a sentence takes its wording from."""
        parts = tuple(passage[slice(*span)] for span in sentences(passage))
        matches = Context(parts, self._pool.query).matches(sentence)
        return " ".join(parts[match.place] for match in matches)
