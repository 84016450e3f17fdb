"""A setting for a LlamaIndex index over a vector store."""

from poolscope.model import Policy, Pool
from poolscope.report.base import (
    Dialect,
    Status,
    Written,
    depth_of,
    left_aside,
    other_relevance,
    refused,
    same_rule,
    without_vectors,
)

_TOP_K = """\
# index: a VectorStoreIndex; question: the question's text
retriever = index.as_retriever(similarity_top_k={k})
nodes = retriever.retrieve(question)
"""
_MMR = """\
# index: a VectorStoreIndex; question: the question's text
retriever = index.as_retriever(
    vector_store_query_mode="mmr",
    similarity_top_k={k},
    vector_store_kwargs={{"mmr_threshold": {lambda_!r}}},
)
nodes = retriever.retrieve(question)
"""
_LAST_PICK = (
    "LlamaIndex's own MMR (the simple vector store) holds a candidate against the last pick only, "
    "not against all before it, and looks at the whole store instead of a pool depth: from the "
    "third pick on its choice can differ."
)
_AT_ZERO = "At lambda 0 its first pick is the first of the store, not the most relevant."
_NO_LIMIT = "With k = 0 it would return everything it has."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a retriever."""
    if policy.selector not in {"top_k", "mmr"}:
        return refused(
            "LlamaIndex's retrievers know no cap by source.",
            f"Fetch similarity_top_k = {depth_of(pool, policy)} and hand the nodes to the plain "
            "Python.",
        )
    if policy.k == 0:
        return refused(_NO_LIMIT)
    aside = left_aside(policy, "lambda_", "missing_vector")
    relevance = other_relevance(pool, policy, "The store")
    if policy.selector == "top_k":
        return Written(
            _TOP_K.format(k=policy.k),
            (*same_rule(pool, policy), *relevance, *aside),
        )
    zero = (_AT_ZERO,) if policy.lambda_ == 0.0 else ()
    code = _MMR.format(k=policy.k, lambda_=policy.lambda_)
    missing = without_vectors(pool, policy)
    return Written(code, (_LAST_PICK, *zero, *relevance, *missing, *aside))


LLAMAINDEX = Dialect(
    system="LlamaIndex",
    language="python",
    status=Status.LIBRARY,
    checked_with="llama-index-core 0.14.25",
    written="`mmr_threshold` of a retriever",
    write=write,
)
