"""Which of a framework's own fields is a score, a vector or an id: the first alias that fits."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from poolscope.formats import aliases, literals, values
from poolscope.formats.shapes.base import Json

Fields = Mapping[str, Json]


def field(entries: Sequence[Fields], role: str) -> str | None:
    """Return the name under which something that fits a role stands in any of the entries.

    Args:
        entries: The candidates' fields.
        role: A key of ``aliases.ROLES``.
    """
    fits = FITS[role]
    names: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for entry in entries for name in entry):
        names.setdefault(aliases.normal(name), []).append(name)
    for alias in aliases.ROLES[role]:
        for name in names.get(alias, ()):
            if any(fits(entry.get(name)) for entry in entries):
                return name
    return None


def named(
    entries: Sequence[Fields], wanted: Sequence[str], fits: Callable[[Json], bool]
) -> list[str]:
    """Return the names met that are aliases and hold something fitting, most telling first.

    A name inside others counts by its last part, after all that stand at the top.
    """
    met = list(dict.fromkeys(name for entry in entries for name in entry))
    top = [name for alias in wanted for name in met if aliases.normal(name) == alias]
    tails = [
        name
        for alias in wanted
        for name in met
        if "." in name and aliases.normal(name.rpartition(".")[2]) == alias
    ]
    return [
        name
        for name in dict.fromkeys((*top, *tails))
        if any(fits(entry.get(name)) for entry in entries)
    ]


def without(fields: Fields, *names: str | None) -> dict[str, Json]:
    """Return fields without those that have a role of their own."""
    return {name: value for name, value in fields.items() if name not in names}


def parsed(value: Json) -> Json:
    """Return the list or the object that a text holds; anything else as it is."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return values.structure(value, literals.LONGEST)


def mapping(value: Json) -> Fields:
    """Return a mapping, out of its JSON if need be; an empty one for anything else."""
    read = parsed(value)
    return read if isinstance(read, dict) else {}


def listing(value: Json) -> Sequence[Json]:
    """Return a list, out of its JSON if need be; an empty one for anything else."""
    read = parsed(value)
    return read if isinstance(read, (list, tuple)) else ()


def mappings(value: Json, *, most: int | None = None) -> list[Fields]:
    """Return the entries of a list if all are mappings; an empty list for anything else."""
    entries = listing(value)[:most]
    found: list[Fields] = [entry for entry in entries if isinstance(entry, dict)]
    return found if len(found) == len(entries) else []


def distinct(entries: Sequence[Json]) -> bool:
    """Whether every entry is given and no two are equal."""
    written = [values.text(entry) for entry in entries if is_label(entry)]
    return 0 < len(set(written)) == len(entries)


def is_label(value: Json) -> bool:
    """Whether a value can be an id: a text or a whole number."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    return not values.missing(value)


def is_number(value: Json) -> bool:
    """Whether a value is a number, or a number as text."""
    try:
        return values.number(value) is not None
    except ValueError:
        return False


def is_passage(value: Json) -> bool:
    """Whether a value is a text that can be read, and no number."""
    return isinstance(value, str) and not values.missing(value) and values.whole(value) is None


def empty(value: Json) -> bool:
    """Whether a value is nothing, an empty text, or an empty list or mapping."""
    if isinstance(value, np.ndarray):
        return value.size == 0
    return values.missing(value) or (isinstance(value, (list, tuple, dict)) and not value)


def is_vector(value: Json) -> bool:
    """Whether a value is a dense vector in any of the forms that are read."""
    if isinstance(value, str) and not value.lstrip().startswith(("[", "{", "array", "np.")):
        return False
    try:
        found = values.vector(value)
    except values.LostVectorError:
        return True
    except ValueError:
        return False
    return found is not None and len(found) > 1


def by_order(candidates: Sequence[str], rows: Sequence[Fields]) -> str | None:
    """Return the score that orders the list: the first under which every row has one, in order.

    Where none does, the first under which most rows have one.
    """
    given = {
        name: [read for row in rows if (read := _number(row.get(name))) is not None]
        for name in candidates
    }
    full = [name for name in candidates if rows and len(given[name]) == len(rows)]
    for name in full:
        steps = np.diff(given[name])
        if bool((steps <= 0).all()) or bool((steps >= 0).all()):
            return name
    if full:
        return full[0]
    return (
        max(candidates, key=lambda name: len(given[name]), default=None)
        if any(given.values())
        else None
    )


def _number(value: Json) -> float | None:
    try:
        found = values.number(value)
    except ValueError:
        return None
    return None if found is None or not np.isfinite(found) else found


FITS: dict[str, Callable[[Json], bool]] = {
    "id": is_label,
    "score": is_number,
    "vector": is_vector,
    "query": is_label,
    "query_id": is_label,
}
