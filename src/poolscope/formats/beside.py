"""What may lie beside a file of pools, and how vectors in a file of their own are joined to it.

Layouts of a file of candidates' vectors: one ``(n, d)`` array a question, named by its id, rows
in list order; ``ids`` with ``vectors``, joined by candidate id; one ``(n, d)`` array alone, for
a file of one question. Questions' vectors: ``ids`` with ``vectors``, joined by question id; one
array of ``d`` numbers, for a file of one question; one ``(questions, d)`` array, in file order.
"""

import dataclasses
from dataclasses import dataclass
from functools import cached_property

from poolscope.counts import agreed, counted
from poolscope.errors import FormatError, Place
from poolscope.formats.base import RawPool
from poolscope.formats.npy import Archive, Array, is_npy, is_npz, read_npy

IDS = "ids"


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A file that lies beside another.

    Args:
        data: The whole file.
        name: Its name, for messages.
    """

    data: bytes
    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Beside:
    """Everything that may lie beside a file of pools.

    Args:
        vectors: The candidates' vectors, NPZ or NPY.
        query_vectors: The questions' vectors, NPZ or NPY.
        corpus: Passages by id, for a file that names ids without texts: any readable file.
        queries: The questions' texts by id, for a file that names only their ids.
        earlier: The pool before a reranker, rows in the order in which they were sent.
        judgements: Which documents are relevant, for which subtopic.
    """

    vectors: File | None = None
    query_vectors: File | None = None
    corpus: File | None = None
    queries: File | None = None
    earlier: File | None = None
    judgements: File | None = None


NOTHING = Beside()


@dataclass(frozen=True, eq=False)
class VectorFile:
    """A file of vectors, NPZ or NPY.

    Args:
        data: The whole file.
        name: Its name, for messages.
    """

    data: bytes
    name: str

    @cached_property
    def archive(self) -> Archive | None:
        """The arrays of an NPZ; ``None`` for a lone array."""
        if is_npz(self.data):
            return Archive(self.data, self.name)
        if is_npy(self.data):
            return None
        raise FormatError(
            "This is not a file of vectors.",
            "Give NPZ or NPY, as numpy.savez or numpy.save write them.",
            Place(self.name),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arrays; none for a lone array."""
        return self.archive.names if self.archive is not None else ()

    @cached_property
    def by_id(self) -> dict[str, Array] | None:
        """Rows by id, where the file holds ids; ``None`` where it does not."""
        if self.archive is None or IDS not in self.names:
            return None
        others = [name for name in self.names if name != IDS]
        ids = self.archive.read(IDS)
        for rows in (self.archive.read(name) for name in others):
            if rows.ndim == 2 and ids.ndim == 1:
                self._same_length(len(ids), len(rows), "id")
                keys = [_key(entry) for entry in ids.tolist()]
                return dict(zip(keys, rows, strict=True))
        raise FormatError(
            "The file holds ids but no array with one vector a row.",
            "Save “ids” of length n with “vectors” of shape (n, d).",
            Place(self.name),
        )

    @cached_property
    def alone(self) -> Array | None:
        """The one array of a file that holds only one, whatever its name."""
        if self.archive is None:
            return read_npy(self.data, self.name)
        return self.archive.read(self.names[0]) if len(self.names) == 1 else None

    def _same_length(self, wanted: int, found: int, what: str) -> None:
        if wanted != found:
            raise FormatError(
                f"{counted(wanted, what)} and {counted(found, 'vector')} do not go together.",
                "Save one vector for each, in the same order.",
                Place(self.name),
            )


def _key(entry: object) -> str:
    return entry.decode("utf-8", "replace") if isinstance(entry, bytes) else str(entry)


