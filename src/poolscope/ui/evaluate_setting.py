"""What Evaluate asks of the golden set: the rule, the parameter, and everything beside it."""

from collections.abc import Sequence

from streamlit.delta_generator import DeltaGenerator

from poolscope.analysis import bare
from poolscope.evaluation import contenders
from poolscope.evaluation.findings import NAMES
from poolscope.evaluation.plans import SweepPlan, TablePlan
from poolscope.model import Policy, Pool
from poolscope.selection import SELECTORS, Selector, named
from poolscope.selection.keys import cap_keys
from poolscope.selection.paths import Axis
from poolscope.ui import state
from poolscope.ui.state import Key

WHOLE = 0
"""Stands for the whole pool where a depth is asked for."""
MOST = 1_000
DEPTHS, CAPS = (10, 25, 50, 100, 200), (1, 2, 3, 5)
"""Depths and caps at which lambda is followed side by side, as far as they fit the pools and k."""
RULES: tuple[Selector, ...] = tuple(item for item in SELECTORS if item.name != contenders.CEILING)


def base(pool: Pool, row: DeltaGenerator) -> Policy:
    """Ask for k and the pool depth; the rest is as set on Inspect last.

    Pins, bans and quotas name passages or categories of one question and are left aside.

    Args:
        pool: The question that is looked at, for the size of a pool.
        row: Where they are asked for.
    """
    last = state.session().last
    policy = Policy() if last is None else last.policy
    policy = policy.changed(pinned=(), banned=(), quotas=(), overrides=())
    chosen = row.number_input(
        "k",
        min_value=1,
        max_value=MOST,
        value=min(max(policy.k, 1), MOST),
        help="How many passages enter the context.",
        width=130,
        key=state.key(Key.EVALUATE_K),
        persist_state="session",
    )
    seen = row.number_input(
        "Pool depth",
        min_value=WHOLE,
        max_value=max(len(pool), MOST),
        value=WHOLE,
        help="How many candidates, from rank 1, a rule may see; 0 for the whole pool.",
        width=150,
        key=state.key(Key.EVALUATE_DEPTH),
        persist_state="session",
    )
    return policy.changed(k=int(chosen), depth=int(seen) or None)


def sweep(policy: Policy, keys: Sequence[str], row: DeltaGenerator) -> SweepPlan:
    """Ask for a rule, the parameter that is followed, and the rule's other settings.

    Args:
        policy: What every setting shares.
        keys: Fields that a cap may count by.
        row: Where it is asked for.
    """
    chosen = row.selectbox(
        "Rule",
        [item.name for item in RULES],
        index=[item.name for item in RULES].index("mmr"),
        format_func=lambda name: named(name).label,
        width=200,
        key=state.key(Key.EVALUATE_RULE),
        persist_state="session",
    )
    reads = {parameter.name for parameter in named(chosen).parameters}
    axes = [axis for axis in Axis if axis in (Axis.DEPTH, Axis.K) or axis.value in reads]
    followed = row.segmented_control(
        "Over",
        axes,
        default=axes[0],
        format_func=NAMES.__getitem__,
        key=state.key(Key.EVALUATE_AXIS, str(len(axes)) + axes[0]),
        persist_state="session",
        required=True,
    )
    changes = _others(policy, named(chosen), Axis(followed), keys, row)
    return SweepPlan(bare(policy.changed(selector=chosen, **changes)), Axis(followed))


def _others(
    policy: Policy, rule: Selector, followed: Axis, keys: Sequence[str], row: DeltaGenerator
) -> dict[str, object]:
    """Ask for the settings of a rule that are not followed."""
    reads = {parameter.name for parameter in rule.parameters}
    changes: dict[str, object] = {}
    if "lambda_" in reads and followed is not Axis.LAMBDA:
        changes["lambda_"] = row.number_input(
            "lambda", 0.0, 1.0, policy.lambda_, 0.05,
            key=state.key(Key.EVALUATE_LAMBDA), persist_state="session", width=130,
        )  # fmt: skip
    if "cap" in reads and followed is not Axis.CAP:
        changes["cap"] = row.number_input(
            "cap", 1, MOST, policy.cap,
            key=state.key(Key.EVALUATE_CAP), persist_state="session", width=130,
        )  # fmt: skip
    if rule.reads_key:
        changes["key"] = row.selectbox(
            "Cap by", keys, key=state.key(Key.EVALUATE_KEY), persist_state="session", width=160
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
