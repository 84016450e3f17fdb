"""Runs and judgements of retrieval evaluation as JSON and as tables: ranx, Quepid, BEIR.

A run gives documents and scores for each question, judgements give documents and grades: the same
numbers by the same names. Where only the numbers could tell them apart, the user is asked.
"""

import math
from collections.abc import Mapping, Sequence

from poolscope.errors import FormatError
from poolscope.formats import aliases, values
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Passage, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import is_passage, listing, mapping, mappings
from poolscope.model import Direction

LOOKED_AT = 50
RUN_SCORE = Known("score", Direction.HIGHER, "A run is read by its score: higher is better.")
QUERY_IDS = (*aliases.QUERY_ID, "query", "topic", "topic_id")
DOCUMENT_IDS = (*aliases.DOCUMENT_ID, "corpus_id", "id", "passage_id", "chunk_id")
GRADES = ("rating", "relevance", "grade", "label", "rel", "judgement", "judgment", "score")
SCORES = (*aliases.SCORE, "sim")
Row = Mapping[str, Json]

JUDGEMENTS_ALONE = (
    "These are judgements, not a pool: they say which documents are relevant, not what was found."
)
GIVE_A_RUN = "Give the run or the pool as the file, and this one beside it as judgements"


def refuse_judgements(found: str = "", by_hand: str = "") -> FormatError:
    """Return the refusal of a file of judgements that came alone."""
    problem = f"{found} {JUDGEMENTS_ALONE}".strip()
    return FormatError(problem, f"{GIVE_A_RUN}{by_hand}.")


def _by_question(value: Json) -> Mapping[str, Mapping[str, Json]] | None:
    """Return an object of numbers by document, by question; ``None`` for anything else."""
    if not isinstance(value, dict) or not value:
        return None
    first = list(value.values())[:LOOKED_AT]
    if not all(isinstance(inner, dict) for inner in first) or not any(first):
        return None
    for inner in first:
        numbers = list(inner.values())[:LOOKED_AT] if isinstance(inner, dict) else []
        if not all(type(number) in (int, float) for number in numbers):
            return None
    return value


def _are_whole(questions: Mapping[str, Mapping[str, Json]]) -> bool:
    return all(
        type(number) is int
        for inner in questions.values()
        if isinstance(inner, dict)
        for number in inner.values()
    )


def _recognises_run(value: Json) -> str | None:
    questions = _by_question(value)
    if questions is None or _are_whole(questions):
        return None
    return "it holds scores by document by question, as a run of ranx does"


def _recognises_grades(value: Json) -> str | None:
    questions = _by_question(value)
    if questions is None or not _are_whole(questions):
        return None
    return "it holds whole numbers by document by question, as judgements do"


def _read_run(value: Json) -> Sequence[Question]:
    return [
        ranked(
            [
                Passage(id=name, score=score)
                for name, score in (inner.items() if isinstance(inner, dict) else ())
            ],
            str(name),
        )
        for name, inner in (_by_question(value) or {}).items()
    ]


def _read_grades(value: Json) -> Sequence[Question]:
    if _by_question(value) is None:
        raise refuse_judgements()
    raise refuse_judgements(
        "The numbers are all whole, as grades are.",
        f"; if they are scores after all, choose the format “{RUN.name}” by hand",
    )


def ranked(
    passages: Sequence[Passage], query_id: str, query: Json = "", notes: tuple[str, ...] = ()
) -> Question:
    """Make a question of a run: by score, highest first; equal scores keep the file's order."""
    scores = [_score(passage) for passage in passages]
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    if order != list(range(len(scores))):
        notes = (*notes, "The rows were ordered by score, as runs are read.")
    return Question(
        [passages[place] for place in order],
        query=query,
        query_id=query_id,
        known=RUN_SCORE,
        columns={"id": "the document's id", "score": "score"},
        notes=notes,
    )


