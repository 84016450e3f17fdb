"""Rows of an evaluation, in whichever way a table of them was written."""

from collections.abc import Mapping, Sequence

from poolscope.formats.shapes import roles
from poolscope.formats.shapes.base import Json

WRAPPERS = (
    "samples",
    "dataset",
    "data",
    "test_cases",
    "testCases",
    "goldens",
    "test_results",
    "testResults",
    "rows",
    "results",
    "train",
    "test",
    "eval",
)
"""Names under which the rows stand when an object wraps them."""
LOOKED_AT = 20

Row = Mapping[str, Json]


def rows(value: Json) -> list[Row]:
    """Return the rows of a list, of an object of columns, or out of an object that wraps them."""
    found = _unwrapped(value)
    if isinstance(found, dict):
        found = _by_column(found) or [found]
    if not isinstance(found, list):
        return []
    return [entry for entry in found if isinstance(entry, dict)]


def _unwrapped(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    columns, data = value.get("columns"), value.get("data")
    if isinstance(columns, list) and isinstance(data, list):
        return [
            dict(zip((str(name) for name in columns), row, strict=False))
            for row in data
            if isinstance(row, list)
        ]
    for name in WRAPPERS:
        inner = value.get(name)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            return inner
    return value


def _by_column(fields: Row) -> list[Row]:
    """Read an object of columns: each a list of one length, or an object by row label."""
    columns = list(fields.values())
    if columns and all(isinstance(column, dict) and column for column in columns):
        labelled = [column for column in columns if isinstance(column, dict)]
        labels = dict.fromkeys(label for column in labelled for label in column)
        return [
            {
                name: column[label]
                for name, column in zip(fields, labelled, strict=True)
                if label in column
            }
            for label in labels
        ]
    lists = [column for column in columns if isinstance(column, list)]
    nested = any(isinstance(entry, list) for column in lists for entry in column[:LOOKED_AT])
    lengths = {len(column) for column in lists}
    if not columns or len(lists) < len(columns) or not nested or len(lengths) != 1:
        return []
    return [dict(zip(fields, row, strict=True)) for row in zip(*lists, strict=True)]


def first(row: Row, names: Sequence[str]) -> str | None:
    """Return the first of the names under which a row holds something."""
    return next((name for name in names if not _is_empty(row.get(name))), None)


def _is_empty(value: Json) -> bool:
    return value is None or (isinstance(value, (str, list)) and not value) or value != value


def listed(value: Json) -> list[Json] | None:
    """Return a list, out of its text where it is written so; ``None`` where it is none."""
    found = roles.parsed(value)
    if isinstance(found, tuple):
        return list(found)
    return found if isinstance(found, list) else None
