"""A setting for Qdrant: a query, MMR in it, or groups for a cap."""

from poolscope.model import MissingKey, Policy, Pool
from poolscope.report.base import (
    Dialect,
    Status,
    Written,
    complement,
    depth_of,
    key_of,
    left_aside,
    other_key,
    other_relevance,
    refused,
    same_rule,
    without_vectors,
)
from poolscope.report.literals import python_text

MOST_CANDIDATES = 16_384

_TOP_K = """\
# client: a QdrantClient; the collection compares by cosine
points = client.query_points(
    collection_name="passages",
    query=question_vector,
    limit={k},
).points
"""
_MMR = """\
# client: a QdrantClient; the collection compares by cosine
from qdrant_client import models

points = client.query_points(
    collection_name="passages",
    query=models.NearestQuery(
        nearest=question_vector,
        mmr=models.Mmr(diversity={diversity!r}, candidates_limit={depth}),
    ),
    limit={k},
).points
"""
_CAPPED = """\
# client: a QdrantClient; the collection compares by cosine
groups = client.query_points_groups(
    collection_name="passages",
    query=question_vector,
    group_by={key},
    limit={k},
    group_size={size},
).groups
{order}
points = [point for *_, point in ranked[:{k}]]
"""
_GROUPED_ORDER = """\
hits = [point for group in groups for point in group.hits]
ranked = sorted(((-point.score, point) for point in hits), key=lambda hit: hit[0])"""
_BREADTH_FIRST = """\
# The best of each group first, then depth under the cap{backfill}; each by score.
ranked = sorted(
    (
        ({step}, -point.score, point)
        for group in groups
        for place, point in enumerate(group.hits)
    ),
    key=lambda hit: hit[:2],
)"""
_TIES = (
    "Ties go to the last of the equals, not to the better rank, and vectors are compared in single "
    "precision."
)
_LIMIT = "Left out, candidates_limit would be k, and MMR could only reorder."
_WHOLE = "The groups are taken from the whole collection: the pool depth is not read."
_NO_KEY = "Points without the field are in no group and never come back."
_MANY = "Qdrant looks at no more than {most:,} candidates."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a query."""
    if policy.k == 0:
        return refused("Qdrant refuses a limit of 0.")
    relevance = other_relevance(pool, policy, "Qdrant")
    if policy.selector == "mmr":
        return _mmr(pool, policy, relevance)
    if policy.selector in {"two_pass_cap", "grouped_cap"}:
        return _capped(pool, policy, relevance)
    if policy.selector == "top_k":
        return Written(
            _TOP_K.format(k=policy.k),
            (*same_rule(pool, policy), *relevance, *left_aside(policy)),
        )
    return refused(
        "Qdrant has no cap inside MMR.",
        f"Fetch limit = {depth_of(pool, policy)} with vectors and hand the points to the plain "
        "Python.",
    )


def _mmr(pool: Pool, policy: Policy, relevance: tuple[str, ...]) -> Written:
    depth = depth_of(pool, policy)
    if depth == 0:
        return refused("With a pool depth of 0 there is nothing to choose from.")
    code = _MMR.format(
        k=policy.k,
        depth=min(depth, MOST_CANDIDATES),
        diversity=complement(policy.lambda_),
    )
    many = (_MANY.format(most=MOST_CANDIDATES),) if depth > MOST_CANDIDATES else ()
    aside = left_aside(policy, "lambda_", "missing_vector")
    return Written(code, (_TIES, _LIMIT, *many, *relevance, *without_vectors(pool, policy), *aside))


def _capped(pool: Pool, policy: Policy, relevance: tuple[str, ...]) -> Written:
    size, order = min(policy.cap, policy.k), _GROUPED_ORDER
    if policy.selector == "two_pass_cap":
        size = policy.k if policy.backfill else size
        step = f"(place > 0) + (place >= {policy.cap})" if policy.backfill else "place > 0"
        backfill = ", then what is over it" if policy.backfill else ""
        order = _BREADTH_FIRST.format(step=step, backfill=backfill)
    key = key_of(pool, policy)
    code = _CAPPED.format(key=python_text(key), k=policy.k, size=size, order=order)
    missing = None in pool.column(policy.key) and policy.missing_key is not MissingKey.REJECT
    shallow = policy.depth is not None and policy.depth < len(pool)
    return Written(
        code,
        (
            *((_NO_KEY,) if missing else ("It is the same rule, sorted on the client's side.",)),
            *((_WHOLE,) if shallow else ()),
            *other_key(pool, policy),
            *relevance,
            *without_vectors(pool, policy),
            *left_aside(policy, "cap", "key", "backfill", "missing_key"),
        ),
    )


QDRANT = Dialect(
    system="Qdrant",
    language="python",
    status=Status.LIBRARY,
    checked_with="qdrant-client 1.20.0, local mode",
    written="`diversity` = 1 - lambda and `candidates_limit`; groups for a cap",
    write=write,
)
