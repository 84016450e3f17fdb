"""Presets that a policy of ours says wholly."""

from poolscope.model import OnBudget, Order, Pool, Relevance, Scaling, Selection
from poolscope.selection import select
from poolscope.selection.presets.request import Request, field_of

SWAFRA_SHARE = 0.15


def two_pass(pool: Pool, request: Request) -> Selection:
    """The best of each source, then by rank under the cap that is asked for; no backfill."""
    cap = 2 if request.cap is None else request.cap
    return select(pool, request.policy("two_pass_cap", 5, cap=cap, backfill=False))


def grouped(pool: Pool, request: Request) -> Selection:
    """The two best of each source, merged by score."""
    return select(pool, request.policy("grouped_cap", 5, cap=2, order=Order.SCORE))


def mmr(pool: Pool, request: Request) -> Selection:
    """MMR at 0.6 over 50, cosine on both sides."""
    cosine = Relevance.COSINE
    return select(pool, request.policy("mmr", 5, lambda_=0.6, depth=50, relevance=cosine))


def section(pool: Pool, request: Request) -> Selection:
    """MMR at 0.6 with a cap of two a section."""
    key = field_of(pool, "section", request)
    cosine = Relevance.COSINE
    return select(pool, request.policy("mmr_cap", 5, lambda_=0.6, cap=2, key=key, relevance=cosine))


def swafra(pool: Pool, request: Request) -> Selection:
    """The best passage of each title, a share of the stored sources; no title: of each source."""
    slots = swafra_slots(5 if request.k is None else request.k, request.stored or 0)
    key = field_of(pool, "title", request) or "source"
    return select(
        pool, request.policy("grouped_cap", slots, k=slots, cap=1, key=key, order=Order.SCORE)
    )


def hindsight(pool: Pool, request: Request) -> Selection:
    """Each arm cut at the cap, fused by reciprocal rank; a cap of 0 or none cuts nothing."""
    return select(
        pool,
        request.policy(
            "arm_caps",
            5,
            k=min(5 if request.k is None else request.k, 300),
            cap=request.cap or max(len(pool), 1),
            key=field_of(pool, "arm", request),
            on_budget=OnBudget.STOP,
        ),
    )


def langchain(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 over 20, four picks."""
    depth = 20 if request.candidates is None else request.candidates
    cosine = Relevance.COSINE
    return select(pool, request.policy("mmr", 4, lambda_=0.5, depth=depth, relevance=cosine))


def pyversity(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 over all, the score beside a cosine that is never below 0."""
    return select(
        pool,
        request.policy(
            "mmr",
            5,
            lambda_=0.5,
            clip_negative=True,
            relevance=Relevance.SCORE,
            scaling=Scaling.NONE,
        ),
    )


def opensearch(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 over three times the size, the score beside a cosine never below 0."""
    k = 5 if request.k is None else request.k
    return select(
        pool,
        request.policy(
            "mmr",
            k,
            lambda_=0.5,
            depth=3 * k if request.candidates is None else request.candidates,
            clip_negative=True,
            relevance=Relevance.SCORE,
            scaling=Scaling.NONE,
        ),
    )


def swafra_slots(k: int, stored: int) -> int:
    """Return how many sources Swafra gives for a k and a number of stored sources."""
    return min(k, max(1, int(SWAFRA_SHARE * stored)))
