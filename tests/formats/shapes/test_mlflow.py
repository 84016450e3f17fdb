import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known

LISTED = ("refunds-0", "refunds-1", "refunds-2", "refunds-3", "billing-0", "chat-17")
DOCUMENTS = [{"page_content": f"t{n}", "metadata": {"doc_uri": "a.md"}} for n in range(2)]


def test_trace(known: "Known") -> None:
    loaded = known.loads("mlflow_trace.json").question()
    known.check(loaded, LISTED, scores=known.cosines(LISTED))
    assert loaded.report.columns["score"] == "similarity_score"


def _span(kind: str, given: object, gave: object) -> dict[str, object]:
    attributes = {
        "mlflow.spanType": json.dumps(kind),
        "mlflow.spanInputs": json.dumps(given),
        "mlflow.spanOutputs": json.dumps(gave),
    }
    return {"name": "s", "span_id": "1", "trace_id": "t", "attributes": attributes}


def test_spans_in_the_cell_of_a_table() -> None:
    cell = json.dumps([_span("RETRIEVER", {"query": "q"}, DOCUMENTS)]).replace('"', '""')
    pool = formats.read(f'trace_id,spans\nt,"{cell}"\n'.encode(), "x.csv").question().pool
    assert (pool.query, pool.texts, pool.sources) == ("q", ("t0", "t1"), ("a.md", "a.md"))


def test_reranker() -> None:
    span = _span("RERANKER", {"query": "q", "documents": DOCUMENTS}, DOCUMENTS[::-1])
    load = formats.read(json.dumps({"data": {"spans": [span]}}).encode(), "x.json")
    assert [load.question(index).pool.texts for index in range(2)] == [("t1", "t0"), ("t0", "t1")]
    assert load.question(0).pool.query == "q"


def test_older_spans_with_fields_beside_the_attributes() -> None:
    span = {
        "name": "s",
        "context": {"span_id": "1", "trace_id": "t"},
        "span_type": "RETRIEVER",
        "attributes": {"mlflow.spanFunctionName": '"f"'},
        "inputs": {"query": "q"},
        "outputs": DOCUMENTS,
    }
    trace = {"info": {"request_id": "r"}, "data": {"spans": [span]}}
    assert formats.read(json.dumps(trace).encode(), "x.json").question().pool.query == "q"
