"""Elasticsearch and OpenSearch: hits with ``_source`` or ``fields``, chunks in inner hits, ES|QL.

A hit with inner hits is a document whose passages matched: each passage is a candidate, and the
document's id is their source. A sorted search has no scores; reciprocal rank fusion gave ``_rank``.
Where no field holds a text, the highlighted fragments do: of a ``semantic_text`` each is a chunk.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from poolscope.counts import agreed, counted
from poolscope.formats import aliases
from poolscope.formats.base import Known, Tried
from poolscope.formats.records import flatten
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import empty, listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

LOOKED_AT = 20
DEEPEST = 6
"""Levels of inner hits, and of aggregations, that are opened."""
KNOWN = Known(
    "score",
    Direction.HIGHER,
    "“_score” of Elasticsearch and OpenSearch is higher for what fits better.",
)
NAMES = Names("_id", "_source", "_score", "_source")
PARENT = "parent_id"
HIDDEN = frozenset(aliases.TEXT) | frozenset(aliases.VECTOR)
TAG = re.compile(r"</?em\b[^>]*>")
"""Around what a query matched, as both systems deliver it."""

Hit = Mapping[str, Json]


def _is_hit(value: Json) -> bool:
    if not isinstance(value, dict) or "_id" not in value:
        return False
    return any(name in value for name in ("_source", "fields", "inner_hits", "_index"))


def _are_hits(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_hit, value[:LOOKED_AT]))


def _recognises(value: Json) -> str | None:
    if _are_hits(value):
        return "its entries have “_id” with “_source”, “fields” or “_index”, as Elasticsearch's do"
    if not isinstance(value, dict):
        return None
    if _are_hits(mapping(value.get("hits")).get("hits")):
        return "“hits” holds hits with “_id” and “_source” or “fields”, as Elasticsearch's do"
    if mapping(value.get("hits")).get("hits") == []:
        return "“hits” holds a list of hits, which is empty"
    responses = mappings(value.get("responses"), most=LOOKED_AT)
    if responses and any(isinstance(entry.get("hits"), dict) for entry in responses):
        return "“responses” holds several searches, as Elasticsearch's multi-search gives"
    return None


def _read(value: Json) -> Sequence[Question]:
    if isinstance(value, list):
        return [_question(value)]
    whole = mapping(value)
    if "responses" in whole:
        return [
            _of_many(mapping(entry), number)
            for number, entry in enumerate(listing(whole["responses"]), start=1)
        ]
    return [_of_one(whole)]


def _of_one(whole: Mapping[str, Json], query_id: str = "") -> Question:
    """Read a search: its hits, or where it has none those that its aggregations hold."""
    hits = _hits(whole)
    lists = list(_top_hits(mapping(whole.get("aggregations", whole.get("aggs"))), DEEPEST))
    if not lists:
        return _question(hits, query_id)
    if hits:
        known = {str(mapping(hit).get("_id")) for hit in hits}
        met = {str(mapping(hit).get("_id")) for inner in lists for hit in inner}
        further = len(met - known)
        note = (
            f"The aggregations hold {counted(further, 'further hit')} that "
            f"{agreed(further, 'is', 'are')} no part of the list."
        )
        return _question(hits, query_id, [note] if further else [])
    note = (
        f"The search lists no hits; those of {counted(len(lists), 'bucket')} of its aggregations "
        "were read, one after the other."
    )
    return _question([hit for inner in lists for hit in inner], query_id, [note])


def _top_hits(node: Json, depth: int) -> Iterator[Sequence[Json]]:
    """Yield the lists of hits inside aggregations, bucket by bucket."""
    found = _hits(node) if isinstance(node, dict) else ()
    if _are_hits(found):
        yield found
    elif depth and isinstance(node, (dict, list)):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from _top_hits(inner, depth - 1)


def _hits(whole: Mapping[str, Json]) -> Sequence[Json]:
    return listing(mapping(whole.get("hits")).get("hits"))


def _of_many(response: Mapping[str, Json], number: int) -> Question:
    if "error" in response:
        reason = mapping(response["error"]).get("reason", "it failed")
        return Question(
            [],
            query_id=str(number),
            problem=f"The search has no hits: {reason}.",
            remedy="Correct the search and export it again.",
        )
    return _of_one(response, str(number))


def _question(hits: Sequence[Json], query_id: str = "", notes: Sequence[str] = ()) -> Question:
    entries = [entry for hit in hits for entry in _entries(hit)]
    notes = [*notes, *_notes(hits, entries)]
    found = question(entries, NAMES, known=KNOWN, query_id=query_id, notes=notes)
    field = "" if "text" in found.columns else _highlighted(hits)
    if not field:
        return found
    fragments = [entry for hit in hits for entry in _fragments(mapping(hit), field)]
    names = dataclasses.replace(NAMES, text=f"highlight.{field}")
    notes = [*notes, _said_of_fragments(fragments, field)]
    return question(fragments, names, known=KNOWN, query_id=query_id, notes=notes)


def _highlighted(hits: Sequence[Json]) -> str:
    """Return the highlighted field that holds the passages: by its name, else the longest."""
    sizes: dict[str, int] = {}
    for hit in mappings(hits):
        for name, pieces in mapping(hit.get("highlight")).items():
            size = sum(len(piece) for piece in listing(pieces) if isinstance(piece, str))
            sizes[str(name)] = sizes.get(str(name), 0) + size
    named = roles.named([dict(sizes)], aliases.TEXT, roles.is_number)
    return next(iter(named), "") or max(sizes, key=sizes.__getitem__, default="")


def _fragments(hit: Hit, field: str) -> Iterator[Entry]:
    """Yield a hit's chunks; pieces around words that a query matched are one passage together."""
    whole = _entry(hit)
    pieces = listing(mapping(hit.get("highlight")).get(field))
    texts = [piece for piece in pieces if isinstance(piece, str)]
    if any(TAG.search(text) for text in texts):
        texts = ["\n".join(TAG.sub("", text) for text in texts)]
    if len(texts) < 2:
        yield dataclasses.replace(whole, text=texts[0] if texts else None)
        return
    beside = {**whole.beside, PARENT: hit.get("_id")}
    for place, text in enumerate(texts):
        yield dataclasses.replace(whole, text=text, id=f"{hit.get('_id')}#{place}", beside=beside)


