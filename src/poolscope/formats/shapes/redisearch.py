"""RediSearch: documents of redis-py, the dictionary of RESP3, and the raw reply of RESP2.

Every value is a text. The score has the name that the query gave it, so it is looked for among
the usual ones; whether it is a distance or a similarity, the order of the list tells.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import is_number, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped

LOOKED_AT = 20
ENDINGS = ("score", "distance", "dist", "similarity")
ROOTS = ("json", "$")
"""Names under which a JSON document comes whole."""


def _is_document(value: Json) -> bool:
    """Whether a value is a document of redis-py: an id, an empty payload, and fields of texts."""
    if not isinstance(value, dict) or "id" not in value or "payload" not in value:
        return False
    return value["payload"] is None and any(
        isinstance(inner, str) for name, inner in value.items() if name not in ("id", "payload")
    )


def _are_documents(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_document, value[:LOOKED_AT]))


def _recognises(value: Json) -> str | None:
    if _are_documents(value) or (isinstance(value, dict) and _are_documents(value.get("docs"))):
        return "each document has “id”, an empty “payload” and its fields as text, as in redis-py"
    if isinstance(value, dict):
        results = mappings(value.get("results"), most=LOOKED_AT)
        if results and all("id" in entry and "extra_attributes" in entry for entry in results):
            return "“results” holds “id” and “extra_attributes”, as RESP3 gives"
    if _is_raw(value):
        return "it is a count, then keys and lists of names and values, as FT.SEARCH replies"
    return None


def _is_raw(value: Json) -> bool:
    if not isinstance(value, list) or len(value) < 3 or type(value[0]) is not int:
        return False
    pairs = value[1:]
    return isinstance(pairs[0], str) and isinstance(pairs[-1], list) and _are_pairs(pairs[-1])


def _are_pairs(value: Sequence[Json]) -> bool:
    return len(value) % 2 == 0 and all(isinstance(name, str) for name in value[::2])


def _read(value: Json) -> Sequence[Question]:
    if _is_raw(value):
        return [_question(_of_raw(listing(value)[1:]))]
    whole = mapping(value)
    if "results" in whole:
        return [_question([_of_result(entry) for entry in listing(whole["results"])])]
    documents = listing(whole["docs"]) if "docs" in whole else listing(value)
    return [_question([_of_document(entry) for entry in documents])]


def _of_raw(parts: Sequence[Json]) -> list[Entry]:
    """Pair keys with their lists; a score may stand between the two."""
    entries: list[Entry] = []
    key, score = None, None
    for part in parts:
        if isinstance(part, list):
            fields = dict(zip(map(str, part[::2]), part[1::2], strict=False))
            entries.append(Entry(payload=_opened(fields), id=key, score=score))
            key, score = None, None
        elif key is None:
            key = part
        else:
            score = part
    return entries


def _of_result(entry: Json) -> Entry:
    if not isinstance(entry, dict):
        return Entry(problem="This is not a result of RediSearch.")
    fields = mapping(entry.get("extra_attributes"))
    return Entry(payload=_opened(fields), id=entry.get("id"), score=entry.get("score"))


def _of_document(entry: Json) -> Entry:
    if not isinstance(entry, dict):
        return Entry(problem="This is not a document of RediSearch.")
    fields = {name: value for name, value in entry.items() if name not in ("id", "payload")}
    return Entry(payload=_opened(fields), id=entry.get("id"))


def _opened(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Take a JSON document out of the field that holds it whole."""
    opened: dict[str, Json] = {}
    for name, value in fields.items():
        inner = mapping(value) if name in ROOTS else {}
        if inner:
            opened.update({str(key): part for key, part in inner.items()})
        else:
            opened[name.removeprefix("$.")] = value
    return opened


def _question(entries: Sequence[Entry]) -> Question:
    names = dict.fromkeys(str(name) for entry in entries for name in entry.payload)
    usual = [name for alias in aliases.SCORE for name in names if aliases.normal(name) == alias]
    ending = [name for name in names if aliases.normal(name).endswith(ENDINGS)]
    scored = next(
        (
            name
            for name in dict.fromkeys((*usual, *ending))
            if any(is_number(entry.payload.get(name)) for entry in entries)
        ),
        None,
    )
    roles = Names("id", "fields", "score", "fields")
    if scored is None:
        return question(entries, roles, notes=("No field of the documents is a score.",))
    wanted = (aliases.normal(scored),)
    plain = [Entry(payload=entry.payload, id=entry.id, problem=entry.problem) for entry in entries]
    return question(plain, roles, scored_by=wanted)


REDISEARCH = wrapped(Shape("redisearch", "RediSearch documents", _recognises, _read, Tried.SCHEMA))
