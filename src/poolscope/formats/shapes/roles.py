"""Which of a framework's own fields is a score, a vector or an id: the first alias that fits."""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from poolscope.formats import aliases, python_repr, values
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


def without(fields: Fields, *names: str | None) -> dict[str, Json]:
    """Return fields without those that have a role of their own."""
    return {name: value for name, value in fields.items() if name not in names}


def mapping(value: Json) -> Fields:
    """Return an object, out of its text where it is written so; empty where it is none."""
    found = parsed(value)
    return found if isinstance(found, Mapping) else {}


def parsed(value: Json) -> Json:
    """Return the list or the object that a text holds; anything else as it is."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if not isinstance(value, str):
        return value
    written = value.strip()
    if not written.startswith(("[", "{", "(")):
        return value
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(written)
    with contextlib.suppress(python_repr.NotPythonError):
        return python_repr.value(written)
    return value


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


FITS: dict[str, Callable[[Json], bool]] = {
    "id": is_label,
    "score": is_number,
    "vector": is_vector,
    "query": is_label,
    "query_id": is_label,
}