def _said_of_fragments(fragments: Sequence[Entry], field: str) -> str:
    said = f"No field holds the passages: the highlighted fragments of “{field}” were read as texts"
    chunks = sum(PARENT in entry.beside for entry in fragments)
    if not chunks:
        return f"{said}."
    return f"{said}. {counted(chunks, 'chunk')} share the score of the hit they are from."


def _entries(hit: Json) -> Iterator[Entry]:
    """Yield the candidates of a hit: its passages where it holds inner hits, else itself."""
    if not isinstance(hit, dict):
        yield Entry(problem="This is not a hit of Elasticsearch.")
        return
    inner = list(_inner(hit))
    if not inner:
        yield _entry(hit)
        return
    above = {
        name: value
        for name, value in flatten(_payload(hit)).items()
        if aliases.normal(name.rpartition(".")[2]) not in HIDDEN
    }
    is_group = any(not _is_part(child, hit) for child in inner)
    is_one_field = len({_field(child) for child in inner}) == 1
    for place, child in enumerate(inner):
        if not isinstance(child, dict):
            yield Entry(problem="This is not an inner hit of Elasticsearch.")
        elif is_group:
            yield _entry(child)
        else:
            yield _part(child, hit, place, above, "" if is_one_field else f"{_field(child)}.")


def _inner(hit: Hit, depth: int = DEEPEST) -> Iterator[Json]:
    """Yield a hit's inner hits; where one holds others in turn, these in its stead."""
    for group in mapping(hit.get("inner_hits")).values():
        for child in _hits(mapping(group)):
            deeper = list(_inner(child, depth - 1)) if isinstance(child, dict) and depth else []
            yield from deeper or [child]


def _hidden(hit: Hit, depth: int = DEEPEST) -> int:
    """Return how many inner hits the search counted but did not return."""
    hidden = 0
    for group in mapping(hit.get("inner_hits")).values():
        met = _hits(mapping(group))
        hidden += max(0, _total(mapping(group)) - len(met))
        hidden += sum(_hidden(child, depth - 1) for child in mappings(met)) if depth else 0
    return hidden


def _total(whole: Mapping[str, Json]) -> int:
    """Return how many hits a search counted; 0 where it does not say."""
    told = mapping(whole.get("hits")).get("total")
    count = told.get("value") if isinstance(told, dict) else told
    return count if isinstance(count, int) else 0