def check_vectors(file: VectorFile, pools: tuple[RawPool, ...]) -> None:
    """Refuse a file of vectors that has nothing to do with the pools.

    Raises:
        FormatError: Nothing in it can be joined to any question.
    """
    if file.by_id is not None or any(pool.query_id in file.names for pool in pools):
        return
    if len(pools) == 1 and file.alone is not None:
        return
    met = ", ".join(f"“{name}”" for name in file.names[:3]) or "one array without a name"
    raise FormatError(
        f"No question's vectors are in the file: it holds {met}.",
        "Name each (n, d) array by its question's id, or save “ids” with “vectors”.",
        Place(file.name),
    )


def with_vectors(pool: RawPool, file: VectorFile, questions: int) -> RawPool:
    """Return the pool with its rows' vectors taken from the file.

    Args:
        pool: The pool of one question.
        file: The file of the candidates' vectors.
        questions: How many questions the pool's file holds.

    Raises:
        FormatError: The question has another number of candidates than of vectors.
    """
    if pool.query_id in file.names and file.archive is not None:
        return _in_order(pool, file.archive.read(pool.query_id), file)
    if file.by_id is not None:
        vectors = [file.by_id.get(row.id or "") for row in pool.rows]
        without = sum(vector is None for vector in vectors)
        joined = len(vectors) - without
        note = (
            f"{counted(joined, 'vector')} {agreed(joined, 'was', 'were')} joined by candidate id "
            f"from {file.name}."
        )
        return _joined(pool, vectors, note)
    if questions == 1 and file.alone is not None:
        return _in_order(pool, file.alone, file)
    note = f"{file.name} has no vectors for this question."
    return dataclasses.replace(pool, notes=(*pool.notes, note))


def _in_order(pool: RawPool, rows: Array, file: VectorFile) -> RawPool:
    if rows.ndim != 2 or len(rows) != len(pool.rows):
        question = f"Question “{pool.query_id}”" if pool.query_id else "The question"
        raise FormatError(
            f"{question} has {counted(len(pool.rows), 'candidate')}, "
            f"but its array of vectors has shape {rows.shape}.",
            "Save one vector for each candidate, in list order.",
            Place(file.name, column=pool.query_id),
        )
    note = f"The vectors were joined in list order from {file.name}."
    return _joined(pool, list(rows), note)


def _joined(pool: RawPool, vectors: list[Array | None] | list[Array], note: str) -> RawPool:
    rows = tuple(
        row if vector is None else dataclasses.replace(row, vector=vector)
        for row, vector in zip(pool.rows, vectors, strict=True)
    )
    return dataclasses.replace(pool, rows=rows, notes=(*pool.notes, note))


def with_query_vector(pool: RawPool, file: VectorFile, index: int, questions: int) -> RawPool:
    """Return the pool with its question's vector taken from the file.

    Args:
        pool: The pool of the question.
        file: The file of the questions' vectors.
        index: Place of the question in its file, from 0.
        questions: How many questions that file holds.

    Raises:
        FormatError: The file holds another number of vectors than there are questions.
    """
    vector = _query_vector(pool, file, index, questions)
    if vector is None:
        note = f"{file.name} has no vector for this question."
        return dataclasses.replace(pool, notes=(*pool.notes, note))
    note = f"The question's vector was taken from {file.name}."
    return dataclasses.replace(pool, query_vector=vector, notes=(*pool.notes, note))


def _query_vector(pool: RawPool, file: VectorFile, index: int, questions: int) -> Array | None:
    if pool.query_id in file.names and file.archive is not None:
        return file.archive.read(pool.query_id)
    if file.by_id is not None:
        return file.by_id.get(pool.query_id)
    if file.alone is None:
        return None
    rows = file.alone.reshape(1, -1) if file.alone.ndim == 1 else file.alone
    if len(rows) != questions:
        raise FormatError(
            f"The file holds {counted(len(rows), 'vector')} for {counted(questions, 'question')}.",
            "Save one vector for each question, in the order of the questions.",
            Place(file.name),
        )
    vector: Array = rows[index]
    return vector
