"""Crowding: slots that repeat what another slot already brings.

Where facets are annotated they decide: a selection that covers all that any could is not crowded.
Without them crowding needs an alternative: other sources, or passages that mean something else,
hardly less relevant than the picks.
"""

from collections.abc import Sequence

import numpy as np

from poolscope.counts import counted
from poolscope.diagnosis import steps
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.meaning import Grouping
from poolscope.diagnosis.say import (
    facets_missed,
    lower,
    passages,
    score,
    similarity,
    slots,
    sources,
)
from poolscope.diagnosis.standing import CLOSE
from poolscope.diagnosis.steps import Found

MOST_SLOTS = 0.6
"""Share of the slots from which one source, or one meaning, fills the context."""

NEARLY_ALL = 0.8
"""The same where facets are not known, and a majority may be chance."""

MANY = 6
"""Slots of one source from which a majority is no chance."""

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

CHEAP_CAP = 0.06
"""The same for a cap, which looks at labels only."""


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
        else f"Try {lower(found.step.words)}, and compare the answers.",
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
            dearest=steps.CHEAP,
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
            *similarity(facts),
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


def has_fallen(facts: Facts, candidates: Sequence[int]) -> bool:
    """Say whether relevance has fallen off before the first of some candidates, best first."""
    if not candidates:
        return True
    loss = float(facts.standing.losses[candidates[0]])
    if loss <= AT_ONCE:
        return False
    if loss > CLOSE:
        return True
    return facts.standing.falls_to(candidates[0]) > FALL


def _other_sources_are_close(facts: Facts) -> bool:
    """Say whether sources without a slot are close enough to have been crowded out."""
    others = facts.shares.left_out_groups
    if not others or has_fallen(facts, others):
        return False
    # A bare majority of a few slots from one source may be chance.
    is_many = facts.shares.largest >= MANY and is_dominated(facts, MOST_SLOTS)
    if not is_many and not is_dominated(facts, NEARLY_ALL):
        return False
    return facts.shares.largest == len(facts.picks) or _is_alike(facts)


def _is_alike(facts: Facts) -> bool:
    """Say whether the picks of the commonest source are alike, as far as vectors can tell."""
    group = facts.meaning
    if not facts.likeness.has_vectors:
        return True
    return (
        group is not None
        and len(group.alike) >= NEARLY_ALL * facts.shares.largest - 1e-9
        and group.separation >= ALIKE
        and group.contrast >= SHADE
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
        return (
            f"The cap covers {by_cap} of {counted(total, 'facet')}; no lambda of "
            "MMR covers more than now."
        )
    by_mmr = steps.covered(facts, steps.picks_of(facts, mmr.step.policy))
    return f"The cap covers {by_cap} of {counted(total, 'facet')}, MMR at its best lambda {by_mmr}."


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
        f"A cap will hardly help: no {facts.shares.key} has more than "
        f"{counted(facts.shares.largest, 'slot')}."
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


def _no_vectors_needed(facts: Facts) -> tuple[str, ...]:
    if facts.likeness.has_vectors:
        return similarity(facts)
    return ("There are no vectors to compare the passages by; a cap needs none.",)
