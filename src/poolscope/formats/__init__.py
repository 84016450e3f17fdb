"""Everything a pool can be read from: the list of formats, detection, and the one door.

``read`` takes a file apart into questions; each is checked and assembled when it is asked for,
so that a file of many questions can be listed at once and one bad question hides no other.

A new format is a module with a ``Format`` and a place in ``FORMATS``: the first that recognises
a file reads it, so the telling ones come before the general ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from poolscope.errors import FormatError, Place
from poolscope.formats import (
    arrays,
    beside,
    csv_table,
    json_lines,
    json_records,
    parquet,
    python_repr,
    sources,
)
from poolscope.formats.assemble import assemble
from poolscope.formats.base import MAX_BYTES, Format, Probe, RawPool, RawRow
from poolscope.formats.beside import VectorFile
from poolscope.formats.contents import of_shape
from poolscope.formats.report import (
    Copies,
    ImportReport,
    Loaded,
    SetAside,
    SourceField,
    SourceReport,
    VectorReport,
)
from poolscope.formats.shapes import SHAPES
from poolscope.model import Direction

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "PASTED",
    "Copies",
    "Detection",
    "Format",
    "ImportReport",
    "Load",
    "Loaded",
    "Outline",
    "RawPool",
    "RawRow",
    "SetAside",
    "SourceField",
    "SourceReport",
    "VectorReport",
    "assemble",
    "detect",
    "read",
]

FORMATS: tuple[Format, ...] = (
    *(of_shape(shape) for shape in SHAPES),
    parquet.FORMAT,
    arrays.NPZ,
    arrays.NPY,
    json_lines.FORMAT,
    python_repr.FORMAT,
    json_records.FORMAT,
    csv_table.FORMAT,
)

PASTED = "pasted text"
"""The name under which a pasted text is read."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A format and why a file was taken for it."""

    format: Format
    reason: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A question of a file, for a table of them.

    Args:
        index: Its place in the file, from 0.
        query_id: Its id; may be empty.
        query: The question; may be empty.
        candidates: Rows met; some may be set aside when it is assembled.
    """

    index: int
    query_id: str
    query: str
    candidates: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Load:
    """A file taken apart: its questions, not yet assembled.

    Args:
        format: What it was read as.
        reason: Why.
        name: The file's name.
        raws: One raw pool a question.
        vectors: Candidates' vectors from a file beside it.
        query_vectors: Questions' vectors from a file beside it.
    """

    format: Format
    reason: str
    name: str
    raws: tuple[RawPool, ...]
    vectors: VectorFile | None = None
    query_vectors: VectorFile | None = None

    def __len__(self) -> int:
        return len(self.raws)

    @property
    def format_label(self) -> str:
        """The format, for the screen."""
        return self.format.label

    @cached_property
    def outlines(self) -> tuple[Outline, ...]:
        """The questions in file order, for a table of them."""
        return tuple(
            Outline(index, raw.query_id, raw.query, len(raw.rows))
            for index, raw in enumerate(self.raws)
        )

    @cached_property
    def source_field(self) -> str:
        """The source field chosen for the whole file, so that its questions agree."""
        return sources.choose(self.raws)

    def question(
        self, index: int = 0, *, source_field: str | None = None, direction: Direction | None = None
    ) -> Loaded:
        """Assemble one question.

        Args:
            index: Its place in the file, from 0.
            source_field: The field that sources are read from; ``None`` takes the file's.
            direction: The user's word on which end of the score is better.

        Raises:
            FormatError: It cannot be read, or its vectors do not fit.
            PoolError: None of its rows can be used, or the source field does not exist.
        """
        raw = self.raws[index]
        if source_field is None:
            met = any(self.source_field in row.fields for row in raw.rows)
            source_field = self.source_field if met else None
        if self.vectors is not None:
            raw = beside.with_vectors(raw, self.vectors, len(self.raws))
        if self.query_vectors is not None:
            raw = beside.with_query_vector(raw, self.query_vectors, index, len(self.raws))
        return assemble(
            raw,
            source_field=source_field,
            direction=direction,
            format_label=self.format.label,
            reason=self.reason,
        )

    def questions(self) -> Iterator[Loaded]:
        """Assemble the questions one by one; raises at the first that cannot be."""
        for index in range(len(self.raws)):
            yield self.question(index)


def detect(data: bytes, name: str = PASTED) -> Detection:
    """Name the format of a file, with the reason.

    Raises:
        FormatError: The file is empty, too large, or of no known format.
    """
    return _detect(_probe(data, name))


def read(
    data: bytes,
    name: str = PASTED,
    *,
    format_name: str | None = None,
    vectors: bytes | None = None,
    vectors_name: str = "vectors",
    query_vectors: bytes | None = None,
    query_vectors_name: str = "question vectors",
) -> Load:
    """Take a file or a pasted text apart into questions.

    Args:
        data: The whole file; a pasted text as UTF-8.
        name: Its name.
        format_name: A format chosen by hand, by ``Format.name``; it wins over detection.
        vectors: A file of the candidates' vectors beside it, NPZ or NPY.
        vectors_name: Its name.
        query_vectors: A file of the questions' vectors beside it, NPZ or NPY.
        query_vectors_name: Its name.

    Raises:
        FormatError: It cannot be read; the message says where, and what to do.
    """
    probe = _probe(data, name)
    found = _detect(probe) if format_name is None else Detection(_named(format_name), BY_HAND)
    raws = found.format.read(probe)
    vector_file = None if vectors is None else VectorFile(vectors, vectors_name)
    query_file = None if query_vectors is None else VectorFile(query_vectors, query_vectors_name)
    if vector_file is not None:
        beside.check_vectors(vector_file, raws)
    return Load(
        format=found.format,
        reason=found.reason,
        name=name,
        raws=raws,
        vectors=vector_file,
        query_vectors=query_file,
    )


BY_HAND = "chosen by hand"


def _probe(data: bytes, name: str) -> Probe:
    if not data.strip():
        raise FormatError("There is nothing in it.", "Give a file with candidates.", Place(name))
    if len(data) > MAX_BYTES:
        raise FormatError(
            f"The file has {len(data):,} bytes, the limit is {MAX_BYTES:,}.",
            "Export fewer questions, or put the vectors into a file of their own.",
            Place(name),
        )
    return Probe(data, name)


def _detect(probe: Probe) -> Detection:
    for candidate in FORMATS:
        reason = candidate.recognises(probe)
        if reason is not None:
            return Detection(candidate, reason)
    start = probe.data[:24].decode("utf-8", "replace")
    raise FormatError(
        f"The format is not known: the file starts with {start!r}.",
        f"Give one of: {', '.join(known.label for known in FORMATS)}; or choose it by hand.",
        probe.place,
    )


def _named(format_name: str) -> Format:
    for known in FORMATS:
        if known.name == format_name:
            return known
    raise FormatError(
        f"There is no format “{format_name}”.",
        f"Choose one of: {', '.join(known.name for known in FORMATS)}.",
    )
