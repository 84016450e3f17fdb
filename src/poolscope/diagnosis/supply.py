"""What the pool can give at all: too shallow, too short, or one document by right."""

from collections.abc import Sequence

import numpy as np

from poolscope.counts import counted
from poolscope.diagnosis import crowding, identity, steps
from poolscope.diagnosis.base import Finding, Kind, Step
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.say import facets_missed, labelled, passages, slots
from poolscope.model import Policy

CHECK = "Check the metadata filter, the chunking and the rewriting of the question."

FETCH_MORE = "Fetch 5 to 10 times as many candidates as there are slots."

HARDLY_MORE = 1.6
"""A pool of at most this many times k leaves next to nothing to choose."""

NEARLY_ALL = 0.8
"""Share of the context's tokens in one passage that is nearly all of them."""

FAR_LONGER = 10.0
"""How many times the pool's median passage is far longer than the others."""

ONE_CLUSTER = 0.4
"""Mean likeness of passages beyond what their relevance explains, from which they are one thing."""

EACH_PAIR = 0.25
"""The same for the pair that is least alike."""


def facet_beyond_depth(facts: Facts) -> Finding | None:
    """Find facets whose first supporting passage lies beyond the depth."""
    coverage = facts.coverage
    if coverage is None or not coverage.beyond or coverage.reachable_deeper <= coverage.covered:
        return None
    rank = max(rank for _, rank in coverage.beyond)
    deeper = facts.policy.changed(depth=rank)
    return Finding(
        Kind.SHALLOW,
        f"Pool too shallow. The first passage for {labelled(coverage.beyond)} lies beyond the "
        f"depth of {facts.depth}: no setting within it reaches that.",
        facets_missed(facts),
        f"Let the selector see {counted(rank, 'candidate')} or more.",
        is_alarm=True,
        step=_raising_step(facts, deeper),
    )


def shallow(facts: Facts) -> Finding | None:
    """Find a reach that leaves nothing to choose: hardly more than k, and all one thing."""
    if facts.is_covered_at_best or not facts.picks:
        return None
    if facts.is_cut:
        return _cut_too_early(facts)
    n, k = len(facts.standing.reach), facts.policy.k
    if n <= len(facts.picks):
        return _all_in(facts)
    if n > HARDLY_MORE * k or n < k:
        return None
    if facts.shares.group_count == 1:
        what = facts.shares.all_from
    elif _is_one_cluster(facts):
        what = "all saying much the same"
    else:
        return None
    return Finding(
        Kind.SHALLOW,
        f"Pool too shallow. It holds {passages(n)} for {slots(k)}, {what}: nothing is left to "
        "choose.",
        facets_missed(facts),
        FETCH_MORE,
        is_alarm=True,
    )


def _all_in(facts: Facts) -> Finding:
    """Say that the whole pool is in the context, so that there is nothing to judge."""
    n = len(facts.picks)
    what = "Its only passage is" if n == 1 else f"All its {passages(n)} are"
    return Finding(
        Kind.SHALLOW,
        f"Pool too shallow. {what} in the context: nothing is left to choose.",
        facets_missed(facts),
        FETCH_MORE,
        is_alarm=True,
    )


def _cut_too_early(facts: Facts) -> Finding | None:
    """Find other sources or meanings that begin only beyond the depth."""
    deeper = facts.deeper
    if facts.coverage is not None:
        return None
    if facts.shares.group_count == 1 and deeper.shares.group_count > 1:
        first = deeper.shares.left_out_groups[0]
        what = f"{facts.shares.all_from}; other sources begin"
    elif crowding.meaning(deeper) is not None and crowding.meaning(facts) is None:
        group = deeper.meaning
        first = min(group.others) if group is not None else facts.depth
        what = "all saying much the same; passages of other meaning begin"
    else:
        return None
    if first < facts.depth:
        return None
    return Finding(
        Kind.SHALLOW,
        f"Pool too shallow. The selector sees {passages(facts.depth)}, {what} at rank {first + 1}.",
        (f"The pool goes on to rank {len(facts.pool)}.",),
        f"Let the selector see {min(2 * (first + 1), len(facts.pool))} candidates or more.",
        is_alarm=True,
    )


def one_passage(facts: Facts) -> Finding | None:
    """Find one passage, far longer than is usual, that is nearly all of the context."""
    if len(facts.picks) < 2:
        return None
    tokens = facts.pool.tokens
    first = max(facts.picks, key=lambda index: int(tokens[index]))
    longest, total = int(tokens[first]), int(tokens[list(facts.picks)].sum())
    usual = float(np.median(tokens[: facts.depth]))
    if not total or longest < NEARLY_ALL * total or longest < FAR_LONGER * usual:
        return None
    return Finding(
        Kind.ONE_PASSAGE,
        f"Filled by one passage. Rank {first + 1} has {longest:,} of the context's "
        f"{counted(total, 'token')}, {1000 * longest // total / 10:.1f} %; the median "
        f"passage of the pool has {usual:,.0f}.",
        (),
        "Cut that document into passages like the others, or set a token budget.",
        is_alarm=False,
    )


