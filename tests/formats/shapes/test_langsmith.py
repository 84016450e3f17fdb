import io
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from poolscope import formats
from poolscope.errors import FormatError

if TYPE_CHECKING:
    from tests.formats.conftest import Known

DOCUMENTS = [{"page_content": "a", "metadata": {"source": "a.md"}, "type": "Document"}]


def test_run(known: "Known") -> None:
    known.check(known.loads("langsmith_run_collector.json").question())


def _run(**fields: object) -> dict[str, object]:
    known = {"id": "r", "name": "R", "run_type": "retriever", "inputs": {"query": "q"}}
    return {**known, "outputs": {"documents": DOCUMENTS}, **fields}


@pytest.mark.parametrize(
    "value",
    [
        [_run()],
        {"runs": [_run()], "cursors": {}},
        _run(outputs={"output": DOCUMENTS}),
        _run(outputs=DOCUMENTS),
        _run(run_type="chain", outputs={"answer": "x"}, child_runs=[_run()]),
        [_run(outputs={}), _run()],
        _run(run_type="chain"),
    ],
)
def test_places_of_the_documents(value: object) -> None:
    load = formats.read(json.dumps(value).encode(), "x.json")
    pool = load.question().pool
    assert (len(load), load.format.name) == (1, "langsmith")
    assert (pool.query, pool.texts, pool.sources) == ("q", ("a",), ("a.md",))


def test_bulk_export() -> None:
    run = _run(inputs=json.dumps({"query": "q"}), outputs=json.dumps({"documents": DOCUMENTS}))
    stream = io.BytesIO()
    pq.write_table(pa.table({name: [value] for name, value in run.items()}), stream)
    pool = formats.read(stream.getvalue(), "x.parquet").question().pool
    assert (pool.query, pool.texts) == ("q", ("a",))


def test_a_run_that_has_not_ended_is_refused() -> None:
    load = formats.read(json.dumps(_run(outputs={})).encode(), "x.json")
    with pytest.raises(FormatError, match=r"None of 1 step .* called one: 1\."):
        load.question()
