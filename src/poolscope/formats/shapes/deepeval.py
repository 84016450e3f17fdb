"""DeepEval: test cases and goldens with a retrieval context, in snake case and in camel case.

Its own files write each context as one text. Where a list became one text with bars, or a source
was written before a context, the file does not tell which bar or colon is whose.
"""

import dataclasses
import re
from collections.abc import Sequence

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import table
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
RETRIEVED = ("retrieval_context", "retrievalContext")
EXPECTED = ("context",)
KNOWN = frozenset(
    (
        "actual_output",
        "actualOutput",
        "expected_output",
        "expectedOutput",
        "source_file",
        "sourceFile",
        "retrieval_context",
        "retrievalContext",
    )
)
LED = re.compile(r"\A([^:\n]{1,200}): (?=\S)")
"""A source before a context, as the library joins the two."""
BAR = "|"


def _recognises(value: Json) -> str | None:
    rows = table.rows(value)[:LOOKED_AT]
    names = {name for row in rows for name in row}
    if "input" not in names or not names & KNOWN or not names & {*RETRIEVED, *EXPECTED}:
        return None
    return "it has “input” and “retrieval_context”, as DeepEval's test cases do"


def _read(value: Json) -> Sequence[Question]:
    return [_question(row, number) for number, row in enumerate(table.rows(value), start=1)]


def _question(row: table.Row, number: int) -> Question:
    query = row.get("input", "")
    query_id = row.get(table.first(row, ("name", "id")) or "", str(number))
    name = table.first(row, RETRIEVED)
    if name is None:
        return Question([], query, query_id, problem=NO_CONTEXT, remedy=RETRIEVE)
    entries, notes = _entries(row[name], name)
    passages = [_passage(entry) for entry in entries]
    told = _told(passages)
    return Question(
        passages, query, query_id, columns={"text": name}, notes=(*notes, *told, *_expected(row))
    )


NO_CONTEXT = (
    "The test case has no retrieval context; “context” holds what should be found, not what was."
)
RETRIEVE = "Run the application on it first, so that “retrieval_context” is filled."


def _entries(value: Json, name: str) -> tuple[Sequence[Json], tuple[str, ...]]:
    """Return the contexts; one text is split at its bars, and a note says so."""
    found = table.listed(value)
    if found is not None:
        return found, ()
    if not isinstance(value, str):
        return [value], ()
    if BAR not in value:
        return [value], (f"“{name}” is one text without a bar: it was read as one passage.",)
    parts = [part for part in value.split(BAR) if part.strip()]
    note = (
        f"“{name}” is one text; it was split at every bar into "
        f"{counted(len(parts), 'passage')}. A passage "
        "that holds a bar itself is cut by that: save the test cases as JSON to be sure."
    )
    return parts, (note,)


def _passage(entry: Json) -> Passage:
    if isinstance(entry, str):
        return Passage(entry)
    if isinstance(entry, dict) and "context" in entry:
        rest = {name: value for name, value in entry.items() if name != "context"}
        return Passage(entry["context"], metadata=rest)
    return Passage(problem=f"The context is {values.kind(entry)}, not a text.")


def _told(passages: Sequence[Passage]) -> tuple[str, ...]:
    """Say where every context begins as if its source had been written before it."""
    texts = [passage.text for passage in passages]
    led = [isinstance(text, str) and LED.match(text) is not None for text in texts]
    if not led or not all(led):
        return ()
    return (
        "Every context starts with a name and a colon. If that is its source, choose the format "
        f"“{WITH_SOURCES.label}” by hand: it is taken off the text there.",
    )


def _expected(row: table.Row) -> tuple[str, ...]:
    name = table.first(row, EXPECTED)
    found = None if name is None else _entries(row[name], name)[0]
    if not found:
        return ()
    return (f"Expected contexts beside it, which are no candidates: {len(found)}.",)


def _never(_value: Json) -> str | None:
    """Recognise nothing: this reading is only ever chosen by hand."""
    return None


def _read_with_sources(value: Json) -> Sequence[Question]:
    return [
        dataclasses.replace(
            question,
            passages=[_with_source(passage) for passage in question.passages],
            columns={**question.columns, "source": "the text up to its first colon"},
        )
        for question in _read(value)
    ]


def _with_source(passage: Passage) -> Passage:
    met = LED.match(passage.text) if isinstance(passage.text, str) else None
    if met is None or not isinstance(passage.text, str):
        return passage
    return dataclasses.replace(
        passage,
        text=passage.text[met.end() :],
        metadata={**passage.metadata, "source": met[1]},
    )


CASES = Shape("deepeval", "DeepEval test cases", _recognises, _read, Tried.LIBRARY)
WITH_SOURCES = Shape(
    "deepeval-sources",
    "DeepEval test cases with a source before each context",
    _never,
    _read_with_sources,
    Tried.SCHEMA,
)
