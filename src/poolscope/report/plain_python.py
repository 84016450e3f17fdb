"""A setting as one Python function without dependencies, which makes the very same selection.

The code is put together from parts, so that it holds only what the setting needs.
"""

from collections.abc import Iterator

from poolscope import selection
from poolscope.counts import counted
from poolscope.geometry import TOLERANCE
from poolscope.model import (
    MissingKey,
    MissingVector,
    OnBudget,
    Order,
    Policy,
    Pool,
    Relevance,
    Scaling,
)
from poolscope.report.base import Dialect, Status, Written, key_of, left_aside, other_key, refused
from poolscope.report.literals import python_text
from poolscope.selection.relevance import available

CONVERSIONS = {
    "as loaded": "{}",
    "1 - distance": "1 - {}",
    "1 - distance² / 2": "1 - {} ** 2 / 2",
    "1 - distance / 2": "1 - {} / 2",
    "-distance": "-{}",
}
"""How a pool's score follows from the raw one, in words, and the same as Python."""

CARRIED = (
    "overrides",
    "backfill",
    "clip_negative",
    "missing_vector",
    "missing_key",
    "budget",
    "on_budget",
    "first_item_always",
    "order",
    "pinned",
    "banned",
)
SAME = "It makes the same selection as here, ties included."


def write(pool: Pool, policy: Policy) -> Written:
    """Write a policy as a module with one public function, ``select``."""
    rule = selection.named(policy.selector)
    if policy.selector not in _WALKS:
        return refused(f"The rule “{rule.label}” is not written as plain Python.")
    aside = left_aside(policy, *CARRIED)
    lines = [
        f'"""{rule.label}: {counted(policy.k, "candidate")} for the context."""',
        "",
        *_imports(pool, policy),
        "",
        *_settings(pool, policy),
        "",
        "",
        *_select(pool, policy),
        *_functions(pool, policy),
    ]
    differs = (*(aside or (SAME,)), *other_key(pool, policy))
    return Written("\n".join(lines) + "\n", differs)


def _kind(pool: Pool, policy: Policy) -> Relevance:
    return policy.relevance or available(pool)[0]


def _is_mmr(policy: Policy) -> bool:
    return selection.named(policy.selector).reads_similarity


def _is_capped(policy: Policy) -> bool:
    return selection.named(policy.selector).reads_key


def _reads_vectors(pool: Pool, policy: Policy) -> bool:
    return _is_mmr(policy) or _kind(pool, policy) is Relevance.COSINE


def _imports(pool: Pool, policy: Policy) -> Iterator[str]:
    if _is_mmr(policy):
        yield "import functools"
    scaled = _is_mmr(policy) and selection.scaling_of(pool, policy) is Scaling.SIGMOID
    reads_inf = policy.order in {Order.SCORE, Order.DOCUMENT}
    if _reads_vectors(pool, policy) or scaled or reads_inf:
        yield "import math"
    if _is_capped(policy):
        yield "from collections import Counter"


def _settings(pool: Pool, policy: Policy) -> Iterator[str]:
    yield f"K = {policy.k}"
    if policy.depth is not None:
        yield f"DEPTH = {policy.depth}"
    if _is_mmr(policy):
        yield f"LAMBDA = {policy.lambda_!r}"
    if _is_capped(policy):
        yield f"KEY = {python_text(key_of(pool, policy))}"
        yield f"CAP = {policy.cap}"
        if policy.overrides:
            each = (f"{python_text(value)}: {cap}" for value, cap in policy.overrides)
            yield f"CAPS = {{{', '.join(each)}}}"
    if policy.budget is not None:
        yield f"BUDGET = {policy.budget}"
    for name, ids in (("PINNED", policy.pinned), ("BANNED", policy.banned)):
        if ids:
            yield f"{name} = {{{', '.join(map(python_text, ids))}}}"
    if policy.order is Order.DOCUMENT:
        yield f"SOURCE = {python_text(pool.source_field)}"


def _select(pool: Pool, policy: Policy) -> Iterator[str]:
    asks = _kind(pool, policy) is Relevance.COSINE
    yield f"def select(candidates{', question_vector' if asks else ''}):"
    yield '    """Return the chosen candidates.'
    yield ""
    yield "    Args:"
    yield "        candidates: Dicts in the order of retrieval, with"
    yield from (f"            {part}" for part in _parts(pool, policy))
    if asks:
        yield "        question_vector: The question's vector."
    yield '    """'
    body = (
        *_relevance(pool, policy),
        *_waiting(policy),
        *_admission(policy),
        *_WALKS[policy.selector](pool, policy),
        *_returned(policy),
    )
    yield from (f"    {line}" if line else "" for line in body)


