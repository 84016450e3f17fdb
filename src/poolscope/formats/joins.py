"""Other files beside a pool: a corpus, the questions' texts, the pool before a reranker.

Joins go by id, or by the place in the list that was sent to a reranker. What is not found is a
row set aside, with the reason; how many were joined is said.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poolscope.counts import agreed, counted
from poolscope.errors import FormatError, Place
from poolscope.formats import aliases, values
from poolscope.formats.base import RawPool, RawRow
from poolscope.formats.judgements import names_of

SHOWN = 3
TEXTS = aliases.TEXT[:6]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Passages by id.

    Args:
        name: The file's name.
        rows: By id; of several with one id, the first.
        repeated: Rows whose id an earlier one has.
    """

    name: str
    rows: Mapping[str, RawRow]
    repeated: int = 0


def corpus(pools: Sequence[RawPool], name: str) -> Corpus:
    """Collect the passages of a file by their ids.

    Raises:
        FormatError: None of them has an id.
    """
    found: dict[str, RawRow] = {}
    repeated = 0
    for row in (row for pool in pools for row in pool.rows):
        key = row.id or _document_id(row)
        if key is None or row.problem:
            continue
        repeated += key in found
        found.setdefault(key, row)
    if not found:
        raise FormatError(
            "The passages of the corpus have no ids to join them by.",
            "Give a file of passages with “id” and “text”.",
            Place(name),
        )
    return Corpus(name, found, repeated)


def _document_id(row: RawRow) -> str | None:
    name = aliases.first(tuple(row.fields), (*aliases.DOCUMENT_ID, "corpus_id"))
    return None if name is None else row.fields[name]


def of_texts(texts: Mapping[str, str], name: str) -> Corpus:
    """Make a corpus of texts by id."""
    return Corpus(name, {key: RawRow(Place(name), key, text) for key, text in texts.items()})


def texts_by_id(value: object) -> dict[str, str] | None:
    """Return an object of texts by id, as plain JSON writes a corpus; ``None`` for anything else.

    A text may stand in an object of its own, beside a title.
    """
    if not isinstance(value, dict) or not value:
        return None
    found: dict[str, str] = {}
    for key, inner in value.items():
        if not isinstance(inner, str):
            return None
        found[values.text(key)] = inner
    return found


def questions_by_id(value: object) -> dict[str, str]:
    """Return the questions' texts by id, from an object or from rows of a table."""
    direct = texts_by_id(value)
    if direct is not None:
        return direct
    found: dict[str, str] = {}
    for row in value if isinstance(value, list) else ():
        if not isinstance(row, dict):
            continue
        names = tuple(str(name) for name in row)
        key = aliases.first(names, (*aliases.QUERY_ID, *aliases.ID))
        text = aliases.first(names, (*aliases.QUERY, *aliases.TEXT))
        if key is not None and text is not None and isinstance(row[text], str):
            found.setdefault(values.text(row[key]), row[text])
    return found


def with_query(pool: RawPool, texts: Mapping[str, str], name: str) -> RawPool:
    """Return the pool with its question's text taken from a file of questions."""
    text = texts.get(pool.query_id)
    if text is None:
        note = f"{name} has no question “{values.shown(pool.query_id)}”."
        return dataclasses.replace(pool, notes=(*pool.notes, note))
    note = f"The question was taken from {name}."
    return dataclasses.replace(pool, query=text, notes=(*pool.notes, note))


def with_corpus(pool: RawPool, found: Corpus) -> RawPool:
    """Return the pool with texts, metadata and vectors filled in by id.

    What the pool's own file says stands.

    Raises:
        FormatError: None of its ids is in the corpus.
    """
    rows = [_completed(row, found) for row in pool.rows]
    joined = sum(
        new is not old and not new.problem for new, old in zip(rows, pool.rows, strict=True)
    )
    if not joined and any(row.id and not row.text for row in pool.rows):
        raise _nothing_joined(pool, found)
    rows_were = f"{joined} of {counted(len(rows), 'row')} {agreed(joined, 'was', 'were')}"
    notes = [f"{rows_were} joined by id with {found.name}."]
    if found.repeated:
        notes.append(
            f"{counted(found.repeated, 'row')} of {found.name} "
            f"{agreed(found.repeated, 'repeats', 'repeat')} an id; the first of each counts."
        )
    columns = {"text": f"text in {found.name}", **pool.columns}
    if any(row.vector is not None for row in rows):
        columns = {"vector": f"vector in {found.name}", **columns}
    return dataclasses.replace(pool, rows=tuple(rows), columns=columns, notes=(*pool.notes, *notes))


def _completed(row: RawRow, found: Corpus) -> RawRow:
    if row.problem:
        return row
    name = next((name for name in names_of(row) if name in found.rows), None)
    if name is None:
        if row.text is not None:
            return row
        missing = f"{found.name} has no passage “{values.shown(row.id or '')}”."
        return dataclasses.replace(row, problem=missing)
    other = found.rows[name]
    return dataclasses.replace(
        row,
        text=other.text if row.text is None else row.text,
        vector=other.vector if row.vector is None else row.vector,
        facets=other.facets if row.facets is None else row.facets,
        fields={**other.fields, **row.fields},
    )


