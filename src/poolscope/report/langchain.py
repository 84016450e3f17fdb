"""A setting for any LangChain vector store."""

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
# vector_store: any LangChain vector store; question: the question's text
retriever = vector_store.as_retriever(
    search_type="similarity",
    search_kwargs={{"k": {k}}},
)
documents = retriever.invoke(question)
"""
_MMR = """\
# vector_store: any LangChain vector store with MMR; question: the question's text
retriever = vector_store.as_retriever(
    search_type="mmr",
    search_kwargs={{"k": {k}, "fetch_k": {depth}, "lambda_mult": {lambda_!r}}},
)
documents = retriever.invoke(question)
"""
_OWN = (
    "It is the same rule in the in-memory store; other stores bring their own. What ties but for "
    "rounding can fall the other way."
)


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a retriever."""
    if policy.selector not in {"top_k", "mmr"}:
        return refused(
            "LangChain's retrievers know no cap by source.",
            f"Fetch k = {depth_of(pool, policy)} and hand the documents to the plain Python.",
        )
    aside = left_aside(policy, "lambda_", "missing_vector")
    relevance = other_relevance(pool, policy, "The store")
    if policy.selector == "top_k":
        return Written(
            _TOP_K.format(k=policy.k),
            (*same_rule(pool, policy), *relevance, *aside),
        )
    code = _MMR.format(k=policy.k, depth=depth_of(pool, policy), lambda_=policy.lambda_)
    return Written(code, (_OWN, *relevance, *without_vectors(pool, policy), *aside))


LANGCHAIN = Dialect(
    system="LangChain",
    language="python",
    status=Status.LIBRARY,
    checked_with="langchain-core 1.8.3",
    written="`lambda_mult` and `fetch_k` of a retriever",
    write=write,
)
