import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def test_spans(known: "Known") -> None:
    """The retriever's documents have no ids; the chain that passed them on wrote them."""
    load = known.loads("traceloop_langchain_spans.json")
    assert len(load) == 1
    known.check(load.question())
    assert "Read from the step “VectorStoreRetriever”." in load.question().report.notes


def _load(attributes: object, events: object = ()) -> formats.Load:
    span = {"name": "s", "context": {"span_id": "1"}, "attributes": attributes, "events": events}
    return formats.read(json.dumps([span]).encode(), "x.json")


def test_results_of_a_vector_database() -> None:
    events = [{"name": "db.query.embeddings", "attributes": {"db.query.embeddings.vector": [1, 0]}}]
    for number in range(2):
        fields = {"id": f"c{number}", "document": f"t{number}", "distance": number / 10}
        attributes = {f"db.query.result.{name}": value for name, value in fields.items()}
        attributes["db.query.result.metadata"] = json.dumps({"source": "a.md"})
        events.append({"name": "db.query.result", "attributes": attributes})
    loaded = _load({"db.system": "chroma"}, events).question()
    assert loaded.pool.ids == ("c0", "c1")
    assert loaded.pool.sources == ("a.md", "a.md")
    assert loaded.pool.score_kind is not None
    assert loaded.pool.score_kind.direction.name == "LOWER"


def test_a_retriever_that_gives_plain_texts() -> None:
    attributes = {
        "traceloop.entity.name": "MyRetriever",
        "traceloop.entity.input": json.dumps({"inputs": {"question": "q"}}),
        "traceloop.entity.output": json.dumps({"outputs": ["a", "b"]}),
    }
    pool = _load(attributes).question().pool
    assert (pool.query, pool.texts) == ("q", ("a", "b"))