def shortage(facts: Facts) -> Finding | None:
    """Find what no setting can bring in: facets without a passage, or a pool of one source."""
    coverage = facts.coverage
    if coverage is not None:
        if not coverage.unsupported:
            return None
        missing = f"“{coverage.unsupported[0]}”"
        more = len(coverage.unsupported) - 1
        missing += f" or for {more} other{'s' * (more > 1)}" if more else ""
        return Finding(
            Kind.SHORTAGE,
            f"Pool shortage. There is no passage for {missing} among the {len(facts.pool)} "
            "candidates: no setting can bring in what was not retrieved.",
            facets_missed(facts),
            CHECK,
            is_alarm=True,
        )
    if facts.shares.group_count != 1 or facts.deeper.shares.group_count != 1 or not facts.picks:
        return None
    if facts.pool.column(facts.shares.key)[facts.picks[0]] is None or len(facts.pool) < 2:
        return None
    if identity.weak_identity(facts) is not None:
        return None
    is_alike = facts.likeness.shared_by(facts.picks) >= ONE_CLUSTER
    return Finding(
        Kind.SHORTAGE,
        f"Pool shortage. All {passages(len(facts.pool))} come from one source, "
        f"{facts.shares.first_name}: no setting can bring in another.",
        (_said_of(facts, facts.picks),),
        f"{CHECK} If the store holds only this source, leave it.",
        is_alarm=is_alike,
    )


def _said_of(facts: Facts, rows: Sequence[int]) -> str:
    """Say whether some picks say the same, as far as vectors tell."""
    shared = facts.likeness.shared_by(rows)
    if np.isnan(shared):
        return "Whether these picks say the same is not known: their vectors do not tell."
    amount = f"a mean likeness of {shared:.2f} beyond what they share with the question"
    if shared >= ONE_CLUSTER:
        return f"These picks are much alike: {amount}."
    return f"These picks differ from one another: {amount}."


def single_source(facts: Facts) -> Finding | None:
    """Find a question that one document answers: its passages differ, and the others fall off."""
    if not facts.picks or not crowding.is_dominated(facts, crowding.NEARLY_ALL):
        return None
    group, most = facts.shares.slots[0]
    name = facts.shares.name(group)
    if facts.coverage is not None:
        lost = _lost_by_a_cap(facts)
        if not facts.is_covered_at_best or not lost:
            return None
        evidence = (*facets_missed(facts), f"A cap of 1 would cover {lost} fewer.")
        why = f"they cover {facts.coverage.covered} of {counted(facts.coverage.total, 'facet')}"
    else:
        others = _of_other_sources(facts, group)
        if not crowding.has_fallen(facts, others):
            return None
        own = [i for i in facts.picks if facts.shares.groups[i] == group]
        evidence = (_said_of(facts, own),)
        why = (
            f"the next passage of another source lies at rank {others[0] + 1}, clearly less "
            "relevant"
            if others
            else "nothing of another source is left"
        )
        if facts.likeness.shared_by(own) >= ONE_CLUSTER:
            return _undecided(f"{most} of {slots(len(facts.picks))} come from {name}", why)
    return Finding(
        Kind.SINGLE_SOURCE,
        f"Single-source question. {most} of {slots(len(facts.picks))} come from {name}, and {why}: "
        "depth is wanted here.",
        evidence,
        "Leave it; where a cap is set for other questions, reserve slots for the best source.",
        is_alarm=False,
    )


def _undecided(what: str, why: str) -> Finding:
    """Say that a gap in relevance hides whether one source crowds or is wanted."""
    return Finding(
        Kind.SINGLE_SOURCE,
        f"Single-source question. Or crowding that a gap hides, which is not decided here: {what} "
        f"and are much alike; {why}.",
        (
            "Relevance alone cannot tell a document that answers in depth from one that repeats "
            "itself.",
        ),
        "Mark facets to decide it, or read these picks: where they repeat one answer, cap their "
        "source.",
        is_alarm=False,
    )


def _of_other_sources(facts: Facts, group: int) -> list[int]:
    """List the candidates within reach that are not picked and of another source, best first."""
    members = facts.selection.members
    return [
        index
        for index in facts.standing.reach.tolist()
        if index not in members and int(facts.shares.groups[index]) != group
    ]


def _lost_by_a_cap(facts: Facts) -> int:
    """Count the facets that a cap of 1 would lose."""
    capped = Policy(
        selector="two_pass_cap",
        k=facts.policy.k,
        depth=facts.policy.depth,
        cap=1,
        key=facts.shares.key,
        relevance=facts.policy.relevance,
    )
    now = steps.covered(facts, facts.picks)
    return now - steps.covered(facts, steps.picks_of(facts, capped))


def _raising_step(facts: Facts, policy: Policy) -> Step | None:
    """Return a setting as a step where it covers more."""
    step = steps.step(facts, policy)
    coverage = step.effect.coverage
    return step if coverage is not None and coverage[1] > coverage[0] else None


def _is_one_cluster(facts: Facts) -> bool:
    """Say whether all within reach is more alike than its relevance explains."""
    rows = facts.standing.reach.tolist()
    if not facts.likeness.has_vectors or len(rows) < 2:
        return False
    likeness = facts.likeness.beyond_question(rows, rows)
    if likeness is None:
        return False
    pairs = likeness[np.triu_indices(len(rows), 1)]
    return bool(np.nanmean(pairs) >= ONE_CLUSTER and np.nanmin(pairs) >= EACH_PAIR)
