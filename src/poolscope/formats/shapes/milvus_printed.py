"""What Milvus' clients up to 2.4 print of hits: ``id: 7, distance: 0.2, entity: {'text': '…'}``.

A list of hits prints as a list of such texts, several lists as a list of the texts of lists, and
none prints more than its first ten.
"""

import re

from poolscope.formats import values
from poolscope.formats.shapes.base import Json

MOST_PRINTED = 10
LOOKED_AT = 20
LONGEST_KEY = 512
NOTE = "It was read as Milvus prints it."
CUT = "Milvus prints the first ten hits at most: there may have been more."
_NUMBER = r"(?P<distance>[-+]?[\w.+-]{1,40})"
_WITH_ENTITY = re.compile(
    rf"\s*(?:hit: )?id: (?P<id>.{{1,{LONGEST_KEY}}}?), (?:distance|score): {_NUMBER}, entity: "
)
_BARE = re.compile(rf"\s*\(?distance: {_NUMBER}, id: (?P<id>[^()\n]{{1,{LONGEST_KEY}}}?)\)?\s*$")
_LIST = re.compile(rf"\s*\[[\\'\"\s(]{{0,9}}(?:id: .{{1,{LONGEST_KEY}}}?, )?(?:distance|score): ")


def is_hit(value: Json) -> bool:
    """Whether a value is the text of a hit."""
    return isinstance(value, str) and (
        _WITH_ENTITY.match(value) is not None or _BARE.match(value) is not None
    )


def hit(written: str) -> dict[str, Json] | None:
    """Return a hit as the client gives it; ``None`` where the text was cut."""
    met = _WITH_ENTITY.match(written)
    if met is None:
        bare = _BARE.match(written)
        return None if bare is None else {**bare.groupdict(), "entity": {}}
    start = met.end()
    entity = values.structure(written[start : written.rfind("}") + 1])
    return {**met.groupdict(), "entity": entity} if isinstance(entity, dict) else None


def lists(value: Json) -> list[list[Json]] | None:
    """Return the texts of hits, a list for each question; ``None`` where it holds none."""
    if not isinstance(value, list) or not value:
        return None
    if all(map(is_hit, value[:LOOKED_AT])):
        return [value]
    opened = [_opened(entry) for entry in value[:LOOKED_AT]]
    if not any(opened) or not all(map(_are_hits, opened)):
        return None
    rest = [_opened(entry) or [] for entry in value[LOOKED_AT:]]
    return [entry or [] for entry in opened] + rest


def _are_hits(entry: list[Json] | None) -> bool:
    return entry is not None and all(map(is_hit, entry[:LOOKED_AT]))


def _opened(entry: Json) -> list[Json] | None:
    if isinstance(entry, str) and (_LIST.match(entry) or entry.strip() == "[]"):
        entry = values.structure(entry)
    return entry if isinstance(entry, list) else None
