"""Every shape: whatever a value holds, it is recognised or not, and read or refused in words."""

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poolscope.errors import PoolscopeError
from poolscope.formats import assemble
from poolscope.formats.shapes import SHAPES, Shape, find, raw_pools

NAMES = (
    "id",
    "id_",
    "lc",
    "type",
    "kwargs",
    "page_content",
    "pageContent",
    "metadata",
    "score",
    "node",
    "text",
    "text_resource",
    "relationships",
    "source_nodes",
    "content",
    "blob",
    "meta",
    "embedding",
    "documents",
    "retriever",
    "serialization_schema",
    "serialized_data",
    "pipeline_state",
    "passages",
    "indices",
    "question",
    "context",
    "contexts",
    "long_text",
    "user_input",
    "retrieved_contexts",
    "retrieved_context_ids",
    "reference_contexts",
    "input",
    "retrieval_context",
    "source_file",
    "vars",
    "response",
    "promptIdx",
    "results",
    "record_attributes",
    "ai.observability.retrieval.retrieved_contexts",
    "record_json",
    "app_id",
    "calls",
    "name",
    "attributes",
    "span_id",
    "trace_id",
    "events",
    "spans",
    "resourceSpans",
    "key",
    "value",
    "stringValue",
    "arrayValue",
    "values",
    "retrieval.documents",
    "retrieval.documents.0.document.content",
    "retrieval.documents.0.document.metadata",
    "reranker.input_documents",
    "reranker.output_documents",
    "openinference.span.kind",
    "output.value",
    "input.value",
    "embedding.embeddings",
    "gen_ai.retrieval.documents",
    "traceloop.entity.output",
    "traceloop.span.kind",
    "langfuse.observation.type",
    "langfuse.observation.output",
    "mlflow.spanType",
    "mlflow.spanOutputs",
    "run_type",
    "inputs",
    "outputs",
    "output",
    "child_runs",
    "op_name",
    "traceId",
    "context.span_id",
    "document_position",
    "reference",
)
WORDS = (
    "RETRIEVER",
    "RERANKER",
    "retriever",
    '"RETRIEVER"',
    "Document",
    "constructor",
    '[{"page_content": "a", "metadata": {}}]',
    "[{'page_content': 'a'}]",
    "[(((",
    '["<Node(id_=a)>"]',
    "a|b",
    "s: t",
    "file://x",
    "db.query.result",
)
VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES), inner, max_size=7)
        | st.fixed_dictionaries({"name": st.just("retrieve"), "attributes": inner})
    ),
    max_leaves=30,
)


def _read_or_refuse(shape: Shape, value: object) -> None:
    with contextlib.suppress(PoolscopeError):
        for raw in raw_pools(shape.read(value), "a file"):
            with contextlib.suppress(PoolscopeError):
                assemble(raw)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUE)
def test_any_value_is_recognised_or_not_and_read_or_refused(value: object) -> None:
    recognised = []
    for shape in SHAPES:
        reason = shape.recognises(value)
        assert reason is None or reason
        recognised += [shape] if reason else []
        _read_or_refuse(shape, value)
    found = find(value)
    assert (found.shape if found else None) == next(iter(recognised), None)


def _deep(levels: int, name: str) -> object:
    value: object = "a"
    for _ in range(levels):
        value = {name: [value]}
    return value


@pytest.mark.parametrize("name", ["documents", "spans", "child_runs", "data", "node", "output"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_deep_nesting_ends(shape: Shape, name: str) -> None:
    value = [{"name": "a", "span_id": "1", "attributes": {name: _deep(300, name)}}]
    shape.recognises(value)
    _read_or_refuse(shape, value)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        "text",
        [],
        {},
        [[]],
        [{"text": "a passage", "score": 0.5, "source": "a.md"}],
        {"query": "q", "candidates": [{"text": "a passage", "score": 0.5}]},
        [{"query": "q", "candidates": [{"text": "a passage", "metadata": {"source": "a"}}]}],
        [{"query": "q", "page_content": "a passage", "metadata": {}}],
        {"text": {"0": "a", "1": "b"}, "score": {"0": 1, "1": 2}},
    ],
    ids=str,
)
def test_flat_values_are_left_to_the_flat_readers(shape: Shape, value: object) -> None:
    assert shape.recognises(value) is None


def test_names_are_distinct_and_labels_say_the_software() -> None:
    assert len({shape.name for shape in SHAPES}) == len(SHAPES)
    assert len({shape.label for shape in SHAPES}) == len(SHAPES)
