"""What a golden set is made of: settings, questions, passages, facets, judgements, strokes.

Judgements hang on a passage's key, which stays the same when documents are read in anew.
"""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeAlias

from poolscope.errors import StoreError
from poolscope.model import Stratum

Scalar: TypeAlias = str | int | float | None
Values: TypeAlias = Mapping[str, Scalar]

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Weight(StrEnum):
    """How much a full answer needs a facet."""

    VITAL = "vital"
    OKAY = "okay"


class Mark(StrEnum):
    """What an annotator says of a passage and a facet."""

    SUPPORTS = "supports"
    DOES_NOT = "does not"
    CANT_TELL = "can't tell"
    LATER = "later"

    @property
    def is_final(self) -> bool:
        """Whether nothing is left to do: everything but ``LATER``."""
        return self is not Mark.LATER


class Role(StrEnum):
    """In which part somebody speaks."""

    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody at work.

    Args:
        name: As it is written beside every mark.
        role: In which part they speak.

    Raises:
        StoreError: The name is empty.
    """

    name: str
    role: Role = Role.ANNOTATOR

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", " ".join(storable(self.name, "Your name").split()))
        if not self.name:
            raise StoreError("There is no annotator's name.", "Enter a name before marking.")


@dataclass(frozen=True, slots=True)
class Project:
    """What holds for a whole golden set.

    Args:
        hides_score: Whether scores stay hidden until a pass is done.
        hides_rank: The same of ranks: passages come in a shuffled order.
        hides_source: The same of sources.
        seed: What the shuffled order follows from.
        version: Counts the changes of these; 0 while nothing was ever set.
        guidelines: The team's own word on how to mark; empty without one.
        guidelines_version: Counts the changes of the guidelines.
    """

    hides_score: bool = True
    hides_rank: bool = True
    hides_source: bool = True
    seed: int = 0
    version: int = 0
    guidelines: str = ""
    guidelines_version: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage that is judged.

    Args:
        key: What it is known by, see ``model.identity.passage_key``.
        text: For the screen; empty where only an id is known.
        source: What it belongs to; ``None`` where unknown.
        id: What its pool calls it.
        rank: Place in the pool, from 1; 0 where unknown.
        score: Its raw score; ``None`` without one.
    """

    key: str
    text: str
    source: str | None = None
    id: str = ""
    rank: int = 0
    score: float | None = None


