"""Vespa: the tree of a query's result; hits stand at its leaves, in groups or not.

``source`` of a hit is the content cluster, never the document that a passage belongs to.
"""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.formats.base import Known, Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped
from poolscope.model import Direction

DEEPEST = 12
KNOWN = Known(
    "relevance of the rank profile",
    Direction.HIGHER,
    "Vespa lists hits by relevance: higher is better.",
)
LOOKED_AT = 20
HIT = frozenset(("id", "relevance", "fields"))
OWN = ("documentid", "sddocname")
Hit = Mapping[str, Json]


def _recognises(value: Json) -> str | None:
    if isinstance(value, list):
        return _recognises_hits(value)
    root = mapping(value).get("root") if isinstance(value, dict) else None
    if not isinstance(root, dict):
        return None
    if mappings(root.get("errors")):
        return "“root” holds “errors”, as Vespa's results do"
    if any(isinstance(hit.get("fields"), dict) for hit in _hits(root, DEEPEST)):
        return "“root” holds “children” with “relevance” and “fields”, as Vespa's results do"
    if "coverage" in root or "totalCount" in mapping(root.get("fields")):
        return "“root” holds a count of hits, as Vespa's results do"
    return None


def _recognises_hits(value: Sequence[Json]) -> str | None:
    first = mappings(value[:LOOKED_AT])
    if not first or not all(set(hit) >= HIT and isinstance(hit["fields"], dict) for hit in first):
        return None
    return "each entry has “id”, “relevance” and “fields”, as Vespa's hits do"


def _hits(branch: Hit, depth: int) -> Iterator[Hit]:
    """Yield the hits below a branch; a group has children of its own."""
    for child in listing(branch.get("children")):
        if isinstance(child, dict) and "children" in child:
            if depth > 0:
                yield from _hits(child, depth - 1)
        elif not isinstance(child, dict) or "fields" in child or "relevance" in child:
            yield child if isinstance(child, dict) else {}


def _read(value: Json) -> Sequence[Question]:
    root = {"children": value} if isinstance(value, list) else mapping(mapping(value).get("root"))
    hits = list(_hits(root, DEEPEST))
    ids = _ids(hits)
    entries = [_entry(hit, name) for hit, name in zip(hits, ids, strict=True)]
    problem = "; ".join(
        str(error.get("message") or error.get("summary")) for error in mappings(root.get("errors"))
    )
    if problem and not hits:
        said = f"Vespa gave no hits but an error: {problem.rstrip('.')}."
        return [Question([], problem=said, remedy="Correct the query, and export its result.")]
    notes = [f"Vespa reports: {problem.rstrip('.')}."] if problem else []
    if not listing(root.get("children")):
        notes.append("The result has no hits.")
    return [question(entries, Names("documentid", "fields", "relevance"), known=KNOWN, notes=notes)]


def _ids(hits: Sequence[Hit]) -> list[Json]:
    """Return the user's part of each document id where these are distinct, else the whole."""
    whole = [mapping(hit.get("fields")).get("documentid", hit.get("id")) for hit in hits]
    own = [name.rpartition("::")[2] if isinstance(name, str) else name for name in whole]
    given = [name for name in own if name]
    return own if given and len(set(map(str, given))) == len(given) else whole


def _entry(hit: Hit, name: Json) -> Entry:
    fields = mapping(hit.get("fields"))
    if not fields:
        return Entry(id=name, problem="The hit has no fields.")
    payload = {key: _dense(value) for key, value in fields.items() if key not in OWN}
    return Entry(
        payload=payload,
        id=name,
        score=hit.get("relevance"),
        beside={
            "content_cluster": hit.get("source"),
            "documentid": fields.get("documentid"),
            "sddocname": fields.get("sddocname"),
        },
    )


def _dense(value: Json) -> Json:
    """Return a dense tensor's numbers; anything else as it is."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("values"), list):
        return value["values"]
    cells = mappings(value.get("cells"))
    if cells and all("value" in cell and len(mapping(cell.get("address"))) == 1 for cell in cells):
        return [cell["value"] for cell in cells]
    return value


VESPA = wrapped(Shape("vespa", "Vespa results", _recognises, _read, Tried.SCHEMA))
