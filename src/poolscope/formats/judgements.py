"""Judgements from a file beside a pool: which documents are relevant, for which subtopic.

Layouts: TREC's four columns, where the second names subtopics unless it is 0 throughout; an object
of grades by document by question; a table of question, document and grade. A grade above 0 is
relevant. Questions are told by their id, else by their text.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from poolscope.counts import agreed, counted
from poolscope.errors import FormatError, Place
from poolscope.formats import aliases, trec, values
from poolscope.formats.base import Probe, RawPool, RawRow
from poolscope.formats.contents import contents
from poolscope.formats.shapes import runs
from poolscope.formats.trec import Judgement

RELEVANT = "relevant"
"""The one facet of judgements without subtopics."""

ByDocument = Mapping[str, Mapping[str, bool]]


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """What a file says about documents.

    Args:
        name: The file's name.
        by_question: Facet to relevance, by document, by question.
        facets: The facets met, by question.
        has_subtopics: Whether its facets are subtopics.
    """

    name: str
    by_question: Mapping[str, ByDocument]
    facets: Mapping[str, Sequence[str]]
    has_subtopics: bool


def read(probe: Probe) -> Judgements:
    """Read a file of judgements.

    Raises:
        FormatError: It is none.
    """
    found = trec.judgements(probe)
    if found is None:
        opened = contents(probe)
        found = [] if opened is None else list(_judgements(opened.value))
    if not found:
        raise FormatError(
            "This is not a file of judgements.",
            "Give lines of question, 0 or a subtopic, document and grade; or a table or JSON of "
            "question, document and grade.",
            Place(probe.name),
        )
    second = {entry.subtopic for entry in found}
    return _of(found, probe.name, has_subtopics=not second <= trec.PLAIN)


def _of(found: Sequence[Judgement], name: str, *, has_subtopics: bool) -> Judgements:
    by_question: dict[str, dict[str, dict[str, bool]]] = {}
    facets: dict[str, dict[str, None]] = {}
    for entry in found:
        facet = entry.subtopic if has_subtopics else RELEVANT
        documents = by_question.setdefault(entry.query_id, {})
        documents.setdefault(entry.document, {})[facet] = entry.grade > 0
        facets.setdefault(entry.query_id, {})[facet] = None
    return Judgements(
        name, by_question, {key: tuple(each) for key, each in facets.items()}, has_subtopics
    )


def _judgements(value: object) -> Iterator[Judgement]:
    if isinstance(value, dict):
        for query_id, inner in value.items():
            for document, grade in inner.items() if isinstance(inner, dict) else ():
                yield from _one(query_id, document, grade)
        return
    for row in value if isinstance(value, list) else ():
        if isinstance(row, dict):
            yield from _of_row(row)


def _of_row(row: Mapping[str, object]) -> Iterator[Judgement]:
    names = tuple(row)
    query = aliases.first(names, (*runs.QUERY_IDS, "query_text"))
    document = aliases.first(names, (*runs.DOCUMENT_IDS, "doc_id"))
    grade = aliases.first(names, runs.GRADES)
    subtopic = aliases.first(names, ("subtopic", "facet", "facet_id", "iter", "iteration"))
    if query is None or document is None or grade is None:
        return
    facet = row.get(subtopic) if subtopic is not None else "0"
    yield from _one(row.get(query), row.get(document), row.get(grade), facet)


def _one(
    query_id: object, document: object, grade: object, subtopic: object = "0"
) -> Iterator[Judgement]:
    """Yield a judgement; an empty grade is none."""
    try:
        read = values.number(grade)
    except ValueError:
        return
    if read is not None:
        yield Judgement(values.text(query_id), values.text(subtopic), values.text(document), read)


def with_judgements(pool: RawPool, found: Judgements, questions: int) -> RawPool:
    """Return the pool with its rows judged.

    Args:
        pool: The pool of one question.
        found: The judgements.
        questions: How many questions the pool's file holds.
    """
    key, assumed = _question(pool, found, questions)
    if key is None:
        note = f"{found.name} has no judgements of this question."
        return dataclasses.replace(pool, notes=(*pool.notes, note))
    documents = found.by_question[key]
    rows = tuple(_judged(row, documents) for row in pool.rows)
    met = sum(_named(row, documents) is not None for row in pool.rows)
    kind = "subtopics were read as facets" if found.has_subtopics else "there are no subtopics"
    rows_are = f"{met} of {counted(len(rows), 'row')} {agreed(met, 'is', 'are')}"
    notes = [f"{rows_are} judged in {found.name}; {kind}."]
    if assumed:
        notes.append(f"{found.name} names one question, “{values.shown(key)}”: taken for this one.")
    if pool.facets is not None or any(row.facets is not None for row in pool.rows):
        notes.append("They replace the judgements in the file itself.")
    labels = {
        facet: f"subtopic {facet}" if found.has_subtopics else facet for facet in found.facets[key]
    }
    return dataclasses.replace(pool, rows=rows, facets=labels, notes=(*pool.notes, *notes))


def _question(pool: RawPool, found: Judgements, questions: int) -> tuple[str | None, bool]:
    """Return the question's key in the file, and whether it had to be assumed."""
    for key in (pool.query_id, pool.query):
        if key and key in found.by_question:
            return key, False
    if questions == 1 and len(found.by_question) == 1 and not pool.query_id:
        return next(iter(found.by_question)), True
    return None, False


def _named(row: RawRow, documents: ByDocument) -> str | None:
    return next((name for name in names_of(row) if name in documents), None)


def _judged(row: RawRow, documents: ByDocument) -> RawRow:
    name = _named(row, documents)
    return dataclasses.replace(row, facets=None if name is None else documents[name])


def names_of(row: RawRow) -> Iterator[str]:
    """Yield what a row may be called by elsewhere: its id, then other ids among its fields."""
    if row.id is not None:
        yield row.id
    for alias in (*aliases.CHUNK_ID, *aliases.ID, "record_id"):
        name = aliases.first(tuple(row.fields), (alias,))
        if name is not None:
            yield row.fields[name]
