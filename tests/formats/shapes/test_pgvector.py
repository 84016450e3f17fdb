import json
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def _read(value: object) -> formats.Load:
    return formats.read(json.dumps(value).encode(), "x.json")


@pytest.mark.parametrize(
    "name", ["framework_langchain_pgvector_rows.json", "framework_llamaindex_pgvector_rows.json"]
)
def test_tables_of_frameworks(known: "Known", name: str) -> None:
    loaded = known.loads(name).question()
    scores = [1 - cosine for cosine in known.cosines(known.ranked)]
    known.check(loaded, scores=scores, vectors=True, query="")
    assert "_node_content" not in loaded.pool.fields


@pytest.mark.parametrize(
    ("name", "is_distance"), [("pgvector_rows.json", False), ("pgvector_json_agg.json", True)]
)
def test_plain_rows(known: "Known", name: str, *, is_distance: bool) -> None:
    cosines = known.cosines(known.ranked)
    scores = [1 - cosine for cosine in cosines] if is_distance else cosines
    known.check(known.loads(name).question(), scores=scores, vectors=True, query="")


@pytest.mark.parametrize(
    ("name", "squared"),
    [
        ("lancedb_search.parquet", False),
        ("lancedb_search_pandas.csv", False),
        ("lancedb_search_pandas.parquet", False),
        ("lancedb_search_to_list.json", True),
    ],
)
def test_rows_of_lancedb(known: "Known", name: str, *, squared: bool) -> None:
    scores = [(2 if squared else 1) * (1 - cosine) for cosine in known.cosines(known.ranked)]
    known.check(known.loads(name).question(), scores=scores, vectors=True, query="")


@pytest.mark.parametrize("name", ["json_agg", "jsonb_agg", "rows"])
@pytest.mark.parametrize("as_text", [True, False])
def test_aggregates(name: str, *, as_text: bool) -> None:
    rows = [{"id": "a", "content": "t", "source": "s", "distance": 0.1}]
    load = _read([{name: json.dumps(rows) if as_text else rows}])
    assert load.format.name == "json-agg"
    assert load.question().pool.ids == ("a",)


def test_a_node_in_a_column_of_text() -> None:
    content = {"id_": "n1", "text": "from the node", "metadata": {"file_path": "f"}}
    row = {"id": 7, "metadata": json.dumps({"_node_content": json.dumps(content)}), "distance": 0.1}
    loaded = _read([row]).question()
    assert loaded.pool.ids == ("n1",)
    assert loaded.pool.texts == ("from the node",)
    assert loaded.pool.sources == ("f",)
    assert loaded.pool.fields["record_id"] == ("7",)
