"""OpenInference and Phoenix: spans of retrievers and rerankers, and exploded documents.

A retriever's documents stand in numbered attributes, in one attribute with a list, or in one
column of a data frame. A reranker's input is the pool before it, its output the order after.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from poolscope.formats.base import Tried
from poolscope.formats.shapes import inner, langchain, reranked, roles, spans, steps, table
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.spans import Span

RETRIEVED = "retrieval.documents"
MARKS = ("openinference.", "retrieval.documents", "reranker.")
NESTED = ("openinference", "retrieval", "reranker")
COLUMNS = {
    "text": "document.content",
    "id": "document.id",
    "score": "document.score",
}


def _is_marked(span: Span) -> bool:
    return any(name.startswith(MARKS) or name in NESTED for name in span.attributes)


def _recognises(value: Json) -> str | None:
    marked = [span for span in spans.first(value) if _is_marked(span)]
    if not any(met for span in marked for met in retrievals(span)):
        return None
    return "a span has “retrieval.documents” or “openinference.span.kind”, as OpenInference writes"


def _read(value: Json) -> Sequence[Question]:
    listed = list(spans.spans(value))
    found = [met for span in listed for met in retrievals(span)]
    return with_vectors(steps.once(found), listed)


def retrievals(span: Span) -> Sequence[steps.Met]:
    """Return what a span retrieved or reranked; nothing for any other span."""
    if not _is_marked(span) and span.kind not in ("RETRIEVER", "RERANKER"):
        return ()
    query = inner.asked(spans.tree(span.attributes, "input.value"))
    retrieved = _documents(spans.tree(span.attributes, RETRIEVED))
    if retrieved is not None:
        full = _filled(retrieved, span.attributes)
        asked = dataclasses.replace(full, query=query, query_id=span.id)
        return [steps.Met(asked, span.name, span.trace)]
    if _kind(span) == "RETRIEVER":
        read = inner.telling(spans.tree(span.attributes, "output.value"))
        asked_each = inner.with_query(read, query, span.id)
        return [steps.Met(question, span.name, span.trace) for question in asked_each]
    return _reranked(span, query)


def _kind(span: Span) -> str:
    found = spans.tree(span.attributes, "openinference.span.kind") or span.kind
    return found.upper() if isinstance(found, str) else ""


def _reranked(span: Span, query: str) -> Sequence[steps.Met]:
    is_reranker = _kind(span) == "RERANKER"
    lists = []
    for side in ("input", "output"):
        found = spans.tree(span.attributes, f"reranker.{side}_documents")
        if found is None and is_reranker:
            found = spans.tree(span.attributes, f"{side}.documents")
        lists.append(_documents(found) or Question([]))
    asked = spans.tree(span.attributes, "reranker.query")
    query = asked if isinstance(asked, str) and asked else query
    before, after = (dataclasses.replace(entry, query=query) for entry in lists)
    found = reranked.questions(before, after, span.id)
    return [steps.Met(entry, span.name, span.trace) for entry in found if entry.passages]


def _documents(value: Json) -> Question | None:
    """Read a list of documents; ``None`` where there is none."""
    if not isinstance(value, list) or not value:
        return None
    entries = [_document(entry) for entry in value]
    return dataclasses.replace(langchain.question(entries), columns=COLUMNS)


def _document(value: Json) -> Json:
    """Return a document under the names that documents are read by."""
    fields = roles.mapping(value)
    fields = roles.mapping(fields.get("document", fields))
    if not fields:
        return None
    beside = roles.without(fields, "content", "id", "metadata")
    return {
        "page_content": fields.get("content"),
        "id": fields.get("id"),
        "metadata": roles.mapping(fields.get("metadata")),
        **{name: entry for name, entry in beside.items() if entry is not None},
    }


def _filled(question: Question, attributes: Mapping[str, Json]) -> Question:
    """Add ids and scores from the whole output, where some instrumentation writes them alone."""
    if all(passage.id is not None for passage in question.passages):
        return question
    whole = inner.telling(spans.tree(attributes, "output.value"))
    return steps.filled(question, whole[0]) if whole else question


def with_vectors(questions: Sequence[Question], listed: Sequence[Span]) -> Sequence[Question]:
    """Give passages and questions the vectors that embedding spans of the file hold for them."""
    vectors: dict[str, Json] = {}
    for span in listed:
        found = spans.tree(span.attributes, "embedding.embeddings")
        for entry in found if isinstance(found, list) else []:
            fields = roles.mapping(roles.mapping(entry).get("embedding", entry))
            text, vector = fields.get("text"), fields.get("vector")
            if isinstance(text, str) and roles.is_vector(vector):
                vectors.setdefault(text, vector)
    if not vectors:
        return questions
    return [_with_vectors(question, vectors) for question in questions]


def _with_vectors(question: Question, vectors: Mapping[str, Json]) -> Question:
    passages = [
        dataclasses.replace(passage, vector=vectors[passage.text])
        if passage.vector is None and isinstance(passage.text, str) and passage.text in vectors
        else passage
        for passage in question.passages
    ]
    query = question.query if isinstance(question.query, str) else ""
    return dataclasses.replace(
        question,
        passages=passages,
        query_vector=vectors.get(query) if question.query_vector is None else None,
        columns={**question.columns, "vector": "embedding.vector"},
    )


SPAN_ID = "context.span_id"
PLACE = "document_position"
TEXT = ("reference", "document", "document.content", "document_content", "content", "text")
SCORE = ("document_score", "document.score", "score")
QUERY = ("input", "query", "input.value", "attributes.input.value")


def _recognises_exploded(value: Json) -> str | None:
    rows = table.rows(value)[:1]
    if not rows or not {SPAN_ID, PLACE} <= rows[0].keys() or _named(rows[0], TEXT) is None:
        return None
    return "it has “context.span_id” and “document_position”, as Phoenix's retrieved documents do"


def _named(row: Mapping[str, Json], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in row), None)


def _read_exploded(value: Json) -> Sequence[Question]:
    groups: dict[str, list[table.Row]] = {}
    for row in table.rows(value):
        groups.setdefault(str(row.get(SPAN_ID)), []).append(row)
    return [_exploded(name, rows) for name, rows in groups.items()]


def _exploded(name: str, rows: Sequence[table.Row]) -> Question:
    text, score = _named(rows[0], TEXT) or "", _named(rows[0], SCORE)
    asked = _named(rows[0], QUERY)
    entries: list[Json] = []
    for row in rows:
        beside = roles.without(row, SPAN_ID, PLACE, text, score, asked, "id", "metadata")
        entry = {"page_content": row.get(text), "id": row.get("id") or None}
        metadata = roles.mapping(row.get("metadata")) or roles.mapping(row.get("document_metadata"))
        entries.append({**entry, "score": row.get(score or ""), "metadata": metadata, **beside})
    read = langchain.question(entries)
    passages = [
        dataclasses.replace(passage, rank=row.get(PLACE))
        for passage, row in zip(read.passages, rows, strict=True)
    ]
    columns = {"text": text, "id": "id", "score": score or "", "rank": PLACE}
    query = inner.asked(rows[0].get(asked)) if asked else ""
    notes = () if asked else ("It does not hold the question.",)
    return Question(passages, query, name, columns=columns, notes=notes)


SPANS = Shape("openinference", "OpenInference spans", _recognises, _read, Tried.LIBRARY, holds=True)
EXPLODED = Shape(
    "phoenix-documents",
    "Phoenix retrieved documents",
    _recognises_exploded,
    _read_exploded,
    Tried.LIBRARY,
)
