"""What Evaluate asks of the golden set: the rule, the parameter, and everything beside it."""

from collections.abc import Sequence

from streamlit.delta_generator import DeltaGenerator

from poolscope import selection, wording
from poolscope.analysis import USUAL, bare
from poolscope.evaluation import contenders
from poolscope.evaluation.findings import NAMES
from poolscope.evaluation.plans import SweepPlan, TablePlan
from poolscope.model import MissingKey, MissingVector, Order, Policy, Pool
from poolscope.selection import SELECTORS, Selector, named
from poolscope.selection.keys import cap_keys
from poolscope.selection.paths import Axis
from poolscope.ui import state, travelling
from poolscope.ui.state import Key

MOST, MOST_DEPTH = 1_000, 1_000_000
DEPTHS, CAPS = (10, 25, 50, 100, 200), (1, 2, 3, 5)
"""Depths and caps at which lambda is followed side by side, as far as they fit the pools and k."""
RULES: tuple[Selector, ...] = tuple(item for item in SELECTORS if item.name != contenders.CEILING)


CARRIED = (
    "relevance",
    "scaling",
    "clip_negative",
    "missing_vector",
    "missing_key",
    "backfill",
    "arm_cap",
    "arm_key",
    "near_copies",
    "copy_cosine",
    "copy_words",
    "copy_overlap",
    "best",
    "neighbours",
    "budget",
    "on_budget",
    "first_item_always",
    "order",
)
"""What Evaluate takes over from Inspect: it has no control of its own for these."""

LEFT_ASIDE = (
    "selector",
    "k",
    "depth",
    "lambda_",
    "cap",
    "key",
    "overrides",
    "quotas",
    "refill",
    "pinned",
    "banned",
)
"""What it does not: it asks for these itself, or they belong to one question or to one key."""


def carried(pool: Pool, policy: Policy) -> Policy:
    """Return the usual setting with what Evaluate takes over from Inspect.

    Its sliders, rules and key are left aside: Evaluate has its own. So are pins, bans and quotas,
    which name passages or categories of one question. What changes nothing is as usual, so that
    one setting has one name.

    Args:
        pool: The question that is looked at, which tells what the relevance is by itself.
        policy: The setting on Inspect.
    """
    found = USUAL.changed(**{name: getattr(policy, name) for name in CARRIED})
    usual = []
    if found.relevance in selection.available(pool)[:1]:  # what a pool decides by itself
        usual.append("relevance")
    if found.budget is None:
        usual += ["on_budget", "first_item_always"]
    if found.arm_cap is None:
        usual.append("arm_key")
    if not found.near_copies:
        usual += ["copy_cosine", "copy_words", "copy_overlap"]
    return found.changed(**{name: getattr(USUAL, name) for name in usual})


def from_inspect(pool: Pool, policy: Policy) -> str:
    """Say what of a setting was taken over from Inspect.

    Args:
        pool: The question that is looked at.
        policy: What ``carried`` returned, whatever its k and depth.
    """
    said = []
    if policy.relevance is not None:
        said.append(f"relevance is the {wording.relevance(pool, policy.relevance)}")
    if policy.scaling is not None:
        said.append(f"scale of relevance: {policy.scaling}")
    if policy.clip_negative:
        said.append("negative cosines count as 0")
    if policy.missing_vector is not MissingVector.LEAVE_OUT:
        said.append(f"without a vector: {policy.missing_vector}")
    if policy.missing_key is not MissingKey.ALONE:
        said.append(f"without a key: {policy.missing_key}")
    if not policy.backfill:
        said.append("no backfill")
    said += wording.before(policy)
    if policy.budget is not None:
        first = ", the first item always" if policy.first_item_always else ""
        said.append(f"at most {policy.budget:,} tokens ({policy.on_budget}{first})")
    if policy.order is not Order.SELECTION:
        said.append(f"order by {policy.order}")
    if not said:
        return (
            "Nothing set on Inspect changes what is measured here. A budget, the relevance, a cut "
            "of retrieval arms, near copies or reserved slots set there would."
        )
    return f"From Inspect, beside the controls here: {'; '.join(said)}."


def base(pool: Pool, row: DeltaGenerator, *, reads_depth: bool = True) -> Policy:
    """Ask for k and the pool depth; the rest is what is carried over from Inspect.

    Args:
        pool: The question that is looked at, for the size of a pool.
        row: Where they are asked for.
        reads_depth: Whether the pool depth is read where it is asked for.
    """
    last = state.session().last
    policy = USUAL if last is None else last.policy
    chosen = row.number_input(
        "k",
        min_value=1,
        max_value=MOST,
        help="How many passages enter the context.",
        width=130,
        key=travelling.number(
            "at-k", state.key(Key.EVALUATE_K), (1, MOST), min(max(policy.k, 1), MOST)
        ),
        persist_state="session",
    )
    seen = row.number_input(
        "Pool depth",
        min_value=1,
        max_value=MOST_DEPTH,
        value=None,
        step=1,
        placeholder="whole pool",
        disabled=not reads_depth,
        help="How many candidates, from rank 1, a rule may see; empty for the whole pool."
        if reads_depth
        else "Not read in this section, which goes through several depths itself.",
        width=170,
        key=travelling.number("at-depth", state.key(Key.EVALUATE_DEPTH), (1, MOST_DEPTH), None),
        persist_state="session",
    )
    depth = int(seen) if seen and reads_depth else None
    return carried(pool, policy).changed(k=int(chosen), depth=depth)


