"""A generated answer held against its context: what it used, and at which stage the rest was lost.

So the three stages part: retrieval missed a facet, selection left it out, generation ignored it.
What is said of a facet names how it is known: by a person's mark, by a citation whose sentence's
wording matches, by wording alone, or by a citation that may be for another facet of its passage.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from poolscope.counts import counted
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.citations import Citation, Cited, Numbering, cited
from poolscope.diagnosis.evidence import Evidence, Grade, Reader
from poolscope.diagnosis.uses import Basis, Use, Uses, sentences
from poolscope.measures.baseline import depth_seen
from poolscope.model import SUPPORTS, Facet, Selection

__all__ = [
    "AnswerReport",
    "Basis",
    "Evidence",
    "FacetState",
    "Grade",
    "Numbering",
    "Stage",
    "Use",
    "examine",
    "ignored",
    "sentences",
]

MOST_NAMED = 3
"""Facets that a sentence names before it counts the rest."""


class Stage(StrEnum):
    """What became of a facet."""

    USED = "in context and used"
    POSSIBLE = "in context, possibly used"
    IGNORED = "in context and ignored"
    UNTOLD = "in context, wording shows no use"
    CROWDED_OUT = "in the pool, not selected"
    BELOW_DEPTH = "below the pool depth"
    NOT_RETRIEVED = "not in the pool"


@dataclass(frozen=True, slots=True)
class FacetState:
    """What became of one facet.

    Args:
        facet: The facet.
        stage: Where it is, or was lost.
        is_made: Whether the answer makes it: as marked by the user, or else whether a sentence
            points to it; false where that is only possible.
        evidence: How that is known.
        in_context: Selected passages that support it, in the order handed out.
        used: Those that the answer used.
        nearest: The best ranked candidate of the pool that supports it; ``None`` without one.
    """

    facet: Facet
    stage: Stage
    is_made: bool
    evidence: Evidence
    in_context: tuple[int, ...]
    used: tuple[int, ...]
    nearest: int | None

    @property
    def is_marked(self) -> bool:
        """Whether the user said so."""
        return self.evidence.grade is Grade.MARKED


@dataclass(frozen=True, eq=False)
class AnswerReport:
    """What an answer did with its context.

    Args:
        selection: The context.
        text: The answer.
        found: The answer taken apart: its citations, and how its numbers were read.
        uses: The passages that it used, in the order handed out.
        facets: What became of each facet.
    """

    selection: Selection
    text: str
    found: Cited
    uses: tuple[Use, ...]
    facets: tuple[FacetState, ...]

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation, in the order of the answer."""
        return self.found.citations

    @property
    def cites(self) -> bool:
        """Whether it cites a passage of its context."""
        return any(citation.in_context for citation in self.citations)

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
        """Facets known to be made, divided by all: the least; ``nan`` without facets."""
        if not self.facets:
            return math.nan
        return sum(state.is_made for state in self.facets) / len(self.facets)

    @property
    def possible(self) -> tuple[FacetState, ...]:
        """Facets that the answer may make: there is a sign, but it does not tell."""
        return tuple(state for state in self.facets if state.evidence.grade.hints)

    def lost(self, *stages: Stage) -> tuple[FacetState, ...]:
        """Return the facets that the answer does not make and that were lost at some stages."""
        return tuple(s for s in self.facets if not s.is_made and s.stage in stages)

    @property
    def verdict(self) -> str:
        """Say at which stage what was lost, with counts, and on what that rests."""
        total = len(self.facets)
        if not total:
            return (
                f"The answer uses {len(self.uses)} of "
                f"{counted(len(self.selection), 'passage')} in its "
                "context; which facets a full answer needs is not marked."
            )
        below = len(self.lost(Stage.BELOW_DEPTH))
        selection = len(self.lost(Stage.CROWDED_OUT, Stage.BELOW_DEPTH))
        deep = f" ({below} below the pool depth)" if below else ""
        parts = [
            _made(self.facets),
            *_possible(self.possible),
            f"Lost in retrieval: {len(self.lost(Stage.NOT_RETRIEVED))};",
            f"in selection: {selection}{deep};",
            f"in generation: {len(self.lost(Stage.IGNORED))}.",
        ]
        untold = len(self.lost(Stage.UNTOLD))
        if untold:
            parts.append(f"Of {untold} in the context its wording shows no sign.")
        alone = sum(state.is_made and not state.in_context for state in self.facets)
        if alone:
            parts.append(f"It makes {alone} that no passage of its context supports.")
        return " ".join(parts)


_BY = {
    Grade.MARKED: "marked by you",
    Grade.CITED_AND_WORDED: "cited with matching wording",
    Grade.WORDED: "by wording only",
}


