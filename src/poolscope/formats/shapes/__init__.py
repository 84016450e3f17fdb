"""The shapes in which the software of this field writes passages: the list, and the search.

A new shape is a module with a ``Shape`` and a place in ``SHAPES``: the first that recognises a
value reads it, so the telling ones come before the general ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from poolscope.formats.shapes import (
    asked,
    deepeval,
    dspy,
    genai,
    haystack,
    langchain,
    langfuse,
    langsmith,
    llamaindex,
    mlflow,
    openinference,
    promptfoo,
    ragas,
    trace,
    traceloop,
    trulens,
    weave,
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
    trace.SPANS,
    asked.QUESTIONS,
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
