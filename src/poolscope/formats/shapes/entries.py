"""From a store's hits to passages: the user's own fields, beside what the store writes itself.

The store says where id, score and vector stand; the text stands in one of the user's fields, under
any of the usual names, in LlamaIndex's node or in Haystack's document. What plays no role is kept.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from poolscope.counts import counted
from poolscope.formats import aliases, values
from poolscope.formats.base import Known
from poolscope.formats.records import are_own, flatten
from poolscope.formats.shapes import llamaindex_payload, roles, vectors
from poolscope.formats.shapes.base import Json, Passage, Question

SEVERAL = "several texts in {0}; they were joined, a line each."
RECORD_ID = "record_id"
"""The name under which a store's id is kept where another one was taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One hit of a store.

    Args:
        payload: The user's fields, as nested as they are.
        id: The store's id.
        text: The passage where the store itself has a place for it.
        score: The store's score.
        vector: The store's vector, or a mapping of named ones.
        rank: The store's rank.
        beside: What else the store says; the user's fields win over it.
        own_id: An id that the software which wrote the payload gave.
        index: As ``Passage.index``.
        problem: Why it could not be taken apart.
    """

    payload: Mapping[str, Json] = field(default_factory=dict)
    id: Json = None
    text: Json = None
    score: Json = None
    vector: Json = None
    rank: Json = None
    beside: Mapping[str, Json] = field(default_factory=dict)
    own_id: Json = None
    index: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """The name of each role in the software's own words, for the screen."""

    id: str = "id"
    text: str = ""
    score: str = "score"
    vector: str = "vector"


@dataclass(slots=True, eq=False)
class Choice:
    """The hits while the fields of their roles are chosen; local to one question.

    Args:
        entries: The hits, their roles filled one after the other.
        flats: The user's fields of each, under flat names.
        taken: The names that play a role, for each.
        columns: The name in the file of each role.
        said: Sentences about how it was read.
    """

    entries: list[Entry]
    flats: list[dict[str, Json]]
    taken: list[set[str]]
    columns: dict[str, str]
    said: list[str]


def question(
    entries: Sequence[Entry],
    names: Names | None = None,
    *,
    known: Known | None = None,
    query: Json = "",
    query_id: Json = "",
    query_vector: Json = None,
    notes: Iterable[str] = (),
    scored_by: Sequence[str] = (),
) -> Question:
    """Make a question of a store's hits.

    Args:
        entries: In list order.
        names: The name of each role in the file.
        known: What the store is known to mean by its score.
        query: The question.
        query_id: Its id.
        query_vector: Its vector.
        notes: Sentences about how it was read.
        scored_by: Aliases of a score among the user's fields, where the store has no place for it.
    """
    choice = _chosen(entries, names or Names(), scored_by)
    return Question(
        [
            _passage(entry, flat, used)
            for entry, flat, used in zip(choice.entries, choice.flats, choice.taken, strict=True)
        ],
        query=query,
        query_id=query_id,
        query_vector=query_vector,
        known=known if choice.columns.get("score") else None,
        columns=choice.columns,
        notes=(*notes, *choice.said),
    )


def _chosen(entries: Sequence[Entry], names: Names, scored_by: Sequence[str]) -> Choice:
    """Fill the roles of all hits, each from one field."""
    opened = [_opened(entry) for entry in entries]
    flats = [flatten(entry.payload) for entry in opened]
    choice = Choice(opened, flats, [set() for _ in opened], {}, _joined(flats))
    _fill_texts(choice, names.text)
    _fill(choice, "vector", aliases.VECTOR, names.vector)
    if scored_by:
        _fill(choice, "score", scored_by, "")
    elif any(entry.score is not None for entry in opened):
        choice.columns["score"] = names.score
    dense = vectors.dense([entry.vector for entry in choice.entries])
    choice.said.extend(dense.notes)
    choice.entries = [
        entry if entry.vector is vector else dataclasses.replace(entry, vector=vector)
        for entry, vector in zip(choice.entries, dense.vectors, strict=True)
    ]
    _fill_ids(choice, names.id)
    if any(entry.rank is not None for entry in choice.entries):
        choice.columns["rank"] = "rank"
    return choice


def _joined(flats: Sequence[dict[str, Json]]) -> list[str]:
    """Join the texts of a field that holds several a row, and say where."""
    several: dict[str, int] = {}
    for flat in flats:
        for name, value in flat.items():
            if isinstance(value, list) and value and aliases.normal(name) in aliases.TEXT:
                texts = [text for text in value if isinstance(text, str)]
                if len(texts) == len(value) and all(map(roles.is_passage, texts)):
                    flat[name] = "\n".join(texts)
                    several[name] = several.get(name, 0) + (len(texts) > 1)
    return [
        f"“{name}” holds {SEVERAL.format(counted(count, 'row'))}"
        for name, count in several.items()
        if count
    ]


