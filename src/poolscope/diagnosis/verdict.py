"""The verdict: every finding about one selection, the most telling first."""

from collections.abc import Callable

from poolscope import selection as selectors
from poolscope.counts import counted
from poolscope.diagnosis import crowding, identity, repeats, setting, supply
from poolscope.diagnosis.base import Finding, Kind, Verdict
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.say import facets_missed, slots, sources
from poolscope.model import Policy, Pool

FINDINGS: tuple[Callable[[Facts], Finding | None], ...] = (
    setting.starved,
    setting.scales_clash,
    setting.vectors_left_out,
    setting.over_diversified,
    supply.facet_beyond_depth,
    repeats.copies,
    identity.weak_identity,
    repeats.overlapping,
    supply.shallow,
    crowding.one_source,
    crowding.meaning,
    supply.shortage,
    supply.single_source,
)
"""What may be wrong, the most telling first: a cause stands before what follows from it."""

REMARKS: tuple[Callable[[Facts], Finding | None], ...] = (
    repeats.overlap_met,
    setting.vectors_missing,
    setting.scales_differ,
)
"""What a person should know of a pool that is otherwise in order; never an alarm, never first."""


def diagnose(pool: Pool, policy: Policy) -> Verdict:
    """Say what is wrong with the selection that a policy makes from a pool, if anything.

    Raises:
        PolicyError: As ``select`` does.
    """
    facts = Facts(selectors.select(pool, policy))
    findings = _met(facts, FINDINGS) or [healthy(facts) if facts.picks else nothing(facts)]
    kinds = {finding.kind for finding in findings}
    remarks = [remark for remark in _met(facts, REMARKS) if remark.kind not in kinds]
    return Verdict(facts.selection, (*findings, *remarks))


def _met(facts: Facts, looks: tuple[Callable[[Facts], Finding | None], ...]) -> list[Finding]:
    """Return what is met, each kind once, in order."""
    found: dict[Kind, Finding] = {}
    for look in looks:
        finding = look(facts)
        if finding is not None:
            found.setdefault(finding.kind, finding)
    return list(found.values())


def nothing(facts: Facts) -> Finding:
    """Say that nothing is selected, and why."""
    selection = facts.selection
    why = selection.notes[-1] if selection.notes else f"k is {selection.policy.k}."
    return Finding(
        Kind.NOTHING,
        f"Nothing selected. {why}",
        (),
        "Raise k or the pool depth, or let in what was left out.",
        is_alarm=selection.policy.k > 0,
    )


def healthy(facts: Facts) -> Finding:
    """Say that nothing should be changed, and what that rests on."""
    picks = len(facts.picks)
    coverage = facts.coverage
    spread = slots(picks)
    if facts.selection.pool.distinct_sources:
        spread += f" from {sources(len(facts.shares.slots))}"
    if coverage is not None and coverage.is_best:
        why = (
            f"{spread} cover {coverage.covered} of "
            f"{counted(coverage.total, 'facet')}, as many as any could"
        )
    elif coverage is not None:
        why = f"{spread}, and no cap or lambda that was tried covers more at a fair price"
    else:
        why = f"{spread}, and nothing left out is both as relevant and different"
    return Finding(
        Kind.HEALTHY,
        f"Healthy. {why[0].upper()}{why[1:]}.",
        facets_missed(facts),
        "Leave it: plain relevance serves this question."
        if facts.policy.selector == "top_k"
        else "Leave it.",
        is_alarm=False,
    )
