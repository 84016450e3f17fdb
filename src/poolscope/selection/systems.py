"""What named systems do that no policy says: each a function that fills a draft of its own.

``presets`` declares them beside those that a policy does say. Where a system's public code leaves
something open, the docstring says what is assumed here. Shapes are written in ``n`` (candidates of
the pool).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

from poolscope import geometry
from poolscope.errors import PolicyError
from poolscope.geometry import Bools, Floats, Ints
from poolscope.model import (
    Cause,
    MissingKey,
    MissingVector,
    Order,
    Policy,
    Pool,
    Relevance,
    Rule,
    Scaling,
    Selection,
)
from poolscope.selection import named
from poolscope.selection.base import Draft, Task, shortfall
from poolscope.selection.greedy import Marginal, Row, Ties, climb, explain
from poolscope.selection.relevance import Used
from poolscope.selection.similarities import ROOM, similarities
from poolscope.selection.source_cap import count_groups, walk

Kept = TypeVar("Kept")

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

MOST_TOKENS = 30_000
HIPPO_TOKENS = 4_000
HIPPO_DEPTH = 100
GATE = 0.85
SONDER_GATE, SONDER_STRICT, SONDER_SHARED = 0.62, 0.70, 2
CLAWMEM_LIMIT = 0.6
RECALL_GATE = 0.1
SWAFRA_SHARE = 0.15


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
        field: The field that plays the part of the one that the system reads.
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

    The field that the sources were read from is called ``source``, as a policy's key calls it.
    """
    if request.field is not None:
        return request.field
    by_lower = {pool.source_field.lower(): "source"} | {name.lower(): name for name in pool.fields}
    return next((by_lower[name] for name in FIELDS[part] if name in by_lower), None)


@dataclass(frozen=True, slots=True, eq=False)
class _Made(Generic[Kept]):
    """What was worked out from a pool, as it is kept with it."""

    value: Kept


class _Run:
    """One selection by hand: its task, its draft, and their end; private to one function."""

    def __init__(
        self, pool: Pool, policy: Policy, weigh: Callable[[Used], Used] | None = None
    ) -> None:
        task = Task.of(pool, policy, named(policy.selector))
        if weigh is not None:
            task = replace(task, used=weigh(task.used))
        self.whole, self.draft = task, Draft(task)
        self.task = self.draft.admit_first()

    def leave_out(self, out: Ints, cause: Cause, limit: float | Floats) -> None:
        """Take candidates out of the running, with the reason."""
        out = out[self.task.eligible[out]]
        self.draft.refuse(out, cause, limit)
        self.task = self.task.without(out.tolist())

    def finish(self, notes: Iterable[str] = ()) -> Selection:
        """Return the selection, with a word on slots that stayed empty."""
        empty = len(self.draft.picks) < self.whole.policy.k
        short = (shortfall(self.draft, self.whole),) if empty else ()
        return self.draft.finish((*notes, *short))


def _marginal(
    run: _Run,
    row: Row,
    *,
    measure: str = "cosine",
    last_only: bool = False,
    ties: Ties | None = None,
) -> None:
    """Select by marginal relevance over any similarity."""
    index = np.flatnonzero(run.task.eligible)
    weighed = run.task.used.weighed[index]
    lambda_ = run.task.policy.lambda_
    objective = Marginal(weighed, lambda_, row, index, last_only=last_only)
    gains = climb(run.task, run.draft, index, objective, rule=Rule.MARGINAL_RELEVANCE, ties=ties)
    explain(run.draft, gains, row, measure=measure, last_only=last_only)


def _mmr(run: _Run) -> None:
    policy = run.task.policy
    run.task.selector.function(
        run.task,
        run.draft,
        **{item.name: getattr(policy, item.name) for item in run.task.selector.parameters},
    )


def agentmemory(pool: Pool, request: Request) -> Selection:
    """At most three a session by rank; then whoever is over, by rank, without end."""
    k = 5 if request.k is None else request.k
    policy = request.policy(
        "grouped_cap",
        k,
        cap=3,
        key=field_of(pool, "session", request),
        missing_key=MissingKey.SHARED,
        depth=max(k, 20),
    )
    run = _Run(pool, policy)
    over = walk(
        run.task,
        run.draft,
        run.task.order.tolist(),
        count_groups(run.task, run.draft),
        Rule.WITHIN_CAP,
    )
    run.draft.fill(over, Rule.BACKFILL)
    return run.finish()


