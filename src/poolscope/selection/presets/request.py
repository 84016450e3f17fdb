"""What a preset is asked with, and which field of a pool plays the part that a system reads."""

from dataclasses import dataclass

from poolscope.model import Policy, Pool

FIELDS = {
    "session": ("session", "session_id", "sessionid", "conversation_id", "thread_id"),
    "category": ("category", "memory_type", "type", "kind"),
    "section": ("section", "section_id", "heading"),
    "arm": ("arm", "arms", "retriever", "retrieval_arm"),
    "title": ("title", "document_title"),
    "parent": ("parent", "parent_id", "document_id", "doc_id"),
    "priority": ("priority", "block_priority"),
}
"""Names of the fields that a system reads, as pools carry them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a preset is asked with; what stays ``None`` is the system's own default.

    Args:
        k: How many candidates enter the context.
        cap: The cap, of a preset whose cap is the user's; 0 switches Hindsight's off.
        lambda_: Lambda, of a preset that demands it.
        stored: How many sources the whole store holds.
        candidates: How many candidates a store is asked for before it selects.
        depth: How many candidates, from rank 1, the system is given; ``None`` for all.
        field: The field that plays the part of the one that the system reads; ``None`` for
            whichever has one of the usual names.
        budget: Most tokens.
        pinned: Ids of candidates that are in first.
        banned: Ids of candidates that are out.
    """

    k: int | None = None
    cap: int | None = None
    lambda_: float | None = None
    stored: int | None = None
    candidates: int | None = None
    depth: int | None = None
    field: str | None = None
    budget: int | None = None
    pinned: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()

    def policy(self, selector: str, k: int, /, **settings: object) -> Policy:
        """Return a policy with what every preset keeps of a request."""
        plain = Policy(
            selector=selector,
            k=k if self.k is None else self.k,
            pinned=self.pinned,
            banned=self.banned,
            budget=self.budget,
        )
        own = plain.changed(**settings)
        given = [depth for depth in (own.depth, self.depth) if depth is not None]
        return own.changed(depth=min(given, default=None))

    def seen(self, pool: Pool) -> int:
        """Return how many candidates of a pool the system is given."""
        return len(pool) if self.depth is None else min(self.depth, len(pool))


def field_of(pool: Pool, part: str, request: Request) -> str | None:
    """Return the field of a pool that plays a part; ``None`` where there is none.

    The field that the sources were read from is called ``source``, as a policy's key calls it. A
    field that the request names is taken, or none: another never stands in for it.
    """
    if request.field is not None:
        return request.field if request.field in ("source", *pool.fields) else None
    by_lower = {pool.source_field.lower(): "source"} | {name.lower(): name for name in pool.fields}
    return next((by_lower[name] for name in FIELDS[part] if name in by_lower), None)
