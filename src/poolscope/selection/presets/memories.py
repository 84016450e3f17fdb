"""What memory systems do that no policy says: each a function that fills a draft of its own.

Where a system's public code leaves something open, the docstring says what is assumed here.
Shapes are written in ``n`` (candidates of the pool).
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from poolscope import geometry
from poolscope.counts import counted
from poolscope.errors import PolicyError
from poolscope.geometry import TOLERANCE, Floats
from poolscope.model import (
    Cause,
    MissingKey,
    MissingVector,
    Order,
    Pool,
    Relevance,
    Rule,
    Scaling,
    Selection,
)
from poolscope.selection.base import Task
from poolscope.selection.presets.by_hand import ByHand, by_marginal, by_mmr, once
from poolscope.selection.presets.request import Request, field_of
from poolscope.selection.relevance import Used
from poolscope.selection.similarities import ROOM, similarities
from poolscope.selection.source_cap import count_groups, walk

MOST_TOKENS = 30_000
HIPPO_TOKENS = 4_000
HIPPO_DEPTH = 100
GATE = 0.85
SONDER_GATE, SONDER_STRICT, SONDER_SHARED = 0.62, 0.70, 2
CLAWMEM_LIMIT = 0.6
RECALL_GATE = 0.1


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
    run = ByHand(pool, policy)
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
        run = ByHand(pool, policy)
        if gate is not None:
            low = np.flatnonzero(run.task.used.values < gate - TOLERANCE)
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
    run = ByHand(pool, policy)
    alike = _alike_before(pool, tuple(run.draft.picks), policy.banned)
    order = run.task.order.tolist()
    behind = [index for index in order if index in alike]
    run.draft.fill([index for index in order if index not in alike], Rule.RELEVANCE)
    run.draft.fill(behind, Rule.DEMOTED)
    out = [index for index in behind if index not in run.draft.picks]
    run.draft.refuse(np.array(out, dtype=np.intp), Cause.DEMOTED, CLAWMEM_LIMIT)
    return run.finish([f"{len(behind)} put behind all others, none dropped."] if behind else ())


def _alike_before(pool: Pool, first: tuple[int, ...], banned: tuple[str, ...]) -> frozenset[int]:
    """Return who is alike a passage kept before it, whatever the depth.

    The words of a pool are kept, and of what follows from them the answer given last.

    Args:
        pool: The pool.
        first: Passages kept before all others.
        banned: Ids of those that are left aside.
    """
    asked = (first, banned)
    last: dict[tuple[tuple[int, ...], tuple[str, ...]], frozenset[int]]
    last = once(pool, "clawmem last", dict)
    found = last.get(asked)
    if found is not None:
        return found
    sets = once(
        pool, "clawmem words", lambda: as_bits([clawmem_features(text) for text in pool.texts])
    )
    kept, alike = [sets[index] for index in first], set()
    for index in range(len(pool)):
        if index in first or pool.ids[index] in banned:
            continue
        if any(_shared(sets[index], other) > CLAWMEM_LIMIT for other in kept):
            alike.add(index)
        else:
            kept.append(sets[index])
    last.clear()
    last[asked] = found = frozenset(alike)
    return found


def as_bits(sets: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    """Write each set as a number with a bit for what others hold too, and its size.

    Two sets then share as many as the numbers share bits: one operation, however large they are.
    """
    counts = Counter(item for items in sets for item in items)
    common = (item for item, count in counts.most_common() if count > 1)
    bits = {item: 1 << place for place, item in enumerate(common)}
    return [(sum(bits.get(item, 0) for item in items), len(items)) for items in sets]


def _shared(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Divide what two sets share by all that they hold; 1 where both hold nothing."""
    both = (first[0] & second[0]).bit_count()
    together = first[1] + second[1] - both
    return both / together if together else 1.0


