"""The setting as code: one snippet a system, each saying how the system's own rule differs."""

from poolscope.model import Policy, Pool
from poolscope.report.base import Dialect, Snippet
from poolscope.report.elasticsearch import ELASTICSEARCH
from poolscope.report.haystack import HAYSTACK
from poolscope.report.langchain import LANGCHAIN
from poolscope.report.llamaindex import LLAMAINDEX
from poolscope.report.opensearch import OPENSEARCH
from poolscope.report.pgvector import PGVECTOR
from poolscope.report.plain_python import PLAIN_PYTHON
from poolscope.report.qdrant import QDRANT
from poolscope.report.weaviate import WEAVIATE

DIALECTS: tuple[Dialect, ...] = (
    PLAIN_PYTHON,
    LANGCHAIN,
    LLAMAINDEX,
    HAYSTACK,
    QDRANT,
    ELASTICSEARCH,
    OPENSEARCH,
    WEAVIATE,
    PGVECTOR,
)
"""Every system that a setting is written for, in display order."""


def snippets(pool: Pool, policy: Policy) -> tuple[Snippet, ...]:
    """Write a setting as code for every system.

    Args:
        pool: The pool that it was chosen on: its depth, its fields and its kind of score.
        policy: The setting.

    Raises:
        PolicyError: The policy names a selector or a field that does not exist, or asks for a
            relevance that the pool does not have.
    """
    return tuple(dialect.snippet(pool, policy) for dialect in DIALECTS)
