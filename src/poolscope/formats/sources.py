"""Which field says what a candidate belongs to, and how far that can be trusted."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from poolscope.counts import agreed, counted
from poolscope.formats import aliases, identity
from poolscope.formats.base import RawPool, RawRow
from poolscope.formats.identity import Labels
from poolscope.formats.report import SourceField, SourceReport

NOTHING = ("", "None")
"""Values that stand for no source; LlamaIndex writes the second."""
LOOKED_AT = 50
"""Questions of a file that are looked at to choose its source field."""
MOST_ALTERNATIVES = 30


def choose(pools: Sequence[RawPool]) -> str:
    """Choose the source field of a file by precedence; empty where no field qualifies.

    A field that repeats in no question makes every row its own source, so it is passed over for
    one further down that groups some rows; without such a one it stands.
    """
    looked = pools[:LOOKED_AT]
    names = tuple(dict.fromkeys(name for pool in looked for name in _names(pool.rows)))
    standing = [
        name
        for alias in aliases.SOURCE
        for name in names
        if aliases.normal(name) == alias
        and any(_distinct(labels(pool.rows, name)) for pool in looked)
    ]
    if not standing:
        return ""
    first = standing[0]
    if any(_repeats(pool, first) for pool in looked) or _are_short(looked):
        return first
    return next((name for name in standing[1:] if _groups(looked, name)), first)


def _are_short(pools: Sequence[RawPool]) -> bool:
    return all(len(pool.rows) < 2 for pool in pools)


def _repeats(pool: RawPool, name: str) -> bool:
    found = [label for label in labels(pool.rows, name) if label is not None]
    return len(set(found)) < len(found)


def _groups(pools: Sequence[RawPool], name: str) -> bool:
    return any(_repeats(pool, name) for pool in pools) and any(
        _distinct(labels(pool.rows, name)) > 1 for pool in pools
    )


def labels(rows: Sequence[RawRow], name: str) -> Labels:
    """Return one label a row from a field, ``None`` where it says nothing."""
    found = (row.fields.get(name, "").strip() for row in rows)
    return tuple(None if label in NOTHING else label for label in found)


def report(rows: Sequence[RawRow], name: str, merges: Sequence[str] = ()) -> SourceReport:
    """Describe the field in use, the alternatives, and what is weak about the choice.

    Args:
        rows: The candidates.
        name: The field in use; empty for none.
        merges: Rules that merge its labels, by name.
    """
    found = labels(rows, name) if name else (None,) * len(rows)
    used = identity.merged(found, merges)
    others = sorted(
        (other for other in _names(rows) if other != name),
        key=lambda other: _precedence(aliases.normal(other)),
    )
    return SourceReport(
        chosen=_describe(rows, name) if name else SourceField("", 0, len(rows)),
        alternatives=tuple(_describe(rows, other) for other in others[:MOST_ALTERNATIVES]),
        warnings=_warnings(rows, name, merges),
        labels=found,
        merges=tuple(rule.name for rule in identity.named(merges)),
        distinct=_distinct(used),
    )


def _precedence(alias: str) -> int:
    return aliases.SOURCE.index(alias) if alias in aliases.SOURCE else len(aliases.SOURCE)


def _names(rows: Sequence[RawRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in row.fields))


def _distinct(found: Labels) -> int:
    return len(set(found) - {None})


def _describe(rows: Sequence[RawRow], name: str) -> SourceField:
    found = labels(rows, name)
    return SourceField(name, _distinct(found), found.count(None))


def _warnings(rows: Sequence[RawRow], name: str, merges: Sequence[str]) -> tuple[str, ...]:
    n = len(rows)
    if not name:
        return ("No field says what the candidates belong to: a cap has nothing to count.",)
    found = identity.merged(labels(rows, name), merges)
    distinct, missing = _distinct(found), found.count(None)
    said: list[str] = []
    if distinct == n and n > 1:
        said.append(f"Every row is its own source by “{name}”: a cap changes nothing.")
    if distinct == 1 and n > 1:
        said.append(f"All rows share one source by “{name}”.")
    if missing:
        said.append(
            f"{missing} of {counted(n, 'row')} {agreed(missing, 'has', 'have')} no “{name}”."
        )
    said.extend(_shared_names(rows, name, merges))
    return tuple(said)


def _shared_names(rows: Sequence[RawRow], name: str, merges: Sequence[str]) -> tuple[str, ...]:
    """Warn where one bare file name stands for files of two folders."""
    for other in _names(rows):
        if other == name or aliases.normal(other) not in aliases.PATHS:
            continue
        folders: dict[str, set[str]] = {}
        found = identity.merged(labels(rows, name), merges)
        paths_of = identity.merged(labels(rows, other), merges)
        for label, path in zip(found, paths_of, strict=True):
            if label and path and "/" not in label and PurePosixPath(path).name == label:
                folders.setdefault(label, set()).add(path)
        for label, paths in folders.items():
            if len(paths) > 1:
                return (
                    f"“{label}” stands for {len(paths)} files in different folders: "
                    f"“{other}” tells them apart.",
                )
    return ()
