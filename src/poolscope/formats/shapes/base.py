"""What a shape is: a way in which one kind of software writes passages, whatever file holds it.

A shape sees a plain value (objects as dictionaries, lists, texts, numbers), never a file: the same
list of documents stands in JSON, in JSON Lines, in a column of Parquet, in the output of a span.
A shape that holds another one (a trace, an evaluation) calls that one's reader.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from poolscope.errors import FormatError, Place
from poolscope.formats import values
from poolscope.formats.base import Known, RawPool, RawRow, Tried
from poolscope.formats.records import fields_of

Json = object
"""A plain value: a dictionary with text keys, a list, a text, a number, a truth value, nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """One candidate as a shape met it; nothing is checked yet.

    Args:
        text: The passage; anything but a text counts as none.
        id: Its id, a text or a number.
        score: As in the file, a number or a number as text.
        vector: In any form that ``values.vector`` reads.
        rank: Its rank where the software numbers them; else the list order counts.
        metadata: Everything else that is known of it; nested names are joined with dots.
        index: Its place, from 0, in the pool that a reranker was given; ``None`` elsewhere.
        problem: Why it could not be taken apart; empty if it could.
    """

    text: Json = None
    id: Json = None
    score: Json = None
    vector: Json = None
    rank: Json = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    index: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """The passages of one question as a shape met them.

    Args:
        passages: In list order.
        query: The question; may be empty.
        query_id: Its id where the file holds several.
        query_vector: In any form that ``values.vector`` reads.
        known: What the software is known to mean by its score; ``None`` finds out.
        columns: The name in the file of each role, for example ``text`` from ``page_content``.
        notes: Sentences about how it was read: what was left out, what is missing.
        facets: As ``RawPool.facets``.
        problem: Why this question cannot be read at all.
        remedy: What to do about it.
    """

    passages: Sequence[Passage]
    query: Json = ""
    query_id: Json = ""
    query_vector: Json = None
    known: Known | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    facets: Json = None
    problem: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape as a value.

    Args:
        name: Short, for choosing by hand and on the command line.
        label: The software's name and what it wrote, for the screen.
        recognises: Gives the reason, in words, why a value is of this shape, or ``None``. It looks
            at the first entries only, and never raises.
        read: Takes a value apart into its questions, or raises ``FormatError``.
        tried: What it was tried on.
        holds: Whether it holds passages of another shape; such a one is not looked for inside
            another.
    """

    name: str
    label: str
    recognises: Callable[[Json], str | None]
    read: Callable[[Json], Sequence[Question]]
    tried: Tried
    holds: bool = False


def raw_pools(
    questions: Sequence[Question], file: str, notes: tuple[str, ...] = ()
) -> tuple[RawPool, ...]:
    """Turn what a shape met into one raw pool a question.

    Raises:
        FormatError: There is no question in it.
    """
    if not questions:
        raise FormatError(
            "There is no retrieval in it: no list of passages was found.",
            "Export the retriever's output, with the passages' text.",
            Place(file),
        )
    return tuple(_raw_pool(question, file, notes) for question in questions)


def _raw_pool(question: Question, file: str, notes: tuple[str, ...]) -> RawPool:
    place = Place(file)
    return RawPool(
        rows=tuple(
            _raw_row(passage, Place(file, row=number))
            for number, passage in enumerate(question.passages, start=1)
        ),
        query=_text(question.query),
        query_id=_text(question.query_id),
        query_vector=question.query_vector,
        facets=question.facets,
        columns={
            role: name
            for role, name in question.columns.items()
            if any(getattr(passage, role, None) is not None for passage in question.passages)
        },
        notes=(*notes, *question.notes),
        problem=FormatError(question.problem, question.remedy, place) if question.problem else None,
        known=question.known,
    )


def _raw_row(passage: Passage, place: Place) -> RawRow:
    return RawRow(
        place=place,
        id=_text(passage.id) or None,
        text=_text(passage.text) or None,
        score=passage.score,
        vector=passage.vector,
        rank=passage.rank,
        fields=fields_of(passage.metadata),
        index=passage.index,
        problem=passage.problem,
    )


def _text(value: Json) -> str:
    """Return a scalar as text; empty for anything that is none."""
    if value is None or isinstance(value, (Mapping, list, tuple)):
        return ""
    written = values.text(value)
    return written if written.strip() else ""
