"""From records, as tables and JSON hold them, to raw pools: which field plays which role.

A record is one candidate, or one question with its candidates inside. The field for each role
is chosen once for all candidates of a question, from the aliases, by what stands in it.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.errors import FormatError, Place
from poolscope.formats import aliases, values
from poolscope.formats.base import Probe, RawPool, RawRow

DEEPEST = 8
"""Levels of nesting that are flattened into names."""
LOOKED_AT = 20
LONGEST_LIST = 64
"""Longest list of scalars that is kept as a field."""

WHOLE = frozenset(aliases.VECTOR + aliases.QUERY_VECTOR + aliases.FACETS)
"""Roles whose value may be an object and is not flattened."""
SAID = frozenset(
    (
        *aliases.QUERY,
        "input",
        "inputs",
        "message",
        "prompt",
        "output",
        "outputs",
        "response",
        "answer",
    )
)
"""Objects whose text is no passage."""
SHOWN_NAMES = 8
BESIDE_IDS = ("vector", "score", "rank")
"""Roles of which one makes rows of ids worth reading."""
UUID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One record and where it stands.

    Args:
        values: Field names to whatever stood there.
        line: Line in the file, from 1.
        problem: Why it could not be taken apart; empty if it could.
    """

    values: Mapping[str, object]
    line: int | None = None
    problem: str = ""


def once(probe: Probe, name: str, read: Callable[[Probe], list[Record]]) -> list[Record]:
    """Return the records of a file, taken apart at the first time of asking.

    Args:
        probe: The file; what is read is kept there.
        name: The reader's, for it to be found again.
        read: Takes the file apart.
    """
    kept = probe.kept.get(name)
    if not isinstance(kept, list):
        kept = probe.kept[name] = read(probe)
    return kept


def record(item: object, line: int | None = None) -> Record:
    """Make a record of a JSON value: an object as it is, a text as a passage."""
    if isinstance(item, dict):
        return Record(item, line)
    if isinstance(item, str):
        return Record({"text": item}, line)
    return Record({}, line, f"This is {values.kind(item)}, not an object with fields.")


def questions(
    records: Sequence[Record], file: str, notes: tuple[str, ...] = ()
) -> tuple[RawPool, ...]:
    """Turn records into one raw pool a question.

    Raises:
        FormatError: No record can be taken apart, or none holds a passage.
    """
    if records and all(item.problem for item in records):
        raise _all_broken(records, file)
    key = candidates_key(records)
    if key is not None:
        return tuple(_question(item, key, file, notes) for item in records)
    flat = [(item, flatten(item.values)) for item in lifted(records)]
    pools = tuple(_pool(group, file, notes=notes) for group in _grouped(flat))
    if not any(_readable(pool) for pool in pools):
        raise _no_passage((names for _, names in flat), file)
    return pools


def lifted(records: Sequence[Record]) -> Sequence[Record]:
    """Lift the one object in which records hold their passages, as ``{document: {…}, score}``."""
    looked = records[:LOOKED_AT]
    if len(records) < 2 or any(has_passage(item.values) for item in looked):
        return records
    holders = {
        name
        for item in looked
        for name, value in item.values.items()
        if isinstance(value, dict) and _holds_passage(name, value)
    }
    if len(holders) != 1:
        return records
    (holder,) = holders
    return [_without(item, holder) for item in records]


def _holds_passage(name: str, inner: Mapping[str, object]) -> bool:
    """Whether an object is what was found, not what was asked or said."""
    is_said = "role" in inner or aliases.normal(name) in SAID
    return not is_said and aliases.normal(name) not in WHOLE and has_passage(inner)


def _without(item: Record, holder: str) -> Record:
    inner = item.values.get(holder)
    if not isinstance(inner, dict):
        return item
    rest = {name: value for name, value in item.values.items() if name != holder}
    return dataclasses.replace(item, values={**inner, **rest})


