"""A shape that all but a few entries of a list have: one damaged row does not make another file.

Every entry of a list is held against the shape alone, in the place of the list. Where most have the
shape, the file has it, and the others are rows that cannot be used.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from poolscope.counts import agreed, counted
from poolscope.errors import FormatError
from poolscope.formats.shapes.base import Json, Passage, Question, Shape

LEAST = 4
"""Fewest entries of a list of which one may be damaged."""

DAMAGED = 0.25
"""Largest share of the entries that may lack the shape."""

LOOKED_AT = 20
DEEPEST = 5
MOST_LISTS = 8
STEPS = 3
"""Entries of a list that are looked into for a list further in."""

Path = tuple[str | int, ...]
PROBLEM = "The entry does not have the form of the others."


@dataclass(frozen=True, slots=True, eq=False)
class Mended:
    """A value without the entries that lack a shape.

    Args:
        value: The value, in which every entry of the list has the shape.
        reason: Why the value is of the shape.
        damaged: Places of the entries that were taken out, in the list, from 0.
        entries: How many there were.
    """

    value: Json
    reason: str
    damaged: tuple[int, ...]
    entries: int


def mostly(entries: Sequence[Json], fits: Callable[[Json], bool]) -> bool:
    """Whether entries fit, all or all but the few that may be damaged."""
    lacking = sum(not fits(entry) for entry in entries)
    return bool(entries) and (lacking == 0 or lacking <= _may_lack(len(entries)))


def _may_lack(entries: int) -> int:
    return int(DAMAGED * entries) if entries >= LEAST else 0


def recognised(shape: Shape, value: Json) -> str | None:
    """Return the reason why a value is of a shape but for a few entries, or ``None``."""
    for path, entries in islice(_lists(value), MOST_LISTS):
        found = _mended(shape, *_near(value, path), entries[:LOOKED_AT])
        if found is not None:
            lacking = counted(len(found.damaged), "row")
            verb = agreed(len(found.damaged), "does", "do")
            return f"{found.reason}; {lacking} of the first {found.entries} {verb} not fit"
    return None


def read(shape: Shape, value: Json) -> Sequence[Question]:
    """Read a value whose entries may be damaged; each stays a row with its problem.

    Raises:
        FormatError: It cannot be read, whatever is taken out.
    """
    questions: Sequence[Question] = ()
    problem: FormatError | None = None
    try:
        questions = shape.read(value)
    except FormatError as error:
        problem = error
    if shape.recognises(value) is not None and _rows(questions):
        return questions
    mended = _first(shape, value)
    if mended is not None:
        without = shape.read(mended.value)
        if _rows(questions) < _rows(without) + len(mended.damaged):
            return _with_damaged(without, mended)
    if problem is not None:
        raise problem
    return questions


def _first(shape: Shape, value: Json) -> Mended | None:
    found = (
        _mended(shape, value, path, entries) for path, entries in islice(_lists(value), MOST_LISTS)
    )
    return next((mended for mended in found if mended is not None), None)


def _rows(questions: Sequence[Question]) -> int:
    return sum(len(question.passages) for question in questions)


def _with_damaged(questions: Sequence[Question], mended: Mended) -> Sequence[Question]:
    """Put the damaged entries back: as rows of the one question, or as a note."""
    kept = mended.entries - len(mended.damaged)
    if len(questions) == 1 and len(questions[0].passages) == kept:
        passages = list(questions[0].passages)
        for place in mended.damaged:
            passages.insert(place, Passage(problem=PROBLEM))
        return [dataclasses.replace(questions[0], passages=passages)]
    n = len(mended.damaged)
    note = (
        f"{n} of {counted(mended.entries, 'row')} {agreed(n, 'does', 'do')} not have the form of "
        f"the others and {agreed(n, 'was', 'were')} left out, number {mended.damaged[0] + 1} first."
    )
    return [dataclasses.replace(question, notes=(*question.notes, note)) for question in questions]


def _lists(value: Json) -> Iterator[tuple[Path, Sequence[Json]]]:
    """Yield the lists of objects or of lists, and objects of objects, the outermost first."""
    level: list[tuple[Path, Json]] = [((), value)]
    for _ in range(DEEPEST):
        inner: list[tuple[Path, Json]] = []
        for path, held in level:
            entries = _entries(held)
            holding = sum(isinstance(entry, (dict, list, tuple)) for entry in entries)
            if len(entries) >= LEAST and holding >= (1.0 - DAMAGED) * len(entries):
                yield path, entries
            inner += [((*path, name), part) for name, part in _parts(held)]
        level = inner


def _entries(held: Json) -> Sequence[Json]:
    if isinstance(held, dict):
        return list(held.values())
    return held if isinstance(held, (list, tuple)) else ()


def _parts(held: Json) -> Iterator[tuple[str | int, Json]]:
    if isinstance(held, dict):
        yield from islice(held.items(), LOOKED_AT)
    elif isinstance(held, (list, tuple)):
        yield from enumerate(held[:STEPS])


def _mended(shape: Shape, value: Json, path: Path, entries: Sequence[Json]) -> Mended | None:
    """Return a value whose one list holds only the entries that have the shape alone."""
    most = _may_lack(len(entries))
    good: list[int] = []
    for place in range(len(entries)):
        alone = _placed(value, path, (place,))
        if shape.recognises(alone) is not None:
            good.append(place)
        elif place + 1 - len(good) > most:
            return None
    if len(good) == len(entries):
        return None
    mended = _placed(value, path, good)
    reason = shape.recognises(mended)
    if reason is None:
        return None
    damaged = tuple(sorted(set(range(len(entries))) - set(good)))
    return Mended(mended, reason, damaged, len(entries))


def _near(value: Json, path: Path) -> tuple[Json, Path]:
    """Return a value without what stands beside the lists on the way, and the path in it."""
    if not path:
        return value, path
    name, *rest = path
    if isinstance(value, Mapping):
        inner, below = _near(value[name], tuple(rest))
        return {**value, name: inner}, (name, *below)
    if isinstance(value, (list, tuple)) and isinstance(name, int):
        inner, below = _near(value[name], tuple(rest))
        return [inner], (0, *below)
    return value, path


def _placed(value: Json, path: Path, kept: Sequence[int]) -> Json:
    """Return a value in which the list at a path holds some of its entries alone."""
    if not path:
        if isinstance(value, dict):
            items = list(value.items())
            return dict(items[place] for place in kept)
        return [value[place] for place in kept] if isinstance(value, (list, tuple)) else value
    name, *rest = path
    if isinstance(value, Mapping):
        return {**value, name: _placed(value[name], tuple(rest), kept)}
    if isinstance(value, (list, tuple)) and isinstance(name, int):
        inner = _placed(value[name], tuple(rest), kept)
        return [*value[:name], inner, *value[name + 1 :]]
    return value
