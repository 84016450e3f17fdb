"""Facets of a full answer, and what each row is judged to support."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from poolscope.counts import counted
from poolscope.formats import aliases, values
from poolscope.formats.base import RawRow
from poolscope.model import DOES_NOT, SUPPORTS, UNJUDGED, Facet

Marks = Mapping[str, int]
YES = ("true", "yes", "1", "supports")
NO = ("false", "no", "0")


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Facets and judgements.

    Args:
        facets: ``m`` facets, those of the question first.
        judgements: Shape ``(n, m)``.
        notes: Sentences about facets that only rows name.
    """

    facets: tuple[Facet, ...]
    judgements: npt.NDArray[np.int8]
    notes: tuple[str, ...]


def judge(head: object, rows: Sequence[RawRow]) -> Judged:
    """Read the facets of a question and the judgements of its rows.

    A list of ids, even an empty one, judges its row for every facet; a mapping judges it for the
    facets it names; nothing leaves it unjudged.
    """
    declared = {facet.id: facet for facet in _declared(head)}
    listed = [_listed(row.facets) for row in rows]
    met = dict.fromkeys(name for entry in listed for name in entry or ())
    added = [name for name in met if name not in declared]
    facets = (*declared.values(), *(Facet(name, name) for name in added))
    columns = {facet.id: column for column, facet in enumerate(facets)}
    judgements = np.full((len(rows), len(facets)), UNJUDGED, dtype=np.int8)
    for index, (row, entry) in enumerate(zip(rows, listed, strict=True)):
        if entry is None:
            continue
        if not isinstance(values.structure(row.facets), dict):
            judgements[index] = DOES_NOT
        for name, mark in entry.items():
            judgements[index, columns[name]] = mark
    return Judged(facets, judgements, _notes(declared, added))


def _notes(declared: Mapping[str, Facet], added: Sequence[str]) -> tuple[str, ...]:
    if not added or not declared:
        return ()
    shown = ", ".join(f"“{values.shown(name)}”" for name in added[:5])
    return (f"{counted(len(added), 'facet')} named by candidates only and added: {shown}.",)


def _listed(value: object) -> Marks | None:
    """Return the marks that one row's entry makes; ``None`` where it is unjudged."""
    read = values.structure(value)
    if read is None:
        return None
    if isinstance(read, dict):
        return {values.text(name): _mark(mark) for name, mark in read.items()}
    return dict.fromkeys(_ids(read), SUPPORTS)


def _ids(read: object) -> Iterable[str]:
    if isinstance(read, str):
        parts = read.replace("|", ";").replace(",", ";").split(";")
        return tuple(part.strip() for part in parts if part.strip())
    if isinstance(read, (list, tuple, set, np.ndarray)):
        return tuple(facet.id for facet in _declared(list(read)))
    return (values.text(read),)


def _mark(mark: object) -> int:
    if values.missing(mark):
        return UNJUDGED
    if isinstance(mark, str):
        plain = mark.strip().lower()
        if plain in YES:
            return SUPPORTS
        return DOES_NOT if plain in NO else UNJUDGED
    if isinstance(mark, (bool, int, float, np.number)):
        return SUPPORTS if mark > 0 else DOES_NOT
    return UNJUDGED


def _declared(head: object) -> tuple[Facet, ...]:
    """Read facets from a mapping of labels, or a list of ids or of objects."""
    read = values.structure(head)
    if isinstance(read, dict):
        pairs = [(values.text(name), _label(label, name)) for name, label in read.items()]
    elif isinstance(read, (list, tuple)):
        pairs = [_pair(entry) for entry in read if not values.missing(entry)]
    else:
        pairs = []
    return tuple(Facet(name, label) for name, label in dict(pairs).items())


def _pair(entry: object) -> tuple[str, str]:
    if not isinstance(entry, dict):
        return values.text(entry), values.text(entry)
    names = tuple(str(name) for name in entry)
    key = aliases.first(names, ("id", "facet_id", "key", *aliases.LABEL))
    name = values.text(entry.get(key)) if key is not None else values.text(dict(entry))
    return name, _label(entry, name)


def _label(label: object, name: object) -> str:
    if isinstance(label, dict):
        key = aliases.first(tuple(str(part) for part in label), aliases.LABEL)
        label = label.get(key) if key is not None else None
    return values.text(name if values.missing(label) else label)
