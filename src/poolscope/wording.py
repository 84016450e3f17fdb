"""Selections in words: settings, reasons and notes as sentences for every front end."""

from poolscope import selection as selectors
from poolscope.counts import counted as counted
from poolscope.model import Cause, MissingKey, NearCopy, Policy, Pool, Reason, Relevance, Selection
from poolscope.selection import Prefix, arms
from poolscope.selection.offers import Offer
from poolscope.selection.paths import Axis


def setting(policy: Policy) -> str:
    """Say a policy's own settings in a few words, as they stand beside a column's title."""
    reads = _reads(policy)
    parts = []
    if "lambda_" in reads:
        parts.append(f"lambda {policy.lambda_:.4g}")
    if "cap" in reads:
        parts.append(f"cap {policy.cap} per {policy.key}")
    parts.extend([*_switches(policy), *before(policy), *_budget(policy)])
    return ", ".join(parts) or "the baseline"


def beside_sliders(policy: Policy) -> list[str]:
    """Say what of a policy no slider shows, part by part, in the few words of a narrow column."""
    parts = _switches(policy)
    if policy.arm_cap is not None:
        parts.append(f"arms cut at {policy.arm_cap}")
    if policy.near_copies:
        parts.append("near copies out")
    if policy.best:
        parts.append(f"{policy.best} for the best")
    if policy.neighbours:
        parts.append(f"{policy.neighbours} for neighbours")
    return [*parts, *_budget(policy)]


def _reads(policy: Policy) -> set[str]:
    return {parameter.name for parameter in selectors.named(policy.selector).parameters}


def _switches(policy: Policy) -> list[str]:
    """Say what a policy's own rule reads beside lambda and the cap."""
    reads = _reads(policy)
    parts = []
    if "backfill" in reads and not policy.backfill:
        parts.append("no backfill")
    if "quotas" in reads and policy.quotas:
        parts.append(f"{counted(len(policy.quotas), 'quota')} by {policy.key}")
    if "refill" in reads and policy.refill:
        parts.append("refilled")
    return parts


def _budget(policy: Policy) -> list[str]:
    return [] if policy.budget is None else [f"at most {policy.budget:,} tokens"]


def column(offer: Offer, policy: Policy, selection: Selection) -> str:
    """Say a rule's own settings in a few words, those that a preset keeps for itself included.

    Args:
        offer: The rule.
        policy: What it was asked.
        selection: What it selected.
    """
    if not offer.is_preset:
        return setting(policy)
    words = {
        Axis.LAMBDA: f"lambda {policy.lambda_:.4g}",
        Axis.CAP: f"cap {policy.cap} per {selection.policy.key}",
    }
    moved = [words[axis] for axis in offer.reads if axis in words]
    return ", ".join([*moved, *own(offer, selection)]) or "its own settings"


def own(offer: Offer, selection: Selection) -> list[str]:
    """Say what a preset's system sets itself, part by part.

    Args:
        offer: The preset.
        selection: What it selected, under the system's own policy.
    """
    policy = selection.policy
    fixed = {axis for axis in Axis if axis in _reads(policy)} - {*offer.reads}
    parts = []
    if Axis.LAMBDA in fixed:
        parts.append(f"lambda fixed at {policy.lambda_:.4g}")
    if Axis.CAP in fixed:
        parts.append(f"cap fixed at {policy.cap} per {policy.key}")
    if offer.stored is not None:
        parts.append(counted(offer.stored, "stored source"))
    if offer.field is not None:
        parts.append(f"“{offer.field}” as its {offer.part}")
    return [*parts, *_budget(policy)]


def usual_field(offer: Offer, pool: Pool) -> str:
    """Say which field plays a preset's part while nobody names one."""
    found = offer.usual_field(pool)
    if found is not None:
        return f"{found}, by its name"
    return "choose one" if offer.needs_field else "the source"


def slider(axis: Axis) -> str:
    """Name the slider of a parameter."""
    return {Axis.LAMBDA: "lambda", Axis.DEPTH: "pool depth"}.get(axis, axis.value)


def grows(prefix: Prefix) -> str:
    """Say whether a larger k keeps the picks of a smaller one."""
    return "a larger k only adds picks" if prefix.holds else "a larger k may exchange picks"


def before(policy: Policy) -> list[str]:
    """Say what happens before the rule chooses; nothing where nothing does."""
    parts = []
    if policy.arm_cap is not None:
        parts.append(f"each {policy.arm_key} cut at {policy.arm_cap} and fused")
    if policy.near_copies:
        tests = ", ".join(_test(policy, test) for test in policy.near_copies)
        parts.append(f"near copies removed by {tests}")
    if policy.best:
        parts.append(f"{counted(policy.best, 'slot')} for the best")
    if policy.neighbours:
        parts.append(f"{counted(policy.neighbours, 'slot')} for its neighbours")
    return parts


def switched_off(held: Policy, after: Policy) -> str:
    """Say what happens before the rule chooses under one policy and not under another."""
    kept = before(after)
    return "; ".join(part for part in before(held) if part not in kept)


def _test(policy: Policy, test: NearCopy) -> str:
    if test is NearCopy.TEXT:
        return test.value
    return f"{test.value} from {policy.copy_threshold(test):.4g}"


def source_of(pool: Pool, index: int) -> str:
    """Return a candidate's source label, or that it has none."""
    return pool.sources[index] or "no source"


