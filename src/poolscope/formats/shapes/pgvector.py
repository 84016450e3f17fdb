"""PostgreSQL with pgvector: rows as LangChain and LlamaIndex lay them out, and rows as JSON.

Plain rows are read as any table; here are those that need more: a node inside a column, a table of
LangChain's, and all rows aggregated into one value.
"""

from collections.abc import Mapping, Sequence

from poolscope.formats import aliases
from poolscope.formats.base import Tried
from poolscope.formats.shapes.base import Json, Question, Shape
from poolscope.formats.shapes.entries import Entry, Names, question
from poolscope.formats.shapes.llamaindex_payload import holds_node
from poolscope.formats.shapes.roles import is_passage, mappings

LOOKED_AT = 20
AGGREGATES = ("json_agg", "jsonb_agg", "array_to_json", "json_build_array", "rows")
Row = Mapping[str, Json]


def _rows(value: Json, most: int | None = None) -> list[Row]:
    """Return the rows, out of the one value that they were aggregated into."""
    inner = _aggregated(value)
    return mappings(value if inner is None else inner, most=most)


def _aggregated(value: Json) -> Json:
    """Return what one value holds all rows; ``None`` where the rows stand by themselves."""
    holder = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(holder, dict):
        return None
    for name in AGGREGATES:
        if name in holder and (len(holder) == 1 or name == "rows"):
            found = mappings(holder[name])
            if found and all(map(_is_passage_row, found[:LOOKED_AT])):
                return found
    return None


def _is_passage_row(row: Row) -> bool:
    return any(
        aliases.normal(str(name)) in aliases.TEXT and is_passage(value)
        for name, value in row.items()
    )


def _recognises_nodes(value: Json) -> str | None:
    rows = _rows(value, LOOKED_AT) if isinstance(value, (list, dict)) else []
    if rows and any(map(holds_node, rows)) and not any(_is_nested(row) for row in rows):
        return "a column of its rows holds “_node_content”, as LlamaIndex writes into a table"
    return None


def _is_nested(row: Row) -> bool:
    """Whether a row is a store's point, which another shape reads."""
    return any(name in row for name in ("payload", "_source", "entity", "ids"))


def _recognises_langchain(value: Json) -> str | None:
    rows = _rows(value, LOOKED_AT) if isinstance(value, (list, dict)) else []
    if rows and all("document" in row and "cmetadata" in row for row in rows):
        return "its rows have “document” and “cmetadata”, as LangChain's table in PostgreSQL"
    return None


def _recognises_aggregate(value: Json) -> str | None:
    if _aggregated(value) is None:
        return None
    return "one value holds all rows, as json_agg gives"


def _read(value: Json) -> Sequence[Question]:
    entries = [Entry(payload=row, id=_id(row)) for row in _rows(value)]
    scored = any(
        aliases.normal(str(name)) in aliases.SCORE for entry in entries for name in entry.payload
    )
    notes = () if scored else ("The rows carry no score; the list order is the rank.",)
    stripped = [
        Entry(payload={n: v for n, v in entry.payload.items() if n != "id"}, id=entry.id)
        for entry in entries
    ]
    return [question(stripped, Names(), scored_by=aliases.SCORE, notes=notes)]


def _id(row: Row) -> Json:
    return row.get("id", row.get("uuid"))


NODES = Shape(
    "llamaindex-table", "LlamaIndex nodes in a table", _recognises_nodes, _read, Tried.LIBRARY
)
LANGCHAIN = Shape(
    "langchain-pgvector",
    "LangChain's table in PostgreSQL",
    _recognises_langchain,
    _read,
    Tried.LIBRARY,
)
AGGREGATE = Shape(
    "json-agg", "Rows aggregated into JSON", _recognises_aggregate, _read, Tried.LIBRARY
)
