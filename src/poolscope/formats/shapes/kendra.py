"""Amazon Kendra: what ``Retrieve`` and ``Query`` find, collapsed results with those they hide.

Kendra gives no number for how well a result fits, only a word; the list order is the rank.
"""

from collections.abc import Iterator, Mapping, Sequence

from poolscope.counts import agreed, counted
from poolscope.formats.base import Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.roles import listing, mapping, mappings
from poolscope.formats.shapes.wrapped import wrapped

LOOKED_AT = 20
ITEMS, FEATURED = "ResultItems", "FeaturedResultsItems"
TELLING = ("DocumentURI", "DocumentTitle", "DocumentId", "DocumentExcerpt")
SCALARS = ("StringValue", "LongValue", "DateValue", "StringListValue")
WITHOUT_SCORE = "Kendra gives a word of confidence, no score; the list order is the rank."
Item = Mapping[str, Json]


def _are_items(value: Json) -> bool:
    items = mappings(value, most=LOOKED_AT)
    return bool(items) and all(
        ("Content" in item or "DocumentExcerpt" in item) and any(name in item for name in TELLING)
        for item in items
    )


def _recognises(value: Json) -> str | None:
    if isinstance(value, dict) and _are_items(value.get(ITEMS)):
        return f"“{ITEMS}” holds documents with “DocumentURI” or “DocumentTitle”, as Kendra's does"
    if isinstance(value, list) and _are_items(value):
        return "each entry has “DocumentURI” or “DocumentTitle” and a text, as Kendra's results do"
    return None


def _read(value: Json) -> Sequence[Question]:
    whole = mapping(value)
    met = value if isinstance(value, list) else listing(whole.get(ITEMS))
    items = [each for item in met for each in _opened(item)]
    notes = [WITHOUT_SCORE]
    if len(items) > len(met):
        notes.append(
            f"Opened: {counted(len(met), 'result')} into {counted(len(items), 'row')}, those that "
            "were collapsed among them."
        )
    featured = len(listing(whole.get(FEATURED)))
    if featured:
        verb = agreed(featured, "is", "are")
        notes.append(f"{counted(featured, 'featured result')} {verb} no part of the ranked list.")
    entries = [_entry(item) for item in items]
    return [question(entries, Names("Id", "Content"), notes=notes)]


def _opened(item: Json) -> Iterator[Json]:
    """Yield a result, then the ones that were collapsed into it."""
    yield item
    yield from listing(mapping(mapping(item).get("CollapsedResultDetail")).get("ExpandedResults"))


def _entry(item: Json) -> Entry:
    if not isinstance(item, dict):
        return Entry(problem="This is not a result of Kendra.")
    return Entry(
        payload={str(name): value for name, value in _attributes(item)},
        id=item.get("Id"),
        text=item.get("Content") or _text(item.get("DocumentExcerpt")),
        beside={
            "uri": item.get("DocumentURI"),
            "title": _text(item.get("DocumentTitle")),
            "document_id": item.get("DocumentId"),
            "type": item.get("Type"),
            "confidence": mapping(item.get("ScoreAttributes")).get("ScoreConfidence"),
        },
    )


def _text(value: Json) -> Json:
    """Return a text; Kendra puts one that it highlights into an object."""
    return value.get("Text") if isinstance(value, dict) else value


def _attributes(item: Item) -> Iterator[tuple[Json, Json]]:
    for attribute in mappings(item.get("DocumentAttributes")):
        held = mapping(attribute.get("Value"))
        value = next((held[name] for name in SCALARS if held.get(name) is not None), None)
        yield attribute.get("Key"), value


KENDRA = wrapped(Shape("kendra", "Kendra results", _recognises, _read, Tried.SCHEMA))
