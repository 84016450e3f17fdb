"""Stock widgets that edit a setting."""

from collections import Counter
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

import pandas as pd
import streamlit as st

from poolscope import selection, wording
from poolscope.board.payload import MOST_CAP, MOST_K
from poolscope.counts import counted
from poolscope.model import (
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Order,
    Policy,
    Pool,
    Relevance,
    Scaling,
)
from poolscope.selection import offers, presets
from poolscope.selection.keys import cap_keys
from poolscope.selection.offers import OFFERS, Offer
from poolscope.selection.presets import Need
from poolscope.ui import state
from poolscope.ui.state import Key, Setting

Choice = TypeVar("Choice", bound=StrEnum)

MOST_QUOTAS = 30
"""Values of the key that quotas are offered for, the commonest first."""
AUTOMATIC = "automatic: none for a cosine, else min-max"


def start(pool: Pool, last: Setting | None = None) -> Setting:
    """Return the setting that a pool is first shown with.

    Args:
        pool: The pool.
        last: The setting looked at before, of another question say: what fits is kept.
    """
    n = len(pool)
    if last is None:
        return Setting(Policy(k=min(5, max(n, 1))))
    policy = last.policy
    depth = None if policy.depth is None or policy.depth >= n else policy.depth
    key = policy.key if policy.key in {item.name for item in cap_keys(pool)} else "source"
    relevance = policy.relevance if policy.relevance in selection.available(pool) else None
    if policy.arm_key not in ("source", *pool.fields):
        policy = policy.changed(arm_cap=None, arm_key=Policy().arm_key)
    kept = policy.changed(
        depth=depth, key=key, overrides=(), quotas=(), relevance=relevance, pinned=(), banned=()
    )
    return replace(last, policy=kept)


def sliders(pool: Pool, policy: Policy) -> Policy:
    """Draw the stock sliders and return what they say.

    Args:
        pool: The pool whose digest the widgets' values belong to.
        policy: What they say before anyone moved them.
    """
    digest, n = pool.digest, len(pool)
    columns = st.columns([1.7, 1, 1.2, 1], gap="medium")
    with columns[0]:
        lambda_ = st.slider(
            "Lambda: 0 difference only, 1 relevance only (top-k)",
            0.0,
            1.0,
            value=policy.lambda_,
            step=0.01,
            key=state.key(Key.LAMBDA, digest),
            persist_state="session",
        )
    with columns[1]:
        cap = st.slider(
            "Cap per value of the key",
            1,
            max(2, min(n, MOST_CAP), policy.cap),
            value=policy.cap,
            key=state.key(Key.CAP, digest),
            persist_state="session",
            help="Most picks for one source, or for one value of the key chosen below.",
        )
    with columns[2]:
        depth = st.slider(
            "Pool depth",
            1,
            max(2, n),
            value=max(2, n) if policy.depth is None else max(1, min(policy.depth, n)),
            key=state.key(Key.DEPTH, digest),
            persist_state="session",
            help="How many candidates, from rank 1, the rules may see.",
        )
    with columns[3]:
        most = max(2, min(n, MOST_K), policy.k)
        k = st.slider(
            "k in context",
            1,
            most,
            value=min(policy.k, most),
            key=state.key(Key.K, digest),
            persist_state="session",
            help="How many passages enter the context.",
        )
    return policy.changed(lambda_=lambda_, cap=cap, depth=depth if depth < n else None, k=k)


def choices(pool: Pool, begin: Setting) -> Setting:
    """Draw everything but the sliders and return what it says.

    Args:
        pool: The pool whose digest the widgets' values belong to.
        begin: What the widgets say before anyone moved them.
    """
    digest, policy = pool.digest, begin.policy
    rules = _rules(pool, begin.rules) if state.widget(Key.PLAIN) else begin.rules
    counts = {key.name: key.values for key in cap_keys(pool)}  # noqa: PD011 - a number of them
    names = list(counts)
    key = st.selectbox(
        "Cap's key, and colour",
        names,
        index=names.index(policy.key) if policy.key in names else 0,
        format_func=lambda name: f"{name} ({counted(counts[name], 'value')})",
        key=state.key(Key.CAP_KEY, digest),
        persist_state="session",
    )
    kinds = selection.available(pool)
    relevance = st.selectbox(
        "Relevance used",
        kinds,
        index=kinds.index(policy.relevance) if policy.relevance in kinds else 0,
        format_func=lambda kind: wording.relevance(pool, kind),
        key=state.key(Key.RELEVANCE, digest),
        persist_state="session",
    )
    policy = policy.changed(key=key, relevance=Relevance(relevance))
    if "quotas" in rules:
        policy = _quotas(pool, policy)
    policy = _more(pool, _reserved(pool, _arms(pool, policy)))
    return Setting(policy, rules)


