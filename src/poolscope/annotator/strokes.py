"""What the browser sends, read with distrust, and what became of it in the golden set.

The browser sends every stroke that has no answer yet, in order, until each has one. A token is
kept once, so nothing is lost and nothing is written twice.
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from poolscope.errors import StoreError
from poolscope.golden.actions import (
    Action,
    AddFacet,
    FinishPass,
    MarkPassage,
    SpendTime,
    Undo,
    checked,
)
from poolscope.golden.model import Conflict, Mark, Saved, Who
from poolscope.golden.store import Store

LONGEST_SECONDS = 86_400.0
UNREADABLE = "A stroke cannot be read; it may come from another version of this page."


class Kind(StrEnum):
    """What a stroke asks for."""

    MARK = "mark"
    FACET = "facet"
    UNDO = "undo"
    FINISH = "finish"
    TIME = "time"


class Became(StrEnum):
    """What became of a stroke."""

    SAVED = "saved"
    CONFLICT = "conflict"
    FAILED = "failed"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Sent:
    """A stroke as the browser sends it.

    Args:
        token: Its token.
        attempt: How often it was tried anew after it had failed.
        question: Id of the question.
        kind: What it asks for; ``None`` where that cannot be read.
        facet: Id of the facet that is marked or added.
        passage: Key of the passage.
        mark: The mark; ``None`` takes it back.
        seen: Version of the mark that was on the screen.
        facet_seen: The same of the facet.
        after: Token of the own stroke on this cell that was still on its way; empty otherwise.
        label: Of the facet that is added.
        undoes: Token of the stroke that it takes back.
        seconds: Time spent since the stroke before.
    """

    token: str
    attempt: int = 0
    question: str = ""
    kind: Kind | None = None
    facet: str = ""
    passage: str = ""
    mark: Mark | None = None
    seen: int = 0
    facet_seen: int = 0
    after: str = ""
    label: str = ""
    undoes: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a stroke.

    Args:
        sent: The stroke.
        became: Kept, refused because something changed, not kept, or not tried yet.
        problem: Why it was not kept.
        remedy: What to do about it.
        by: Who changed what it had seen.
        at: When; ``None`` where nobody did.
        version: Version of its cell after it; ``None`` where it moved none.
    """

    sent: Sent
    became: Became
    problem: str = ""
    remedy: str = ""
    by: str = ""
    at: datetime | None = None
    version: int | None = None

    @property
    def is_saved(self) -> bool:
        """Whether the golden set has kept it."""
        return self.became is Became.SAVED


