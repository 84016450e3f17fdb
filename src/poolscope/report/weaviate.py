"""A setting for Weaviate: a near-vector query, and diversity selection in it."""

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
# collection: a Weaviate collection that compares by cosine
objects = collection.query.near_vector(near_vector=question_vector, limit={k}).objects
"""
_MMR = """\
# collection: a Weaviate collection that compares by cosine, server 1.37 or newer
from weaviate.classes.query import Diversity

objects = collection.query.near_vector(
    near_vector=question_vector,
    limit={depth},
    diversity_selection=Diversity.mmr(limit={k}, balance={lambda_!r}),
).objects
"""
_DISTANCES = (
    "Weaviate weighs distances instead of likeness, which picks alike under the cosine distance; "
    "the outer limit is the pool depth."
)
_APPROXIMATE = "Vector search is approximate, and numbers are compared in single precision."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a near-vector query."""
    if policy.selector not in {"top_k", "mmr"}:
        return refused(
            "Weaviate's group_by returns groups, and no cap that fills the other slots.",
            f"Fetch limit = {depth_of(pool, policy)} and hand the objects to the plain Python.",
        )
    if policy.k == 0 or policy.depth == 0:
        return refused("Weaviate's selection needs a limit of at least 1.")
    relevance = other_relevance(pool, policy, "Weaviate")
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
    code = _MMR.format(k=min(policy.k, depth), depth=depth, lambda_=policy.lambda_)
    aside = left_aside(policy, "lambda_", "missing_vector")
    missing = without_vectors(pool, policy)
    return Written(code, (_DISTANCES, _APPROXIMATE, *relevance, *missing, *aside))


WEAVIATE = Dialect(
    system="Weaviate",
    language="python",
    status=Status.NO_SERVER,
    checked_with="weaviate-client 4.24.1, the server's sources of 1.37",
    written="`balance` = lambda of diversity selection",
    write=write,
)
