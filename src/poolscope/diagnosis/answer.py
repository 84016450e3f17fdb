"""A generated answer held against its context: what it used, and at which stage the rest was lost.

A passage is used where the answer cites it; a sentence without a citation is held against the
passages by its wording. So the three stages part: retrieval missed a facet, selection left it
out, generation ignored it.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.citations import Citation, Cited, Style, cited
from poolscope.diagnosis.overlap import NEAR_BEST, Context
from poolscope.measures.baseline import depth_seen
from poolscope.model import SUPPORTS, Facet, Selection

MOST_NAMED = 3
"""Facets that a sentence names before it counts the rest."""


class Basis(StrEnum):
    """How it is known that a passage was used."""

    CITATION = "citation"
    WORDING = "wording"


class Stage(StrEnum):
    """What became of a facet."""

    USED = "in context and used"
    IGNORED = "in context and ignored"
    CROWDED_OUT = "in the pool, not selected"
    BELOW_DEPTH = "below the pool depth"
    NOT_RETRIEVED = "not in the pool"


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
class FacetState:
    """What became of one facet.

    Args:
        facet: The facet.
        stage: Where it is, or was lost.
        is_made: Whether the answer makes it: as marked by the user, or else whether it is used.
        is_marked: Whether the user said so.
        in_context: Selected passages that support it, in the order handed out.
        used: Those that the answer used.
        nearest: The best ranked candidate of the pool that supports it; ``None`` without one.
    """

    facet: Facet
    stage: Stage
    is_made: bool
    is_marked: bool
    in_context: tuple[int, ...]
    used: tuple[int, ...]
    nearest: int | None


@dataclass(frozen=True, eq=False)
class AnswerReport:
    """What an answer did with its context.

    Args:
        selection: The context.
        text: The answer.
        citations: Every citation, in the order of the answer.
        uses: The passages that it used, in the order handed out.
        facets: What became of each facet.
        from_zero: Whether its numbers count from 0.
    """

    selection: Selection
    text: str
    citations: tuple[Citation, ...]
    uses: tuple[Use, ...]
    facets: tuple[FacetState, ...]
    from_zero: bool

    @property
    def unknown(self) -> tuple[Citation, ...]:
        """Citations of something that is not in the context."""
        return tuple(citation for citation in self.citations if not citation.in_context)

    @property
    def unused(self) -> tuple[int, ...]:
        """Passages of the context that it did not use, in the order handed out."""
        used = {use.index for use in self.uses}
        return tuple(index for index in self.selection.ordered if index not in used)

    @property
    def coverage(self) -> float:
        """Facets that the answer makes, divided by all; ``nan`` without facets."""
        if not self.facets:
            return math.nan
        return sum(state.is_made for state in self.facets) / len(self.facets)

    def lost(self, *stages: Stage) -> tuple[FacetState, ...]:
        """Return the facets that the answer does not make and that were lost at some stages."""
        return tuple(s for s in self.facets if not s.is_made and s.stage in stages)

    @property
    def verdict(self) -> str:
        """Say at which stage what was lost, with counts."""
        total = len(self.facets)
        if not total:
            return (
                f"The answer uses {len(self.uses)} of the {len(self.selection)} passages in its "
                "context; which facets a full answer needs is not marked."
            )
        made = sum(state.is_made for state in self.facets)
        below = len(self.lost(Stage.BELOW_DEPTH))
        selection = len(self.lost(Stage.CROWDED_OUT, Stage.BELOW_DEPTH))
        deep = f" ({below} below the pool depth)" if below else ""
        parts = [
            f"Of {total} {_facets(total)} the answer makes {made}.",
            f"Lost in retrieval: {len(self.lost(Stage.NOT_RETRIEVED))};",
            f"in selection: {selection}{deep};",
            f"in generation: {len(self.lost(Stage.IGNORED))}.",
        ]
        alone = sum(state.is_made and not state.in_context for state in self.facets)
        if alone:
            parts.append(f"It makes {alone} that no passage of its context supports.")
        return " ".join(parts)


def examine(
    selection: Selection, text: str, marks: Mapping[str, bool] | None = None
) -> AnswerReport:
    """Hold a generated answer against the context it was written from.

    Args:
        selection: The context; its order is the one handed out.
        text: The answer.
        marks: Facet id to whether the answer makes that facet, where the user has said so; it
            overrides what was found. Ids of no facet are not read.
    """
    found = cited(selection, text)
    uses = _Uses(selection, found).uses()
    used = {use.index for use in uses}
    states = tuple(
        _state(selection, number, used, mark=(marks or {}).get(facet.id))
        for number, facet in enumerate(selection.pool.facets)
    )
    return AnswerReport(selection, text, found.citations, uses, states, found.from_zero)


def ignored(report: AnswerReport) -> Finding | None:
    """Find facets that lay in the context and that the answer does not make.

    It is an alarm where the user marked such a facet or the answer cites its passages; where use
    was told by wording alone, a paraphrase may hide it, and it is a remark.
    """
    missed = report.lost(Stage.IGNORED)
    if not missed or not report.text.strip():
        return None
    supported = sum(bool(state.in_context) for state in report.facets)
    cites = any(citation.in_context for citation in report.citations)
    is_certain = cites or any(state.is_marked for state in missed)
    return Finding(
        kind=Kind.IGNORED,
        sentence=(
            f"The answer leaves out {len(missed)} of the {supported} {_facets(supported)} that "
            f"its context supports: {_named(missed)}."
        ),
        evidence=(
            *(_where(report.selection, state) for state in missed[:MOST_NAMED]),
            _how_told(report),
        ),
        remedy=(
            "Look at the prompt, the order of the passages or the model: the selection has what "
            "is missing."
            if is_certain
            else "Mark the facets that the answer makes: a paraphrase shares no wording."
        ),
        is_alarm=is_certain,
    )


def _facets(count: int) -> str:
    return "facet" if count == 1 else "facets"


def _named(states: tuple[FacetState, ...]) -> str:
    names = [f"“{state.facet.label}”" for state in states[:MOST_NAMED]]
    more = len(states) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _where(selection: Selection, state: FacetState) -> str:
    slots = [selection.ordered.index(index) + 1 for index in state.in_context]
    places = ", ".join(str(slot) for slot in slots)
    passages = "passage" if len(slots) == 1 else "passages"
    return (
        f"“{state.facet.label}” is supported by {passages} {places} of the "
        f"{len(selection)} in the context."
    )


def _how_told(report: AnswerReport) -> str:
    cites = sum(use.by is Basis.CITATION for use in report.uses)
    return (
        f"The answer uses {len(report.uses)} of {len(report.selection)} passages: {cites} known "
        f"by citation, {len(report.uses) - cites} by wording."
    )


def _state(selection: Selection, number: int, used: set[int], *, mark: bool | None) -> FacetState:
    pool = selection.pool
    supporters = [int(index) for index in (pool.marks[:, number] == SUPPORTS).nonzero()[0]]
    inside = tuple(index for index in selection.ordered if index in set(supporters))
    told = tuple(index for index in inside if index in used)
    is_made = bool(told) if mark is None else mark
    if inside:
        stage = Stage.USED if is_made else Stage.IGNORED
    elif not supporters:
        stage = Stage.NOT_RETRIEVED
    else:
        is_seen = supporters[0] < depth_seen(selection)
        stage = Stage.CROWDED_OUT if is_seen else Stage.BELOW_DEPTH
    return FacetState(
        facet=pool.facets[number],
        stage=stage,
        is_made=is_made,
        is_marked=mark is not None,
        in_context=inside,
        used=told,
        nearest=supporters[0] if supporters else None,
    )


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


class _Uses:
    """The passages that an answer used; private to one call of ``examine``."""

    def __init__(self, selection: Selection, found: Cited) -> None:
        self._slots = selection.ordered
        pool = selection.pool
        self._context = Context(tuple(pool.texts[index] for index in self._slots), pool.query)
        self._found = found
        self._spans = sentences(found.prose)
        self._by_citation: dict[int, set[int]] = defaultdict(set)
        self._by_wording: dict[int, set[int]] = defaultdict(set)
        self._named: set[int] = set()

    def uses(self) -> tuple[Use, ...]:
        self._read_citations()
        cited_in = set().union(*self._by_citation.values())
        for number, span in enumerate(self._spans):
            if number not in cited_in:
                for match in self._context.matches(self._found.prose[slice(*span)]):
                    self._by_wording[self._slots[match.place]].add(number)
        return tuple(self._use(place) for place in range(len(self._slots)) if self._is_used(place))

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