def clawmem_features(text: str) -> frozenset[str]:
    """Return the words over three letters and the pairs of neighbouring words, as they are seen."""
    row = re.findall(r"[a-z0-9_]+", text.lower())
    return frozenset((*(word for word in row if len(word) > 3), *map(" ".join, pairwise(row))))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Divide what two sets share by all that they hold; 0 where both hold nothing."""
    both = len(first & second)
    together = len(first) + len(second) - both
    return both / together if together else 0.0


def second_brain(pool: Pool, request: Request) -> Selection:
    """Fetch, keep the best of each parent, then MMR at 0.7; no vector resembles nothing.

    The fetch is min(3k, 50), and 50 where the best raw cosine is below 0.85. The best of each
    parent are found within what is fetched. What is chosen is handed out by score.
    """
    k = 5 if request.k is None else request.k
    best = float(_cosines(pool, request.seen(pool)).max(initial=-1.0))
    weak = best < GATE - TOLERANCE
    policy = request.policy(
        "mmr",
        k,
        lambda_=0.7,
        depth=50 if weak else min(3 * k, 50),
        clip_negative=True,
        missing_vector=MissingVector.NO_REDUNDANCY,
        relevance=Relevance.SCORE,
        scaling=Scaling.DIVIDE_BY_MAX,
        order=Order.SCORE,
    )
    run = ByHand(pool, policy, _by_the_best)
    parents = pool.column(field_of(pool, "parent", request) or "source")
    seen: set[str | None] = set()
    later = []
    for index in run.task.order.tolist():
        if parents[index] is not None and parents[index] in seen:
            later.append(index)
        seen.add(parents[index])
    run.leave_out(np.array(later, dtype=np.intp), Cause.CAP_REACHED, 1)
    by_mmr(run)
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
    run = ByHand(pool, policy)
    by_marginal(run, partial(_shared_words, pool), measure="Jaccard of words")
    return run.finish()


def _shared_words(pool: Pool, index: int) -> Floats:
    """Return the Jaccard index of every passage's words with one's; shape ``(n,)``."""
    sets = once(
        pool,
        "words",
        lambda: [frozenset(re.findall(r"[^\W_]+", text.lower())) for text in pool.texts],
    )
    rows: dict[int, Floats] = once(pool, "shared words", dict)
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
    run = ByHand(pool, policy)
    gates = once(pool, "sonder gates", lambda: _sonder_gates(pool))
    low = np.flatnonzero(run.task.used.values < gates - TOLERANCE)
    low = low[run.task.eligible[low]]
    run.leave_out(low, Cause.BELOW_GATE, gates[low])
    by_marginal(run, similarities(pool).row)
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
    alike = mean >= GATE - TOLERANCE
    shut = policy.changed(selector="top_k", relevance=Relevance.RANK, scaling=None)
    run = ByHand(pool, policy, _by_the_best) if alike else ByHand(pool, shut)
    by_mmr(run)
    state = "open, MMR at 0.9 reorders them" if alike else "shut, they stay as they are"
    met = "no pair" if np.isnan(mean) else f"mean pairwise cosine {mean:.2f}"
    return run.finish([f"The gate is {state}: {met} among the first {k}, where 0.85 opens it."])


def _by_the_best(task: Task) -> Used:
    """Divide the scores by the best of those that a system is given, where that is above 0."""
    values = task.used.values
    best = float(values[: task.depth].max(initial=0.0))
    weighed = values / best if best > 0.0 else values.copy()
    return replace(task.used, weighed=geometry.read_only(weighed))


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

    def by_the_first(task: Task) -> Used:
        used = task.used
        first = float(used.values[0]) if len(used.values) else 0.0
        weighed = used.values / first if first > 0.0 else used.values.copy()
        return replace(used, weighed=geometry.read_only(weighed), name=f"{used.name}, by the first")

    run = ByHand(pool, policy.changed(k=max(policy.k, 1)), by_the_first)
    by_mmr(run)
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
    run = ByHand(pool, policy)
    priorities = [_priority(value) for value in pool.column(field or "source")]
    total = sum(int(pool.tokens[i]) for i in (*run.task.order, *run.draft.picks))
    shed: list[int] = []
    for index in sorted(run.task.order.tolist(), key=lambda i: (-priorities[i], i)):
        if total <= limit or priorities[index] == 0.0:
            break
        shed.append(index)
        total -= int(pool.tokens[index])
    run.leave_out(np.array(shed, dtype=np.intp), Cause.SHED, limit)
    run.draft.fill(run.task.order.tolist(), Rule.PRIORITY)
    over = f"{counted(total, 'token')}, more than the {limit:,}: what is left has priority 0."
    return run.finish([over] if total > limit else ())


def _priority(value: str | None) -> float:
    try:
        number = 0.0 if value is None else float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise PolicyError(
            f"The priority of a block is “{value}”.", "Give a number from 0; 0 is never dropped."
        )
    return max(number, 0.0)


def _cosines(pool: Pool, count: int) -> Floats:
    """Return the cosines to the question of those among the first candidates with a vector."""
    if pool.vectors is None or pool.query_vector is None:
        return np.empty(0)
    return geometry.cosines(pool.vectors[:count], pool.query_vector)[pool.vector_mask[:count]]
