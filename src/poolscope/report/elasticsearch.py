"""A setting for Elasticsearch: a kNN retriever, and the diversify retriever around it."""

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

MOST_HITS = 10_000
"""``index.max_result_window`` as it is delivered."""
_CONSIDERED = 100

_TOP_K = """\
# client: an Elasticsearch client; "vector" is a dense_vector field of unit vectors
found = client.search(
    index="passages",
    size={k},
    retriever={{
        "knn": {{
            "field": "vector",
            "query_vector": question_vector,
            "k": {k},
            "num_candidates": {considered},
        }},
    }},
)
hits = found["hits"]["hits"]
"""
_MMR = """\
# client: an Elasticsearch client, 9.3 or newer; "vector" is a dense_vector field of unit vectors
found = client.search(
    index="passages",
    size={k},
    retriever={{
        "diversify": {{
            "type": "mmr",
            "field": "vector",
            "query_vector": question_vector,
            "lambda": {lambda_!r},
            "size": {k},
            "rank_window_size": {depth},
            "retriever": {{
                "knn": {{
                    "field": "vector",
                    "query_vector": question_vector,
                    "k": {depth},
                    "num_candidates": {considered},
                }},
            }},
        }},
    }},
)
hits = found["hits"]["hits"]
"""
_ORDER = (
    "It hands the picks out in the inner retriever's order, not as picked: the set is the same, "
    "the order is by relevance."
)
_VECTOR = "Without query_vector relevance counts nothing, whatever lambda is."
_NEGATIVE = "A negative dot product is mapped by another formula, so opposites weigh otherwise."
_APPROXIMATE = "kNN search is approximate."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a search."""
    if policy.selector not in {"top_k", "mmr"}:
        return refused(
            "Elasticsearch has no cap by source that fills the other slots: collapse keeps one hit "
            "a value.",
            f"Fetch size = {depth_of(pool, policy)} and hand the hits to the plain Python.",
        )
    if policy.k == 0 or policy.depth == 0:
        return refused("Elasticsearch refuses a kNN search for 0 hits.")
    if policy.k > MOST_HITS:
        return refused(f"Elasticsearch returns at most {MOST_HITS:,} hits.")
    return _top_k(pool, policy) if policy.selector == "top_k" else _diversify(pool, policy)


def _top_k(pool: Pool, policy: Policy) -> Written:
    code = _TOP_K.format(k=policy.k, considered=_considered(policy.k))
    relevance = other_relevance(pool, policy, "Elasticsearch")
    same = same_rule(pool, policy)
    return Written(code, (*same, _APPROXIMATE, *relevance, *left_aside(policy)))


def _diversify(pool: Pool, policy: Policy) -> Written:
    depth = depth_of(pool, policy)
    fetched = min(depth, MOST_HITS)
    code = _MMR.format(
        k=min(policy.k, fetched),
        depth=fetched,
        lambda_=policy.lambda_,
        considered=_considered(fetched),
    )
    deep = (f"It looks at no more than {MOST_HITS:,} candidates.",) if depth > MOST_HITS else ()
    relevance = other_relevance(pool, policy, "Elasticsearch")
    missing = without_vectors(pool, policy)
    aside = left_aside(policy, "lambda_", "missing_vector")
    return Written(
        code, (_ORDER, _VECTOR, _NEGATIVE, _APPROXIMATE, *deep, *relevance, *missing, *aside)
    )


def _considered(wanted: int) -> int:
    return min(max(2 * wanted, _CONSIDERED), MOST_HITS)


ELASTICSEARCH = Dialect(
    system="Elasticsearch",
    language="python",
    status=Status.NO_SERVER,
    checked_with="the reference of 9.3 and 9.4, elasticsearch 9.5.1",
    written="`lambda` and `rank_window_size` of the diversify retriever",
    write=write,
)