def openviking(
    quotas: tuple[tuple[str, int], ...], gate: float | None = None
) -> Callable[[Pool, Request], Selection]:
    """Make a selection by quotas of categories; none at all is a flat top 10."""

    def chosen(pool: Pool, request: Request) -> Selection:
        slots = sum(slots for _, slots in quotas) if quotas else 10
        policy = request.policy(
            "quotas",
            slots,
            key=field_of(pool, "category", request),
            quotas=quotas,
            relevance=Relevance.SCORE,
            order=Order.SCORE,
        )
        run = _Run(pool, policy)
        if gate is not None:
            low = np.flatnonzero(run.task.used.values < gate)
            run.leave_out(low, Cause.BELOW_GATE, gate)
        return run.finish(
            run.task.selector.function(run.task, run.draft, quotas=quotas, refill=False)
        )

    return chosen


def clawmem(pool: Pool, request: Request) -> Selection:
    """Put behind all others whoever shares more than 0.6 of its words and word pairs with one kept.

    Two texts without any feature are alike: both are the empty set.
    """
    policy = request.policy("top_k", 5, relevance=Relevance.RANK)
    run = _Run(pool, policy)
    alike = _alike_before(pool, tuple(run.draft.picks), policy.banned)
    order = run.task.order.tolist()
    behind = [index for index in order if index in alike]
    run.draft.fill([index for index in order if index not in alike], Rule.RELEVANCE)
    run.draft.fill(behind, Rule.DEMOTED)
    out = [index for index in behind if index not in run.draft.picks]
    run.draft.refuse(np.array(out, dtype=np.intp), Cause.DEMOTED, CLAWMEM_LIMIT)
    return run.finish([f"{len(behind)} put behind all others, none dropped."] if behind else ())


def _alike_before(pool: Pool, first: tuple[int, ...], banned: tuple[str, ...]) -> frozenset[int]:
    """Return who is alike a passage kept before it, whatever the depth; worked out once a pool.

    Args:
        pool: The pool.
        first: Passages kept before all others.
        banned: Ids of those that are left aside.
    """

    def walk() -> frozenset[int]:
        sets = [clawmem_features(text) for text in pool.texts]
        kept, alike = [sets[index] for index in first], set()
        for index in range(len(pool)):
            if index in first or pool.ids[index] in banned:
                continue
            if any(jaccard(sets[index], other, empty=1.0) > CLAWMEM_LIMIT for other in kept):
                alike.add(index)
            else:
                kept.append(sets[index])
        return frozenset(alike)

    return _once(pool, f"clawmem {first} {banned}", walk)


def _once(pool: Pool, name: str, make: Callable[[], Kept]) -> Kept:
    """Work something out from a pool once and keep it with the pool."""
    made: object = pool.kept.get(name)
    if not isinstance(made, _Made):
        made = pool.kept[name] = _Made(make())
    value: Kept = made.value
    return value


def clawmem_features(text: str) -> frozenset[str]:
    """Return the words over three letters and the pairs of neighbouring words, as they are seen."""
    row = re.findall(r"[a-z0-9_]+", text.lower())
    return frozenset((*(word for word in row if len(word) > 3), *map(" ".join, pairwise(row))))


def jaccard(first: frozenset[str], second: frozenset[str], *, empty: float = 0.0) -> float:
    """Divide what two sets share by all that they hold; ``empty`` where both are."""
    together = len(first | second)
    return len(first & second) / together if together else empty


def second_brain(pool: Pool, request: Request) -> Selection:
    """Fetch, keep the best of each parent, then MMR at 0.7; no vector resembles nothing.

    The fetch is min(3k, 50), and 50 where the best raw cosine is below 0.85. The best of each
    parent are found within what is fetched.
    """
    k = 5 if request.k is None else request.k
    weak = float(_cosines(pool, request.seen(pool)).max(initial=-1.0)) < GATE
    policy = request.policy(
        "mmr",
        k,
        lambda_=0.7,
        depth=50 if weak else min(3 * k, 50),
        clip_negative=True,
        missing_vector=MissingVector.NO_REDUNDANCY,
        relevance=Relevance.SCORE,
        scaling=Scaling.DIVIDE_BY_MAX,
    )
    run = _Run(pool, policy)
    parents = pool.column(field_of(pool, "parent", request) or "source")
    seen: set[str | None] = set()
    later = []
    for index in run.task.order.tolist():
        if parents[index] is not None and parents[index] in seen:
            later.append(index)
        seen.add(parents[index])
    run.leave_out(np.array(later, dtype=np.intp), Cause.CAP_REACHED, 1)
    _mmr(run)
    return run.finish()


