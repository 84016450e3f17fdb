import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from poolscope import formats

if TYPE_CHECKING:
    from tests.formats.conftest import Known


def test_langchain_spans(known: "Known") -> None:
    """The documents have no ids there; the whole output, beside them, has."""
    known.check(known.loads("openinference_langchain_otel_spans.json").question())


@pytest.mark.parametrize(
    "name",
    ["openinference_llamaindex_otel_spans.json", "otlp_json_openinference.json"],
)
def test_llamaindex_spans(known: "Known", name: str) -> None:
    load = known.loads(name)
    assert len(load) == 1
    known.check(load.question(), scores=known.cosines(known.ranked))


@pytest.mark.parametrize("name", ["phoenix_rest_spans.json", "phoenix_spans_dataframe.parquet"])
def test_phoenix_spans(known: "Known", name: str) -> None:
    load = known.loads(name)
    assert len(load) == 2
    known.check(load.question(0), scores=known.cosines(known.ranked))
    known.check(load.question(1))
    assert load.question(1).pool.fields["chunk"][0] == "0"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_exploded_documents(known: "Known", suffix: str) -> None:
    load = known.loads(f"phoenix_retrieved_documents_exploded.{suffix}")
    known.check(load.question(0), ids=None, query="")
    known.check(load.question(1), scores=known.cosines(known.ranked), query="")
    assert "It does not hold the question." in load.question(0).report.notes


def _documents(prefix: str, names: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for number, name in enumerate(names):
        stem = f"{prefix}.{number}.document"
        found[f"{stem}.id"] = name
        found[f"{stem}.content"] = f"text {name}"
        found[f"{stem}.score"] = 1 - number / 10
        found[f"{stem}.metadata"] = json.dumps({"source": "a.md"})
    return found


def _span(attributes: Mapping[str, object], span_id: str = "1") -> dict[str, object]:
    context = {"trace_id": "t", "span_id": span_id}
    return {"name": "s", "context": context, "attributes": attributes}


def _load(*listed: object) -> formats.Load:
    return formats.read(json.dumps(listed).encode(), "x.json")


RETRIEVER = {"openinference.span.kind": "RETRIEVER", "input.value": "q"}
RERANKER = {
    "openinference.span.kind": "RERANKER",
    "reranker.query": "q",
    **_documents("reranker.input_documents", "abc"),
    **_documents("reranker.output_documents", "ca"),
}


def test_reranker() -> None:
    load = _load(_span(RERANKER))
    after, before = load.question(0), load.question(1)
    assert after.pool.ids == ("c", "a")
    assert after.pool.fields["rank before"] == ("3", "1")
    assert after.pool.fields["score before"] == ("0.8", "1")
    assert after.pool.query == "q"
    assert before.pool.ids == ("a", "b", "c")
    assert [outline.query_id for outline in load.outlines] == ["1 reranked", "1 before reranking"]


def test_newer_names_of_a_reranker() -> None:
    fields = {
        "openinference.span.kind": "RERANKER",
        **_documents("input.documents", "ab"),
        **_documents("output.documents", "ba"),
    }
    assert _load(_span(fields)).question().pool.ids == ("b", "a")


def test_what_a_retriever_gave_a_reranker_is_read_once() -> None:
    retrieved = {**RETRIEVER, **_documents("retrieval.documents", "abc")}
    load = _load(_span(retrieved, "8"), _span(RERANKER, "9"))
    assert [outline.query_id for outline in load.outlines] == ["8", "9 reranked"]
    assert any("read once" in note for note in load.question(0).report.notes)


def test_several_retrievers_are_several_questions() -> None:
    first = {**RETRIEVER, **_documents("retrieval.documents", "ab")}
    second = {**RETRIEVER, "input.value": "p", **_documents("retrieval.documents", "cd")}
    load = _load(_span(first, "1"), _span(second, "2"))
    assert [outline.query for outline in load.outlines] == ["q", "p"]


def test_documents_are_ordered_by_number() -> None:
    names = {
        f"retrieval.documents.{n}.document.content": f"t{n}" for n in (10, 2, 0, 1, *range(3, 10))
    }
    pool = _load(_span({**RETRIEVER, **names})).question().pool
    assert pool.texts == tuple(f"t{n}" for n in range(11))


def test_nested_attributes() -> None:
    documents = [{"document": {"content": "a", "id": "1", "metadata": {"source": "s"}}}]
    fields = {
        "openinference": {"span": {"kind": "RETRIEVER"}},
        "input": {"value": "q"},
        "retrieval": {"documents": documents},
    }
    pool = _load(_span(fields)).question().pool
    assert (pool.ids, pool.sources, pool.query) == (("1",), ("s",), "q")


def test_output_alone() -> None:
    output = json.dumps({"documents": [{"page_content": "a", "metadata": {"source": "s"}}]})
    pool = _load(_span({**RETRIEVER, "output.value": output})).question().pool
    assert (pool.texts, pool.sources) == (("a",), ("s",))


def test_vectors_of_embedding_spans() -> None:
    fields: dict[str, object] = {"openinference.span.kind": "EMBEDDING"}
    for number, (text, vector) in enumerate((("q", [1.0, 0.0]), ("text a", [0.0, 2.0]))):
        fields[f"embedding.embeddings.{number}.embedding.text"] = text
        fields[f"embedding.embeddings.{number}.embedding.vector"] = vector
    retrieved = {**RETRIEVER, **_documents("retrieval.documents", "a")}
    pool = _load(_span(fields, "1"), _span(retrieved, "2")).question().pool
    assert pool.vectors is not None
    assert pool.vectors.tolist() == [[0.0, 1.0]]
    assert pool.query_vector is not None


def test_lines_and_pages_of_spans() -> None:
    span = _span({**RETRIEVER, **_documents("retrieval.documents", "ab")})
    page = json.dumps({"data": [span], "next_cursor": None})
    printed = json.dumps(span, indent=2) + "\n" + json.dumps(_span({"http": "x"}, "2"), indent=2)
    for data, name in ((page, "x.json"), (json.dumps(span), "x.jsonl"), (printed, "x.txt")):
        load = formats.read(data.encode(), name)
        assert load.format.name == "openinference"
        assert load.question().pool.ids == ("a", "b")