def has_passage(fields: Mapping[str, object]) -> bool:
    """Whether a record holds a passage of its own, whatever object of metadata it stands in."""
    flat = flatten(fields)
    return any(
        aliases.normal(name) in aliases.TEXT and _is_passage(value) for name, value in flat.items()
    )


def candidates_key(records: Iterable[Record]) -> str | None:
    """Return the field in which records that are questions hold their candidates.

    Any other name than the first counts only where the record has no passage of its own.
    """
    surest, *others = aliases.CANDIDATES
    for item in records:
        if isinstance(item.values.get(surest), (list, tuple)):
            return surest
        if any(_is_passage(item.values.get(name)) for name in aliases.TEXT):
            continue
        for name in others:
            if _is_list_of_candidates(item.values.get(name)):
                return name
    return None


def _is_list_of_candidates(value: object) -> bool:
    if not isinstance(value, (list, tuple)):
        return False
    return not value or isinstance(value[0], (dict, str))


def _question(item: Record, key: str, file: str, notes: tuple[str, ...]) -> RawPool:
    """Read one record that holds its candidates."""
    place = Place(file, line=item.line)
    head = {name: value for name, value in item.values.items() if name != key}
    roles = {role: aliases.first(tuple(head), aliases.ROLES[role]) for role in aliases.ROLES}
    inner = item.values.get(key)
    problem = None
    if item.problem or not isinstance(inner, (list, tuple)):
        inner = ()
        problem = FormatError(
            item.problem or f"The question has no list of “{key}”.",
            f"Give its candidates as a list under “{key}”.",
            place,
        )
    members = lifted([record(entry) for entry in inner])
    pool = _pool([(member, flatten(member.values)) for member in members], file, item.line)
    query_id = _taken(head, roles["query_id"] or roles["id"])
    return RawPool(
        rows=pool.rows,
        query=_asked(_taken(head, roles["query"])) or pool.query,
        query_id=_text_or_empty(query_id) or pool.query_id,
        query_vector=_first_given(_taken(head, roles["query_vector"]), pool.query_vector),
        facets=_first_given(_taken(head, roles["facets"]), pool.facets),
        stratum=_text_or_empty(head.get("stratum")),
        columns=pool.columns,
        notes=notes,
        problem=problem or _unreadable(pool, members, file, item.line),
    )


def _asked(value: object) -> str:
    """Return a question's words; some software puts them into an object."""
    if isinstance(value, dict):
        name = aliases.first(tuple(map(values.text, value)), (*aliases.TEXT, *aliases.QUERY))
        value = value.get(name)
    return _text_or_empty(value)


def _unreadable(
    pool: RawPool, members: Sequence[Record], file: str, line: int | None
) -> FormatError | None:
    if not members or _readable(pool):
        return None
    if all(member.problem for member in members):
        return _all_broken(members, file, line)
    return _no_passage((flatten(member.values) for member in members), file, line)


def _all_broken(records: Sequence[Record], file: str, line: int | None = None) -> FormatError:
    first = records[0]
    return FormatError(
        first.problem,
        "Write each candidate as an object or a row with the same fields.",
        Place(file, first.line or line),
    )


def _readable(pool: RawPool) -> bool:
    """Whether the rows hold passages, or at least ids: with vectors to compare, or ranked.

    Ranked ids alone are read, because a corpus beside the file may hold their passages.
    """
    roles = pool.columns
    return "text" in roles or ("id" in roles and not roles.keys().isdisjoint(BESIDE_IDS))


def _no_passage(
    rows: Iterable[Mapping[str, object]], file: str, line: int | None = None
) -> FormatError:
    met = tuple(dict.fromkeys(name for row in rows for name in row))
    listed = ", ".join(f"“{values.shown(name)}”" for name in met[:SHOWN_NAMES])
    more = f" and {len(met) - SHOWN_NAMES} more" if len(met) > SHOWN_NAMES else ""
    found = f"the fields are {listed}{more}" if met else "there are no fields"
    return FormatError(
        f"No field holds the passages: {found}.",
        f"Name the field one of: {', '.join(aliases.TEXT[:6])}.",
        Place(file, line=line),
    )