def _parts(pool: Pool, policy: Policy) -> Iterator[str]:
    if _kind(pool, policy) is Relevance.SCORE:
        conversion = "as loaded" if pool.score_kind is None else pool.score_kind.conversion
        known = conversion in CONVERSIONS
        yield f'"score": {"as the system gave it" if known else "higher is better"}'
    if _reads_vectors(pool, policy):
        yield '"vector": a list of numbers, or None'
    if _is_capped(policy):
        yield "KEY: what the cap counts by, or None"
    if policy.budget is not None:
        yield '"tokens": how long it is'
    if policy.pinned or policy.banned:
        yield '"id": its id'
    if policy.order is Order.DOCUMENT:
        yield 'SOURCE: its document, and "position": its place in it, or None'
    if _kind(pool, policy) is Relevance.RANK and not (_is_mmr(policy) or _is_capped(policy)):
        yield "anything: only their order is read"


def _relevance(pool: Pool, policy: Policy) -> Iterator[str]:
    if _reads_vectors(pool, policy):
        yield 'units = [unit(c.get("vector")) for c in candidates]'
    kind = _kind(pool, policy)
    if kind is Relevance.COSINE:
        yield "question = unit(question_vector)"
        yield "cosines = {i: cosine(u, question) for i, u in enumerate(units) if u is not None}"
        yield "relevance = settled(cosines, least=1.0)"
    elif kind is Relevance.SCORE:
        conversion = "as loaded" if pool.score_kind is None else pool.score_kind.conversion
        score = CONVERSIONS.get(conversion, "{}").format('c["score"]')
        yield f"relevance = settled({{i: {score} for i, c in enumerate(candidates)}})"
    else:
        yield "relevance = {i: 1 - i / len(candidates) for i in range(len(candidates))}"
    if _is_mmr(policy):
        yield from _weighed(selection.scaling_of(pool, policy))


def _weighed(scaling: Scaling) -> Iterator[str]:
    if scaling is Scaling.MIN_MAX:
        # Halved, as in the selection itself: the span of huge scores stays finite.
        yield "low, high = (f(relevance.values(), default=0.0) / 2 for f in (min, max))"
        yield "span = high - low"
        yield "weighed = {i: (v / 2 - low) / span if span else 1.0 for i, v in relevance.items()}"
    elif scaling is Scaling.DIVIDE_BY_MAX:
        yield "high = max(relevance.values(), default=0.0)"
        yield "weighed = {i: v / high if high > 0 else v for i, v in relevance.items()}"
    elif scaling is Scaling.SIGMOID:
        yield "weighed = {i: 0.5 * (1 + math.tanh(v / 2)) for i, v in relevance.items()}"


def _waiting(policy: Policy) -> Iterator[str]:
    conditions = []
    if policy.depth is not None:
        conditions.append("i < DEPTH")
    if _is_mmr(policy) and policy.missing_vector is MissingVector.LEAVE_OUT:
        conditions.append("units[i] is not None")
    if _is_capped(policy) and policy.missing_key is MissingKey.REJECT:
        conditions.append("candidates[i].get(KEY) is not None")
    marked = " | ".join(
        name for name, ids in (("PINNED", policy.pinned), ("BANNED", policy.banned)) if ids
    )
    if marked:
        conditions.append(f'candidates[i]["id"] not in {marked}')
    yield "waiting = sorted(relevance, key=lambda i: (-relevance[i], i))"
    for condition in conditions:
        yield f"waiting = [i for i in waiting if {condition}]"


def _admission(policy: Policy) -> Iterator[str]:
    capped, budget = _is_capped(policy), policy.budget is not None
    yield f"chosen, room{', left' if budget else ''} = [], K{', BUDGET' if budget else ''}"
    if capped:
        yield "taken = Counter()"
    yield ""
    if capped:
        yield from _groups(policy)
    yield "def admit(i):"
    yield f"    nonlocal room{', left' if budget else ''}"
    yield "    if room == 0:"
    yield "        return"
    if budget:
        always = "chosen and " if policy.first_item_always else ""
        yield f'    if {always}candidates[i]["tokens"] > left:'
        if policy.on_budget is OnBudget.STOP:
            yield "        room = 0"
        yield "        return"
        yield '    left -= candidates[i]["tokens"]'
    yield "    room -= 1"
    if capped:
        yield "    taken[group(i)] += 1"
    yield "    chosen.append(i)"
    yield ""
    if policy.pinned:
        yield "for i, candidate in enumerate(candidates):"
        yield '    if candidate["id"] in PINNED:'
        yield "        admit(i)"


def _groups(policy: Policy) -> Iterator[str]:
    yield "def group(i):"
    if policy.missing_key is MissingKey.ALONE:
        yield "    value = candidates[i].get(KEY)"
        yield "    return (i,) if value is None else value  # without a key: each alone"
    else:
        yield "    return candidates[i].get(KEY)"
    yield ""
    yield "def has_room(i):"
    cap = "CAPS.get(group(i), CAP)" if policy.overrides else "CAP"
    yield f"    return taken[group(i)] < {cap}"
    yield ""


