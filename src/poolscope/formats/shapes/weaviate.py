"""Weaviate: objects of the version 4 client as data classes, GraphQL's ``Get``, REST's objects.

A hit may carry a distance, a certainty, a score of hybrid search and one of a reranker: the one
that orders the list is the score, the others stay beside it. A hit that holds a group stands for
the group's own hits: each of them is a candidate.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from poolscope.counts import agreed, counted
from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import by_order, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
SCORES = ("distance", "certainty", "score", "rerank_score")
ADDITIONAL = "_additional"
GROUP = "group"
CLIENT = ("metadata", "uuid", "references", "collection", "class", "additional")


def _recognises(value: Json) -> str | None:
    if _are_objects(value):
        return "its entries hold “properties” with “uuid” or “metadata”, as Weaviate's objects do"
    if not isinstance(value, dict):
        return None
    if _are_objects(value.get("objects")):
        return "“objects” holds “properties” with “uuid” or “metadata”, as Weaviate's do"
    if _are_objects(_of_groups(value)):
        return "“groups” holds “objects” with “properties”, as Weaviate's do"
    if _classes(value):
        return "“data” holds “Get” with lists of objects, as Weaviate's GraphQL gives"
    return None


def _are_objects(value: Json) -> bool:
    objects = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    return bool(objects) and all(
        "properties" in entry and any(name in entry for name in CLIENT) for entry in objects
    )


def _of_groups(whole: Mapping[str, Json]) -> list[Json]:
    """Return the objects of the client's groups, one group after the other."""
    groups = mapping(whole.get("groups")).values()
    return [entry for group in groups for entry in listing(mapping(group).get("objects"))]


def _classes(value: Mapping[str, Json]) -> dict[str, list[Json]]:
    data = mapping(value.get("data")) or value
    return {
        str(name): objects
        for name, objects in mapping(data.get("Get")).items()
        if isinstance(objects, list)
    }


def _read(value: Json) -> Sequence[Question]:
    if isinstance(value, list):
        return [_question([_of_client(entry) for entry in value])]
    whole = mapping(value)
    objects = listing(whole.get("objects")) or _of_groups(whole)
    if objects or "objects" in whole:
        return [_question([_of_client(entry) for entry in objects])]
    classes = _classes(whole)
    return [
        _of_class(objects, name if len(classes) > 1 else "") for name, objects in classes.items()
    ]


def _of_class(objects: Sequence[Json], query_id: str) -> Question:
    """Read the objects of a class; where one holds a group, the hits of the group."""
    hits = [hit for entry in objects for hit in _opened(entry)]
    groups = [group for entry in objects if (group := _group(entry))]
    notes: list[str] = []
    if groups:
        notes.append(
            f"Opened: {counted(len(groups), 'group')} of Weaviate into {counted(len(hits), 'hit')},"
            " one group after the other."
        )
    counts = [group.get("count") for group in groups]
    most = sum(count for count in counts if isinstance(count, int))
    if most > len(hits):
        notes.append(
            f"The groups count {counted(most, 'object')}; {most - len(hits):,} of them "
            f"{agreed(most - len(hits), 'is', 'are')} not in it."
        )
    return _question(hits, query_id, notes)


def _group(entry: Json) -> Mapping[str, Json]:
    return mapping(mapping(mapping(entry).get(ADDITIONAL)).get(GROUP))


def _opened(entry: Json) -> Iterator["Hit"]:
    """Yield an object of GraphQL, or the hits of the group that it holds."""
    group = _group(entry)
    inner = listing(group.get("hits"))
    if not inner:
        yield _of_graphql(entry)
        return
    value = mapping(group.get("groupedBy")).get("value", group.get("id"))
    for hit in inner:
        found, said = _of_graphql(hit)
        yield dataclasses.replace(found, beside={**found.beside, GROUP: value}), said


Hit = tuple[Entry, Mapping[str, Json]]


def _of_client(entry: Json) -> Hit:
    if not isinstance(entry, dict):
        return Entry(problem="This is not an object of Weaviate."), {}
    said = {**mapping(entry.get("additional")), **mapping(entry.get("metadata"))}
    vector = entry.get("vector") or mapping(entry.get("vectors")) or None
    beside = {
        "collection": entry.get("collection", entry.get("class")),
        "group": entry.get("belongs_to_group"),
    }
    payload = mapping(entry.get("properties"))
    return Entry(payload, entry.get("uuid", entry.get("id")), vector=vector, beside=beside), said


def _of_graphql(entry: Json) -> Hit:
    if not isinstance(entry, dict):
        return Entry(problem="This is not an object of Weaviate."), {}
    said = dict(mapping(entry.get(ADDITIONAL)))
    vector = said.pop("vector", None) or said.pop("vectors", None)
    payload = {name: value for name, value in entry.items() if name != ADDITIONAL}
    said["rerank_score"] = _reranked(said.pop("rerank", None))
    return Entry(payload, said.pop("id", None), vector=vector), said


def _reranked(value: Json) -> Json:
    first = next(iter(mappings(value)), {})
    return first.get("score")


def _question(hits: Sequence[Hit], query_id: str = "", notes: Sequence[str] = ()) -> Question:
    said = [entry for _, entry in hits]
    chosen = by_order(SCORES, said)
    entries = [
        Entry(
            payload=entry.payload,
            id=entry.id,
            score=None if chosen is None else more.get(chosen),
            vector=entry.vector,
            beside={
                **entry.beside,
                **{name: value for name, value in more.items() if name != chosen},
            },
            problem=entry.problem,
        )
        for entry, more in hits
    ]
    lower = chosen == "distance"
    known = Known(
        "distance" if lower else str(chosen),
        Direction.LOWER if lower else Direction.HIGHER,
        "Weaviate's distance is lower for what is closer."
        if lower
        else f"Weaviate's {chosen} is higher for what fits better.",
    )
    names = Names("uuid", "properties", str(chosen), "vector")
    notes = (*notes, *_notes(chosen, said))
    return question(entries, names, known=known, query_id=query_id, notes=notes)


def _notes(chosen: str | None, said: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    if chosen is None:
        return ("No distance or score was asked for; the list order is the rank.",)
    others = [
        name
        for name in SCORES
        if name != chosen and any(more.get(name) is not None for more in said)
    ]
    if not others:
        return ()
    listed = ", ".join(f"“{name}”" for name in others)
    return (f"The score is “{chosen}”; {listed} was kept beside it.",)


WEAVIATE = wrapped(Shape("weaviate", "Weaviate objects", _recognises, _read, Tried.CLASSES))