def _score(passage: Passage) -> float:
    """Return a score to sort by; what is none stays at the end, to be set aside."""
    try:
        found = values.number(passage.score)
    except ValueError:
        return float("-inf")
    return float("-inf") if found is None or math.isnan(found) else found


def _column(row: Row, wanted: Sequence[str]) -> str | None:
    return aliases.first(tuple(row), tuple(wanted))


def _has_text(row: Row) -> bool:
    return any(
        aliases.normal(name) in aliases.TEXT and is_passage(value) for name, value in row.items()
    )


def _table(value: Json) -> list[Row]:
    """Return the rows of a table of documents by question, without any text."""
    first = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    if not first or any(map(_has_text, first)):
        return []
    query, document = _column(first[0], QUERY_IDS), _column(first[0], DOCUMENT_IDS)
    if query is None or document is None or query == document:
        return []
    flat = all(not isinstance(cell, (dict, list)) for row in first for cell in row.values())
    return mappings(value) if flat else []


def _recognises_table_run(value: Json) -> str | None:
    rows = _table(value)
    if not rows or _is_judged(rows):
        return None
    if _column(rows[0], SCORES) is None and _column(rows[0], aliases.RANK) is None:
        return None
    return "its rows name a question, a document and a score or a rank, as a run does"


def _is_judged(rows: Sequence[Row]) -> bool:
    """Whether a table's numbers are grades: by their name, or because all are small and whole."""
    first = rows[0]
    if _column(first, aliases.RANK) is not None:
        return False
    name = _column(first, GRADES)
    if name is None:
        return False
    if aliases.normal(name) not in SCORES:
        return True
    return all(_is_grade(row.get(name)) for row in rows)


def _is_grade(value: Json) -> bool:
    """Whether a value is written as a small whole number."""
    if isinstance(value, float):
        return False
    read = values.whole(value)
    written_whole = not isinstance(value, str) or "." not in value
    return values.missing(value) or (read is not None and written_whole and abs(read) < 100)


def _recognises_table_grades(value: Json) -> str | None:
    rows = _table(value)
    if not rows or not _is_judged(rows):
        return None
    return "its rows name a question, a document and a grade, as judgements do"


def _read_table_run(value: Json) -> Sequence[Question]:
    rows = mappings(value)
    first = rows[0] if rows else {}
    query, document = _column(first, QUERY_IDS), _column(first, DOCUMENT_IDS)
    if query is None or document is None:
        raise FormatError(
            "The rows do not name a question and a document.",
            "Give rows with q_id, doc_id and score.",
        )
    score, rank = _column(first, SCORES), _column(first, aliases.RANK)
    groups: dict[str, list[Passage]] = {}
    for row in rows:
        known = {query, document, score, rank}
        passage = Passage(
            id=row.get(document),
            score=None if score is None else row.get(score),
            rank=None if rank is None else row.get(rank),
            metadata={name: cell for name, cell in row.items() if name not in known},
        )
        groups.setdefault(values.text(row.get(query)), []).append(passage)
    return [_group(name, passages, score, rank) for name, passages in groups.items()]


def _group(name: str, passages: list[Passage], score: str | None, rank: str | None) -> Question:
    if score is not None:
        return ranked(passages, name)
    return Question(passages, query_id=name, columns={"id": "doc id", "rank": rank or "rank"})


def _read_table_grades(value: Json) -> Sequence[Question]:
    if not mappings(value):
        raise refuse_judgements()
    by_hand = f"; if its numbers are scores after all, choose the format “{TABLE_RUN.name}” by hand"
    raise refuse_judgements("", by_hand)


WITHOUT_SCORES = "Quepid exports no scores; the order of the documents is the rank."
SNAPSHOT = ("Query Text", "Doc ID", "Doc Position")
DETAILED = ("Query Text", "Doc ID", "Title", "Rating")


