"""Which passages of its context a generated answer used, and which sentences say so.

A passage is used where the answer cites it; a sentence without a citation is held against the
passages by its wording.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from poolscope.diagnosis.attribution import NEAR_BEST, Context
from poolscope.diagnosis.citations import Citation, Cited, Style
from poolscope.model import Selection


class Basis(StrEnum):
    """How it is known that a passage was used."""

    CITATION = "citation"
    WORDING = "wording"


@dataclass(frozen=True, slots=True)
class Use:
    """A passage of the context that the answer used.

    Args:
        index: The candidate's index in the pool.
        by: How that is known.
        share: Share of the answer's sentences that rest on it; 0 where only a list of sources at
            the end names it.
        shared: Wording that the answer shares with it, as the answer has it; may be empty under
            a citation.
    """

    index: int
    by: Basis
    share: float
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resting:
    """A sentence of the answer that rests on a passage.

    Args:
        text: The sentence, citations blanked, on one line.
        clause: The part of it that the citation closes: up to the citation before; the sentence
            itself without a citation.
        by: How that is known.
        is_worded: Whether its wording says so too; true where ``by`` is wording.
    """

    text: str
    clause: str
    by: Basis
    is_worded: bool


_ENDS = re.compile(r"(?<=[.!?])[\"'”’)*_]*\s+(?=[^\sa-z])|(?<=[。！？])|\n+")  # noqa: RUF001


def sentences(prose: str) -> tuple[tuple[int, int], ...]:
    """Return where the sentences of a text stand, without the blanks around them."""
    cuts = [0, *(match.end() for match in _ENDS.finditer(prose)), len(prose)]
    spans = []
    for start, stop in pairwise(cuts):
        part = prose[start:stop]
        if re.search(r"\w", part):
            lead = len(part) - len(part.lstrip())
            spans.append((start + lead, start + len(part.rstrip())))
    return tuple(spans)


class Uses:
    """The passages that an answer used, and the sentences that use them.

    Args:
        selection: The context.
        found: The answer taken apart.
    """

    def __init__(self, selection: Selection, found: Cited) -> None:
        self._slots = selection.ordered
        pool = selection.pool
        self._context = Context(tuple(pool.texts[index] for index in self._slots), pool.query)
        self._found = found
        self._spans = sentences(found.prose)
        self._by_citation: dict[int, set[int]] = defaultdict(set)
        self._by_wording: dict[int, set[int]] = defaultdict(set)
        self._clauses: dict[int, list[tuple[int, tuple[int, int]]]] = defaultdict(list)
        self._named: set[int] = set()
        self._read()

    def all(self) -> tuple[Use, ...]:
        """Return the passages that it used, in the order handed out."""
        return tuple(self._use(place) for place in range(len(self._slots)) if self._is_used(place))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer's sentences, citations blanked, each on one line."""
        return tuple(map(self._line, self._spans))

    def sentences_on(self, index: int) -> tuple[Resting, ...]:
        """Return the sentences that rest on a candidate, in the order of the answer."""
        places = [
            *((number, span, Basis.CITATION) for number, span in self._clauses[index]),
            *((number, self._spans[number], Basis.WORDING) for number in self._by_wording[index]),
        ]
        return tuple(
            Resting(
                text=self._line(self._spans[number]),
                clause=self._line(span),
                by=by,
                is_worded=index in self._worded(number),
            )
            for number, span, by in sorted(dict.fromkeys(places))
        )

    def _worded(self, number: int) -> set[int]:
        """Return the candidates whose wording a sentence has."""
        text = self._found.prose[slice(*self._spans[number])]
        return {self._slots[match.place] for match in self._context.compared(text) if match.is_use}

    def _line(self, span: tuple[int, int]) -> str:
        text = " ".join(self._found.prose[slice(*span)].split())
        return re.sub(r"\s+(?=[.,;:!?])", "", text)

    def _read(self) -> None:
        self._read_citations()
        cited_in = set().union(*self._by_citation.values())
        for number, span in enumerate(self._spans):
            if number not in cited_in:
                for match in self._context.matches(self._found.prose[slice(*span)]):
                    self._by_wording[self._slots[match.place]].add(number)

    def _is_used(self, place: int) -> bool:
        index = self._slots[place]
        return index in self._named or index in self._by_wording

    def _use(self, place: int) -> Use:
        index = self._slots[place]
        numbers = self._by_citation[index] | self._by_wording[index]
        return Use(
            index=index,
            by=Basis.CITATION if index in self._named else Basis.WORDING,
            share=len(numbers) / max(len(self._spans), 1),
            shared=self._shared(place, numbers),
        )

    def _shared(self, place: int, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the wording of the sentence that shares most with a passage."""
        texts = [self._found.prose[slice(*self._spans[number])] for number in sorted(numbers)]
        matches = [match for text in texts for match in self._context.compared(text)]
        mine = [match for match in matches if match.place == place]
        return max(mine, key=lambda match: match.share).shared if mine else ()

    def _read_citations(self) -> None:
        alternatives: dict[tuple[tuple[int, int], str], list[Citation]] = defaultdict(list)
        for citation in self._found.citations:
            if citation.index is None or not citation.in_context:
                continue
            if citation.among > 1:
                alternatives[citation.span, citation.text].append(citation)
            else:
                self._note(citation)
        for group in alternatives.values():
            for citation in self._meant(group):
                self._note(citation)

    def _note(self, citation: Citation) -> None:
        assert citation.index is not None  # noqa: S101 - in context, for the type checker
        self._named.add(citation.index)
        number = self._sentence_of(citation)
        if number is not None:
            self._by_citation[citation.index].add(number)
            self._clauses[citation.index].append((number, self._clause(citation, number)))

    def _clause(self, citation: Citation, number: int) -> tuple[int, int]:
        """Return the part of a sentence that a citation closes: back to the one before it."""
        first, last = self._spans[number]
        stop = min(citation.span[0], last)
        ends = {other.span[1] for other in self._found.citations}
        for start in sorted((end for end in ends if first < end <= stop), reverse=True):
            if re.search(r"\w", self._found.prose[start:stop]):
                return start, stop
        return (first, stop) if re.search(r"\w", self._found.prose[first:stop]) else (first, last)

    def _meant(self, group: list[Citation]) -> list[Citation]:
        """Of a source's passages keep those whose wording the sentence has, or else all."""
        number = self._sentence_of(group[0])
        text = "" if number is None else self._found.prose[slice(*self._spans[number])]
        shares = {
            self._slots[match.place]: match.share
            for match in self._context.compared(text)
            if match.is_use
        }
        mine = [(shares.get(citation.index or 0, 0.0), citation) for citation in group]
        best = max(share for share, _ in mine)
        return [citation for share, citation in mine if share >= NEAR_BEST * best]

    def _sentence_of(self, citation: Citation) -> int | None:
        """Return the sentence that a citation belongs to: around it, before it, or else after.

        A line of sources that stands alone belongs to none.
        """
        start = citation.span[0]
        line = self._found.prose.rfind("\n", 0, start) + 1
        before = [n for n, (first, _) in enumerate(self._spans) if line <= first <= start]
        if before:
            return before[-1]
        end = self._found.prose.find("\n", start)
        end = len(self._found.prose) if end < 0 else end
        after = [n for n, (first, _) in enumerate(self._spans) if start < first < end]
        if after:
            return after[0]
        earlier = [n for n, (first, _) in enumerate(self._spans) if first < start]
        return earlier[-1] if earlier and citation.kind is not Style.LINE else None
