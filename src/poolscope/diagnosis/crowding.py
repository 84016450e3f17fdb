"""Crowding: slots that repeat what another slot already brings.

Where facets are annotated they decide: a selection that covers all that any could is not crowded.
Without them crowding needs an alternative: other sources, or passages that mean something else,
hardly less relevant than the picks.
"""

import numpy as np

from poolscope.diagnosis import steps
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.meaning import Grouping
from poolscope.diagnosis.say import facets_missed, passages, score, slots, sources
from poolscope.diagnosis.standing import CLOSE
from poolscope.diagnosis.steps import Found
from poolscope.measures.redundancy import CROWDING_ALARM

MOST_SLOTS = 0.6
"""Share of the slots from which one source, or one meaning, fills the context."""

NEARLY_ALL = 0.8
"""The same where facets are not known, and a majority may be chance."""

MANY = 6
"""Slots of one source from which a majority is no chance."""

HALF = 0.5
"""Share of the slots in which chunks share text with another."""

REPEATED = 0.15
"""Share of the context that stands in it a second time from which the overlap is worth a word."""

AT_ONCE = 0.12
"""Loss, in pool spreads, up to which another source is as good as the last pick."""

FALL = 0.75
"""Fall to the next source, in ranges of the picks, from which the others have less to say."""

MOSTLY = 0.67
"""Share of the facets within reach from which a selection is not called crowded by a hint."""

ALIKE = 1.5
"""Separation, in standard deviations of similarity, from which one source's passages are alike."""

CLEAR = 2.0
"""Separation of two meanings that is clear, the question's own part taken out."""

CLEAR_RAW = 3.0
"""The same where it cannot be taken out: a fall in relevance parts passages too."""

PLAIN = 4.5
"""Separation so plain that the other meaning may lie further below."""

STRONG = 5.0
"""Separation from which a step is suggested that no facet has measured."""

BELOW = 0.2
"""Loss, in pool spreads, up to which a clear other meaning is an alternative."""

CONTRAST = 0.25
"""Contrast of two meanings that is more than a shade."""

SHADE = 0.1
"""The same for one source, and where facets say that something is missed."""

HINT = 0.8
"""Separation that is enough where facets say that something is missed."""

CHEAP = 0.15
"""Most relevance, in pool spreads, that an unmeasured step may give away."""

CHEAP_CAP = 0.06
"""The same for a cap, which looks at labels only."""


def copies(facts: Facts) -> Finding | None:
    """Find picks that repeat an earlier pick word by word, or almost."""
    met = facts.repetition.copies
    k = len(facts.picks)
    exact_only = facts.is_covered_at_best
    wasted = met.exact if exact_only else met.wasted
    if met.first is None or wasted < max(1.0, k / 8.0):
        return None
    first, second = met.first
    by_words = f"{met.exact} of them word by word" if met.exact else "none of them word by word"
    sentence = (
        f"Exact or near copies. {wasted} of {slots(k)} repeat{'s' * (wasted == 1)} an earlier "
        f"passage, {by_words}: ranks {first + 1} and {second + 1} are the first pair."
    )
    found = _measured_step(facts, relieved=lambda after: not after.repetition.copies.wasted)
    return Finding(
        Kind.COPIES,
        sentence,
        (*facets_missed(facts), *_similarity(facts)),
        "Remove copies before selecting, best at index time; the slots then go to other passages.",
        is_alarm=not exact_only,
        step=None if found is None else found.step,
    )


def overlapping(facts: Facts) -> Finding | None:
    """Find chunks of one document that share text, in most of the slots."""
    met = facts.repetition.overlaps
    if facts.is_covered_at_best or not _is_overlapping(facts):
        return None
    mean = sum(met.shares) / len(met.shares)
    source = facts.shares.name(int(facts.shares.groups[met.pairs[0][0]]))
    found = _measured_step(facts, relieved=_is_hardly_overlapping)
    return Finding(
        Kind.OVERLAP,
        f"Overlapping chunks. {met.involved} of {slots(len(facts.picks))} share text with another "
        f"one of {source}: {len(met.pairs)} pairs, {mean:.0%} of the shorter chunk on average.",
        (*facets_missed(facts), *_similarity(facts)),
        "Cut the documents with less overlap (10 to 15 %), or merge neighbours before selecting; "
        "until then cap the slots of a source.",
        is_alarm=True,
        step=None if found is None else found.step,
    )


def one_source(facts: Facts) -> Finding | None:
    """Find one source in most of the slots while others are hardly less relevant."""
    if facts.is_covered_at_best or not is_dominated(facts, MOST_SLOTS):
        return None
    known = facts.coverage is not None
    found = steps.raising(facts, steps.caps(facts)) if known else None
    if found is None and (known or not _other_sources_are_close(facts)):
        return None
    if found is None:
        found = _unmeasured_cap(facts)
    group, most = facts.shares.slots[0]
    others = [i for i in facts.shares.left_out_groups if facts.standing.losses[i] <= CLOSE]
    evidence = [*facets_missed(facts), *_no_vectors_needed(facts)]
    if known and facts.likeness.has_vectors and found is not None:
        evidence.append(_similarity_instead(facts, found))
    return Finding(
        Kind.ONE_SOURCE,
        f"Crowded by one source. {most} of {slots(len(facts.picks))} come from "
        f"{facts.shares.name(group)}; {_close_by(facts, others)}.",
        tuple(evidence),
        "Cap the slots of one source, and keep the cap only where coverage gains by it."
        if found is None
        else f"Try {_lower(found.step.words)}, and compare the answers.",
        is_alarm=True,
        step=None if found is None else found.step,
    )


