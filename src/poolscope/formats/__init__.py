"""Everything a pool can be read from: the list of formats, detection, and the one door.

``read`` takes a file apart into questions; each is checked and assembled when it is asked for,
so that a file of many questions can be listed at once and one bad question hides no other.

A new format is a module with a ``Format`` and a place in ``FORMATS``: the first that recognises
a file reads it, so the telling ones come before the general ones.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath

from poolscope.errors import FormatError, Place, PoolscopeError
from poolscope.formats import (
    arrays,
    beside,
    csv_table,
    disk,
    joins,
    json_lines,
    json_records,
    judgements,
    native,
    parquet,
    python_repr,
    sources,
    trec,
)
from poolscope.formats.assemble import assemble
from poolscope.formats.base import MAX_BYTES, Format, Probe, RawPool, RawRow, Tried
from poolscope.formats.beside import NOTHING, Beside, File, VectorFile
from poolscope.formats.contents import contents, nearly_of, of_shape
from poolscope.formats.joins import Corpus
from poolscope.formats.judgements import Judgements
from poolscope.formats.report import (
    Copies,
    ImportReport,
    Loaded,
    SetAside,
    SourceField,
    SourceReport,
    VectorReport,
)
from poolscope.formats.shapes import SHAPES, Shape
from poolscope.formats.unpacking import unpacked
from poolscope.model import Direction

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "PASTED",
    "Beside",
    "Copies",
    "Detection",
    "File",
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
    "Tried",
    "VectorReport",
    "assemble",
    "detect",
    "read",
    "read_path",
]

FORMATS: tuple[Format, ...] = (
    native.FORMAT,
    *(of_shape(shape) for shape in SHAPES),
    parquet.FORMAT,
    arrays.NPZ,
    arrays.NPY,
    trec.RUN,
    trec.JUDGEMENTS,
    json_lines.FORMAT,
    python_repr.FORMAT,
    json_records.FORMAT,
    csv_table.FORMAT,
)

MOST_TRIED = 100
"""Questions that are tried for one that can be read, before the file is refused."""

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
class Joined:
    """The files beside a file, read; each ``None`` where it was not given.

    Args:
        vectors: Candidates' vectors.
        query_vectors: Questions' vectors.
        corpus: Passages by id.
        queries: The questions' texts by id, and the file's name.
        earlier: The pools before a reranker, and the file's name.
        judgements: Judgements by question.
    """

    vectors: VectorFile | None = None
    query_vectors: VectorFile | None = None
    corpus: Corpus | None = None
    queries: tuple[dict[str, str], str] | None = None
    earlier: tuple[tuple[RawPool, ...], str] | None = None
    judgements: Judgements | None = None

    def join(self, raw: RawPool, index: int, questions: int) -> RawPool:
        """Return one question's pool with everything that is beside it.

        Args:
            raw: As its own file has it.
            index: Its place in the file, from 0.
            questions: How many questions the file holds.

        Raises:
            FormatError: A file beside it does not belong to it.
        """
        if self.earlier is not None:
            raw = joins.with_earlier(raw, *self.earlier, index, questions)
        if self.corpus is not None:
            raw = joins.with_corpus(raw, self.corpus)
        if self.queries is not None:
            raw = joins.with_query(raw, *self.queries)
        if self.vectors is not None:
            raw = beside.with_vectors(raw, self.vectors, questions)
        if self.query_vectors is not None:
            raw = beside.with_query_vector(raw, self.query_vectors, index, questions)
        if self.judgements is not None:
            raw = judgements.with_judgements(raw, self.judgements, questions)
        return raw


@dataclass(frozen=True, eq=False, kw_only=True)
class Load:
    """A file taken apart: its questions, not yet assembled.

    Args:
        format: What it was read as.
        reason: Why.
        name: The file's name.
        raws: One raw pool a question.
        beside: What was read from the files beside it.
    """

    format: Format
    reason: str
    name: str
    raws: tuple[RawPool, ...]
    beside: Joined = field(default_factory=Joined)

    def __len__(self) -> int:
        return len(self.raws)

    @property
    def format_label(self) -> str:
        """The format, for the screen."""
        return self.format.label

    @cached_property
    def outlines(self) -> tuple[Outline, ...]:
        """The questions in file order, with the texts beside them, for a table of them."""
        texts = {} if self.beside.queries is None else self.beside.queries[0]
        return tuple(
            Outline(index, raw.query_id, texts.get(raw.query_id, raw.query), len(raw.rows))
            for index, raw in enumerate(self.raws)
        )

    @cached_property
    def source_field(self) -> str:
        """The source field chosen for the whole file, so that its questions agree."""
        declared = next((raw.declared for raw in self.raws if raw.declared is not None), None)
        if declared is not None:
            return declared.source_field
        looked = range(min(len(self.raws), sources.LOOKED_AT))
        return sources.choose([self._joined(index) for index in looked])

    def _joined(self, index: int) -> RawPool:
        """Return one question with what lies beside it; as it is where that does not fit."""
        try:
            return self.beside.join(self.raws[index], index, len(self.raws))
        except FormatError:
            return self.raws[index]

    def question(
        self,
        index: int = 0,
        *,
        source_field: str | None = None,
        direction: Direction | None = None,
        merges: tuple[str, ...] = (),
    ) -> Loaded:
        """Assemble one question.

        Args:
            index: Its place in the file, from 0.
            source_field: The field that sources are read from; ``None`` takes the file's.
            direction: The user's word on which end of the score is better.
            merges: Rules that merge source labels, by name: see ``identity.RULES``.

        Raises:
            FormatError: It cannot be read, or its vectors do not fit.
            PoolError: None of its rows can be used, or the source field or a rule does not exist.
        """
        raw = self.beside.join(self.raws[index], index, len(self.raws))
        raw = joins.require(raw, self.name, guessed=self.format.guesses)
        if source_field is None and raw.declared is not None:
            source_field = raw.declared.source_field
        if source_field is None:
            met = any(self.source_field in row.fields for row in raw.rows)
            source_field = self.source_field if met else None
        return assemble(
            raw,
            source_field=source_field,
            direction=direction,
            merges=merges,
            format_label=self.format.label,
            reason=self.reason,
        )

    def first_readable(self, read: Callable[[int], object] | None = None) -> int:
        """Return the first question that can be assembled, so that a bad one hides no other.

        Args:
            read: Assembles a question by its place, or raises; ``None`` does it here.

        Raises:
            PoolscopeError: None of the first ``MOST_TRIED`` can; what is wrong with the first.
        """
        problems: list[PoolscopeError] = []
        for index in range(min(len(self.raws), MOST_TRIED)):
            try:
                (read or self.question)(index)
            except PoolscopeError as error:
                problems.append(error)
            else:
                return index
        raise self._unreadable(problems)

    def _unreadable(self, problems: Sequence[PoolscopeError]) -> PoolscopeError:
        """Say that no question can be read, how many were tried, and what the first one lacks."""
        first, n = problems[0], len(self.raws)
        if n == 1:
            return first
        some = f"the first {len(problems)} of {n:,}" if len(problems) < n else f"the {n:,}"
        problem = f"None of {some} questions can be read; the first: {first.problem}"
        place = first.place if str(first.place) else Place(file=self.name)
        return FormatError(problem, first.remedy, place)

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
    beside: Beside = NOTHING,
) -> Load:
    """Take a file or a pasted text apart into questions.

    Args:
        data: The whole file; a pasted text as UTF-8.
        name: Its name.
        format_name: A format chosen by hand, by ``Format.name``; it wins over detection.
        beside: The files that lie beside it.

    Raises:
        FormatError: It, or a file beside it, cannot be read; the message says where, and what to
            do.
    """
    probe = _probe(data, name)
    found = _detect(probe) if format_name is None else Detection(_named(format_name), BY_HAND)
    raws = found.format.read(probe)
    return Load(
        format=found.format,
        reason=found.reason,
        name=name,
        raws=raws,
        beside=_joined(beside, raws),
    )


def read_path(
    path: str | PathLike[str],
    *,
    format_name: str | None = None,
    beside: Mapping[str, str | PathLike[str] | None] | None = None,
) -> Load:
    """Read a file from disk, with the files that lie beside it.

    Args:
        path: The file.
        format_name: As for ``read``.
        beside: Paths by the names of ``Beside``; ``None`` for one that is not given.

    Raises:
        FormatError: One of the files is not there, may not be read, or its content cannot be.
    """
    file = disk.file(fspath(path))
    found = {
        role: disk.file(fspath(other))
        for role, other in (beside or {}).items()
        if other is not None
    }
    return read(file.data, file.name, format_name=format_name, beside=Beside(**found))


def _joined(given: Beside, raws: tuple[RawPool, ...]) -> Joined:
    """Read the files beside a file."""
    vectors, queries = given.vectors, given.query_vectors
    vector_file = None if vectors is None else VectorFile(vectors.data, vectors.name)
    if vector_file is not None:
        beside.check_vectors(vector_file, raws)
    earlier, texts, judged = given.earlier, given.queries, given.judgements
    return Joined(
        vectors=vector_file,
        query_vectors=None if queries is None else VectorFile(queries.data, queries.name),
        corpus=None if given.corpus is None else _corpus(given.corpus),
        queries=None if texts is None else (_questions(texts), texts.name),
        earlier=None if earlier is None else (_pools(earlier), earlier.name),
        judgements=None if judged is None else judgements.read(_probe(judged.data, judged.name)),
    )


def _pools(file: File) -> tuple[RawPool, ...]:
    probe = _probe(file.data, file.name)
    return _detect(probe).format.read(probe)


def _corpus(file: File) -> Corpus:
    found = contents(_probe(file.data, file.name))
    texts = None if found is None else joins.texts_by_id(found.value)
    return (
        joins.corpus(_pools(file), file.name) if texts is None else joins.of_texts(texts, file.name)
    )


def _questions(file: File) -> dict[str, str]:
    found = contents(_probe(file.data, file.name))
    texts = {} if found is None else joins.questions_by_id(found.value)
    if not texts:
        raise FormatError(
            "No question with an id and a text is in it.",
            "Give a file of questions, each with “_id” or “query_id” and “text” or “query”.",
            Place(file.name),
        )
    return texts


BY_HAND = "chosen by hand"


def _probe(data: bytes, name: str) -> Probe:
    if not data.strip():
        raise FormatError("There is nothing in it.", "Give one with candidates.", Place(name))
    if len(data) > MAX_BYTES:
        raise FormatError(
            f"It has {len(data):,} bytes, the limit is {MAX_BYTES:,}.",
            "Export fewer questions, or put the vectors into a file of their own.",
            Place(name),
        )
    return Probe(*unpacked(data, name))


def _detect(probe: Probe) -> Detection:
    for candidate in FORMATS:
        reason = candidate.recognises(probe)
        if reason is not None:
            near = nearly_of(probe) if candidate.guesses else None
            return Detection(candidate, reason) if near is None else _nearly(*near)
    start = probe.data[:24].decode("utf-8", "replace")
    raise FormatError(
        f"The format is not known: it starts with {start!r}.",
        "Give JSON, JSON Lines, CSV, Parquet, NPZ, a TREC run or what a console prints of a list; "
        f"or choose one of the {len(FORMATS)} formats by hand.",
        probe.place,
    )


def _nearly(shape: Shape, reason: str) -> Detection:
    return Detection(_named(shape.name), reason)


def _named(format_name: str) -> Format:
    for known in FORMATS:
        if known.name == format_name:
            return known
    raise FormatError(
        f"There is no format “{format_name}”.",
        f"Choose one of: {', '.join(known.name for known in FORMATS)}.",
    )