def _nothing_joined(pool: RawPool, found: Corpus) -> FormatError:
    asked = ", ".join(f"“{values.shown(row.id)}”" for row in pool.rows[:SHOWN] if row.id)
    held = ", ".join(f"“{values.shown(name)}”" for name in list(found.rows)[:SHOWN])
    return FormatError(
        f"None of {counted(len(pool.rows), 'id')} is in the corpus: the file names {asked}, "
        f"the corpus holds {held}.",
        "Give the corpus whose ids are those of the file.",
        Place(found.name),
    )


def with_earlier(
    pool: RawPool, pools: Sequence[RawPool], name: str, index: int, questions: int
) -> RawPool:
    """Return a reranker's pool with the passages it was given.

    Args:
        pool: The reranker's output for one question.
        pools: What it was given, a pool a question, rows in the order in which they were sent.
        name: The name of their file.
        index: Place of the question in the reranker's file, from 0.
        questions: How many questions that file holds.

    Raises:
        FormatError: No pool of the file can be told to be this question's.
    """
    before = _same_question(pool, pools, name, index, questions)
    by_id = {row.id: place for place, row in reversed(list(enumerate(before.rows))) if row.id}
    rows = [_reranked(row, before.rows, by_id, name) for row in pool.rows]
    joined = sum(not row.problem for row in rows)
    note = (
        f"{joined} of {counted(len(rows), 'row')} {agreed(joined, 'was', 'were')} joined "
        f"with {name}, by their place in the list of "
        f"{len(before.rows)} that was sent, else by id."
    )
    kept = {role: field for role, field in before.columns.items() if role not in ("score", "rank")}
    return dataclasses.replace(
        pool,
        rows=tuple(rows),
        query=pool.query or before.query,
        query_id=pool.query_id or before.query_id,
        query_vector=before.query_vector if pool.query_vector is None else pool.query_vector,
        facets=before.facets if pool.facets is None else pool.facets,
        columns={**pool.columns, **kept},
        notes=(*pool.notes, note),
    )


def _same_question(
    pool: RawPool, pools: Sequence[RawPool], name: str, index: int, questions: int
) -> RawPool:
    for other in pools:
        if pool.query_id and other.query_id == pool.query_id:
            return other
        if pool.query and other.query == pool.query:
            return other
    if len(pools) == questions:
        return pools[index]
    raise FormatError(
        f"The file before the reranker holds {counted(len(pools), 'question')}, the "
        f"reranker's {questions}: "
        "which belong together cannot be told.",
        "Give one pool for each question, in the same order or with the same ids.",
        Place(name),
    )


def _reranked(row: RawRow, before: Sequence[RawRow], by_id: Mapping[str, int], name: str) -> RawRow:
    """Return the passage that a row of the reranker stands for, with the reranker's score."""
    if row.problem:
        return row
    place = by_id.get(row.id or "") if row.index is None else row.index
    if place is None or not 0 <= place < len(before):
        wanted = f"id “{values.shown(row.id or '')}”" if row.index is None else f"index {row.index}"
        return dataclasses.replace(row, problem=f"{name} has no row of {wanted}.")
    other = before[place]
    if row.text and other.text and row.text.split() != other.text.split():
        problem = f"Its text is not that of row {place + 1} of {name}."
        return dataclasses.replace(row, problem=problem)
    fields = {**other.fields, **row.fields, "earlier_rank": str(place + 1)}
    if other.score is not None and not isinstance(other.score, (list, dict)):
        fields["earlier_score"] = values.text(other.score)
    return dataclasses.replace(
        other,
        place=row.place,
        score=row.score,
        rank=row.rank,
        index=row.index,
        fields=fields,
        problem=other.problem,
    )


def require(pool: RawPool, name: str, *, guessed: bool) -> RawPool:
    """Say what is to be given beside a pool of which neither texts nor vectors are known.

    Args:
        pool: The pool, joined with what lies beside it.
        name: The file's name.
        guessed: Whether the fields were told by their names: then the passages may stand under
            one that was not taken for them, and the pool is refused. Software that is known to
            write ids alone leaves a pool of ids and scores, which is read.

    Raises:
        FormatError: Its rows are ids under guessed names, or places in another list.
    """
    rows = [row for row in pool.rows if not row.problem]
    if pool.problem is not None or not rows or any(row.text for row in rows):
        return pool
    place = Place(name)
    if any(row.index is not None for row in rows):
        raise FormatError(
            "A reranker's results name passages only by their place in the list that was sent.",
            "Give beside it the pool before the reranker: the file of the candidates that were "
            "sent, in that order.",
            place,
        )
    found = f"There are {_what(rows)} but no texts."
    corpus = "Give beside it the corpus: a file of passages with the same ids, each with “id” and "
    if not guessed:
        return dataclasses.replace(pool, notes=(*pool.notes, f"{found} {corpus}“text”."))
    if all(row.vector is None for row in rows):
        raise FormatError(
            f"{found}{_fields(rows)}",
            f"{corpus}“text”; or export the texts too, in a field named one of: "
            f"{', '.join(TEXTS)}.",
            place,
        )
    return pool


def _what(rows: Sequence[RawRow]) -> str:
    scored = any(row.score is not None for row in rows)
    if any(row.id for row in rows):
        return "ids and scores" if scored else "ids"
    return "scores" if scored else "rows"


def _fields(rows: Sequence[RawRow]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row.fields))[:8]
    listed = ", ".join(f"“{values.shown(name)}”" for name in names)
    return f" The other fields are {listed}." if names else ""
