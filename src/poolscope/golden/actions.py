"""What an annotator can ask for, one value each. ``seen`` is the version that was on the screen.

An action is complete in itself: where it could not be kept it can be sent again as it is.
"""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from poolscope.errors import StoreError
from poolscope.golden.carrying import Carried
from poolscope.golden.model import Mark, Passage, Project, Question, Record, Weight, storable
from poolscope.model import Stratum


@dataclass(frozen=True, slots=True)
class SetProject:
    """Set what is hidden, and the seed; ``project.version`` is the version seen."""

    project: Project


@dataclass(frozen=True, slots=True)
class SetGuidelines:
    """Write the team's own guidelines, as an adjudicator."""

    guidelines: str
    seen: int


@dataclass(frozen=True, slots=True)
class AddQuestion:
    """Add a question and its passages."""

    question: Question
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class AddRecord:
    """Add a question with everything that was said of it elsewhere.

    Where the question is there and has no facets yet, it keeps its text, its stratum and its notes
    and takes the rest.
    """

    record: Record


@dataclass(frozen=True, slots=True)
class AddPassages:
    """Add passages to a question; those that are there stay as they are."""

    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class SetStratum:
    """Say which kind a question is."""

    stratum: Stratum
    seen: int


@dataclass(frozen=True, slots=True)
class SetNotes:
    """Write a question's notes."""

    notes: str
    seen: int


@dataclass(frozen=True, slots=True)
class AddFacet:
    """Add a facet behind the others. The id is chosen by who sends it, so that a retry is one."""

    id: str
    label: str
    description: str = ""
    weight: Weight = Weight.VITAL


@dataclass(frozen=True, slots=True)
class ReviseFacet:
    """Rename a facet, describe it, make it vital or okay; what is ``None`` stays."""

    facet: str
    seen: int
    label: str | None = None
    description: str | None = None
    weight: Weight | None = None


@dataclass(frozen=True, slots=True)
class RemoveFacet:
    """Take a facet away, with its marks; an undo brings both back."""

    facet: str
    seen: int


@dataclass(frozen=True, slots=True)
class MergeFacets:
    """Make one facet of two: the marks of ``facet`` follow to ``into``."""

    facet: str
    into: str
    seen: int
    seen_into: int


@dataclass(frozen=True, slots=True)
class SplitFacet:
    """Make several facets of one.

    “Does not” holds of every part; whatever else was marked becomes “later” for every part.
    """

    facet: str
    parts: tuple[AddFacet, ...]
    seen: int


@dataclass(frozen=True, slots=True)
class ReorderFacets:
    """Put all facets into another order, given the order seen."""

    order: tuple[str, ...]
    seen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkPassage:
    """Mark a passage for a facet; ``None`` takes the mark back."""

    facet: str
    passage: str
    mark: Mark | None
    seen: int
    facet_seen: int


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """Settle a cell; for adjudicators."""

    facet: str
    passage: str
    mark: Mark | None
    seen: int
    facet_seen: int


@dataclass(frozen=True, slots=True)
class FinishPass:
    """Say that the own pass is done. From then on others' marks are shown; there is no way back."""


@dataclass(frozen=True, slots=True)
class SpendTime:
    """Nothing but the time that was spent."""


@dataclass(frozen=True, slots=True)
class CarryOver:
    """Put new passages in the place of the old ones; marks follow where a passage was carried.

    Args:
        passages: All passages of the question from now on.
        carried: Which old passage became which new one.
    """

    passages: tuple[Passage, ...]
    carried: tuple[Carried, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take an own stroke back; an undo can be taken back too."""

    stroke: str


Action: TypeAlias = (
    SetProject
    | SetGuidelines
    | AddQuestion
    | AddRecord
    | AddPassages
    | SetStratum
    | SetNotes
    | AddFacet
    | ReviseFacet
    | RemoveFacet
    | MergeFacets
    | SplitFacet
    | ReorderFacets
    | MarkPassage
    | Adjudicate
    | FinishPass
    | SpendTime
    | CarryOver
    | Undo
)


def as_json(action: Action) -> str:
    """Write an action for the log: whole, but for passages, which stand in its changes."""
    fields = {
        item.name: getattr(action, item.name)
        for item in dataclasses.fields(action)
        if item.name not in ("passages", "record")
    }
    return json.dumps(
        {name: _plain(value) for name, value in fields.items()}, ensure_ascii=False, sort_keys=True
    )


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def checked(action: Action) -> Action:
    """Return an action whose texts every database can hold.

    Raises:
        StoreError: One of them cannot be kept, or a question has no id.
    """
    for name, text in _texts(action, "text"):
        storable(text, f"The {name.replace('_', ' ')}")
    if isinstance(action, AddQuestion | AddRecord):
        question = action.question if isinstance(action, AddQuestion) else action.record.question
        if not question.id:
            raise StoreError("The question has no id.", "Give every question an id of its own.")
    return action


def _texts(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Yield every text of an action with the name of its field."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item, name)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _texts(getattr(value, field.name), field.name)
