"""From a store's hits to passages: the user's own fields, beside what the store writes itself.

The store says where id, score and vector stand; the text stands in one of the user's fields, under
any of the usual names, in LlamaIndex's node or in Haystack's document. What plays no role is kept.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from poolscope.formats import aliases, values
from poolscope.formats.base import Known
from poolscope.formats.records import are_own, flatten
from poolscope.formats.shapes import llamaindex_payload
from poolscope.formats.shapes.base import Json, Passage, Question

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
    names = names or Names()
    opened = [_opened(entry) for entry in entries]
    flats = [flatten(entry.payload) for entry in opened]
    columns: dict[str, str] = {}
    said: list[str] = list(notes)
    taken: list[set[str]] = [set() for _ in opened]
    opened = _with_texts(opened, flats, taken, columns, said, names.text)
    opened = _with_column(opened, flats, taken, columns, "vector", aliases.VECTOR, names.vector)
    if scored_by:
        opened = _with_column(opened, flats, taken, columns, "score", scored_by, "")
    elif any(entry.score is not None for entry in opened):
        columns["score"] = names.score
    opened = _with_dense(opened, said)
    opened = _with_ids(opened, flats, taken, columns, names.id)
    passages = [
        _passage(entry, flat, used) for entry, flat, used in zip(opened, flats, taken, strict=True)
    ]
    return Question(
        passages,
        query=query,
        query_id=query_id,
        query_vector=query_vector,
        known=known if columns.get("score") else None,
        columns={**columns, **({"rank": "rank"} if _any_rank(opened) else {})},
        notes=tuple(said),
    )


def _any_rank(entries: Sequence[Entry]) -> bool:
    return any(entry.rank is not None for entry in entries)


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
            vector=found.vector if empty(entry.vector) else entry.vector,
        )
    if "content" in entry.payload and isinstance(entry.payload.get("meta"), Mapping):
        inner = dict(entry.payload)
        return dataclasses.replace(entry, own_id=inner.pop("id", None), payload=inner)
    return entry


def _first_text(*met: Json) -> Json:
    return next((text for text in met if is_passage(text)), None)


def is_passage(value: Json) -> bool:
    """Whether a value is a text that can be read, and no number."""
    return isinstance(value, str) and not values.missing(value) and values.whole(value) is None


def _with_texts(
    entries: list[Entry],
    flats: Sequence[Mapping[str, Json]],
    taken: Sequence[set[str]],
    columns: dict[str, str],
    said: list[str],
    name: str,
) -> list[Entry]:
    """Find the text of every entry that has none: under one name, else under the next."""
    if any(is_passage(entry.text) for entry in entries):
        columns["text"] = name or "text"
    wanted = _met(flats, aliases.TEXT, is_passage)
    read: list[Entry] = []
    others: dict[str, int] = {}
    for entry, flat, used in zip(entries, flats, taken, strict=True):
        found = None if is_passage(entry.text) else _first_named(flat, wanted, is_passage)
        if found is None:
            read.append(entry)
            continue
        used.add(found)
        if columns.setdefault("text", found) != found:
            others[found] = others.get(found, 0) + 1
        read.append(dataclasses.replace(entry, text=flat[found]))
    usual = columns.get("text", "")
    said.extend(
        f"{count} rows have no “{usual}”; their text was read from “{other}”."
        for other, count in others.items()
    )
    return read


def _met(
    flats: Sequence[Mapping[str, Json]], wanted: Sequence[str], fits: Callable[[Json], bool]
) -> list[str]:
    """Return the names met that are aliases and hold something fitting, most telling first.

    A name inside others counts by its last part, after all that stand at the top.
    """
    met = list(dict.fromkeys(name for flat in flats for name in flat))
    top = [name for alias in wanted for name in met if aliases.normal(name) == alias]
    tails = [
        name
        for alias in wanted
        for name in met
        if "." in name and aliases.normal(name.rpartition(".")[2]) == alias
    ]
    return [
        name
        for name in dict.fromkeys((*top, *tails))
        if any(fits(flat.get(name)) for flat in flats)
    ]


def _first_named(
    flat: Mapping[str, Json], wanted: Sequence[str], fits: Callable[[Json], bool]
) -> str | None:
    return next((name for name in wanted if fits(flat.get(name))), None)


def _with_column(
    entries: list[Entry],
    flats: Sequence[Mapping[str, Json]],
    taken: Sequence[set[str]],
    columns: dict[str, str],
    role: str,
    wanted: Sequence[str],
    name: str,
) -> list[Entry]:
    """Fill a role that the store left empty from one of the user's fields."""
    fits = is_vector if role == "vector" else is_number
    if any(not empty(getattr(entry, role)) for entry in entries):
        columns[role] = name or role
        return entries
    found = next(iter(_met(flats, wanted, fits)), None)
    if found is None:
        return entries
    columns[role] = found
    for used in taken:
        used.add(found)
    return [
        _replaced(entry, role, flat.get(found)) for entry, flat in zip(entries, flats, strict=True)
    ]


def _replaced(entry: Entry, role: str, value: Json) -> Entry:
    if role == "vector":
        return dataclasses.replace(entry, vector=value)
    return dataclasses.replace(entry, score=value)


def empty(value: Json) -> bool:
    """Whether a value is nothing, an empty text, or an empty list or mapping."""
    if isinstance(value, np.ndarray):
        return value.size == 0
    return values.missing(value) or (isinstance(value, (list, tuple, dict)) and not value)


def is_number(value: Json) -> bool:
    """Whether a value is a number, or one as text."""
    try:
        return values.number(value) is not None
    except ValueError:
        return False