def _made(states: tuple[FacetState, ...]) -> str:
    """Count the facets known to be made, by how that is known."""
    made = [state.evidence.grade for state in states if state.is_made]
    counts = [f"{made.count(grade)} {by}" for grade, by in _BY.items() if grade in made]
    if len(counts) == 1:
        counts = [_BY[made[0]]]
    how = f" ({', '.join(counts)})" if counts else ""
    return f"Of {len(states)} {_facets(len(states))} the answer makes {len(made)}{how}."


def _possible(states: tuple[FacetState, ...]) -> tuple[str, ...]:
    if not states:
        return ()
    count, verb = len(states), "is" if len(states) == 1 else "are"
    return (f"{count} more {verb} possible, by signs that are no proof.",)


def examine(
    selection: Selection,
    text: str,
    marks: Mapping[str, bool] | None = None,
    numbering: Numbering | None = None,
) -> AnswerReport:
    """Hold a generated answer against the context it was written from.

    Args:
        selection: The context; its order is the one handed out.
        text: The answer.
        marks: Facet id to whether the answer makes that facet, where the user has said so; it
            overrides what was found. Ids of no facet are not read.
        numbering: What cited numbers mean, where the user has said so.
    """
    found = cited(selection, text, numbering)
    told = Uses(selection, found)
    uses = told.all()
    cites = any(citation.in_context for citation in found.citations)
    reader = Reader(selection.pool, told)
    context = _Context(selection, {use.index for use in uses}, reader, cites)
    states = tuple(
        _state(context, number, mark=(marks or {}).get(facet.id))
        for number, facet in enumerate(selection.pool.facets)
    )
    return AnswerReport(selection, text, found, uses, states)


def ignored(report: AnswerReport) -> Finding | None:
    """Find facets that lay in the context and of which the answer shows no sign.

    It is an alarm where the user marked such a facet or the answer cites passages, but none of
    its; where use was told by wording alone, a paraphrase may hide it, and it is a remark.
    """
    missed = report.lost(Stage.IGNORED) or report.lost(Stage.UNTOLD)
    if not missed or not report.text.strip():
        return None
    is_certain = missed[0].stage is Stage.IGNORED
    return Finding(
        kind=Kind.IGNORED,
        sentence=_left_out(report, missed),
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


def _left_out(report: AnswerReport, missed: tuple[FacetState, ...]) -> str:
    """Say what an answer shows no sign of, and on what that rests."""
    supported = sum(bool(state.in_context) for state in report.facets)
    which = (
        f"{len(missed)} of the {supported} {_facets(supported)} that its context supports: "
        f"{_named(missed)}."
    )
    if missed[0].stage is Stage.UNTOLD:
        return (
            "The answer cites no passage of its context, so this rests on wording only: it shows "
            f"no sign of {which}"
        )
    if all(state.is_marked for state in missed):
        return f"As you marked it, the answer leaves out {which}"
    return f"By citation and by wording the answer shows no sign of {which}"


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
        f"The answer uses {len(report.uses)} of "
        f"{counted(len(report.selection), 'passage')}: {cites} known "
        f"by citation, {len(report.uses) - cites} by wording."
    )


@dataclass(frozen=True, eq=False)
class _Context:
    """What the stage of a facet is read off; private to one call of ``examine``."""

    selection: Selection
    used: set[int]
    reader: Reader
    cites: bool


def _state(context: _Context, number: int, *, mark: bool | None) -> FacetState:
    selection = context.selection
    pool = selection.pool
    supporters = [int(index) for index in (pool.marks[:, number] == SUPPORTS).nonzero()[0]]
    inside = tuple(index for index in selection.ordered if index in set(supporters))
    told = tuple(index for index in inside if index in context.used)
    evidence = context.reader.evidence(number, told)
    if mark is not None:
        evidence = Evidence(Grade.MARKED, evidence.index, evidence.sentence)
    is_made = evidence.grade.tells if mark is None else mark
    if inside:
        stage = _stage_inside(evidence.grade, is_made=is_made, cites=context.cites)
    elif not supporters:
        stage = Stage.NOT_RETRIEVED
    else:
        is_seen = supporters[0] < depth_seen(selection)
        stage = Stage.CROWDED_OUT if is_seen else Stage.BELOW_DEPTH
    return FacetState(
        facet=pool.facets[number],
        stage=stage,
        is_made=is_made,
        evidence=evidence,
        in_context=inside,
        used=told,
        nearest=supporters[0] if supporters else None,
    )


def _stage_inside(grade: Grade, *, is_made: bool, cites: bool) -> Stage:
    """Return the stage of a facet that a passage of the context supports."""
    if is_made:
        return Stage.USED
    if grade.hints:
        return Stage.POSSIBLE
    return Stage.IGNORED if cites or grade is Grade.MARKED else Stage.UNTOLD