def _recognises_quepid(value: Json) -> str | None:
    if isinstance(value, dict) and _is_snapshot(value):
        return "“docs” stands by query id beside “queries”, as in Quepid's snapshots"
    rows = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    for names in (SNAPSHOT, DETAILED):
        if rows and all(name in rows[0] for name in names):
            listed = ", ".join(f"“{name}”" for name in names)
            return f"its columns are {listed}, as Quepid exports them"
    return None


def _is_snapshot(value: Row) -> bool:
    lists = list(mapping(value.get("docs")).values())
    named = mappings(value.get("queries"), most=LOOKED_AT)
    are_queries = bool(named) and all("query_id" in entry for entry in named)
    return are_queries and bool(lists) and all(isinstance(inner, list) for inner in lists)


def _read_snapshot(value: Row) -> Sequence[Question]:
    texts = {str(q.get("query_id")): q.get("query_text") for q in mappings(value.get("queries"))}
    found = []
    for name, docs in mapping(value.get("docs")).items():
        entries = [
            Entry(payload=mapping(doc.get("fields")), id=doc.get("id"), rank=rank)
            if isinstance(doc, dict)
            else Entry(problem="This is not a document of a snapshot.")
            for rank, doc in enumerate(listing(docs), start=1)
        ]
        asked = texts.get(name) or ""
        found.append(
            question(
                _titled(entries), Names("id"), query=asked, query_id=name, notes=(WITHOUT_SCORES,)
            )
        )
    return found


def _read_quepid(value: Json) -> Sequence[Question]:
    if isinstance(value, dict):
        return _read_snapshot(value)
    groups: dict[str, list[Entry]] = {}
    known = {"Query Text", "Doc ID", "Doc Position"}
    for row in mappings(value):
        entry = Entry(
            payload={name: cell for name, cell in row.items() if name not in known},
            id=row.get("Doc ID"),
            rank=row.get("Doc Position"),
        )
        groups.setdefault(values.text(row.get("Query Text") or ""), []).append(entry)
    return [
        question(
            _titled(entries),
            Names("Doc ID"),
            query=name,
            query_id=name,
            notes=(WITHOUT_SCORES,),
        )
        for name, entries in groups.items()
    ]


def _titled(entries: Sequence[Entry]) -> list[Entry]:
    """Take the title for the text where the documents have no other field of their own."""
    if any(_has_text(entry.payload) for entry in entries):
        return list(entries)
    return [
        Entry(
            payload=entry.payload,
            id=entry.id,
            rank=entry.rank,
            text=entry.payload.get("Title", entry.payload.get("title")),
        )
        for entry in entries
    ]


def _recognises_corpus(value: Json) -> str | None:
    rows = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    fields = {"_id", "title", "text", "metadata"}
    if rows and all({"_id", "title", "text"} <= set(row) <= fields for row in rows):
        return "its rows have “_id”, “title” and “text” alone, as a corpus of BEIR does"
    return None


def _read_corpus(value: Json) -> Sequence[Question]:
    entries = [
        Entry(payload={n: v for n, v in row.items() if n != "_id"}, id=row.get("_id"))
        for row in mappings(value)
    ]
    note = "This looks like a corpus: its order ranks nothing. Give it beside a run instead."
    return [question(entries, Names("_id"), notes=(note,))]


RUN = Shape("ranx-run", "Run by question, as JSON", _recognises_run, _read_run, Tried.LIBRARY)
GRADED = Shape("ranx-qrels", "Judgements as JSON", _recognises_grades, _read_grades, Tried.LIBRARY)
TABLE_RUN = Shape(
    "run-table", "Run as a table", _recognises_table_run, _read_table_run, Tried.LIBRARY
)
TABLE_GRADED = Shape(
    "qrels-table",
    "Judgements as a table",
    _recognises_table_grades,
    _read_table_grades,
    Tried.SCHEMA,
)
QUEPID = Shape("quepid", "Quepid export", _recognises_quepid, _read_quepid, Tried.SCHEMA)
CORPUS = Shape("beir-corpus", "BEIR corpus", _recognises_corpus, _read_corpus, Tried.SCHEMA)