def _quotas(pool: Pool, policy: Policy) -> Policy:
    """Let a person give slots to the values of the key."""
    counts = Counter(value for value in pool.column(policy.key) if value is not None)
    given = dict(policy.quotas)
    names = [name for name, _ in counts.most_common(MOST_QUOTAS)]
    table = pd.DataFrame(
        {policy.key: names, "slots": [given.get(name, 1 if not given else 0) for name in names]}
    )
    edited = st.data_editor(
        table,
        hide_index=True,
        disabled=[policy.key],
        column_config={"slots": st.column_config.NumberColumn(min_value=0, step=1)},
        key=f"{state.key(Key.QUOTAS, pool.digest)}:{policy.key}",
    )
    refill = st.toggle(
        "Refill slots that the quotas leave empty",
        policy.refill,
        key=state.key(Key.REFILL, pool.digest),
        persist_state="session",
    )
    rows = zip(edited[policy.key], edited["slots"].fillna(0), strict=True)
    quotas = tuple((str(name), int(slots)) for name, slots in rows if slots > 0)
    return policy.changed(quotas=quotas, refill=refill)


def _arms(pool: Pool, policy: Policy) -> Policy:
    """Let a person cut the list of each retrieval arm before the rule chooses."""
    fields = offers.fields(pool)
    if not fields:
        return policy
    cap = st.number_input(
        "Most of each retrieval arm",
        min_value=1,
        value=policy.arm_cap,
        placeholder="no cut, no fusion",
        key=state.key(Key.ARM_CAP, pool.digest),
        persist_state="session",
        help="Cuts each arm's list, then fuses the lists by reciprocal rank (k = 60); the rule "
        "weighs the fused score.",
    )
    if cap is None:
        return policy.changed(arm_cap=None)
    usual = presets.field_of(pool, "arm", presets.Request())
    if policy.arm_key in pool.fields and policy.arm_key not in fields:
        fields = (*fields, policy.arm_key)
    begin = policy.arm_key if policy.arm_key in fields else usual
    key = st.selectbox(
        "Field that names the arms",
        fields,
        index=fields.index(begin) if begin in fields else 0,
        key=state.key(Key.ARM_KEY, pool.digest),
        persist_state="session",
    )
    return policy.changed(arm_cap=int(cap), arm_key=key)


def _reserved(pool: Pool, policy: Policy) -> Policy:
    """Let a person remove near copies first, and reserve slots before the rule chooses."""
    near_copies = st.multiselect(
        "Near copies removed first, by",
        list(NearCopy),
        default=list(policy.near_copies),
        format_func=str,
        placeholder="nothing is removed",
        key=state.key(Key.NEAR_COPIES, pool.digest),
        persist_state="session",
        help="The best ranked of a set of copies stays; the others name it as their reason.",
    )
    columns = st.columns(2)
    best = columns[0].number_input(
        "Slots for the best",
        min_value=0,
        value=policy.best,
        key=state.key(Key.BEST, pool.digest),
        persist_state="session",
        help="Filled first, by relevance alone, whatever the rule does.",
    )
    neighbours = columns[1].number_input(
        "Slots for its neighbours",
        min_value=0,
        value=policy.neighbours,
        key=state.key(Key.NEIGHBOURS, pool.digest),
        persist_state="session",
        help="Filled next, by what stands beside the best pick in its source.",
    )
    return policy.changed(near_copies=tuple(near_copies), best=best, neighbours=neighbours)


def plain() -> bool:
    """Draw the switch to the plain board and return what it says."""
    return st.toggle(
        "Plain sliders instead of the live board",
        key=state.key(Key.PLAIN),
        on_change=state.forget_sliders,
        persist_state="session",
    )