def meaning(facts: Facts) -> Finding | None:
    """Find one meaning in most of the slots, across sources, while another is as relevant."""
    if facts.is_covered_at_best or facts.meaning is None:
        return None
    known = facts.coverage is not None
    if is_dominated(facts, NEARLY_ALL) and (not known or steps.raising(facts, steps.caps(facts))):
        return None
    found = steps.raising(facts, steps.lambdas(facts)) if known else None
    by_facets = _misses_the_other(facts) or (found is not None and _may_be_one_meaning(facts))
    if not (by_facets or _is_one_meaning(facts)):
        return None
    if not known and facts.meaning.separation >= STRONG:
        found = steps.relieving(
            facts,
            steps.mild_lambdas(facts),
            lambda after: not _is_one_meaning(after),
            dearest=CHEAP,
        )
    group = facts.meaning
    first = min(group.others)
    count = len({int(facts.shares.groups[i]) for i in group.alike})
    return Finding(
        Kind.MEANING,
        f"Crowded by meaning. {len(group.alike)} of {slots(len(facts.picks))} say much the same, "
        f"from {sources(count)}; {passages(len(group.others))} of other meaning "
        f"{'are' if len(group.others) > 1 else 'is'} hardly less relevant, the first at rank "
        f"{first + 1}.",
        (
            _within_and_across(facts, group),
            _cap_will_not_help(facts),
            *facets_missed(facts),
            *_interval(facts, found),
            *_similarity(facts),
        ),
        _meaning_remedy(found),
        is_alarm=True,
        step=None if found is None else found.step,
    )


def is_dominated(facts: Facts, share: float) -> bool:
    """Say whether one source fills a share of the slots, three at least."""
    return (
        facts.shares.largest >= max(3.0, share * len(facts.picks) - 1e-9)
        and facts.shares.group_count > 1
    )


def has_fallen(facts: Facts) -> bool:
    """Say whether relevance falls off where the other sources begin."""
    best = facts.shares.left_out_groups
    if not best:
        return True
    loss = float(facts.standing.losses[best[0]])
    if loss <= AT_ONCE:
        return False
    if loss > CLOSE:
        return True
    return facts.standing.falls_to(best[0]) > FALL


def _other_sources_are_close(facts: Facts) -> bool:
    """Say whether sources without a slot are close enough to have been crowded out."""
    if not facts.shares.left_out_groups or has_fallen(facts):
        return False
    # A bare majority of a few slots from one source may be chance.
    is_many = facts.shares.largest >= MANY and is_dominated(facts, MOST_SLOTS)
    if not is_many and not is_dominated(facts, NEARLY_ALL):
        return False
    return facts.shares.largest == len(facts.picks) or _is_alike(facts)


def _is_alike(facts: Facts) -> bool:
    """Say whether the picks of the commonest source are alike, as far as vectors can tell."""
    group = facts.meaning
    return not facts.likeness.has_vectors or (
        group is not None and group.separation >= ALIKE and group.contrast >= SHADE
    )


def _is_one_meaning(facts: Facts) -> bool:
    group = facts.meaning
    if group is None or len(group.alike) < NEARLY_ALL * len(facts.picks) - 1e-9:
        return False
    if not (_is_clear(group) and facts.standing.knows_relevance):
        return False
    nearest = min(group.others, key=lambda i: float(facts.standing.losses[i]))
    if float(facts.standing.losses[nearest]) <= BELOW:
        return True
    return group.separation >= PLAIN and facts.standing.falls_to(nearest) <= 1.0


def _misses_the_other(facts: Facts) -> bool:
    """Say whether facets confirm a clear grouping: much within reach is missed."""
    group, coverage = facts.meaning, facts.coverage
    return (
        group is not None
        and coverage is not None
        and coverage.covered < MOSTLY * coverage.reachable
        and len(group.alike) >= NEARLY_ALL * len(facts.picks) - 1e-9
        and _is_clear(group)
    )


def _is_clear(group: Grouping) -> bool:
    least = CLEAR_RAW if group.is_raw else CLEAR
    return group.separation >= least and group.contrast >= CONTRAST


def _may_be_one_meaning(facts: Facts) -> bool:
    group, coverage = facts.meaning, facts.coverage
    return (
        group is not None
        and coverage is not None
        and coverage.covered < MOSTLY * coverage.reachable
        and len(group.alike) >= MOST_SLOTS * len(facts.picks) - 1e-9
        and group.separation >= HINT
        and group.contrast >= SHADE
    )


