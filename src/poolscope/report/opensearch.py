"""A setting for OpenSearch: a kNN query, and the mmr extension beside it."""

from poolscope.model import Policy, Pool
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

MOST_HITS = 10_000
"""``index.max_result_window`` as it is delivered."""

_TOP_K = """\
# client: an OpenSearch client; "vector" is a knn_vector field with the space cosinesimil
found = client.search(
    index="passages",
    body={{
        "size": {k},
        "query": {{"knn": {{"vector": {{"vector": question_vector, "k": {k}}}}}}},
    }},
)
hits = found["hits"]["hits"]
"""
_MMR = """\
# client: an OpenSearch client, 3.3 or newer; "vector" is a knn_vector field with the space
# cosinesimil. Once for the cluster:
# client.cluster.put_settings(body={{"persistent": {{
#     "cluster.search.enabled_system_generated_factories": [
#         "mmr_over_sample_factory", "mmr_rerank_factory"]}}}})
found = client.search(
    index="passages",
    body={{
        "size": {k},
        "query": {{"knn": {{"vector": {{"vector": question_vector, "k": {depth}}}}}}},
        "ext": {{"mmr": {{"diversity": {diversity!r}, "candidates": {depth}}}}},
    }},
)
hits = found["hits"]["hits"]
"""
_HALVED = (
    "Relevance and likeness are both (1 + cosine) / 2 in the space cosinesimil, which picks alike; "
    "in other spaces they are other numbers."
)
_APPROXIMATE = "kNN search is approximate, and numbers are compared in single precision."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a search."""
    if policy.selector not in {"top_k", "mmr"}:
        return refused(
            "OpenSearch has no cap by source that fills the other slots: collapse keeps one hit a "
            "value.",
            f"Fetch size = {depth_of(pool, policy)} and hand the hits to the plain Python.",
        )
    if policy.k == 0 or policy.depth == 0:
        return refused("OpenSearch refuses a kNN search for 0 hits.")
    if policy.k > MOST_HITS:
        return refused(f"OpenSearch returns at most {MOST_HITS:,} hits.")
    relevance = other_relevance(pool, policy, "OpenSearch")
    if policy.selector == "top_k":
        code = _TOP_K.format(k=policy.k)
        return Written(
            code,
            (
                *same_rule(pool, policy),
                _APPROXIMATE,
                *relevance,
                *left_aside(policy),
            ),
        )
    depth = depth_of(pool, policy)
    fetched = min(depth, MOST_HITS)
    code = _MMR.format(
        k=min(policy.k, fetched), depth=fetched, diversity=complement(policy.lambda_)
    )
    deep = (f"It looks at no more than {MOST_HITS:,} candidates.",) if depth > MOST_HITS else ()
    aside = left_aside(policy, "lambda_", "missing_vector")
    missing = without_vectors(pool, policy)
    return Written(code, (_HALVED, _APPROXIMATE, *deep, *relevance, *missing, *aside))


OPENSEARCH = Dialect(
    system="OpenSearch",
    language="python",
    status=Status.NO_SERVER,
    checked_with="the documentation of 3.3 to 3.7, opensearch-py 3.2.0",
    written="`diversity` = 1 - lambda and `candidates` of the mmr extension",
    write=write,
)