def _passage(entry: Entry, flat: Mapping[str, Json], used: set[str]) -> Passage:
    metadata = {name: value for name, value in flat.items() if name not in used}
    for name, value in entry.beside.items():
        if values.missing(metadata.get(name)):
            metadata[name] = value
    return Passage(
        text=entry.text,
        id=entry.id,
        score=entry.score,
        vector=entry.vector,
        rank=entry.rank,
        metadata=metadata,
        index=entry.index,
        problem=entry.problem,
    )


def _opened(entry: Entry) -> Entry:
    """Take LlamaIndex's node or Haystack's document out of the payload."""
    found = llamaindex_payload.node(entry.payload)
    if found is not None:
        return dataclasses.replace(
            entry,
            payload=found.metadata,
            own_id=found.id if entry.own_id is None else entry.own_id,
            text=_first_text(entry.text, found.text),
            vector=found.vector if roles.empty(entry.vector) else entry.vector,
        )
    if "content" in entry.payload and isinstance(entry.payload.get("meta"), dict):
        inner = dict(entry.payload)
        return dataclasses.replace(entry, own_id=inner.pop("id", None), payload=inner)
    return entry


def _first_text(*met: Json) -> Json:
    return next((text for text in met if roles.is_passage(text)), None)


def _fill_texts(choice: Choice, name: str) -> None:
    """Find the text of every hit that has none: under one name, else under the next."""
    if any(roles.is_passage(entry.text) for entry in choice.entries):
        choice.columns["text"] = name or "text"
    wanted = roles.named(choice.flats, aliases.TEXT, roles.is_passage)
    others: dict[str, int] = {}
    for number, (entry, flat) in enumerate(zip(choice.entries, choice.flats, strict=True)):
        if roles.is_passage(entry.text):
            continue
        found = next((other for other in wanted if roles.is_passage(flat.get(other))), None)
        if found is None:
            continue
        choice.taken[number].add(found)
        if choice.columns.setdefault("text", found) != found:
            others[found] = others.get(found, 0) + 1
        choice.entries[number] = dataclasses.replace(entry, text=flat[found])
    usual = choice.columns.get("text", "")
    choice.said.extend(
        f"{counted(count, 'row')} without “{usual}”: the text was read from “{other}”."
        for other, count in others.items()
    )


def _fill(choice: Choice, role: str, wanted: Sequence[str], name: str) -> None:
    """Fill a role that the store left empty from one of the user's fields."""
    fits = vectors.is_one if role == "vector" else roles.is_number
    if any(not roles.empty(getattr(entry, role)) for entry in choice.entries):
        choice.columns[role] = name or role
        return
    found = next(iter(roles.named(choice.flats, wanted, fits)), None)
    if found is None:
        return
    choice.columns[role] = found
    for number, (entry, flat) in enumerate(zip(choice.entries, choice.flats, strict=True)):
        choice.taken[number].add(found)
        choice.entries[number] = _replaced(entry, role, flat.get(found))


def _replaced(entry: Entry, role: str, value: Json) -> Entry:
    if role == "vector":
        return dataclasses.replace(entry, vector=value)
    return dataclasses.replace(entry, score=value)


def _fill_ids(choice: Choice, name: str) -> None:
    """Choose the ids: a passage's own before a store's internal ones, those before any other."""
    flats = choice.flats
    for own in roles.named(flats, aliases.CHUNK_ID, roles.is_label):
        found = [flat.get(own) for flat in flats]
        if are_own(found):
            _identify(choice, found, own)
            return
    found = [entry.own_id for entry in choice.entries]
    if found and all(roles.is_label(value) for value in found):
        _identify(choice, found, "the node's own id")
    elif any(roles.is_label(entry.id) for entry in choice.entries):
        choice.columns["id"] = name
    else:
        fallback = next(iter(roles.named(flats, aliases.ID, roles.is_label)), None)
        if fallback is not None:
            _identify(choice, [flat.get(fallback) for flat in flats], fallback)


def _identify(choice: Choice, ids: Sequence[Json], name: str) -> None:
    """Give the hits their ids; the store's own id is kept beside where it is another one."""
    choice.columns["id"] = name
    for number, (entry, found) in enumerate(zip(choice.entries, ids, strict=True)):
        choice.taken[number].add(name)
        beside = dict(entry.beside)
        if entry.id is not None and entry.id != found:
            beside.setdefault(RECORD_ID, entry.id)
        choice.entries[number] = dataclasses.replace(entry, id=found, beside=beside)