def _is_overlapping(facts: Facts) -> bool:
    """Say whether many slots hold chunks that share text, and how much stands there twice."""
    met, picks = facts.repetition.overlaps, len(facts.picks)
    if met.involved < max(2.0, HALF * picks - 1e-9):
        return False
    if facts.coverage is not None and met.involved >= MOST_SLOTS * picks - 1e-9:
        return True
    return met.repeated >= REPEATED * picks


def _is_hardly_overlapping(facts: Facts) -> bool:
    return not _is_overlapping(facts)


def _measured_step(facts: Facts, relieved: steps.Test) -> Found | None:
    """Look for a setting that covers more, or, without facets, that frees slots for little."""
    if facts.coverage is not None:
        found = [
            step
            for trials in (steps.caps(facts), steps.lambdas(facts))
            if (step := steps.raising(facts, trials)) is not None
        ]
        return max(found, key=_gain, default=None)
    return steps.relieving(facts, steps.mild_lambdas(facts), relieved, dearest=CHEAP)


def _gain(found: Found) -> tuple[float, float]:
    effect = found.step.effect
    return (0.0 if effect.coverage is None else effect.coverage[1], effect.relevance[1])


def _unmeasured_cap(facts: Facts) -> Found | None:
    """Return the largest cap that ends the crowding, where its relevance is cheap."""
    return steps.relieving(
        facts,
        steps.caps(facts),
        lambda after: not is_dominated(after, MOST_SLOTS),
        dearest=CHEAP_CAP,
    )


def _similarity_instead(facts: Facts, cap: Found) -> str:
    """Say what weighing similarity would cover where a cap covers more."""
    total = len(facts.pool.facets)
    by_cap = steps.covered(facts, steps.picks_of(facts, cap.step.policy))
    mmr = steps.raising(facts, steps.lambdas(facts))
    if mmr is None:
        return f"The cap covers {by_cap} of {total} facets; no lambda of MMR covers more than now."
    by_mmr = steps.covered(facts, steps.picks_of(facts, mmr.step.policy))
    return f"The cap covers {by_cap} of {total} facets, MMR at its best lambda {by_mmr}."


def _close_by(facts: Facts, others: list[int]) -> str:
    if not others:
        return "the facets that are missing lie in other sources"
    best = float(np.nanmax(facts.standing.relevances))
    furthest = best - min(float(facts.standing.relevances[i]) for i in others)
    verb = "source lies" if len(others) == 1 else "sources lie"
    if facts.selection.relevance_name == "rank":
        return f"{len(others)} other {verb} within rank {max(others) + 1}"
    return f"{len(others)} other {verb} within {score(furthest)} of the best score"


def _within_and_across(facts: Facts, group: Grouping) -> str:
    own = facts.likeness.similarities(group.alike, group.alike)
    within = float(np.nanmean(own[np.triu_indices(len(group.alike), 1)]))
    across = float(np.nanmean(facts.likeness.similarities(group.alike, group.others)))
    without = "" if group.is_raw else ", the question's own part taken out,"
    return (
        f"Two of these picks have a mean similarity of {within:.2f}, one of them and a passage of "
        f"other meaning {across:.2f}: the difference{without} is "
        f"{min(group.separation, 99.0):.0f} times the usual scatter."
    )


def _cap_will_not_help(facts: Facts) -> str:
    if facts.shares.largest == 1:
        return f"A cap will not help: every pick already has a {facts.shares.key} of its own."
    if facts.coverage is not None and steps.raising(facts, steps.caps(facts)) is None:
        return f"A cap will not help: no cap per {facts.shares.key} covers more."
    return (
        f"A cap will hardly help: no {facts.shares.key} has more than {facts.shares.largest} slots."
    )


def _interval(facts: Facts, found: Found | None) -> tuple[str, ...]:
    if found is None or found.step.effect.coverage is None:
        return ()
    total = len(facts.pool.facets)
    after = round(found.step.effect.coverage[1] * total)
    return (
        f"MMR with any lambda from {found.low:.2f} to {found.high:.2f} covers {after} of {total} "
        "facets.",
    )


def _meaning_remedy(found: Found | None) -> str:
    if found is None:
        return "Weigh similarity (MMR), from a high lambda down, and judge it by coverage."
    return f"Try {found.step.words}; a cap will not help."


def _similarity(facts: Facts) -> tuple[str, ...]:
    """Name the embedder's default alarm beside the mean similarity; it decides nothing."""
    if not facts.likeness.has_vectors:
        return ()
    p = len(facts.picks)
    mean = float(np.nanmean(facts.likeness.cosines[np.triu_indices(p, 1)]))
    side = "above" if mean > CROWDING_ALARM else "under"
    return (
        f"The picks' mean pairwise similarity is {mean:.2f}, {side} the default alarm of "
        f"{CROWDING_ALARM:.2f}; that default belongs to an embedder and decides nothing here.",
    )


def _no_vectors_needed(facts: Facts) -> tuple[str, ...]:
    if facts.likeness.has_vectors:
        return _similarity(facts)
    return ("There are no vectors to compare the passages by; a cap needs none.",)


def _lower(words: str) -> str:
    return words[0].lower() + words[1:]
