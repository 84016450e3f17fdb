"""A setting as one SQL statement for PostgreSQL with pgvector: window functions for the caps."""

from poolscope.model import MissingKey, Policy, Pool
from poolscope.report.base import (
    Dialect,
    Status,
    Written,
    depth_of,
    key_of,
    left_aside,
    other_key,
    other_relevance,
    refused,
    without_vectors,
)
from poolscope.report.literals import sql_name, sql_refuses, sql_text

_HEAD = """\
-- $1: the question's vector. Table passages: id, text, embedding vector{column}.
WITH pool AS (
  SELECT id, text{also}, 1 - (embedding <=> $1::vector) AS relevance,
         row_number() OVER (ORDER BY embedding <=> $1::vector, id) AS rank
  FROM passages
  WHERE embedding IS NOT NULL
  ORDER BY embedding <=> $1::vector, id
  LIMIT {depth}
)"""
_TOP_K = """
SELECT id, text, relevance, rank
FROM pool
ORDER BY rank
LIMIT {k};
"""
_CAPPED = """,
counted AS (
  SELECT *, row_number() OVER ({group} ORDER BY rank) AS nth{own}
  FROM pool{rejected}
)
SELECT id, text, cap_key, relevance, rank, nth
FROM counted{within}
ORDER BY {order}
LIMIT {k};
"""
_MMR = """\
-- $1: the question's vector. Table passages: id, text, embedding vector{column}.
-- The pool for the plain Python function, best first.
SELECT id, text{also}, embedding::real[] AS vector,
       1 - (embedding <=> $1::vector) AS score
FROM passages
WHERE embedding IS NOT NULL
ORDER BY embedding <=> $1::vector, id
LIMIT {depth};
"""
_ALONE = """
           PARTITION BY cap_key, CASE WHEN cap_key IS NULL THEN rank END"""
_NO_MMR = "PostgreSQL has no MMR: this fetches the pool, and the plain Python function chooses."
_TIES = "It is the same rule; ties, to single precision, go to the smaller id."
_ZERO = "A zero vector has no cosine distance there (NaN) and comes last; here it counts 0."
_INDEX = "With an index on embedding the search is approximate."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a statement."""
    writers = {
        "top_k": _top_k,
        "two_pass_cap": _capped,
        "grouped_cap": _capped,
        "mmr": _mmr,
        "mmr_cap": _mmr,
    }
    if policy.selector not in writers:
        return refused(f"The rule “{policy.selector}” is not written as SQL.")
    reads_key = policy.selector not in {"top_k", "mmr"}
    key = key_of(pool, policy) if reads_key else "source"
    why = sql_refuses(key, [value for value, _ in policy.overrides] if reads_key else [])
    return refused(why) if why else writers[policy.selector](pool, policy, key)


def _top_k(pool: Pool, policy: Policy, _: str) -> Written:
    head = _HEAD.format(column="", also="", depth=depth_of(pool, policy))
    relevance = other_relevance(pool, policy, "The statement")
    missing = _unusual(pool, policy)
    differs = (_TIES, _INDEX, *relevance, *missing, *left_aside(policy))
    return Written(head + _TOP_K.format(k=policy.k), differs)


def _capped(pool: Pool, policy: Policy, key: str) -> Written:
    cap = "cap" if policy.overrides else str(policy.cap)
    if policy.selector == "grouped_cap":
        order, within = "rank", f"\nWHERE nth <= {cap}"
    elif policy.backfill:
        steps = f"CASE WHEN nth = 1 THEN 1 WHEN nth <= {cap} THEN 2 ELSE 3 END"
        order, within = f"{steps}, rank", ""
    else:
        order, within = "nth > 1, rank", f"\nWHERE nth <= {cap}"
    alone = policy.missing_key is MissingKey.ALONE
    reject = policy.missing_key is MissingKey.REJECT
    body = _CAPPED.format(
        group=_ALONE if alone else "PARTITION BY cap_key",
        own=_own(policy),
        rejected="\n  WHERE cap_key IS NOT NULL" if reject else "",
        within=within,
        order=order,
        k=policy.k,
    )
    head = _HEAD.format(
        column=", and the cap's column",
        also=f", {sql_name(key)} AS cap_key",
        depth=depth_of(pool, policy),
    )
    aside = left_aside(policy, "cap", "key", "backfill", "missing_key", "overrides")
    relevance = other_relevance(pool, policy, "The statement")
    missing = _unusual(pool, policy)
    differs = (_TIES, _INDEX, *other_key(pool, policy), *relevance, *missing, *aside)
    return Written(head + body, differs)


def _own(policy: Policy) -> str:
    """Return the column that holds each candidate's cap, where values have caps of their own."""
    if not policy.overrides:
        return ""
    own = " ".join(f"WHEN {sql_text(value)} THEN {cap}" for value, cap in policy.overrides)
    return f",\n         CASE cap_key::text {own} ELSE {policy.cap} END AS cap"


def _mmr(pool: Pool, policy: Policy, key: str) -> Written:
    capped = policy.selector == "mmr_cap"
    code = _MMR.format(
        column=", and the cap's column" if capped else "",
        also=f", {sql_name(key)}" if capped else "",
        depth=depth_of(pool, policy),
    )
    relevance = other_relevance(pool, policy, "The statement")
    return Written(code, (_NO_MMR, _INDEX, *relevance, *_unusual(pool, policy)))


def _unusual(pool: Pool, policy: Policy) -> tuple[str, ...]:
    """Say what becomes of candidates without a vector, and of those whose vector is zero."""
    is_zero = pool.vectors is not None and bool(
        (pool.vector_mask & ~pool.vectors.any(axis=1)).any()
    )
    return (*without_vectors(pool, policy), *((_ZERO,) if is_zero else ()))


PGVECTOR = Dialect(
    system="pgvector",
    language="sql",
    status=Status.DATABASE,
    checked_with="PostgreSQL 18.4, pgvector 0.8.5",
    written="SQL for top-k and the two caps; the pool for MMR",
    write=write,
)
