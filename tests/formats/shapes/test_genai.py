import json
from typing import TYPE_CHECKING

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def test_ids_without_texts(known: "Known") -> None:
    loaded = known.loads("otel_genai_langchain_spans.json").question()
    assert loaded.pool.ids == known.ranked
    assert loaded.pool.query == known.query
    assert loaded.pool.raw_scores is None
    assert set(loaded.pool.texts) == {""}
    assert any("join the corpus by id" in note for note in loaded.report.notes)
    assert any("No candidate has a text" in warning for warning in loaded.report.warnings)


def _pool(attributes: object, events: object = ()) -> formats.Loaded:
    span = {"name": "r", "context": {"span_id": "1"}, "attributes": attributes, "events": events}
    return formats.read(json.dumps([span]).encode(), "x.json").question()


def test_a_list_with_more_than_the_convention_asks_for() -> None:
    documents = [{"id": "1", "score": 0.5, "content": "a", "source": "a.md", "page": 3}]
    pool = _pool({"gen_ai.retrieval.documents": documents}).pool
    assert (pool.ids, pool.texts, pool.sources) == (("1",), ("a",), ("a.md",))
    assert pool.fields["page"] == ("3",)


def test_documents_in_an_event() -> None:
    documents = json.dumps([{"content": "a"}, {"content": "b"}])
    event = {"name": "e", "attributes": {"gen_ai.retrieval.documents": documents}}
    assert _pool({"gen_ai.operation.name": "retrieval"}, [event]).pool.texts == ("a", "b")


def test_plain_texts() -> None:
    assert _pool({"gen_ai.retrieval.documents": ["a", "b"]}).pool.texts == ("a", "b")