def sources(pool: Pool) -> str:
    """Say how many sources a pool has, and by which field where another one than their own."""
    count = len(pool.distinct_sources)
    if not count:
        return "no sources"
    field = "" if pool.source_field == "source" else f" by {pool.source_field}"
    return f"{counted(count, 'source')}{field}"


def named(pool: Pool, index: int) -> str:
    """Name a candidate by rank and source."""
    return f"rank {index + 1} ({source_of(pool, index)})"


def reason(selection: Selection, index: int) -> str:
    """Say why a candidate is out of a selection; empty for one that is in."""
    why = selection.reason(index)
    return "" if why is None else _REASONS[why.cause](selection, why)


def _beyond_depth(_: Selection, why: Reason) -> str:
    return f"rank {why.rank} lies beyond the pool depth of {why.limit:.0f}"


def _below_k(_: Selection, why: Reason) -> str:
    best = f"not among the best {why.limit:.0f}"
    if why.value is None or why.last_value is None:
        return best
    return f"{best} by fused score: it has {why.value:.4f}, the picks at least {why.last_value:.4f}"


def _cap_reached(selection: Selection, why: Reason) -> str:
    group = why.group if why.group is not None else f"no {selection.policy.key}"
    if selection.policy.selector == "arm_caps":
        group = ", ".join(arms.named_in(why.group)) or f"no {selection.policy.key}"
    return f"cap of {why.limit:.0f} reached for {group}"


def _source_served(selection: Selection, why: Reason) -> str:
    group = why.group if why.group is not None else f"no {selection.policy.key}"
    return f"{group} already has its best passage in; the slots went to other values first"


def _over_budget(_: Selection, why: Reason) -> str:
    return f"{why.value:,.0f} tokens, {max(why.limit or 0.0, 0.0):,.0f} were left"


def _too_similar(selection: Selection, why: Reason) -> str:
    if why.blocker is None or why.similarity is None:
        return "too similar to a pick"
    blocker = named(selection.pool, why.blocker)
    if why.similarity <= 0.0:
        return (
            f"others differ more from the picks: it scores {figure(why.value)}, "
            f"the last pick {figure(why.last_value)}"
        )
    return (
        f"too similar to {blocker}: {why.measure} {why.similarity:.3f}; "
        f"it scores {figure(why.value)}, the last pick {figure(why.last_value)}"
    )


def figure(value: float | None) -> str:
    """Write a score or a mean with three decimals and a true minus."""
    return f"{value:.3f}".replace("-", "−")  # noqa: RUF001 - a true minus, as of differences


def _banned(_: Selection, __: Reason) -> str:
    return "banned by hand"


def _near_copy(selection: Selection, why: Reason) -> str:
    if why.blocker is None or why.similarity is None:
        return "a near copy"
    kept = named(selection.pool, why.blocker)
    if why.measure == NearCopy.TEXT:
        return f"near copy of {kept}: the same text"
    return (
        f"near copy of {kept}: {why.measure} {why.similarity:.3f}, where {why.limit:.4g} is a copy"
    )


def _quota_full(selection: Selection, why: Reason) -> str:
    group = why.group if why.group is not None else f"no {selection.policy.key}"
    return f"quota of {why.limit:.0f} full for {group}" if why.limit else f"no quota for {group}"


def _below_gate(_: Selection, why: Reason) -> str:
    met = "it has none" if why.value is None else f"it has {why.value:.3f}"
    return f"below the gate: {met}, {why.limit:.4g} is asked for"


def _shed(_: Selection, why: Reason) -> str:
    return f"priority {why.group or 0}: dropped to get down to {why.limit:,.0f} tokens"


def _demoted(_: Selection, why: Reason) -> str:
    return f"put behind all others: more than {why.limit:.4g} alike a passage before it"


def _arm_cut(selection: Selection, why: Reason) -> str:
    policy = selection.policy
    found = arms.named_in(why.group)
    if not found and policy.missing_key is MissingKey.REJECT:
        return f"it has no {policy.arm_key}"
    if len(found) > 1:
        return (
            f"cut from the lists of its arms ({', '.join(found)}), which are cut at {why.limit:.0f}"
        )
    arm = found[0] if found else f"no {policy.arm_key}"
    return f"cut from the list of its arm ({arm}), which is cut at {why.limit:.0f}"


_REASONS = {
    Cause.BELOW_K: _below_k,
    Cause.BEYOND_DEPTH: _beyond_depth,
    Cause.NO_VECTOR: lambda _, __: "it has no vector, and this rule weighs similarity",
    Cause.NO_SOURCE: lambda s, __: f"it has no {s.policy.key}",
    Cause.CAP_REACHED: _cap_reached,
    Cause.SOURCE_SERVED: _source_served,
    Cause.OVER_BUDGET: _over_budget,
    Cause.TOO_SIMILAR: _too_similar,
    Cause.BANNED: _banned,
    Cause.NEAR_COPY: _near_copy,
    Cause.QUOTA_FULL: _quota_full,
    Cause.BELOW_GATE: _below_gate,
    Cause.SHED: _shed,
    Cause.DEMOTED: _demoted,
    Cause.ARM_CUT: _arm_cut,
}


def together(count: int, reason: str) -> str:
    """Say once why several passages of plain top-k left."""
    return f"All {count} left: {reason}."


def relevance(pool: Pool, kind: Relevance) -> str:
    """Say what a kind of relevance is for this pool."""
    if kind is Relevance.COSINE:
        return "cosine to the question"
    if kind is Relevance.RANK:
        return "rank in the pool"
    conversion = "as loaded" if pool.score_kind is None else pool.score_kind.conversion
    return f"score {conversion}"