def _grouped(
    flat: Sequence[tuple[Record, dict[str, object]]],
) -> Iterator[list[tuple[Record, dict[str, object]]]]:
    """Split candidates by question: by its id, else its text; a bad line joins the one before."""
    names = tuple(dict.fromkeys(name for _, row in flat for name in row))
    key = aliases.first(names, aliases.QUERY_ID) or aliases.first(names, aliases.QUERY)
    groups: dict[str, list[tuple[Record, dict[str, object]]]] = {}
    latest: str | None = None
    waiting: list[tuple[Record, dict[str, object]]] = []
    for item, row in flat:
        if item.problem and latest is None:
            waiting.append((item, row))
            continue
        if not item.problem:
            latest = _text_or_empty(row.get(key)) if key else ""
        groups.setdefault(latest or "", []).append((item, row))
    if not groups:
        groups[""] = []
    next(iter(groups.values()))[:0] = waiting
    yield from groups.values()


def _pool(
    flat: Sequence[tuple[Record, dict[str, object]]],
    file: str,
    line: int | None = None,
    notes: tuple[str, ...] = (),
) -> RawPool:
    columns = _columns([row for _, row in flat])
    taken = frozenset(columns.values())
    rows = tuple(
        _row(row, columns, taken, Place(file, item.line or line, number), item.problem)
        for number, (item, row) in enumerate(flat, start=1)
    )
    head = {
        role: _first_given(*(row.get(columns[role]) for _, row in flat))
        for role in ("query", "query_id", "query_vector")
        if role in columns
    }
    return RawPool(
        rows=rows,
        query=_text_or_empty(head.get("query")),
        query_id=_text_or_empty(head.get("query_id")),
        query_vector=head.get("query_vector"),
        columns=columns,
        notes=notes,
    )


def _row(
    row: Mapping[str, object],
    columns: Mapping[str, str],
    taken: frozenset[str],
    place: Place,
    problem: str,
) -> RawRow:
    met = {role: row.get(name) for role, name in columns.items()}
    return RawRow(
        place=place,
        id=_text_or_none(met.get("id")),
        text=_text_or_none(met.get("text")),
        score=met.get("score"),
        vector=met.get("vector"),
        rank=met.get("rank"),
        facets=_facets(met.get("facets")),
        fields=_written(row, taken),
        problem=problem,
    )


def fields_of(metadata: Mapping[str, object]) -> dict[str, str]:
    """Return a candidate's metadata as text under flat names; what is no scalar is left out."""
    return _written(flatten(metadata), frozenset())


def _written(row: Mapping[str, object], taken: frozenset[str]) -> dict[str, str]:
    return {
        name: written
        for name, value in row.items()
        if name not in taken and (written := _scalar(value)) is not None
    }


def _facets(value: object) -> object:
    return None if values.missing(value) else value


def _columns(rows: Sequence[Mapping[str, object]]) -> dict[str, str]:
    """Choose the field of every role: the first alias under which something fitting stands."""
    names: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        names.setdefault(aliases.normal(name), []).append(name)
    chosen: dict[str, str] = {}
    for role, wanted in aliases.ROLES.items():
        fits = FITS.get(role, _is_given)
        for name in (name for alias in wanted for name in names.get(alias, ())):
            if name not in chosen.values() and any(fits(row.get(name)) for row in rows):
                chosen[role] = name
                break
    own = _own_id(rows, names, chosen)
    return {**chosen, "id": own} if own is not None else chosen


def _own_id(
    rows: Sequence[Mapping[str, object]],
    names: Mapping[str, Sequence[str]],
    chosen: Mapping[str, str],
) -> str | None:
    """Return a field of the passages' own ids where the field chosen numbers records only."""
    if "id" not in chosen or not are_internal([row.get(chosen["id"]) for row in rows]):
        return None
    for name in (name for alias in aliases.CHUNK_ID for name in names.get(alias, ())):
        free = name not in chosen.values()
        if free and are_own([row.get(name) for row in rows]):
            return name
    return None


