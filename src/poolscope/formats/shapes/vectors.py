"""The dense vectors of a store's hits: one a hit, by the same name where a store names several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.counts import counted
from poolscope.formats import values
from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """One vector a hit, ``None`` where it has none that can be used, and what was left out."""

    vectors: Sequence[Json]
    notes: tuple[str, ...]


def dense(given: Sequence[Json]) -> Dense:
    """Take one dense vector of each hit.

    Args:
        given: A vector, a mapping of named ones, or nothing, for each hit.
    """
    mappings = [entry for entry in given if isinstance(entry, dict)]
    met = dict.fromkeys(
        str(name) for vectors in mappings for name, value in vectors.items() if is_one(value)
    )
    chosen = next(iter(met), None)
    found = [entry.get(chosen) if isinstance(entry, dict) else entry for entry in given]
    several = sum(_is_several(vector) for vector in found)
    notes = [*_about_names(list(met)), *_about_others(mappings)]
    if several:
        notes.append(f"{counted(several, 'row')} with several vectors each: those were left out.")
    return Dense([None if _is_several(vector) else vector for vector in found], tuple(notes))


def _about_names(met: Sequence[str]) -> Sequence[str]:
    if len(met) < 2:
        return ()
    others = ", ".join(f"“{values.shown(name)}”" for name in met[1:])
    chosen = values.shown(met[0])
    return (f"The vectors are those named “{chosen}”; there are also {others}.",)


def _about_others(mappings: Sequence[Mapping[str, Json]]) -> Sequence[str]:
    left_out = dict.fromkeys(
        str(name)
        for vectors in mappings
        for name, value in vectors.items()
        if not is_one(value) and not roles.empty(value) and name not in ("indices", "values")
    )
    if not left_out:
        return ()
    listed = ", ".join(f"“{values.shown(name)}”" for name in left_out)
    return (f"{listed} holds sparse or multiple vectors, which were left out.",)


def is_one(value: Json) -> bool:
    """Whether a value looks like a vector: a list of numbers, or one as text."""
    if isinstance(value, np.ndarray):
        return value.size > 0
    if isinstance(value, (str, bytes)):
        return _is_written_vector(value)
    return isinstance(value, (list, tuple)) and _numbers(value)


def _is_written_vector(value: str | bytes) -> bool:
    try:
        return values.vector(value) is not None
    except values.LostVectorError:
        return True
    except ValueError:
        return False


def _numbers(value: Sequence[Json]) -> bool:
    return bool(value) and isinstance(value[0], (int, float)) and not isinstance(value[0], bool)


def _is_several(vector: Json) -> bool:
    if not isinstance(vector, (list, tuple)) or len(vector) < 2:
        return False
    return isinstance(vector[0], (list, tuple))