@dataclass(frozen=True, slots=True)
class GoldenFacet:
    """One distinct component of a full answer.

    Args:
        id: Stays when the label changes.
        label: A few words.
        description: What counts as support.
        weight: Vital or okay.
        place: Its place among the question's facets, from 0.
        version: Counts the changes of label, description and weight.
    """

    id: str
    label: str
    description: str = ""
    weight: Weight = Weight.VITAL
    place: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a golden set.

    Args:
        id: Distinct in the golden set.
        text: As it was asked.
        stratum: Several components or one true answer.
        notes: Free text for annotators.
        version: Counts the changes of text and stratum.
        notes_version: Counts the changes of the notes.
    """

    id: str
    text: str
    stratum: Stratum = Stratum.SEVERAL
    notes: str = ""
    version: int = 0
    notes_version: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a mark stands.

    Args:
        facet: Id of the facet.
        passage: Key of the passage.
    """

    facet: str
    passage: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody says of one passage and one facet.

    Args:
        cell: The facet and the passage.
        annotator: Who said it.
        role: An adjudicator's mark settles the cell and is no annotator's.
        mark: What is said now; ``None`` where it was taken back.
        independent: The last mark that was made before others' marks could be seen.
        made_at: When, UTC.
        version: Counts the changes of this mark.
    """

    cell: Cell
    annotator: str
    role: Role
    mark: Mark | None
    independent: Mark | None
    made_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Attendance:
    """How far somebody is with a question.

    Args:
        annotator: Who.
        seconds: Time spent.
        is_done: Whether the own pass is done: from then on others' marks may be seen.
    """

    annotator: str
    seconds: float
    is_done: bool


@dataclass(frozen=True, slots=True)
class Change:
    """How one stroke changed one row.

    Args:
        table: Name of the table without its prefix.
        key: Values of the row's key, in the table's order.
        before: Values before; ``None`` where there was no row.
        after: Values after.
        version: The row's version after, from 1.
        stood: Token of the stroke whose values the row held before; empty without one.
        stands: The same after: of this stroke, or where it takes another one back of the one
            before that; ``None`` until this stroke has its token.
    """

    table: str
    key: tuple[str, ...]
    before: Values | None
    after: Values
    version: int
    stood: str = ""
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class Stroke:
    """One entry of the log, which only grows.

    Args:
        number: Its place in the log.
        token: Chosen by who sent it: the same token is never kept twice.
        question: Id of the question; empty for settings of the whole set.
        annotator: Who.
        role: In which part.
        at: When, UTC.
        kind: Name of the action: ``MarkPassage``.
        what: The action as JSON.
        changes: What it changed.
        undoes: Token of the stroke that it takes back; empty otherwise.
    """

    number: int
    token: str
    question: str
    annotator: str
    role: Role
    at: datetime
    kind: str
    what: str
    changes: tuple[Change, ...] = field(repr=False)
    undoes: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """A stroke that is kept for good.

    Args:
        stroke: The log's entry.
        was_there: Whether it had been kept before: it was sent twice.
        clashes: Cells where a merge met both “supports” and “does not”; “supports” was kept.
    """

    stroke: Stroke
    was_there: bool = False
    clashes: tuple[Cell, ...] = ()

    def version(self, table: str, *key: str) -> int:
        """Return the version after this stroke of a row that it changed."""
        return next(
            change.version
            for change in self.stroke.changes
            if change.table == table and change.key == key
        )


@dataclass(frozen=True, slots=True)
class Guidelines:
    """One version of a team's own guidelines.

    Args:
        number: Which, from 1.
        text: As it was written; empty where they were taken away.
        author: Who wrote it.
        at: When, UTC.
    """

    number: int
    text: str
    author: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Conflict:
    """A stroke that was not kept, because what it saw is no longer so. Nothing was lost.

    Args:
        problem: What was changed meanwhile, a sentence for the screen.
        annotator: Who changed it; empty where nobody did.
        at: When, UTC; ``None`` where nobody did.
        kind: The action that changed it.
        current: What stands there now; ``None`` where nothing does.
        version: Its version now: send the stroke again with it to go on all the same.
    """

    problem: str
    annotator: str = ""
    at: datetime | None = None
    kind: str = ""
    current: Values | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """All of one question, as it is exported.

    Args:
        question: The question.
        passages: Those that are judged now.
        facets: In order.
        judgements: Of everybody.
        attendance: Of everybody.
    """

    question: Question
    passages: tuple[Passage, ...] = ()
    facets: tuple[GoldenFacet, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    attendance: tuple[Attendance, ...] = ()

    @property
    def without_versions(self) -> "Record":
        """The same with every version 0: what two stores may agree on."""
        return dataclasses.replace(
            self,
            question=dataclasses.replace(self.question, version=0, notes_version=0),
            facets=tuple(dataclasses.replace(facet, version=0) for facet in self.facets),
            judgements=tuple(dataclasses.replace(mark, version=0) for mark in self.judgements),
        )


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """A whole golden set: strata, facets and judgements."""

    project: Project = field(default_factory=Project)
    records: tuple[Record, ...] = ()


def storable(text: str, name: str) -> str:
    """Return a typed text if every database can hold it.

    Raises:
        StoreError: It holds a zero character or half of a surrogate pair.
    """
    found = _UNSTORABLE.search(text)
    if found:
        raise StoreError(
            f"{name} holds the character U+{ord(found.group()):04X} at place {found.start() + 1}, "
            "which no database can keep.",
            "Remove it and save again.",
        )
    return text


def replaced(text: str) -> str:
    """Return a passage's text with U+FFFD for what no database can hold."""
    return _UNSTORABLE.sub("\ufffd", text)


def written(at: datetime) -> str:
    """Write a moment the way it is stored and exported: UTC to the microsecond, sorting as text."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment(text: str) -> datetime:
    """Read a moment back."""
    return datetime.fromisoformat(text)
