"""Weaviate: objects of the version 4 client as data classes, GraphQL's ``Get``, REST's objects.

A hit may carry a distance, a certainty, a score of hybrid search and one of a reranker: the one
that orders the list is the score, the others stay beside it.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import by_order, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
SCORES = ("distance", "certainty", "score", "rerank_score")
ADDITIONAL = "_additional"
CLIENT = ("metadata", "uuid", "references", "collection", "class", "additional")


def _recognises(value: Json) -> str | None:
    if _are_objects(value):
        return "its entries hold “properties” with “uuid” or “metadata”, as Weaviate's objects do"
    if not isinstance(value, dict):
        return None
    if _are_objects(value.get("objects")):
        return "“objects” holds “properties” with “uuid” or “metadata”, as Weaviate's do"
    if _classes(value):
        return "“data” holds “Get” with lists of objects, as Weaviate's GraphQL gives"
    return None


def _are_objects(value: Json) -> bool:
    objects = mappings(value, most=LOOKED_AT) if isinstance(value, list) else []
    return bool(objects) and all(
        "properties" in entry and any(name in entry for name in CLIENT) for entry in objects
    )


def _classes(value: Mapping[str, Json]) -> dict[str, list[Mapping[str, Json]]]:
    data = mapping(value.get("data")) or value
    return {
        str(name): mappings(objects)
        for name, objects in mapping(data.get("Get")).items()
        if isinstance(objects, list)
    }


def _read(value: Json) -> Sequence[Question]:
    if isinstance(value, list):
        return [_question([_of_client(entry) for entry in value])]
    whole = mapping(value)
    if "objects" in whole:
        return [_question([_of_client(entry) for entry in listing(whole["objects"])])]
    classes = _classes(whole)
    return [
        _question([_of_graphql(entry) for entry in objects], name if len(classes) > 1 else "")
        for name, objects in classes.items()
    ]


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


def _of_graphql(entry: Mapping[str, Json]) -> Hit:
    said = dict(mapping(entry.get(ADDITIONAL)))
    vector = said.pop("vector", None) or said.pop("vectors", None)
    payload = {name: value for name, value in entry.items() if name != ADDITIONAL}
    said["rerank_score"] = _reranked(said.pop("rerank", None))
    return Entry(payload, said.pop("id", None), vector=vector), said


def _reranked(value: Json) -> Json:
    first = next(iter(mappings(value)), {})
    return first.get("score")


def _question(hits: Sequence[Hit], query_id: str = "") -> Question:
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
    notes = _notes(chosen, said)
    names = Names("uuid", "properties", str(chosen), "vector")
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
