"""What does not fit a setting: too much difference, unlike scales, vectors missing."""

from poolscope import selection as selectors
from poolscope.counts import agreed, counted
from poolscope.diagnosis import steps
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.say import facets_missed, passages, score
from poolscope.model import CAUSES, Cause, Relevance, Scaling

TOO_DEAR = 0.5
"""Relevance given away, in pool spreads, from which picks are no better than the pool's rest."""

DEAR = 0.3
"""The same where facets say that nothing was bought."""

NO_BETTER = 0.75
"""How far, on the way down to the pool's rest, what entered lies below what gave way."""

HEADROOM = 0.25
"""Least height above the pool's rest, in its spreads, of what gave way."""

LOST = 0.02
"""The same where facets say that coverage fell."""

MISSING = 0.1
"""Share of the candidates within reach without a vector that is worth a word."""


def starved(facts: Facts) -> Finding | None:
    """Find slots that stayed empty because nothing fitted the token budget."""
    selection, budget = facts.selection, facts.policy.budget
    blocked = int((selection.causes == CAUSES.index(Cause.OVER_BUDGET)).sum())
    if budget is None or not selection.empty_slots or not blocked:
        return None
    filled, k = len(selection), facts.policy.k
    plain = selectors.select(facts.pool, facts.policy.changed(selector="top_k", budget=None))
    least = int(facts.pool.tokens[plain.indices].sum())
    return Finding(
        Kind.STARVED,
        f"Token budget too small. {filled} of {counted(k, 'slot')} "
        f"{'is' if filled == 1 else 'are'} filled: "
        f"{passages(blocked)} did not fit into {budget:,} tokens.",
        (f"Plain top-{len(plain)} takes {least:,} tokens.", *facets_missed(facts)),
        "Raise the token budget, lower k, or cut the documents into shorter passages.",
        is_alarm=True,
    )


def scales_clash(facts: Facts) -> Finding | None:
    """Find a rule that weighs a score on one scale against cosines on another."""
    if not facts.selection.reads_similarity or not _is_unmapped(facts):
        return None
    return _scale(facts, is_alarm=True)


def scales_differ(facts: Facts) -> Finding | None:
    """Find scores that MMR cannot weigh as they are, where it is not, or no longer, in use."""
    is_mapped = facts.selection.reads_similarity and _is_off_scale(facts)
    if not (is_mapped or _is_unmapped(facts)):
        return None
    return _scale(facts, is_alarm=False)


def _scale(facts: Facts, *, is_alarm: bool) -> Finding:
    pool = facts.pool
    kind = "score" if pool.score_kind is None else pool.score_kind.name
    values = facts.standing.relevances[facts.standing.reach]
    mapping = selectors.scaling_of(pool, facts.policy)
    mapped = "as it is" if mapping is Scaling.NONE else f"mapped by {mapping.value}"
    return Finding(
        Kind.SCALE,
        f"Scores on another scale. The {kind} runs from {score(values[-1])} to "
        f"{score(values[0])}, similarities from -1 to 1: MMR would weigh unlike things.",
        (f"The score is weighed {mapped}, so lambda means something else for every question.",),
        "Map the score (min-max, or sigmoid for reranker logits), or take the cosine as relevance.",
        is_alarm=is_alarm,
    )


def _is_unmapped(facts: Facts) -> bool:
    return _is_off_scale(facts) and selectors.scaling_of(facts.pool, facts.policy) is Scaling.NONE


def _is_off_scale(facts: Facts) -> bool:
    pool = facts.pool
    if facts.policy.arm_cap is not None:  # then the fused score is weighed, and not this one
        return False
    if pool.vectors is None or pool.score_kind is None or not len(facts.standing.reach):
        return False
    reads = facts.policy.relevance or selectors.available(pool)[0]
    return reads is Relevance.SCORE and not pool.score_kind.is_cosine