def open_second_brain(pool: Pool, request: Request) -> Selection:
    """MMR at 0.7 over the Jaccard index of words, the raw score beside it; no words: 0."""
    policy = request.policy(
        "mmr",
        5,
        lambda_=0.7,
        missing_vector=MissingVector.NO_REDUNDANCY,
        relevance=Relevance.SCORE,
        scaling=Scaling.NONE,
    )
    run = _Run(pool, policy)
    _marginal(run, partial(_shared_words, pool), measure="Jaccard of words")
    return run.finish()


def _shared_words(pool: Pool, index: int) -> Floats:
    """Return the Jaccard index of every passage's words with one's; shape ``(n,)``."""
    sets = _once(
        pool,
        "words",
        lambda: [frozenset(re.findall(r"[^\W_]+", text.lower())) for text in pool.texts],
    )
    rows: dict[int, Floats] = _once(pool, "shared words", dict)
    row = rows.get(index)
    if row is None:
        row = geometry.read_only(np.array([jaccard(words, sets[index]) for words in sets]))
        if len(rows) < ROOM // len(pool):
            rows[index] = row
    return row


def sonder(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 over max(10, 4k), gated; the first pick goes through the same sum as the others.

    A content word is taken to be a word of at least three letters outside a short stop list.
    """
    k = 5 if request.k is None else request.k
    lambda_ = 0.5 if request.lambda_ is None else request.lambda_
    policy = request.policy(
        "mmr", k, lambda_=lambda_, depth=max(10, 4 * k), relevance=Relevance.COSINE
    )
    run = _Run(pool, policy)
    gates = _once(pool, "sonder gates", lambda: _sonder_gates(pool))
    low = np.flatnonzero(run.task.used.values < gates)
    low = low[run.task.eligible[low]]
    run.leave_out(low, Cause.BELOW_GATE, gates[low])
    _marginal(run, similarities(pool).row)
    return run.finish()


def _sonder_gates(pool: Pool) -> Floats:
    """Return the cosine that each candidate has to reach; shape ``(n,)``."""
    asked = _content_words(pool.query)
    shared = np.array([len(asked & _content_words(text)) for text in pool.texts], dtype=np.intp)
    return geometry.read_only(np.where(shared < SONDER_SHARED, SONDER_STRICT, SONDER_GATE))


_STOP = frozenset(
    [
        *("the", "and", "for", "are", "was", "were", "with", "that", "this", "from", "have", "has"),
        *("had", "not", "but", "you", "its", "our", "how", "why", "what", "when", "where", "which"),
        *("who", "does", "did", "can", "will", "would", "should", "into", "than", "then", "them"),
    ]
)


def _content_words(text: str) -> frozenset[str]:
    return frozenset(w for w in re.findall(r"[^\W_]{3,}", text.lower()) if w not in _STOP)


def total_agent_memory(pool: Pool, request: Request) -> Selection:
    """Reorder the first k by MMR at 0.9, only where they are alike: mean pairwise at least 0.85."""
    k = 5 if request.k is None else request.k
    policy = request.policy(
        "mmr",
        k,
        lambda_=0.9,
        depth=k,
        relevance=Relevance.SCORE,
        scaling=Scaling.DIVIDE_BY_MAX,
        missing_vector=MissingVector.NO_REDUNDANCY,
    )
    mean = _mean_pairwise(pool, min(k, request.seen(pool)))
    alike = mean >= GATE
    run = _Run(pool, policy if alike else policy.changed(selector="top_k"))
    _mmr(run)
    state = "open, MMR at 0.9 reorders them" if alike else "shut, they stay as they are"
    met = "no pair" if np.isnan(mean) else f"mean pairwise cosine {mean:.2f}"
    return run.finish([f"The gate is {state}: {met} among the first {k}, where 0.85 opens it."])


def _mean_pairwise(pool: Pool, k: int) -> float:
    if pool.vectors is None or min(k, len(pool)) < 2:
        return float("nan")
    found = geometry.pairwise(pool.vectors[:k])
    return float(found[np.triu_indices(len(found), 1)].mean())


def hippo(pool: Pool, request: Request) -> Selection:
    """MMR at 0.7 over 100, scores divided by the first; one result at least, however long."""
    policy = request.policy(
        "mmr",
        max(1, 5 if request.k is None else request.k),
        lambda_=0.7,
        depth=HIPPO_DEPTH,
        clip_negative=True,
        relevance=Relevance.SCORE,
        scaling=Scaling.NONE,
        budget=HIPPO_TOKENS if request.budget is None else request.budget,
        first_item_always=True,
    )

    def by_the_first(used: Used) -> Used:
        first = float(used.values[0]) if len(used.values) else 0.0
        weighed = used.values / first if first > 0.0 else used.values.copy()
        return replace(used, weighed=geometry.read_only(weighed), name=f"{used.name}, by the first")

    run = _Run(pool, policy.changed(k=max(policy.k, 1)), by_the_first)
    _mmr(run)
    return run.finish()


def memory_blocks(pool: Pool, request: Request) -> Selection:
    """Drop whole blocks, the largest priority number first, until they fit; 0 is never dropped.

    Blocks of one priority go in the order declared. A block without a priority has 0, the default.
    """
    field = field_of(pool, "priority", request)
    policy = request.policy(
        "quotas", len(pool), k=len(pool), key=field, relevance=Relevance.RANK, budget=None
    )
    limit = MOST_TOKENS if request.budget is None else request.budget
    run = _Run(pool, policy)
    priorities = [_priority(value) for value in pool.column(field or "source")]
    total = int(pool.tokens[: request.seen(pool)].sum())
    shed: list[int] = []
    for index in sorted(run.task.order.tolist(), key=lambda i: (-priorities[i], i)):
        if total <= limit or priorities[index] == 0.0:
            break
        shed.append(index)
        total -= int(pool.tokens[index])
    run.leave_out(np.array(shed, dtype=np.intp), Cause.SHED, limit)
    run.draft.fill(run.task.order.tolist(), Rule.PRIORITY)
    over = f"{total:,} tokens, more than the {limit:,}: what is left has priority 0."
    return run.finish([over] if total > limit else ())


def _priority(value: str | None) -> float:
    if value is None:
        return 0.0
    try:
        return max(float(value), 0.0)
    except ValueError as error:
        raise PolicyError(
            f"The priority of a block is “{value}”.", "Give a number from 0; 0 is never dropped."
        ) from error


def llamaindex_mmr(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 in which a candidate pays for its likeness to the last pick alone."""
    run = _Run(pool, request.policy("mmr", 5, lambda_=0.5, relevance=Relevance.COSINE))
    _marginal(run, similarities(pool).row, last_only=True)
    return run.finish()


class _SwapRemove:
    """Of equal ones the last in a list in which whoever is taken is replaced by the list's end."""

    def __init__(self, n: int) -> None:
        self._waiting = list(range(n))

    def take(self, tied: Bools) -> int:
        at = max(at for at, place in enumerate(self._waiting) if tied[place])
        place, last = self._waiting[at], self._waiting.pop()
        if at < len(self._waiting):
            self._waiting[at] = last
        return place


def qdrant(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 over as many candidates as results unless more are asked for; ties to the last."""
    k = 5 if request.k is None else request.k
    depth = k if request.candidates is None else request.candidates
    policy = request.policy("mmr", k, lambda_=0.5, depth=depth, relevance=Relevance.COSINE)
    run = _Run(pool, policy)
    ties = _SwapRemove(int(run.task.eligible.sum()))
    _marginal(run, similarities(pool).row, ties=ties)
    return run.finish()


def elasticsearch(pool: Pool, request: Request) -> Selection:
    """MMR over dot + 1, or 1 / (1 - dot) where negative, on both sides; handed out by relevance.

    The dot product is that of unit vectors: a pool keeps no lengths.
    """
    policy = request.policy(
        "mmr",
        5,
        lambda_=request.lambda_,
        depth=10 if request.candidates is None else request.candidates,
        relevance=Relevance.COSINE,
        order=Order.SCORE,
    )

    def mapped(used: Used) -> Used:
        weighed = geometry.read_only(_shifted(used.values))
        return replace(used, weighed=weighed, name=f"{used.name}, shifted above 0")

    run = _Run(pool, policy, mapped)
    known = similarities(pool)
    _marginal(run, lambda index: _shifted(known.row(index)), measure="shifted dot product")
    return run.finish()


def _shifted(dots: Floats) -> Floats:
    return np.where(dots < 0.0, 1.0 / (1.0 - np.minimum(dots, 0.0)), dots + 1.0)


def _cosines(pool: Pool, count: int) -> Floats:
    """Return the cosines to the question of those among the first candidates with a vector."""
    if pool.vectors is None or pool.query_vector is None:
        return np.empty(0)
    return geometry.cosines(pool.vectors[:count], pool.query_vector)[pool.vector_mask[:count]]


def swafra_slots(k: int, stored: int) -> int:
    """Return how many sources Swafra gives for a k and a number of stored sources."""
    return min(k, max(1, int(SWAFRA_SHARE * stored)))