def _is_part(child: Json, parent: Hit) -> bool:
    """Whether an inner hit is a piece of the document, not another document of its group."""
    if (
        not isinstance(child, dict)
        or "_nested" in child
        or child.get("_id") in (None, parent.get("_id"))
    ):
        return True
    return bool(mapping(parent.get("_source"))) and "fields" not in parent


def _nested(child: Json) -> list[Mapping[str, Json]]:
    """Return where an inner hit stands in its document, level by level."""
    levels: list[Mapping[str, Json]] = []
    level = mapping(mapping(child).get("_nested"))
    while level and len(levels) < DEEPEST:
        levels.append(level)
        level = mapping(level.get("_nested"))
    return levels


def _field(child: Json) -> str:
    return ".".join(str(level.get("field")) for level in _nested(child))


def _part(child: Hit, parent: Hit, place: int, above: Mapping[str, Json], field: str = "") -> Entry:
    entry = _entry(child)
    offsets = [level["offset"] for level in _nested(child) if "offset" in level] or [place]
    name, offset = child.get("_id"), offsets[-1]
    if name in (None, parent.get("_id")):
        name = f"{parent.get('_id')}#{field}{'.'.join(map(str, offsets))}"
    return Entry(
        payload=entry.payload,
        id=name,
        score=entry.score,
        beside={**above, **entry.beside, PARENT: parent.get("_id"), "position": offset},
    )


def _entry(hit: Hit) -> Entry:
    kept = ("_index", "matched_queries")
    return Entry(
        payload=_payload(hit),
        id=hit.get("_id"),
        score=hit.get("_score"),
        rank=hit.get("_rank"),
        beside={name: hit[name] for name in kept if not empty(hit.get(name))},
    )


def _payload(hit: Hit) -> dict[str, Json]:
    """Return a hit's own fields; the values of “fields” are lists, mostly of one."""
    fields = mapping(hit.get("fields"))
    taken_apart: dict[str, Json] = {}
    for name, value in fields.items():
        holder, _, inner = str(name).partition(".")
        is_lifted = bool(inner) and aliases.normal(holder) in aliases.CONTAINERS
        taken_apart.setdefault(inner if is_lifted else str(name), _single(value))
    return {**taken_apart, **mapping(hit.get("_source"))}


def _single(value: Json) -> Json:
    if not isinstance(value, list) or len(value) != 1:
        return value
    if isinstance(value[0], dict):
        return {str(name): _single(inner) for name, inner in value[0].items()}
    return value[0]


def _notes(hits: Sequence[Json], entries: Sequence[Entry]) -> list[str]:
    said = []
    if any(isinstance(hit, dict) and any(_inner(hit)) for hit in hits):
        said.append(
            f"Opened: {counted(len(hits), 'hit')} into {counted(len(entries), 'inner hit')}."
        )
    hidden = sum(_hidden(hit) for hit in hits if isinstance(hit, dict))
    if hidden:
        said.append(
            f"{counted(hidden, 'further inner hit')} {agreed(hidden, 'was', 'were')} counted by "
            "the search and not returned: its “size” cut them."
        )
    field = _collapsed_by(hits)
    if field is not None:
        said.append(
            f"Each hit has another “{field}”, as after a collapse: the other passages of each are "
            "hidden, and crowding cannot be seen. Search without collapse, or ask for inner hits."
        )
    scored = any(entry.score is not None for entry in entries)
    if hits and not scored and not any(entry.rank is not None for entry in entries):
        said.append("The hits have no score, as after a sort; the list order is the rank.")
    return said


def _collapsed_by(hits: Sequence[Json]) -> str | None:
    """Return the field that a search seems to have been collapsed by.

    A collapse adds its field to ``fields`` beside ``_source``, with another value in each hit.
    """
    met = mappings(hits)
    if len(met) < 2 or any(any(_inner(hit)) for hit in met):
        return None
    if not all(hit.get("_source") and len(mapping(hit.get("fields"))) == 1 for hit in met):
        return None
    names = {str(name) for hit in met for name in mapping(hit.get("fields"))}
    found = [str(mapping(hit.get("fields"))) for hit in met]
    return names.pop() if len(names) == 1 and len(set(found)) == len(found) else None


ELASTICSEARCH = wrapped(
    Shape("elasticsearch", "Elasticsearch or OpenSearch hits", _recognises, _read, Tried.EMULATOR)
)
