"""The passages inside a value that some other software carries: a trace's output, a response.

What a shape recognises is found at any depth. A plain list of objects or of texts counts only
where the caller knows that a retriever gave it.
"""

import contextlib
import dataclasses
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from poolscope.errors import FormatError
from poolscope.formats import aliases, records
from poolscope.formats.base import RawPool
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json, Passage, Question

DEEPEST = 6
MOST_VISITED = 400
"""Containers that are looked into before the search gives up."""
LOOKED_AT = 20
LISTS = (
    "documents",
    "retrieved_documents",
    "docs",
    "retrieved_docs",
    "source_documents",
    "source_nodes",
    "nodes",
    "retrieved_contexts",
    "retrieval_context",
    "contexts",
    "context",
    "passages",
    "chunks",
    "candidates",
    "output",
    "outputs",
    "results",
    "result",
    "hits",
    "matches",
    "data",
    "value",
    "content",
    "return",
    "response",
)
"""Names under which a list of passages stands, most telling first."""
ASKED = (
    *aliases.QUERY,
    "query_str",
    "input",
    "inputs",
    "search_query",
    "q",
    "prompt",
    "message",
    "messages",
    "query_bundle",
    "args",
    "kwargs",
    "text",
    "value",
    "content",
)


def telling(value: Json) -> Sequence[Question]:
    """Return the questions of the first known shape in a value; empty where none is."""
    for entry, _ in _containers(value):
        read = known(entry)
        if read:
            return read
    return ()


def known(value: Json) -> Sequence[Question]:
    """Return the questions of the known shape that a value is; empty where it is none."""
    from poolscope.formats import shapes

    found = shapes.find(value, [shape for shape in shapes.SHAPES if not shape.holds])
    if found is None:
        return ()
    try:
        return found.shape.read(value)
    except FormatError:
        return ()


def _nearly_known(value: Json) -> Sequence[Question]:
    """Return the questions of the shape that a value has but for a few damaged entries."""
    from poolscope.formats import shapes
    from poolscope.formats.shapes import nearly

    if not isinstance(value, list):
        return ()
    for shape in shapes.SHAPES:
        if not shape.holds and nearly.recognised(shape, value) is not None:
            with contextlib.suppress(FormatError):
                return nearly.read(shape, value)
    return ()


def any_list(value: Json) -> Sequence[Question]:
    """Return what a retriever is known to have given: a known shape, else any list of passages."""
    read = telling(value)
    if read:
        return read
    for entry, _ in _containers(value):
        read = _nearly_known(entry)
        if read:
            return read
    for entry, is_named in _containers(value):
        if isinstance(entry, list):
            read = _plain(entry) if is_named or not _are_texts(entry) else ()
            if read:
                return read
    return ()


def asked(value: Json) -> str:
    """Return the question out of a text, or out of the inputs of a call; empty without one."""
    return _asked(value, DEEPEST)


def _asked(value: Json, depth: int) -> str:
    found = roles.parsed(value)
    if isinstance(found, str):
        return found.strip('"') if found.startswith('"') and found.endswith('"') else found
    if depth == 0:
        return ""
    if isinstance(found, list):
        return _asked(found[-1], depth - 1) if found and _is_said(found[-1]) else ""
    if not isinstance(found, dict):
        return ""
    names = {aliases.normal(str(name)): name for name in found}
    met = (_asked(found[names[name]], depth - 1) for name in ASKED if name in names)
    only = [entry for entry in found.values() if isinstance(entry, str)]
    return next((entry for entry in met if entry), only[0] if len(found) == 1 and only else "")


def _is_said(entry: Json) -> bool:
    """Whether an entry of a list is a text or a message; a list of documents asks nothing."""
    if isinstance(entry, dict):
        return "role" in entry or ("content" in entry and "type" in entry)
    return isinstance(entry, (str, list))


def _containers(value: Json) -> Iterator[tuple[Json, bool]]:
    """Yield a value and what it holds, lists under telling names first; texts are parsed.

    Beside each stands whether it is the whole value, or is called as passages are.
    """
    waiting: deque[tuple[Json, int, bool]] = deque([(roles.parsed(value), 0, True)])
    visited = 0
    while waiting and visited < MOST_VISITED:
        found, depth, is_named = waiting.popleft()
        visited += 1
        inner: list[tuple[Json, bool]] = []
        if isinstance(found, list):
            found = _opened(found)
            inner = [(entry, False) for entry in found[:LOOKED_AT]]
        elif isinstance(found, dict):
            inner = [(found[name], aliases.normal(str(name)) in LISTS) for name in _ordered(found)]
        yield found, is_named
        for entry, named in inner if depth < DEEPEST else ():
            parsed = roles.parsed(entry)
            if isinstance(parsed, (dict, list)):
                waiting.append((parsed, depth + 1, named))


def _are_texts(entries: list[Json]) -> bool:
    return all(isinstance(entry, str) for entry in entries[:LOOKED_AT])


def _opened(entries: list[Json]) -> list[Json]:
    """Return a list whose entries are objects written as texts, as those objects."""
    if not entries or not all(isinstance(entry, str) for entry in entries[:LOOKED_AT]):
        return entries
    parsed = [roles.parsed(entry) for entry in entries]
    return parsed if all(isinstance(entry, dict) for entry in parsed) else entries


def _ordered(fields: Mapping[str, Json]) -> list[str]:
    def place(name: str) -> int:
        alias = aliases.normal(str(name))
        return LISTS.index(alias) if alias in LISTS else len(LISTS)

    return sorted(fields, key=place)


def _plain(entries: list[Json]) -> Sequence[Question]:
    """Read a list of objects with texts, or of texts; empty where it is neither."""
    first = entries[:LOOKED_AT]
    if not all(isinstance(entry, dict) for entry in first):
        texts = all(isinstance(entry, str) and not _is_repr(entry) for entry in first)
        if not first or not texts:
            return ()
    try:
        pools = records.questions([records.record(entry) for entry in entries], "")
    except FormatError:
        return ()
    return [from_raw(pool) for pool in pools if pool.rows and pool.problem is None]


def _is_repr(written: str) -> bool:
    """Whether a text is what Python prints of an object that has no literal."""
    return written.startswith("<") and written.rstrip().endswith(">") and "(" in written


def from_raw(pool: RawPool) -> Question:
    """Return what a flat reader met as a shape's question."""
    return Question(
        [
            Passage(
                row.text,
                row.id,
                row.score,
                row.vector,
                row.rank,
                metadata=row.fields,
                problem=row.problem,
            )
            for row in pool.rows
        ],
        pool.query,
        pool.query_id,
        pool.query_vector,
        columns=pool.columns,
        notes=pool.notes,
    )


def with_query(questions: Sequence[Question], query: str, query_id: Json = "") -> list[Question]:
    """Give the question that was asked to lists that do not hold their own."""
    several = len(questions) > 1
    return [
        dataclasses.replace(
            question,
            query=question.query or query,
            query_id=f"{query_id} / {question.query_id or number}" if several else query_id,
        )
        for number, question in enumerate(questions, start=1)
    ]