def sweep(policy: Policy, keys: Sequence[str], row: DeltaGenerator) -> SweepPlan:
    """Ask for a rule, the parameter that is followed, and the rule's other settings.

    Args:
        policy: What every setting shares.
        keys: Fields that a cap may count by.
        row: Where it is asked for.
    """
    chosen = _rule(row)
    reads = {parameter.name for parameter in named(chosen).parameters}
    axes = [axis for axis in Axis if axis in (Axis.DEPTH, Axis.K) or axis.value in reads]
    axis = _followed(axes, row)
    changes = _others(policy, named(chosen), axis, keys, row)
    if axis is Axis.DEPTH:  # goes to the whole pool by itself
        changes["depth"] = None
    return SweepPlan(bare(policy.changed(selector=chosen, **changes)), axis)


def _rule(row: DeltaGenerator) -> str:
    names = [item.name for item in RULES]
    return row.selectbox(
        "Rule",
        names,
        format_func=lambda name: named(name).label,
        width=200,
        key=travelling.choice(
            "rule", state.key(Key.EVALUATE_RULE), {name: name for name in names}, "mmr"
        ),
        persist_state="session",
    )


def _followed(axes: Sequence[Axis], row: DeltaGenerator) -> Axis:
    chosen = row.segmented_control(
        "Over",
        axes,
        format_func=NAMES.__getitem__,
        key=travelling.choice(
            "over",
            state.key(Key.EVALUATE_AXIS, str(len(axes)) + axes[0]),
            {axis.value: axis for axis in axes},
            axes[0],
        ),
        persist_state="session",
        required=True,
    )
    return chosen or axes[0]


def _others(
    policy: Policy, rule: Selector, followed: Axis, keys: Sequence[str], row: DeltaGenerator
) -> dict[str, object]:
    """Ask for the settings of a rule that are not followed."""
    reads = {parameter.name for parameter in rule.parameters}
    changes: dict[str, object] = {}
    if "lambda_" in reads and followed is not Axis.LAMBDA:
        changes["lambda_"] = row.number_input(
            "lambda", 0.0, 1.0, step=0.05, persist_state="session", width=130,
            key=travelling.number(
                "at-lambda", state.key(Key.EVALUATE_LAMBDA), (0.0, 1.0), policy.lambda_
            ),
        )  # fmt: skip
    if "cap" in reads and followed is not Axis.CAP:
        changes["cap"] = row.number_input(
            "cap", 1, MOST, persist_state="session", width=130,
            key=travelling.number("at-cap", state.key(Key.EVALUATE_CAP), (1, MOST), policy.cap),
        )  # fmt: skip
    if rule.reads_key:
        changes["key"] = row.selectbox(
            "Cap by",
            keys,
            key=travelling.choice(
                "cap-by", state.key(Key.EVALUATE_KEY), {name: name for name in keys}, keys[0]
            ),
            persist_state="session",
            width=160,
        )
    return changes


def table(policy: Policy, keys: Sequence[str]) -> TablePlan:
    """Return what the table compares: the usual rules, a cap by every field, and the presets."""
    shared = bare(policy.changed(selector="top_k", key="source"))
    return TablePlan((*contenders.usual(shared, keys), *contenders.of_presets(shared)))


def over_lambda(policy: Policy) -> SweepPlan:
    """Return the sweep of plain MMR, on which the proxy is looked at."""
    return SweepPlan(bare(policy.changed(selector="mmr", key="source")), Axis.LAMBDA)


def by_depth_and_cap(policy: Policy, pool: Pool) -> tuple[SweepPlan, list[int | None], list[int]]:
    """Return the sweep over lambda at several depths and caps, and those depths and caps.

    Args:
        policy: What every setting shares.
        pool: The question that is looked at, for the size of a pool.

    Returns:
        The plan, whose policies are those of each depth without a cap and then with every cap;
        the depths, ``None`` for the whole pool; the caps.
    """
    shared = policy.changed(key="source", cap=1)
    depths: list[int | None] = [d for d in DEPTHS if policy.k < d < len(pool)]
    depths.append(None)
    caps = [cap for cap in CAPS if cap < policy.k]
    found = [
        shared.changed(depth=depth, selector="mmr_cap" if cap else "mmr", cap=cap or 1)
        for depth in depths
        for cap in (0, *caps)
    ]
    return SweepPlan(found[0], Axis.LAMBDA, tuple(found[1:])), depths, caps


def keys_of(pool: Pool) -> list[str]:
    """Return the fields that a cap may count by, the source first."""
    return [item.name for item in cap_keys(pool)]