def _top_k(_: Pool, __: Policy) -> Iterator[str]:
    yield "for i in waiting:"
    yield "    admit(i)"


def _two_pass(_: Pool, policy: Policy) -> Iterator[str]:
    yield "later, over = [], []"
    yield "for i in waiting:  # the best of each"
    yield "    if taken[group(i)]:"
    yield "        later.append(i)"
    yield "    else:"
    yield "        admit(i)"
    yield "for i in later:  # then depth under the cap"
    yield "    if has_room(i):"
    yield "        admit(i)"
    yield "    else:"
    yield "        over.append(i)"
    if policy.backfill:
        yield "for i in over:  # slots that would stay empty"
        yield "    admit(i)"


def _grouped(_: Pool, __: Policy) -> Iterator[str]:
    yield "for i in waiting:"
    yield "    if has_room(i):"
    yield "        admit(i)"


def _mmr(pool: Pool, policy: Policy) -> Iterator[str]:
    weighed = "relevance" if selection.scaling_of(pool, policy) is Scaling.NONE else "weighed"
    yield from () if not policy.pinned else ("",)
    yield "@functools.cache"
    yield "def likeness(i, j):"
    likeness = "cosine(units[i], units[j])"
    if policy.clip_negative:
        likeness = f"max(0.0, {likeness})"
    if policy.missing_vector is MissingVector.NO_REDUNDANCY or policy.pinned:
        yield "    if units[i] is None or units[j] is None:"
        yield "        return 0.0"
    yield f"    return {likeness}"
    yield ""
    yield "def score(i):"
    yield "    nearest = max(likeness(i, j) for j in chosen)"
    yield f"    return LAMBDA * {weighed}[i] - (1 - LAMBDA) * nearest"
    yield ""
    yield "while waiting and room:"
    yield "    i = waiting[0]  # the first pick is the most relevant"
    if policy.lambda_ < 1.0:
        yield "    if chosen:"
        yield "        scores = {i: score(i) for i in sorted(waiting)}"
        yield "        top = max(scores, key=scores.get)"
        yield f"        slack = {TOLERANCE!r} * (abs(LAMBDA * {weighed}[top]) + 1 - LAMBDA)"
        yield "        i = next(i for i in scores if scores[i] >= scores[top] - slack)"
    yield "    waiting.remove(i)"
    yield "    admit(i)"


def _mmr_cap(pool: Pool, policy: Policy) -> Iterator[str]:
    if policy.pinned:
        yield "waiting = [i for i in waiting if has_room(i)]"
    yield from _mmr(pool, policy)
    yield "    waiting = [i for i in waiting if has_room(i)]"


_WALKS = {
    "top_k": _top_k,
    "two_pass_cap": _two_pass,
    "grouped_cap": _grouped,
    "mmr": _mmr,
    "mmr_cap": _mmr_cap,
}


def _returned(policy: Policy) -> Iterator[str]:
    yield ""
    if policy.order is Order.SCORE:
        yield "chosen.sort(key=lambda i: (-relevance.get(i, -math.inf), i))"
    elif policy.order is Order.DOCUMENT:
        yield "def place(i):"
        yield '    position = candidates[i].get("position")'
        yield "    within = math.inf if position is None else position"
        yield '    return (candidates[i].get(SOURCE) or "", within, i)'
        yield ""
        yield "chosen.sort(key=place)"
    elif policy.order is Order.RANK:
        yield "chosen.sort()"
    yield "return [candidates[i] for i in chosen]"


def _functions(pool: Pool, policy: Policy) -> Iterator[str]:
    if _kind(pool, policy) is not Relevance.RANK:
        yield from _SETTLED
    if _reads_vectors(pool, policy):
        yield from _VECTORS


_SETTLED = f'''

def settled(values, least=0.0):
    """Make values that differ by rounding alone equal, so that the better rank wins."""
    result, last = {{}}, None
    for i in sorted(values, key=lambda i: -values[i]):
        value = values[i]
        if last is None or last - value > {TOLERANCE!r} * max(abs(last), abs(value), least):
            top = value
        result[i], last = top, value
    return result'''.splitlines()

_VECTORS = '''

def unit(vector):
    """Scale a vector to length 1; a zero vector stays zero, and None stays None."""
    if vector is None:
        return None
    length = math.hypot(*vector) or 1.0
    return [x / length for x in vector]


def cosine(a, b):
    """Cosine of two vectors of length 1."""
    return sum(x * y for x, y in zip(a, b, strict=True))'''.splitlines()

PLAIN_PYTHON = Dialect(
    system="Plain Python",
    language="python",
    status=Status.LIBRARY,
    checked_with="Python 3.11",
    written="one function without dependencies, for top-k, the two caps, MMR and MMR with a cap",
    write=write,
)
