"""Pinecone: ``query`` with matches, ``search`` with hits, ``fetch`` with vectors by id.

The software writes snake case, the wire camel case. The metric is not in the response.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats.base import Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped

LOOKED_AT = 20
MATCH = frozenset(
    ("id", "score", "values", "sparse_values", "sparseValues", "metadata", "namespace")
)


def _recognises(value: Json) -> str | None:
    if not isinstance(value, dict):
        return None
    if _are_matches(value.get("matches")):
        return "“matches” holds entries with “id”, “score” and “metadata”, as Pinecone's do"
    if _hits(value):
        return "“result” holds “hits” with “_id”, “_score” and “fields”, as Pinecone's do"
    if any(_are_matches(entry.get("matches")) for entry in mappings(value.get("results"))):
        return "“results” holds lists of “matches”, as Pinecone's do"
    if value.get("matches") == [] and "namespace" in value:
        return "“matches” stands beside “namespace”, and is empty"
    fetched = list(mapping(value.get("vectors")).values())
    if "namespace" in value and _are_matches(fetched):
        return "“vectors” holds vectors by id beside “namespace”, as Pinecone's fetch does"
    return None


def _are_matches(value: Json) -> bool:
    entries = mappings(value, most=LOOKED_AT)
    return bool(entries) and all(
        "id" in entry and MATCH.issuperset(entry) and len(entry) > 1 for entry in entries
    )


def _hits(value: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    entries = mappings(mapping(value.get("result")).get("hits"))
    first = entries[:LOOKED_AT]
    is_pinecone = all("fields" in entry and ("_id" in entry or "id" in entry) for entry in first)
    return entries if is_pinecone else []


def _hit_id(hit: Mapping[str, Json]) -> Json:
    return hit.get("_id", hit.get("id"))


def _read(value: Json) -> Sequence[Question]:
    whole = mapping(value)
    namespace = whole.get("namespace")
    batch = listing(whole.get("results"))
    if "matches" in whole and (whole["matches"] or not batch):
        return [_matches(listing(whole["matches"]), namespace)]
    if "results" in whole:
        return [
            _matches(
                listing(mapping(entry).get("matches")), mapping(entry).get("namespace"), str(number)
            )
            for number, entry in enumerate(batch, start=1)
        ]
    if "vectors" in whole:
        note = "Pinecone's “fetch” ranks nothing: the list order is not a retriever's."
        return [_matches(list(mapping(whole["vectors"]).values()), namespace, note=note)]
    entries = [
        Entry(
            payload=mapping(hit.get("fields")),
            id=_hit_id(hit),
            score=hit.get("_score", hit.get("score")),
        )
        for hit in _hits(whole)
    ]
    return [question(entries, Names("_id", "fields", "_score", "fields"))]


def _matches(
    matches: Sequence[Json], namespace: Json, query_id: str = "", note: str = ""
) -> Question:
    entries = [_entry(match, namespace) for match in matches]
    return question(
        entries,
        Names("id", "metadata", "score", "values"),
        query_id=query_id,
        notes=(note,) if note else (),
    )


def _entry(match: Json, namespace: Json) -> Entry:
    if not isinstance(match, dict):
        return Entry(problem="This is not a match of Pinecone.")
    return Entry(
        payload=mapping(match.get("metadata")),
        id=match.get("id"),
        score=match.get("score"),
        vector=match.get("values"),
        beside={"namespace": match.get("namespace", namespace)},
    )


PINECONE = wrapped(Shape("pinecone", "Pinecone query", _recognises, _read, Tried.CLASSES))
