"""What each selection rule puts into the context of a language model, and what it costs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from poolscope.formats import Load

__all__ = ["read"]


def read(
    path: "str | PathLike[str]",
    *,
    format_name: str | None = None,
    vectors: "str | PathLike[str] | None" = None,
    query_vectors: "str | PathLike[str] | None" = None,
    corpus: "str | PathLike[str] | None" = None,
    queries: "str | PathLike[str] | None" = None,
    earlier: "str | PathLike[str] | None" = None,
    judgements: "str | PathLike[str] | None" = None,
) -> "Load":
    """Read a file of candidate pools from disk, with the files that lie beside it.

    ``poolscope.read("run.json").question().pool`` is the pool of its first question; ``len`` of
    what is returned is the number of its questions, and ``question(i).report`` says what was
    found, set aside and assumed.

    Args:
        path: The file of candidates, in any of ``poolscope.formats.FORMATS``.
        format_name: A format chosen by hand, by its name; ``None`` recognises it.
        vectors: The candidates' vectors, NPZ or NPY.
        query_vectors: The questions' vectors, NPZ or NPY.
        corpus: Passages by id, for a file that names ids without texts.
        queries: The questions' texts by id, for a file that names only their ids.
        earlier: The pool before a reranker, in the order in which it was sent.
        judgements: Which documents are relevant, for which subtopic.

    Raises:
        poolscope.errors.FormatError: One of the files is missing or may not be read, or its
            content cannot be read; the message says which, where, and what to do.
    """
    from poolscope import formats

    return formats.read_path(
        path,
        format_name=format_name,
        beside={
            "vectors": vectors,
            "query_vectors": query_vectors,
            "corpus": corpus,
            "queries": queries,
            "earlier": earlier,
            "judgements": judgements,
        },
    )
