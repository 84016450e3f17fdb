"""Where in its document a passage stands: its position and its span of characters."""

from collections.abc import Sequence
from typing import TypeVar

from poolscope.formats import aliases, values
from poolscope.formats.base import RawRow
from poolscope.formats.rows import Row

Placed = TypeVar("Placed")


def positions(rows: Sequence[Row]) -> tuple[int | None, ...]:
    """Read places in the document from a field, else from ids that are source and number."""
    kept = [row.raw for row in rows]
    names = field_names(kept)
    for alias in aliases.POSITION:
        name = aliases.first(names, (alias,))
        found = [values.whole(row.fields.get(name)) for row in kept] if name else []
        if any(place is not None for place in found) and not _numbers_rows(found, rows, alias):
            return tuple(found)
    places = [_place_in_id(row) for row in rows]
    return tuple(places) if None not in places else (None,) * len(rows)


def _numbers_rows(found: Sequence[int | None], rows: Sequence[Row], alias: str) -> bool:
    """Whether a field only numbers the rows of the list, across sources."""
    if alias == "position" or len({row.source for row in rows}) < 2:
        return False
    n = len(rows)
    return list(found) in (list(range(n)), list(range(1, n + 1)))


def _place_in_id(row: Row) -> int | None:
    """Return 12 for the id ``guide.md#12`` of the source ``guide.md``."""
    head, mark, tail = row.id.rpartition("#")
    safe = mark and head == row.label and tail.isascii() and tail.isdecimal() and len(tail) < 10
    return int(tail) if safe else None


def spans(rows: Sequence[RawRow]) -> tuple[tuple[int, int] | None, ...]:
    """Read the characters of its document that each row holds, from two fields of whole numbers."""
    names = field_names(rows)
    for start_alias, end_alias in aliases.SPANS:
        start, end = aliases.first(names, (start_alias,)), aliases.first(names, (end_alias,))
        if start is not None and end is not None:
            return tuple(_span(row.fields.get(start), row.fields.get(end)) for row in rows)
    return (None,) * len(rows)


def _span(start: str | None, end: str | None) -> tuple[int, int] | None:
    first, last = values.whole(start), values.whole(end)
    if first is None or last is None or not 0 <= first <= last:
        return None
    return first, last


def unambiguous(
    places: tuple[Placed | None, ...], rows: Sequence[Row]
) -> tuple[Placed | None, ...]:
    """Forget the places within a merged source that two of its labels number alike."""
    holders: dict[tuple[str | None, Placed], set[str | None]] = {}
    for place, row in zip(places, rows, strict=True):
        if place is not None:
            holders.setdefault((row.source, place), set()).add(row.label)
    unclear = {source for (source, _), labels in holders.items() if len(labels) > 1}
    return tuple(
        None if row.source in unclear and row.source is not None else place
        for place, row in zip(places, rows, strict=True)
    )


def field_names(rows: Sequence[RawRow]) -> tuple[str, ...]:
    """Return the names of all metadata fields, in the order met."""
    return tuple(dict.fromkeys(name for row in rows for name in row.fields))
