"""A setting for Haystack: an embedding retriever, and a ranker behind it."""

from poolscope import selection
from poolscope.model import Policy, Pool, Scaling
from poolscope.report.base import (
    Dialect,
    Status,
    Written,
    complement,
    depth_of,
    left_aside,
    other_relevance,
    refused,
    same_rule,
    without_vectors,
)

_TOP_K = """\
# retriever: an embedding retriever over cosine similarity; question_vector: the question's
found = retriever.run(query_embedding=question_vector, top_k={k})
documents = found["documents"]
"""
_MMR = """\
# pip install pyversity-haystack
# retriever: an embedding retriever over cosine similarity, made with return_embedding=True
from haystack_integrations.components.rankers.pyversity import PyversityRanker
from pyversity import Strategy

ranker = PyversityRanker(top_k={k}, strategy=Strategy.MMR, diversity={diversity!r})
found = retriever.run(query_embedding=question_vector, top_k={depth})
documents = ranker.run(documents=found["documents"])["documents"]
"""
_CLIPPED = "The ranker counts a negative cosine as 0, as “clip negative cosines” does here."
_SINGLE = "The ranker compares in single precision, so near ties can fall the other way."
_SCORE = "The documents come back with the ranker's own value as their score."
_UNSCALED = "The ranker weighs the documents' scores as they are, not scaled."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a retriever, and for MMR the ranker of pyversity's integration."""
    if policy.selector not in {"top_k", "mmr"}:
        return refused(
            "Haystack's rankers know no cap by source: MetaFieldGroupingRanker orders by group and "
            "drops nothing.",
            f"Fetch top_k = {depth_of(pool, policy)} and hand the documents to the plain Python.",
        )
    if policy.k == 0:
        return refused("Haystack refuses a top_k of 0.")
    aside = left_aside(policy, "lambda_", "missing_vector", "clip_negative")
    relevance = other_relevance(pool, policy, "The retriever")
    if policy.selector == "top_k":
        return Written(
            _TOP_K.format(k=policy.k),
            (*same_rule(pool, policy), *relevance, *aside),
        )
    if depth_of(pool, policy) == 0:
        return refused("Haystack refuses a top_k of 0.")
    code = _MMR.format(
        k=policy.k, depth=depth_of(pool, policy), diversity=complement(policy.lambda_)
    )
    differs = (
        *(() if policy.clip_negative else (_CLIPPED,)),
        _SINGLE,
        _SCORE,
        *((_UNSCALED,) if selection.scaling_of(pool, policy) is not Scaling.NONE else ()),
        *relevance,
        *without_vectors(pool, policy),
        *aside,
    )
    return Written(code, differs)


HAYSTACK = Dialect(
    system="Haystack",
    language="python",
    status=Status.LIBRARY,
    checked_with="haystack-ai 3.4.1, pyversity-haystack 2.0.0",
    written="`diversity` = 1 - lambda of PyversityRanker",
    write=write,
)