def _rules(pool: Pool, rules: tuple[str, ...]) -> tuple[str, ...]:
    """Let a person choose the columns' rules; on the live board each column has its own list."""
    rows = [st.columns(2) for _ in rules[::2]]
    chosen = []
    for place, rule in enumerate(rules):
        with rows[place // 2][place % 2]:
            chosen.append(_rule(pool, place, rule))
    digest, shown = pool.digest, tuple(chosen)
    with st.container(horizontal=True, gap="small"):
        if len(shown) < state.MOST_RULES:
            more = _unused(pool, shown)
            st.button("Add a column", on_click=state.put_rules, args=(digest, (*shown, more)))
        if len(shown) > 1:
            st.button("Remove the last", on_click=state.put_rules, args=(digest, shown[:-1]))
    return shown


def _rule(pool: Pool, place: int, rule: str) -> str:
    """Draw the list of rules of one column, and the number that its preset asks for."""
    offer = offers.named(rule)
    labels = {item.name: _offered(pool, item) for item in OFFERS if item.name != "top_k"}
    name = st.selectbox(
        f"Column {place + 2}",
        list(labels),
        format_func=labels.__getitem__,
        key=state.rule_key(pool.digest, place, offer.plain.name),
        persist_state="session",
    )
    chosen = offers.named(name)
    known = offer if offer.plain == chosen else chosen
    own = f"{state.key(Key.RULES, pool.digest)}:{place}:{chosen.rule.name}"
    if chosen.asks_stored:
        stored = st.number_input(
            "Stored sources",
            min_value=0,
            max_value=10**offers.MOST_DIGITS - 1,
            value=known.stored,
            placeholder="how many?",
            key=f"{own}:stored",
            persist_state="session",
            help="How many sources the whole store holds, beyond this pool.",
        )
        chosen = replace(chosen, stored=stored)
    return replace(chosen, field=_field(pool, known, f"{own}:field")).name


def _field(pool: Pool, offer: Offer, key: str) -> str | None:
    """Ask which field plays the part of the one that a preset reads; ``None`` for the usual."""
    if not offer.part:
        return None
    fields = offers.fields(pool)
    foreign = () if offer.field in (None, *fields) else (offer.field,)
    options = [None, *fields, *foreign]
    chosen: str | None = st.selectbox(
        f"Field for {offer.part}",
        options,
        index=options.index(offer.field),
        format_func=lambda name: wording.usual_field(offer, pool) if name is None else name,
        placeholder=wording.usual_field(offer, pool),
        key=key,
        persist_state="session",
    )
    return chosen


def _offered(pool: Pool, offer: Offer) -> str:
    """Name a rule in a list, with what this pool lacks for it."""
    lacks = [need for need in offer.missing(pool) if need is not Need.STORED]
    kind = "Preset: " if offer.is_preset else ""
    return f"{kind}{offer.rule.label}" + (f" · needs {', '.join(lacks)}" if lacks else "")


def _unused(pool: Pool, shown: tuple[str, ...]) -> str:
    """Return the first rule that no column shows and this pool can serve."""
    free = (
        offer.name
        for offer in OFFERS
        if offer.name not in {"top_k", *shown} and not offer.missing(pool)
    )
    return next(free, shown[-1])


def _more(pool: Pool, policy: Policy) -> Policy:
    digest = pool.digest
    scalings = [None, *Scaling]
    scaling = st.selectbox(
        "Scale of relevance, for MMR",
        scalings,
        index=scalings.index(policy.scaling),
        format_func=lambda value: AUTOMATIC if value is None else value.value,
        placeholder=AUTOMATIC,
        key=state.key(Key.SCALING, digest),
        persist_state="session",
        help="A score that is not a cosine has to be mapped before MMR weighs it against one.",
    )
    clip = st.toggle(
        "Clip negative cosines at 0",
        policy.clip_negative,
        key=state.key(Key.CLIP, digest),
        persist_state="session",
    )
    backfill = st.toggle(
        "Backfill slots that a cap leaves empty",
        policy.backfill,
        key=state.key(Key.BACKFILL, digest),
        persist_state="session",
    )
    missing_vector = _choice(
        "Without a vector, MMR", MissingVector, policy.missing_vector, Key.MISSING_VECTOR, digest
    )
    missing_key = _choice(
        "Without a key, a cap counts", MissingKey, policy.missing_key, Key.MISSING_KEY, digest
    )
    budget = st.number_input(
        "Token budget",
        min_value=0,
        value=policy.budget,
        placeholder="no limit",
        key=state.key(Key.BUDGET, digest),
        persist_state="session",
    )
    on_budget = _choice(
        "At an item that does not fit", OnBudget, policy.on_budget, Key.ON_BUDGET, digest
    )
    first_item = st.toggle(
        "The first item may exceed the budget",
        policy.first_item_always,
        key=state.key(Key.FIRST_ITEM, digest),
        persist_state="session",
    )
    order = _choice("Order handed out", Order, policy.order, Key.ORDER, digest)
    return policy.changed(
        scaling=scaling,
        clip_negative=clip,
        backfill=backfill,
        missing_vector=missing_vector,
        missing_key=missing_key,
        budget=budget,
        on_budget=on_budget,
        first_item_always=first_item,
        order=order,
    )


def _choice(label: str, choices: type[Choice], value: Choice, name: Key, digest: str) -> Choice:
    options = list(choices)
    return st.selectbox(
        label,
        options,
        index=options.index(value),
        format_func=str,
        key=state.key(name, digest),
        persist_state="session",
    )
