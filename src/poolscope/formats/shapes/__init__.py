"""The shapes in which the software of this field writes passages: the list, and the search.

A new shape is a module with a ``Shape`` and a place in ``SHAPES``: the first that recognises a
value reads it, so the telling ones come before the general ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from poolscope.formats.shapes import (
    asked,
    azure_search,
    bedrock,
    chroma,
    deepeval,
    dspy,
    elasticsearch,
    genai,
    haystack,
    kendra,
    langchain,
    langfuse,
    langsmith,
    llamaindex,
    milvus,
    mlflow,
    openai_search,
    openinference,
    pgvector,
    pinecone,
    promptfoo,
    qdrant,
    ragas,
    redisearch,
    rerankers,
    runs,
    solr,
    trace,
    traceloop,
    trulens,
    vertex,
    vespa,
    weave,
    weaviate,
)
from poolscope.formats.shapes.base import Json, Passage, Question, Shape, raw_pools

__all__ = ["SHAPES", "Found", "Json", "Passage", "Question", "Shape", "find", "raw_pools"]

SHAPES: tuple[Shape, ...] = (
    langchain.PAIRS,
    langchain.DOCUMENTS,
    langchain.STORED,
    llamaindex.SCORED,
    llamaindex.NODES,
    llamaindex.RESPONSE,
    llamaindex.STORED,
    haystack.DOCUMENTS,
    haystack.RESULT,
    ragas.SAMPLES,
    deepeval.CASES,
    deepeval.WITH_SOURCES,
    dspy.PREDICTION,
    dspy.EXAMPLE,
    dspy.LONG_TEXTS,
    promptfoo.RESULTS,
    trulens.EVENTS_OF_SPANS,
    trulens.RECORDS,
    langfuse.SPANS,
    mlflow.SPANS,
    traceloop.SPANS,
    openinference.SPANS,
    openinference.EXPLODED,
    genai.SPANS,
    langfuse.OBSERVATIONS,
    langsmith.RUNS,
    weave.CALLS,
    chroma.CHROMA,
    qdrant.QDRANT,
    pinecone.PINECONE,
    weaviate.WEAVIATE,
    milvus.MILVUS,
    elasticsearch.ELASTICSEARCH,
    solr.SOLR,
    redisearch.REDISEARCH,
    vespa.VESPA,
    azure_search.AZURE_SEARCH,
    bedrock.BEDROCK,
    kendra.KENDRA,
    vertex.CHUNKS,
    vertex.CONTEXTS,
    vertex.NEIGHBOURS,
    openai_search.OPENAI,
    rerankers.RERANKER,
    pgvector.NODES,
    pgvector.LANGCHAIN,
    pgvector.AGGREGATE,
    trace.SPANS,
    asked.QUESTIONS,
    runs.RUN,
    runs.GRADED,
    runs.QUEPID,
    runs.CORPUS,
    runs.TABLE_GRADED,
    runs.TABLE_RUN,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A shape and why a value was taken for it."""

    shape: Shape
    reason: str


def find(value: Json, shapes: Sequence[Shape] | None = None) -> Found | None:
    """Return the first shape that recognises a value; ``None`` where none does."""
    for shape in SHAPES if shapes is None else shapes:
        reason = shape.recognises(value)
        if reason is not None:
            return Found(shape, reason)
    return None
