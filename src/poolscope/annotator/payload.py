"""What the sheet is given: one question as one annotator may see it, and answers to strokes."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from poolscope.annotator.strokes import Outcome
from poolscope.charts.theme import Theme
from poolscope.golden.actions import AddQuestion, AddRecord
from poolscope.golden.model import (
    GoldenFacet,
    Judgement,
    Passage,
    Project,
    Question,
    Role,
    Stroke,
    Who,
    written,
)
from poolscope.golden.reading import Progress, next_unfinished
from poolscope.golden.store import Store

MOST_UNDONE = 60
"""Strokes that an undo can go back over before the page asks anew."""

WHOLE_QUESTION = (AddQuestion.__name__, AddRecord.__name__)
"""Strokes that no single key takes back: the question would go with everything in it."""

Json = str | int | float | None | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One question as one annotator may see it now.

    Args:
        who: The annotator.
        project: What is hidden until the pass is done.
        question: The question.
        passages: In the order in which they are to be met.
        facets: In order.
        marks: Those that may be seen; others' only where the own pass is done.
        seconds: Time that the annotator has spent on it.
        is_done: Whether the own pass is done.
        progress: How far the annotator is with every question.
        standing: Own strokes that an undo can take back, oldest first.
    """

    who: Who
    project: Project
    question: Question
    passages: tuple[Passage, ...]
    facets: tuple[GoldenFacet, ...]
    marks: tuple[Judgement, ...]
    seconds: float
    is_done: bool
    progress: tuple[Progress, ...]
    standing: tuple[Stroke, ...]


def sheet(
    store: Store, question: str, who: Who, progress: tuple[Progress, ...] | None = None
) -> Sheet | None:
    """Read a question as somebody may see it; ``None`` where there is no such question.

    Args:
        store: The golden set.
        question: Id of the question.
        who: The annotator.
        progress: How far they are with every question, where that has been read.
    """
    found = store.question(question)
    if found is None:
        return None
    own = [each for each in store.attendance(question) if each.annotator == who.name]
    return Sheet(
        who,
        store.project(),
        found,
        store.passages_for(question, who),
        store.facets(question),
        store.marks(question, who),
        own[0].seconds if own else 0.0,
        bool(own) and own[0].is_done,
        store.progress(who) if progress is None else progress,
        tuple(
            stroke
            for stroke in store.standing(question, who)[-MOST_UNDONE:]
            if stroke.kind not in WHOLE_QUESTION
        ),
    )


def scope(address: str, who: Who) -> str:
    """Return what a browser keeps an annotator's strokes under, for one golden set."""
    return hashlib.sha256(f"{address}\x1f{who.name}".encode()).hexdigest()[:16]


def payload(
    shown: Sheet,
    *,
    scope: str,
    theme: Theme,
    outcomes: Iterable[Outcome] = (),
    heard: int = 0,
    has: str = "",
) -> dict[str, Json]:
    """Return what the component is given.

    Args:
        shown: The question.
        scope: See ``scope``.
        theme: Colours.
        outcomes: What became of the strokes that the browser sent.
        heard: The number of the message that they came with.
        has: Digest of the passages that the browser holds: those are not sent again.
    """
    passages = _passages(shown)
    digest = _digest(passages)
    order = {passage.key: place for place, passage in enumerate(shown.passages)}
    places = {facet.id: place for place, facet in enumerate(shown.facets)}
    return {
        "scope": scope,
        "who": shown.who.name,
        "question": {"id": shown.question.id, "text": shown.question.text},
        "notes": shown.question.notes,
        "isDone": shown.is_done,
        "seconds": shown.seconds,
        **_standing(shown),
        "scene": digest,
        "passages": None if has == digest else passages,
        "facets": [_facet(facet) for facet in shown.facets],
        "marks": [
            [places[mark.cell.facet], order[mark.cell.passage], mark.mark, mark.version]
            for mark in shown.marks
            if _is_own(mark, shown.who)
        ],
        "others": [
            [places[mark.cell.facet], order[mark.cell.passage], _name(mark), mark.mark]
            for mark in shown.marks
            if not _is_own(mark, shown.who) and mark.mark is not None
        ],
        "undo": [_undoable(stroke, shown.who) for stroke in shown.standing],
        "outcomes": [_outcome(outcome) for outcome in outcomes],
        "heard": heard,
        "theme": {
            "ink": theme.ink,
            "quiet": theme.quiet,
            "line": theme.line,
            "card": theme.card,
            "page": theme.page,
            "accent": theme.accent,
        },
    }


def _passages(shown: Sheet) -> list[Json]:
    """Return the passages; what is hidden until the pass is done does not leave the server."""
    project, is_done = shown.project, shown.is_done
    return [
        {
            "key": passage.key,
            "text": passage.text or f"(no text is known; its id is {passage.id})",
            "source": passage.source if is_done or not project.hides_source else None,
            "rank": passage.rank if is_done or not project.hides_rank else None,
            "score": passage.score if is_done or not project.hides_score else None,
            "id": passage.id if is_done else "",
        }
        for passage in shown.passages
    ]


def _digest(passages: list[Json]) -> str:
    return hashlib.sha256(json.dumps(passages).encode()).hexdigest()[:16]


def _standing(shown: Sheet) -> dict[str, Json]:
    """Return where the question stands among all."""
    ids = [item.question for item in shown.progress]
    project = shown.project
    hidden = {
        "source": project.hides_source,
        "rank": project.hides_rank,
        "score": project.hides_score,
    }
    return {
        "place": ids.index(shown.question.id) + 1 if shown.question.id in ids else 0,
        "questions": len(ids),
        "finished": sum(item.is_finished for item in shown.progress),
        "next": next_unfinished(
            (item for item in shown.progress if item.question != shown.question.id),
            _before(ids, shown.question.id),
        ),
        "hidden": [name for name, hides in hidden.items() if hides and not shown.is_done],
    }


def _before(ids: list[str], question: str) -> str:
    """Return the question before one, so that a search goes on from there; empty at the first."""
    place = ids.index(question) if question in ids else 0
    return ids[place - 1] if place else ""


def _facet(facet: GoldenFacet) -> dict[str, Json]:
    return {
        "id": facet.id,
        "label": facet.label,
        "description": facet.description,
        "weight": facet.weight,
        "version": facet.version,
    }


def _is_own(mark: Judgement, who: Who) -> bool:
    return mark.role is Role.ANNOTATOR and mark.annotator == who.name


def _name(mark: Judgement) -> str:
    return f"{mark.annotator}, adjudicator" if mark.role is Role.ADJUDICATOR else mark.annotator


def _undoable(stroke: Stroke, who: Who) -> dict[str, Json]:
    moved = [
        change for change in stroke.changes if change.table == "mark" and change.key[-1] == who.name
    ]
    found: dict[str, Json] = {"token": stroke.token, "kind": stroke.kind}
    if len(moved) == 1:
        before: Mapping[str, Json] = dict(moved[0].before or {})
        found |= {
            "facet": moved[0].key[1],
            "passage": moved[0].key[2],
            "before": before.get("mark"),
        }
    return found


def _outcome(outcome: Outcome) -> dict[str, Json]:
    return {
        "token": outcome.sent.token,
        "attempt": outcome.sent.attempt,
        "became": outcome.became,
        "problem": outcome.problem,
        "remedy": outcome.remedy,
        "by": outcome.by,
        "at": None if outcome.at is None else written(outcome.at),
        "version": outcome.version,
    }