def over_diversified(facts: Facts) -> Finding | None:
    """Find picks far below what plain top-k would take, with nothing bought for it."""
    plain = facts.plain
    if set(facts.picks) == set(plain.picks) or len(facts.picks) < len(plain.picks):
        return None
    cost = facts.standing.cost(facts.picks)
    if cost < _too_dear(facts, plain) and not _fell_to_the_rest(facts, plain):
        return None
    out = sorted(set(plain.picks) - set(facts.picks))
    before, after = facts.standing.mean(plain.picks), facts.standing.mean(facts.picks)
    evidence = [
        f"{passages(len(out))} of plain top-{len(plain.picks)} gave way, rank {out[0] + 1} first.",
        f"That is {cost:.0%} of the way from the best down to the lower half of the pool.",
    ]
    if facts.coverage is not None and plain.coverage is not None:
        evidence.append(
            f"It covers {facts.coverage.covered} of "
            f"{counted(facts.coverage.total, 'facet')}, plain top-k "
            f"{plain.coverage.covered}."
        )
    return Finding(
        Kind.OVER_DIVERSIFIED,
        f"Over-diversified. The mean relevance of the picks is {after:.3g}, that of plain top-k "
        f"{before:.3g}: different passages, but hardly about the question.",
        tuple(evidence),
        "Go back to plain top-k, or raise lambda (or the cap) until only repetitions give way.",
        is_alarm=True,
        step=steps.step(facts, plain.policy),
    )


def _fell_to_the_rest(facts: Facts, plain: Facts) -> bool:
    """Say whether half of the slots went to what is no better than the pool's rest."""
    came = sorted(set(facts.picks) - set(plain.picks))
    if facts.coverage is not None or 2 * len(came) < len(facts.picks):
        return False
    standing = facts.standing
    rest = standing.mean(standing.reach[len(standing.reach) // 2 :])
    gave_way = standing.mean(sorted(set(plain.picks) - set(facts.picks)))
    if gave_way - rest < HEADROOM * standing.spread:
        return False
    return gave_way - standing.mean(came) >= NO_BETTER * (gave_way - rest)


def _too_dear(facts: Facts, plain: Facts) -> float:
    if facts.coverage is None or plain.coverage is None:
        return TOO_DEAR
    gained = facts.coverage.covered - plain.coverage.covered
    if gained > 0:
        return float("inf")
    return LOST if gained < 0 else DEAR


def vectors_left_out(facts: Facts) -> Finding | None:
    """Find candidates that the rule never looked at because they have no vector."""
    code = CAUSES.index(Cause.NO_VECTOR)
    left = int((facts.selection.causes == code).sum())
    if left < max(1.0, MISSING * facts.depth):
        return None
    return _missing(
        facts, left, f"{passages(left)} of {facts.depth} were never looked at", is_alarm=True
    )


def vectors_missing(facts: Facts) -> Finding | None:
    """Find pools whose passages cannot be compared, where that could hide something."""
    if facts.depth == 0:
        return None
    missing = int((~facts.pool.vector_mask[: facts.depth]).sum())
    if facts.pool.vectors is None or missing == facts.depth:
        if facts.is_covered_at_best or len(facts.picks) < 2:
            return None
        return _missing(facts, facts.depth, "None of the passages has one", is_alarm=False)
    if (
        missing < max(1.0, MISSING * facts.depth)
        and facts.pool.vector_mask[list(facts.picks)].all()
    ):
        return None
    return _missing(
        facts, missing, f"{missing} of {passages(facts.depth)} have none", is_alarm=False
    )


def _missing(facts: Facts, count: int, what: str, *, is_alarm: bool) -> Finding:
    picked = int((~facts.pool.vector_mask[list(facts.picks)]).sum())
    return Finding(
        Kind.NO_VECTORS,
        f"Vectors missing. {what}, so whether passages say the same is not known"
        f"{'' if count == facts.depth else ' for these'}.",
        (
            f"{picked} of {counted(len(facts.picks), 'pick')} "
            f"{agreed(picked, 'has', 'have')} no vector.",
        ),
        "Embed the passages that lack a vector; caps and plain top-k work without.",
        is_alarm=is_alarm,
    )
