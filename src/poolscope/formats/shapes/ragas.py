"""Ragas: one sample a row with its retrieved contexts, under today's names and the older ones."""

from collections.abc import Sequence

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.base import Tried
from poolscope.formats.shapes import roles, table
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LOOKED_AT = 20
RETRIEVED = ("retrieved_contexts", "contexts")
REFERENCE = ("reference_contexts", "ground_truth_contexts")
ASKED = ("user_input", "question")
ANSWERED = (
    "response",
    "answer",
    "reference",
    "ground_truth",
    "ground_truths",
    "reference_contexts",
)


def _samples(value: Json) -> list[table.Row]:
    """Return the samples; one of a generated test set stands inside its row."""
    found = []
    for row in table.rows(value):
        inner = row.get("eval_sample")
        found.append(inner if isinstance(inner, dict) else row)
    return found


def _recognises(value: Json) -> str | None:
    rows = _samples(value)[:LOOKED_AT]
    if not rows:
        return None
    names = {name for row in rows for name in row}
    if "user_input" in names and names & {"retrieved_contexts", "reference_contexts"}:
        return "it has “user_input” with its contexts, as Ragas samples do"
    if {"question", "contexts"} <= names and names & {*ANSWERED} and _are_texts(rows):
        return "it has “question” and “contexts”, as older Ragas samples do"
    return None


def _are_texts(rows: Sequence[table.Row]) -> bool:
    """Whether contexts are texts; objects under the same name are flat candidates."""
    found = [table.listed(row.get("contexts")) for row in rows]
    return not any(isinstance(entry, dict) for entries in found for entry in entries or [])


def _read(value: Json) -> Sequence[Question]:
    return [_question(row, number) for number, row in enumerate(_samples(value), start=1)]


def _question(row: table.Row, number: int) -> Question:
    query = row.get(table.first(row, ASKED) or "", "")
    name = table.first(row, RETRIEVED)
    asked = query if isinstance(query, str) else _last_message(query)
    query_id = row.get(table.first(row, ("id", "query_id", "sample_id")) or "", str(number))
    if name is None:
        return Question([], asked, query_id, problem=NO_CONTEXTS, remedy=RETRIEVE)
    entries = table.listed(row[name])
    if entries is None:
        problem = f"“{name}” is {values.kind(row[name])}, not a list of texts."
        return Question([], asked, query_id, problem=problem, remedy=SPLIT)
    ids = table.listed(row.get("retrieved_context_ids")) or []
    notes = [f"“{name}” was a text that holds a list."] if isinstance(row[name], str) else []
    if ids and len(ids) != len(entries):
        notes.append(f"The ids were left out: {len(ids)} for {counted(len(entries), 'context')}.")
        ids = []
    known, reference_notes = _references(row, entries, ids)
    passages = [
        Passage(
            text=entry,
            id=ids[index] if ids else None,
            metadata={} if known is None else {"reference": known[index]},
            problem="" if isinstance(entry, str) else f"The context is {values.kind(entry)}.",
        )
        for index, entry in enumerate(entries)
    ]
    columns = {"text": name, "id": "retrieved_context_ids"}
    return Question(passages, asked, query_id, columns=columns, notes=(*notes, *reference_notes))


NO_CONTEXTS = "The sample has no retrieved contexts, only what they should have been."
RETRIEVE = "Run the retriever on it first, and save what it retrieved as “retrieved_contexts”."
SPLIT = "Give the contexts as a list of texts, one a passage; a text is not split by guess."


def _last_message(value: Json) -> str:
    """Return what was asked last in a conversation."""
    for message in reversed(value if isinstance(value, list) else []):
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str) and roles.mapping(message).get("type", "human") == "human":
            return content
    return ""


def _references(
    row: table.Row, entries: Sequence[Json], ids: Sequence[Json]
) -> tuple[list[bool] | None, tuple[str, ...]]:
    """Mark the contexts that are references, by id where both have ids, else by their text."""
    wanted = table.listed(row.get("reference_context_ids")) if ids else None
    met: Sequence[Json] = ids
    if not wanted:
        wanted = table.listed(row.get(table.first(row, REFERENCE) or ""))
        met = entries
    if not wanted:
        return None, ()
    known = {values.text(entry) for entry in wanted}
    marks = [values.text(entry) in known for entry in met]
    found = known & {values.text(entry) for entry in met}
    note = f"Reference contexts among the retrieved ones: {len(found)} of {len(known)}."
    return marks, (note,)


SAMPLES = Shape("ragas", "Ragas samples", _recognises, _read, Tried.LIBRARY)
