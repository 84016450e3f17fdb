"""Qdrant: points with a payload, from ``query_points``, search, scroll and groups, and over REST.

The payload is the user's, LangChain's, LlamaIndex's or Haystack's. Whether a higher score is
better depends on the collection's distance, which no response names.
"""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.counts import counted
from poolscope.formats.base import Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped

LOOKED_AT = 20
POINT = frozenset(
    ("id", "version", "score", "payload", "vector", "vectors", "shard_key", "order_value")
)
NAMES = Names(id="id", text="payload", score="score", vector="vector")
Points = Sequence[Mapping[str, Json]]


def _is_point(value: Json) -> bool:
    """Whether a value is a point: nothing but a point's fields, and a payload or a vector."""
    if not isinstance(value, dict) or "id" not in value or not POINT.issuperset(value):
        return False
    if value.get("payload") is None:
        return "score" in value and ("version" in value or "payload" in value)
    return bool(mapping(value["payload"])) or value["payload"] == {}


def _are_points(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_point, value[:LOOKED_AT]))


def _recognises(value: Json) -> str | None:
    inner = _unwrapped(value)
    if isinstance(inner, dict):
        return _recognises_object(inner)
    if _are_points(inner):
        return "its entries are points with a “payload”, as Qdrant's are"
    if _is_batch(inner):
        return "it is a list of answers with “points”, as Qdrant's batches are"
    first = inner[:LOOKED_AT] if isinstance(inner, list) else []
    if any(map(_are_points, first)) and all(_are_points(each) or each == [] for each in first):
        return "it is a list of lists of points with a “payload”, as Qdrant's batches are"
    if _is_scroll(inner):
        return "it is a list of points and the offset of the next, as Qdrant's scroll gives"
    return None


def _is_batch(value: Json) -> bool:
    answers = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    return all(isinstance(answer.get("points"), list) for answer in answers) and any(
        _are_points(answer["points"]) for answer in answers
    )


def _recognises_object(value: Mapping[str, Json]) -> str | None:
    if _are_points(value.get("points")):
        return "“points” holds points with a “payload”, as Qdrant's do"
    if value.get("points") == [] and set(value) <= {"points", "next_page_offset"}:
        return "“points” is there, and empty"
    groups = mappings(value.get("groups"), most=LOOKED_AT)
    if groups and all(_are_points(group.get("hits")) for group in groups):
        return "“groups” holds “hits” that are points with a “payload”, as Qdrant's do"
    return None


def _unwrapped(value: Json) -> Json:
    """Take a response out of REST's wrapper."""
    if isinstance(value, dict) and "result" in value and set(value) & {"status", "time", "usage"}:
        return value["result"]
    return value


def _is_scroll(value: Json) -> bool:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not _are_points(value[0]):
        return False
    return value[1] is None or isinstance(value[1], (str, int))


def _read(value: Json) -> Sequence[Question]:
    inner = _unwrapped(value)
    if _is_scroll(inner):
        inner = listing(inner)[0]
    if isinstance(inner, dict):
        if "groups" in inner:
            return [_grouped(listing(inner.get("groups")))]
        inner = inner.get("points")
    found = listing(inner)
    if any(isinstance(entry, list) for entry in found):
        return [
            _question(listing(entry), query_id=str(number))
            for number, entry in enumerate(found, start=1)
        ]
    if any(isinstance(entry, dict) and "points" in entry for entry in found):
        return [
            _question(listing(mapping(entry).get("points")), query_id=str(number))
            for number, entry in enumerate(found, start=1)
        ]
    return [_question(found)]


def _grouped(groups: Sequence[Json]) -> Question:
    entries = [entry for group in groups for entry in _of_group(group)]
    note = (
        f"The rows are {counted(len(groups), 'group')} of Qdrant, one after the other, as listed."
    )
    return question(entries, NAMES, notes=(note,))


def _of_group(group: Json) -> Iterator[Entry]:
    if not isinstance(group, dict):
        yield Entry(problem="This is not a group of Qdrant.")
        return
    beside = {"group_id": group.get("id"), "lookup": mapping(group.get("lookup")).get("id")}
    for hit in listing(group.get("hits")):
        yield _entry(hit, beside)


def _question(points: Sequence[Json], query_id: str = "") -> Question:
    notes: tuple[str, ...] = ()
    if points and not any(isinstance(point, dict) and "score" in point for point in points):
        notes = ("The points carry no score: the list order is the store's, not a retriever's.",)
    return question([_entry(point) for point in points], NAMES, query_id=query_id, notes=notes)


def _entry(point: Json, beside: Mapping[str, Json] | None = None) -> Entry:
    if not isinstance(point, dict):
        return Entry(problem="This is not a point of Qdrant.")
    return Entry(
        payload=mapping(point.get("payload")),
        id=_id(point.get("id")),
        score=point.get("score"),
        vector=point.get("vector", point.get("vectors")),
        beside={**(beside or {}), "shard_key": point.get("shard_key")},
    )


def _id(value: Json) -> Json:
    """Return a point's id; gRPC wraps it into its kind."""
    if not isinstance(value, dict):
        return value
    return value.get("uuid", value.get("num"))


QDRANT = wrapped(Shape("qdrant", "Qdrant points", _recognises, _read, Tried.LIBRARY))