def is_vector(value: Json) -> bool:
    """Whether a value looks like a vector: a list of numbers, or one as text."""
    if isinstance(value, np.ndarray):
        return value.size > 0
    if isinstance(value, (str, bytes)):
        return _is_written_vector(value)
    return isinstance(value, (list, tuple)) and _numbers(value)


def _is_written_vector(value: str | bytes) -> bool:
    try:
        return values.vector(value) is not None
    except values.LostVectorError:
        return True
    except ValueError:
        return False


def _numbers(value: Sequence[Json]) -> bool:
    return bool(value) and isinstance(value[0], (int, float)) and not isinstance(value[0], bool)


def _with_dense(entries: list[Entry], said: list[str]) -> list[Entry]:
    """Take one dense vector, by the same name in every row, where a store names several."""
    named = [entry.vector for entry in entries if isinstance(entry.vector, Mapping)]
    met = dict.fromkeys(
        str(name) for vectors in named for name, value in vectors.items() if is_vector(value)
    )
    left_out = dict.fromkeys(
        str(name)
        for vectors in named
        for name, value in vectors.items()
        if not is_vector(value) and not empty(value) and name not in ("indices", "values")
    )
    chosen = next(iter(met), None)
    if len(met) > 1:
        others = ", ".join(f"“{values.shown(name)}”" for name in met if name != chosen)
        said.append(f"The vectors are those named “{chosen}”; the file also holds {others}.")
    if left_out:
        listed = ", ".join(f"“{values.shown(name)}”" for name in left_out)
        said.append(f"{listed} holds sparse or multiple vectors, which were left out.")
    read = [
        dataclasses.replace(entry, vector=entry.vector.get(chosen))
        if isinstance(entry.vector, Mapping)
        else entry
        for entry in entries
    ]
    several = sum(_is_several(entry.vector) for entry in read)
    if several:
        said.append(f"{several} rows hold several vectors each, which were left out.")
    return [
        dataclasses.replace(entry, vector=None) if _is_several(entry.vector) else entry
        for entry in read
    ]


def _is_several(vector: Json) -> bool:
    if not isinstance(vector, (list, tuple)) or len(vector) < 2:
        return False
    return isinstance(vector[0], (list, tuple))


def _with_ids(
    entries: list[Entry],
    flats: Sequence[Mapping[str, Json]],
    taken: Sequence[set[str]],
    columns: dict[str, str],
    name: str,
) -> list[Entry]:
    """Choose the ids: a passage's own before a store's internal ones, those before any other."""
    own = _met(flats, aliases.CHUNK_ID, is_label)
    for field_name in own:
        found = [flat.get(field_name) for flat in flats]
        if are_own(found):
            return _identified(entries, found, columns, field_name, taken)
    found = [entry.own_id for entry in entries]
    if all(is_label(value) for value in found) and found:
        return _identified(entries, found, columns, "the node's own id", taken)
    if any(is_label(entry.id) for entry in entries):
        columns["id"] = name
        return entries
    fallback = next(iter(_met(flats, aliases.ID, is_label)), None)
    if fallback is None:
        return entries
    return _identified(entries, [flat.get(fallback) for flat in flats], columns, fallback, taken)


def _identified(
    entries: Sequence[Entry],
    ids: Sequence[Json],
    columns: dict[str, str],
    name: str,
    taken: Sequence[set[str]],
) -> list[Entry]:
    """Give entries their ids; the store's own id is kept beside where it is another one."""
    columns["id"] = name
    read = []
    for entry, found, used in zip(entries, ids, taken, strict=True):
        used.add(name)
        beside = dict(entry.beside)
        if entry.id is not None and entry.id != found:
            beside.setdefault(RECORD_ID, entry.id)
        read.append(dataclasses.replace(entry, id=found, beside=beside))
    return read


def is_label(value: Json) -> bool:
    """Whether a value can be an id: a text or a whole number."""
    return isinstance(value, (str, int)) and not values.missing(value)


def by_order(candidates: Sequence[str], rows: Sequence[Mapping[str, Json]]) -> str | None:
    """Return the score that orders the list: the first under which every row has one, in order.

    Where none does, the first under which most rows have one.
    """
    given = {
        name: [read for row in rows if (read := _number(row.get(name))) is not None]
        for name in candidates
    }
    full = [name for name in candidates if rows and len(given[name]) == len(rows)]
    for name in full:
        steps = np.diff(given[name])
        if bool((steps <= 0).all()) or bool((steps >= 0).all()):
            return name
    if full:
        return full[0]
    return (
        max(candidates, key=lambda name: len(given[name]), default=None)
        if any(given.values())
        else None
    )


def _number(value: Json) -> float | None:
    try:
        found = values.number(value)
    except ValueError:
        return None
    return None if found is None or not np.isfinite(found) else found


def mapping(value: Json) -> Mapping[str, Json]:
    """Return a mapping, out of its JSON if need be; an empty one for anything else."""
    read = values.structure(value) if isinstance(value, str) else value
    return read if isinstance(read, Mapping) else {}


def listing(value: Json) -> Sequence[Json]:
    """Return a list, out of its JSON if need be; an empty one for anything else."""
    read = values.structure(value) if isinstance(value, str) else value
    if isinstance(read, np.ndarray):
        return list(read)
    return read if isinstance(read, (list, tuple)) else ()


def mappings(value: Json, *, most: int | None = None) -> list[Mapping[str, Json]]:
    """Return the entries of a list if all are mappings; an empty list for anything else."""
    entries = listing(value)[:most]
    found = [entry for entry in entries if isinstance(entry, Mapping)]
    return found if len(found) == len(entries) else []
