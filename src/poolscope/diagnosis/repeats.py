"""Repetition: slots spent on text that stands in the context already.

What it costs is counted in slots. A slot's worth is an alarm; less is worth a word. Where facets
are annotated and covered as well as can be nothing is an alarm.
"""

from poolscope import selection as selectors
from poolscope.counts import agreed
from poolscope.diagnosis import steps
from poolscope.diagnosis.base import Finding, Kind
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.repetition import SAME_ORDER
from poolscope.diagnosis.say import facets_missed, lower, pairs, similarity, slots
from poolscope.diagnosis.steps import Found
from poolscope.geometry import NEAR_COPY

WORTH_A_WORD = 0.15
"""Share of the context that stands in it a second time from which the overlap is worth a word."""

SLOTS_A_WASTE = 8.0
"""Slots of which one wasted is worth an alarm; in a smaller context one is."""

MOST_INVOLVED = 0.6
"""Share of the slots that overlap from which facets decide, however little stands there twice."""


def copies(facts: Facts) -> Finding | None:
    """Find picks that repeat an earlier pick word by word, or almost."""
    met = facts.repetition.copies
    exact_only = facts.is_covered_at_best
    wasted = met.exact if exact_only else met.wasted
    if met.first is None or wasted < _a_slot(facts):
        return None
    first, second = met.first
    by_words = f"{met.exact} of them word by word" if met.exact else "none of them word by word"
    sentence = (
        f"Exact or near copies. {wasted} of {slots(len(facts.picks))} "
        f"repeat{'s' * (wasted == 1)} an earlier passage, {by_words}: ranks {first + 1} "
        f"and {second + 1} are the first pair."
    )
    found = _measured_step(facts, relieved=lambda after: not after.repetition.copies.wasted)
    return Finding(
        Kind.COPIES,
        sentence,
        (*facets_missed(facts), *similarity(facts)),
        "Remove copies before selecting, best at index time; the slots then go to other passages.",
        is_alarm=not exact_only,
        step=None if found is None else found.step,
    )


def copies_met(facts: Facts) -> Finding | None:
    """Say which copies are no alarm, and which close vectors were not counted as copies."""
    met = facts.repetition.copies
    if met.first is None:
        return _close_by_vector(facts)
    first, second = met.first
    return Finding(
        Kind.COPIES,
        f"Exact or near copies. {met.wasted} of {slots(len(facts.picks))} "
        f"{agreed(met.wasted, 'repeats', 'repeat')} an earlier passage, which is no alarm here: "
        f"ranks {first + 1} and {second + 1} are the first pair.",
        (),
        "Remove copies before selecting, best at index time; the slots then go to other passages.",
        is_alarm=False,
    )


def _close_by_vector(facts: Facts) -> Finding | None:
    is_said = facts.repetition.overlaps.repeated >= WORTH_A_WORD * len(facts.picks)
    close = [c for c in facts.repetition.not_counted if not (is_said and c.shares_text)]
    if not close:
        return None
    reasons = {
        "their words differ": [c for c in close if not (c.shares_text or c.is_usual)],
        "they share text, which is counted as overlap": [c for c in close if c.shares_text],
        "such a cosine is usual in this pool": [c for c in close if c.is_usual],
    }
    given = [reason for reason, met in reasons.items() if met]
    n, (first, second) = len(close), close[0].pair
    return Finding(
        Kind.COPIES,
        f"Exact or near copies. By its vector {n} of {slots(len(facts.picks))} "
        f"{agreed(n, 'is', 'are')} near an earlier one (a cosine of {NEAR_COPY:g} or more; ranks "
        f"{first + 1} and {second + 1} are the first pair) and not counted as "
        f"{agreed(n, 'a copy', 'copies')}: {'; '.join(given)}.",
        (
            f"Ranks {first + 1} and {second + 1} have a cosine of {close[0].cosine:.2f} and "
            f"{close[0].resemblance:.0%} of their neighbouring words in common; copies have "
            f"{SAME_ORDER:.0%} or more.",
        ),
        "Read the two side by side; where they say the same, remove one.",
        is_alarm=False,
    )


def overlapping(facts: Facts) -> Finding | None:
    """Find chunks of one document that share text, a slot's worth of it in all.

    Less than that is no alarm unless facets say that another setting covers more.
    """
    if facts.is_covered_at_best:
        return None
    found = _measured_step(facts, relieved=_only_repetitions_gave_way(facts))
    if not _wastes_a_slot(facts) and (
        facts.coverage is None or not _is_involved(facts) or not found
    ):
        return None
    return _overlap(facts, found, is_alarm=True)


