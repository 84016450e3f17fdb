"""What a format is, and what it hands over: rows as they were met, before any check.

A format knows how to recognise a file and how to take it apart, nothing else. Whether a score is
finite or a vector has the right length is decided once for all formats, in ``assemble``.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import PurePath

from poolscope.errors import FormatError, Place
from poolscope.formats import ending
from poolscope.formats.decoding import Decoded, decode
from poolscope.model import Direction, ScoreKind

MAX_BYTES = 200_000_000
"""Largest file that is read, in bytes."""

MAX_CANDIDATES = 50_000
"""Most candidates of one question: the size up to which selecting is measured."""

MAX_UNPACKED = 1_000_000_000
"""Largest size, in bytes, that a compressed file may unpack to."""

MAX_VALUES = 50_000_000
"""Most cells of a table, rows times columns."""


class Tried(StrEnum):
    """What the reader of a format was tried on."""

    LIBRARY = "the library"
    CLASSES = "the vendor's classes"
    EMULATOR = "an emulator"
    SCHEMA = "its schema only"


@dataclass(frozen=True, slots=True)
class Known:
    """What a piece of software is known to mean by its score.

    Args:
        name: The measure in words, as ``ScoreKind.name``.
        direction: Which end of the raw values is better.
        evidence: How that is known: one sentence for the screen.
    """

    name: str
    direction: Direction
    evidence: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What a file says of its question itself, so that nothing is to be found out.

    Args:
        source_field: The field that its sources were read from; empty for none.
        score_kind: What its scores measure; ``None`` without scores.
    """

    source_field: str
    score_kind: ScoreKind | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RawRow:
    """One candidate as a reader met it; nothing is checked yet.

    Args:
        place: Where it stands: file, line, and row among the candidates of its question.
        id: As in the file; ``None`` without one.
        text: The passage; ``None`` without one.
        score: A number, a number as text, or anything else that stood there.
        vector: A list, an array, or a vector in one of the text forms of ``values``.
        rank: As in the file; ``None`` without one.
        facets: Ids of the facets it supports, or a mapping from id to yes, no or null; ``None``
            where nobody judged it.
        fields: Scalar metadata as text, nested names joined with dots.
        index: Its place, from 0, in the pool that a reranker was given; ``None`` elsewhere.
        problem: Why the reader could not take the row apart; empty if it could.
    """

    place: Place
    id: str | None = None
    text: str | None = None
    score: object = None
    vector: object = None
    rank: object = None
    facets: object = None
    fields: Mapping[str, str] = field(default_factory=dict)
    index: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class RawPool:
    """The candidates of one question as a reader met them.

    Args:
        rows: Candidates in list order.
        query: The question; may be empty.
        query_id: Its id in a file that holds several.
        query_vector: In any of the forms of ``RawRow.vector``.
        facets: A mapping from id to label, or a list of ids or of objects.
        stratum: What a full answer is made of, as a value of ``Stratum``; empty where not said.
        columns: The field that each role was read from, for example ``text`` from ``body``.
        notes: Sentences about how the file was read.
        problem: Why this question cannot be read at all, for ``assemble`` to raise.
        known: What the producer is known to mean by its score; ``None`` finds out.
        declared: What the file itself says of these; ``None`` finds out.
    """

    rows: Sequence[RawRow]
    query: str = ""
    query_id: str = ""
    query_vector: object = None
    facets: object = None
    stratum: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problem: FormatError | None = None
    known: Known | None = None
    declared: Declared | None = None


@dataclass(frozen=True, eq=False)
class Probe:
    """A file to be recognised; what several formats look at is worked out once.

    Args:
        data: The whole file.
        name: Its name, or ``pasted text``.
    """

    data: bytes
    name: str

    @property
    def suffix(self) -> str:
        """The name's last extension in lower case, for example ``.csv``."""
        return PurePath(self.name).suffix.lower()

    @property
    def place(self) -> Place:
        """The file as a place."""
        return Place(self.name)

    @cached_property
    def decoded(self) -> Decoded:
        """The file as text.

        Raises:
            FormatError: It is not text.
        """
        return decode(self.data, self.name)

    @property
    def text(self) -> str:
        """The file's text alone; raises as ``decoded`` does."""
        return self.decoded.text

    @cached_property
    def opening(self) -> str:
        """The first character that is not a space; empty where the file is not text."""
        try:
            return self.text[:4096].lstrip()[:1]
        except FormatError:
            return ""

    @cached_property
    def document(self) -> object:
        """The file as one JSON value.

        Raises:
            FormatError: It is not JSON.
        """
        return parse_json(self.text, self.place)

    @cached_property
    def kept(self) -> dict[str, object]:
        """What readers worked out and will want again, by a name of theirs."""
        return {}


@dataclass(frozen=True, slots=True)
class Format:
    """A format as a value: how to recognise it and how to read it.

    Args:
        name: Short, for choosing by hand.
        label: For the screen.
        recognises: Gives the reason, in words, why a file is of this format, or ``None``.
        read: Takes the file apart into one raw pool a question, or raises ``FormatError``.
        tried: What it was tried on.
        guesses: Whether it tells fields by their names, not knowing what wrote the file.
    """

    name: str
    label: str
    recognises: Callable[[Probe], str | None]
    read: Callable[[Probe], tuple[RawPool, ...]]
    tried: Tried
    guesses: bool = False


def parse_json(text: str, place: Place) -> object:
    """Parse one JSON value; ``NaN`` and ``Infinity`` are let through, rows are judged later.

    Raises:
        FormatError: The text is not JSON, or is nested too deeply.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _not_json(text, place, error) from error
    except RecursionError as error:
        raise FormatError(
            "The JSON is nested too deeply to be read.",
            "Export a list of candidates, each with its own fields.",
            place,
        ) from error
    except ValueError as error:  # a whole number of more than 4,300 digits
        raise FormatError(
            f"The JSON holds a number that cannot be read: {error}.",
            "Write ordinary numbers.",
            place,
        ) from error


class EndsEarlyError(FormatError):
    """A text ends before it is complete."""


def _not_json(text: str, place: Place, error: json.JSONDecodeError) -> FormatError:
    first = place.line or 1
    where = ending.of_json(text, error)
    if where is not None:
        last = first + text.rstrip().count("\n")
        said = f"The JSON ends before it is complete, {where}."
        return EndsEarlyError(said, ending.COMPLETE, Place(place.file, line=last))
    said = error.msg.removesuffix(" at")
    return FormatError(
        f"This is not JSON: {said} at column {error.colno}.",
        "Correct it there, or export it again.",
        Place(place.file, line=first + error.lineno - 1),
    )