def read(value: object) -> tuple[Sent, ...]:
    """Read the strokes that a browser sends; what has no token is none."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return ()
    found = [_read_one(raw) for raw in value if isinstance(raw, Mapping)]
    return tuple(sent for sent in found if sent.token)


def _read_one(raw: Mapping[object, object]) -> Sent:
    token, attempt = _text(raw, "token"), _whole(raw, "attempt")
    try:
        kind, said = Kind(_text(raw, "kind")), _text(raw, "mark")
        mark = Mark(said) if said else None
    except ValueError:
        return Sent(token, attempt)
    return Sent(
        token,
        attempt,
        _text(raw, "question"),
        kind,
        _text(raw, "facet"),
        _text(raw, "passage"),
        mark,
        _whole(raw, "seen"),
        _whole(raw, "facetSeen"),
        _text(raw, "after"),
        _text(raw, "label"),
        _text(raw, "undoes"),
        _seconds(raw),
    )


def _text(raw: Mapping[object, object], name: str) -> str:
    value = raw.get(name)
    return value if isinstance(value, str) else ""


def _number(raw: Mapping[object, object], name: str) -> float:
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0.0
    return float(value)


def _whole(raw: Mapping[object, object], name: str) -> int:
    return int(_number(raw, name))


def _seconds(raw: Mapping[object, object]) -> float:
    return min(max(_number(raw, "seconds"), 0.0), LONGEST_SECONDS)


def take(
    store: Store, who: Who, strokes: Iterable[Sent], known: Mapping[str, Outcome]
) -> tuple[Outcome, ...]:
    """Keep strokes in the golden set, in their order, and say what became of each.

    The first that cannot be kept holds up those behind it, so that their order stays; a stroke
    is tried again only where the browser asks for another attempt.

    Args:
        store: The golden set.
        who: Whose strokes they are.
        strokes: All that have no answer in the browser yet.
        known: What became of earlier strokes, by token.
    """
    found: dict[str, Outcome] = {}
    is_held_up = False
    for sent in strokes:
        before = known.get(sent.token)
        if before is not None and _answers(before, sent):
            outcome = dataclasses.replace(before, sent=sent)
        elif is_held_up or _waits(sent, found, known):
            outcome = Outcome(sent, Became.WAITING)
        else:
            outcome = _kept(store, who, sent, {**known, **found})
        found[sent.token] = outcome
        is_held_up = is_held_up or outcome.became is Became.FAILED
    return tuple(found.values())


def _answers(before: Outcome, sent: Sent) -> bool:
    """Whether what is known of a stroke still holds: kept is kept, and one try is one answer."""
    if before.became is Became.WAITING:
        return False
    return before.is_saved or before.sent.attempt == sent.attempt


def _waits(sent: Sent, found: Mapping[str, Outcome], known: Mapping[str, Outcome]) -> bool:
    """Whether a stroke rests on another one that is not kept."""
    if sent.kind is Kind.FINISH:
        return any(
            not each.is_saved for each in found.values() if each.sent.question == sent.question
        )
    needed = {**known, **found}
    rests_on = [needed.get(token) for token in (sent.after, sent.undoes) if token]
    return any(each is not None and not each.is_saved for each in rests_on)


def _kept(store: Store, who: Who, sent: Sent, known: Mapping[str, Outcome]) -> Outcome:
    try:
        action = checked(_action(sent, known))
    except (StoreError, ValueError) as error:
        remedy = error.remedy if isinstance(error, StoreError) else ""
        problem = error.problem if isinstance(error, StoreError) else str(error)
        return Outcome(sent, Became.CONFLICT, problem, remedy)
    try:
        answer = store.send(sent.question, action, who, token=sent.token, seconds=sent.seconds)
    except StoreError as error:
        return Outcome(sent, Became.FAILED, error.problem, error.remedy)
    if isinstance(answer, Conflict):
        return Outcome(sent, Became.CONFLICT, answer.problem, by=answer.annotator, at=answer.at)
    return Outcome(sent, Became.SAVED, version=_version(answer, who))


def _action(sent: Sent, known: Mapping[str, Outcome]) -> Action:
    """Return what a stroke asks of the golden set.

    Raises:
        ValueError: It cannot be read.
        StoreError: The facet that is added has no label.
    """
    if sent.kind is Kind.MARK:
        before = known.get(sent.after)
        seen = sent.seen if before is None or before.version is None else before.version
        return MarkPassage(sent.facet, sent.passage, sent.mark, seen, sent.facet_seen)
    if sent.kind is Kind.FACET:
        if not sent.label.strip():
            raise StoreError("The facet has no label.", "Enter a few words that name it.")
        return AddFacet(sent.facet, sent.label)
    if sent.kind is Kind.UNDO:
        return Undo(sent.undoes)
    if sent.kind is Kind.FINISH:
        return FinishPass()
    if sent.kind is Kind.TIME:
        return SpendTime()
    raise ValueError(UNREADABLE)


def _version(saved: Saved, who: Who) -> int | None:
    """Return the version of the one own mark that a stroke moved."""
    moved = [
        change.version
        for change in saved.stroke.changes
        if change.table == "mark" and change.key[-1] == who.name
    ]
    return moved[0] if len(moved) == 1 else None
