"""Healthy, as far as it was measured: what was looked at, and what could not be.

What a pool lacks (vectors, scores, sources, texts) bounds what may be claimed of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from poolscope.counts import agreed, counted
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.say import facets_missed, passages, slots, sources

LEAST_CROWDED = 3
"""Fewest slots that one source or one meaning can crowd."""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Something that could not be judged.

    Args:
        what: What, as a clause.
        needs: What a pool would need for it.
    """

    what: str
    needs: str


def healthy(facts: Facts) -> Finding:
    """Say that nothing should be changed, what that rests on, and what it says nothing about."""
    coverage = facts.coverage
    unjudged: tuple[Unjudged, ...] = ()
    if coverage is not None and coverage.is_best:
        why = (
            f"{_spread(facts)} cover {coverage.covered} of "
            f"{counted(coverage.total, 'facet')}, as many as any could"
        )
    elif coverage is not None:
        tried = "cap or lambda" if facts.pool.vectors is not None else "cap"
        why = f"{_spread(facts)}, and no {tried} that was tried covers more at a fair price"
    else:
        unjudged = tuple(_unjudged(facts))
        clauses = (f"{_spread(facts)}{_judged(facts, unjudged)}", *(u.what for u in unjudged))
        why = "; ".join(clauses)
    return Finding(
        Kind.HEALTHY,
        f"Healthy. {why[0].upper()}{why[1:]}.",
        facets_missed(facts),
        _remedy(facts, unjudged),
        is_alarm=False,
    )


def _remedy(facts: Facts, unjudged: tuple[Unjudged, ...]) -> str:
    if unjudged:
        needed = " and ".join(dict.fromkeys(u.needs for u in unjudged))
        return f"Leave it as far as that tells; {needed}, or marked facets, would tell the rest."
    if facts.policy.selector == "top_k":
        return "Leave it: plain relevance serves this question."
    return "Leave it."


def _spread(facts: Facts) -> str:
    held = slots(len(facts.picks))
    if _has_no_source(facts):
        return f"{held} without a source"
    return f"{held} from {sources(len(facts.shares.slots))}"


def _judged(facts: Facts, unjudged: tuple[Unjudged, ...]) -> str:
    """Say what was looked for and not found."""
    if len(facts.standing.reach) <= len(facts.picks):
        return f", and the depth of {facts.depth} leaves nothing else to choose"
    if len(facts.picks) < LEAST_CROWDED:
        return f", too few to be crowded: {slots(LEAST_CROWDED)} or more could be"
    if facts.likeness.has_vectors and facts.standing.knows_relevance:
        having = " that has a vector" if unjudged else ""
        return f", and nothing left out{having} is both as relevant and different"
    measured = []
    if not _has_no_source(facts):
        measured.append("no source crowds out others that are as relevant")
    if _has_text(facts):
        measured.append("no slot's worth of text stands there twice")
    return f": {', '.join(measured)}" if measured else ""


def _unjudged(facts: Facts) -> Iterator[Unjudged]:
    """Yield what could not be judged of slots that could be crowded."""
    if len(facts.picks) < 2 or len(facts.standing.reach) <= len(facts.picks):
        return
    if not facts.likeness.has_vectors:
        yield Unjudged("whether passages say the same is not known without vectors", "vectors")
    elif len(facts.picks) >= LEAST_CROWDED and not facts.standing.knows_relevance:
        yield Unjudged(
            "whether something else is as relevant is not known from the order alone", "scores"
        )
    else:
        compared = (*facts.picks, *facts.standing.near)
        without = sum(not facts.pool.vector_mask[i] for i in compared)
        if without:
            yield Unjudged(
                f"{passages(without)} without one {agreed(without, 'was', 'were')} not compared",
                "vectors for all",
            )
    if _has_no_source(facts):
        yield Unjudged("whether one document fills the slots is not known", "a source field")


def _has_no_source(facts: Facts) -> bool:
    labels = facts.pool.column(facts.shares.key)
    return all(labels[i] is None for i in facts.picks)


def _has_text(facts: Facts) -> bool:
    return any(words.row for words in facts.repetition.words)