def are_own(found: Sequence[object]) -> bool:
    """Whether values name passages: all given, all distinct, and more than bare numbers."""
    given = [value for value in found if isinstance(value, str) and value.strip()]
    if not given or len(given) < len(found) or len(set(given)) < len(given):
        return False
    return not are_internal(given)


def are_internal(found: Sequence[object]) -> bool:
    """Whether ids are a store's own: whole numbers or UUIDs."""
    return all(
        values.missing(value)
        or values.whole(value) is not None
        or (isinstance(value, str) and UUID.fullmatch(value) is not None)
        for value in found
    )


def _is_given(value: object) -> bool:
    return isinstance(value, np.ndarray) or not values.missing(value)


def _is_label(value: object) -> bool:
    return isinstance(value, (str, int)) and not values.missing(value)


def _is_passage(value: object) -> bool:
    return isinstance(value, str) and not values.missing(value) and values.whole(value) is None


def _is_numeric(value: object) -> bool:
    try:
        return values.number(value) is not None
    except ValueError:
        return False


FITS: dict[str, Callable[[object], bool]] = {
    "id": _is_label,
    "text": _is_passage,
    "score": _is_numeric,
    "query": _is_label,
    "query_id": _is_label,
}


def flatten(fields: Mapping[str, object]) -> dict[str, object]:
    """Flatten one record: nested names are joined with dots, containers are lifted to the top."""
    flat: dict[str, object] = {}
    nested: list[tuple[str, Mapping[object, object]]] = []
    for name, value in fields.items():
        alias = aliases.normal(name)
        if alias in aliases.NOISE or alias in aliases.SPARSE:
            continue
        inner = _inner(alias, value) if isinstance(value, (dict, str)) else None
        if inner is None:
            flat[values.text(name)] = value
        else:
            nested.append((values.text(name), inner))
    for name, inner in nested:
        for short, dotted, value in _leaves(name, name, inner, DEEPEST):
            flat.setdefault(dotted if short in flat else short, value)
    return flat


def _inner(alias: str, value: object) -> Mapping[object, object] | None:
    if alias in aliases.CONTAINERS and isinstance(value, str):
        value = values.structure(value)
    # JSON, Arrow and literals give dictionaries; the abstract test costs ten times as much here.
    return value if isinstance(value, dict) and alias not in WHOLE else None


def _leaves(
    short: str, dotted: str, fields: Mapping[object, object], depth: int
) -> Iterator[tuple[str, str, object]]:
    """Yield every entry under its name without containers, its full name, and its value."""
    stem = "" if aliases.normal(dotted.rpartition(".")[2]) in aliases.CONTAINERS else f"{short}."
    for key, value in fields.items():
        name = values.text(key)
        if not isinstance(value, dict) or aliases.normal(name) in WHOLE:
            yield f"{stem}{name}", f"{dotted}.{name}", value
        elif depth > 1:
            yield from _leaves(f"{stem}{name}", f"{dotted}.{name}", value, depth - 1)


def _scalar(value: object) -> str | None:
    """Return a metadata value as text; a short list of scalars counts as one."""
    if isinstance(value, np.ndarray):
        return None
    if isinstance(value, (list, tuple)):
        plain = all(isinstance(entry, (str, int, float)) for entry in value)
        if not value or not plain or len(value) > LONGEST_LIST:
            return None
        return ", ".join(values.text(entry) for entry in value)
    return _text_or_none(value)


def _text_or_none(value: object) -> str | None:
    if isinstance(value, str):
        return values.text(value) if value.strip() else None
    if value is None or isinstance(value, (dict, list, tuple, np.ndarray)):
        return None
    if isinstance(value, (float, np.floating)) and np.isnan(value):
        return None
    return values.text(value)


def _text_or_empty(value: object) -> str:
    return _text_or_none(value) or ""


def _taken(fields: Mapping[str, object], name: str | None) -> object:
    return None if name is None else fields[name]


def _first_given(*candidates: object) -> object:
    return next((value for value in candidates if _is_given(value)), None)