def overlap_met(facts: Facts) -> Finding | None:
    """Find chunks that share text, where that costs tokens and is no alarm."""
    repeated = facts.repetition.overlaps.repeated
    if repeated < WORTH_A_WORD * len(facts.picks) or not facts.picks:
        return None
    return _overlap(facts, None, is_alarm=False)


def _overlap(facts: Facts, found: Found | None, *, is_alarm: bool) -> Finding:
    met = facts.repetition.overlaps
    source = facts.shares.name(int(facts.shares.groups[met.pairs[0][0]]))
    share = met.repeated / len(facts.picks)
    return Finding(
        Kind.OVERLAP,
        f"Overlapping chunks. {met.involved} of {slots(len(facts.picks))} share text with another "
        f"one of {source}: {share:.0%} of the context stands in it twice.",
        (
            f"{pairs(len(met.pairs))} share {sum(met.shares) / len(met.shares):.0%} of the shorter "
            "chunk on average.",
            *_instead_of_overlap(facts),
            *facets_missed(facts),
            *similarity(facts),
        ),
        "Merge neighbours before they enter the context, which loses nothing, or cut the documents "
        f"with less overlap (10 to 15 %).{_until_then(facts, found)}",
        is_alarm=is_alarm,
        step=None if found is None else found.step,
    )


def _until_then(facts: Facts, found: Found | None) -> str:
    """Say what a setting does to the overlap, and what is not known of it."""
    if found is None:
        return ""
    if facts.coverage is not None:
        return f" Until then try {lower(found.step.words)}."
    after = Facts(selectors.select(facts.pool, found.step.policy), facts.is_whole)
    share = after.repetition.overlaps.repeated / max(len(after.picks), 1)
    return (
        f" Until then {lower(found.step.words)} leaves {share:.0%} of the context twice; whether "
        "it covers more is not known without facets."
    )


def _instead_of_overlap(facts: Facts) -> tuple[str, ...]:
    """Say what would take the slots of chunks that share text with a better one."""
    if facts.policy.selector != "top_k" or facts.policy.budget is not None:
        return ()
    ranked = facts.standing.reach.tolist()
    after = facts.repetition.passed_over(ranked, facts.policy.k)
    new = sorted(index + 1 for index in set(after) - facts.selection.members)
    if not new or len(after) < len(facts.picks):
        return ()
    ranks = f"rank {new[0]}" if len(new) == 1 else f"ranks {', '.join(map(str, new))}"
    return (
        f"Passing over chunks that share text with a better one would bring in {ranks}, at a mean "
        f"relevance of {facts.standing.mean(after):.3g} instead of "
        f"{facts.standing.mean(facts.picks):.3g}.",
    )


def _a_slot(facts: Facts) -> float:
    """Return how many wasted slots are worth an alarm."""
    return max(1.0, len(facts.picks) / SLOTS_A_WASTE) - 1e-9


def _wastes_a_slot(facts: Facts) -> bool:
    """Say whether a slot's worth of text stands in the context twice."""
    return facts.repetition.overlaps.repeated >= _a_slot(facts)


def _is_involved(facts: Facts) -> bool:
    met, picks = facts.repetition.overlaps, len(facts.picks)
    return met.involved >= max(2.0, MOST_INVOLVED * picks - 1e-9)


def _only_repetitions_gave_way(facts: Facts) -> steps.Test:
    """Return a test of a setting: no slot is wasted, and what left shares text with what stayed."""
    met = facts.repetition.overlaps.pairs

    def is_met(after: Facts) -> bool:
        kept = after.selection.members
        left = set(facts.picks) - kept
        halved = {one for one, other in (*met, *((b, a) for a, b in met)) if other in kept}
        return left <= halved and not _wastes_a_slot(after)

    return is_met


def _measured_step(facts: Facts, relieved: steps.Test) -> Found | None:
    """Look for a setting that covers more, or, without facets, that frees slots for little."""
    if facts.coverage is not None:
        found = [
            step
            for trials in (steps.caps(facts), steps.lambdas(facts))
            if (step := steps.raising(facts, trials)) is not None
        ]
        return max(found, key=_gain, default=None)
    return steps.relieving(facts, steps.mild_lambdas(facts), relieved, dearest=steps.CHEAP)


def _gain(found: Found) -> tuple[float, float]:
    effect = found.step.effect
    return (0.0 if effect.coverage is None else effect.coverage[1], effect.relevance[1])
