"""Evaluate's panels: the sweep, the table, two settings, the mix, the proxy."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from poolscope.charts import golden
from poolscope.evaluation import findings, proxy
from poolscope.evaluation.contenders import Row
from poolscope.evaluation.mix import Router, Scores
from poolscope.evaluation.plans import Gathered, SweepResult, TablePlan
from poolscope.evaluation.statistics import Paired, paired
from poolscope.evaluation.sweep import ALPHA_NDCG, COVERAGE, HIT, PAIRWISE, RELEVANCE
from poolscope.formats import Load
from poolscope.geometry import Bools, Floats
from poolscope.measures.redundancy import CROWDING_ALARM
from poolscope.model import Policy, Pool, Stratum
from poolscope.selection import named, presets
from poolscope.selection.paths import Axis
from poolscope.ui import (
    evaluate_markup,
    evaluate_run,
    evaluate_setting,
    opening,
    show,
    state,
    toml_panel,
    travelling,
)
from poolscope.ui.state import Key
from poolscope.wording import counted

LABELS = {COVERAGE: "Facet coverage", HIT: "Any facet covered", ALPHA_NDCG: "alpha-nDCG"}
MOST_LISTED = 8
ALL = "all"


def sweep(load: Load, policy: Policy, keys: Sequence[str]) -> None:
    """Follow one parameter of a rule over its whole range."""
    row = _row()
    plan = evaluate_setting.sweep(policy, keys, row)
    name, stratum = _looked_at(row)
    found = evaluate_run.swept(load, plan)
    if found is None:
        return
    if plan.axis is Axis.DEPTH:
        show.block(show.markup.aside("The pool depth above is not read here: it is followed."))
    best = findings.best(found.sweep, name, stratum)
    if best is None:
        st.text(f"No question here has {stratum}.")
        return
    show.block(show.markup.finding(findings.verdict(best)))
    show.figure(
        golden.sweep_curve(found.sweep, best, LABELS[name], stratum, show.current_theme()),
        key=f"sweep:{plan!r}:{name}:{stratum}",
    )
    show.block(show.markup.listing(findings.evidence(best)))
    how = (
        "every change of every question is found"
        if found.sweep.exact
        else ("approximate: some paths were sampled")
    )
    show.block(show.markup.aside(f"{counted(len(found.sweep.starts), 'step')}; {how}."))
    at = best.short if plan.axis is Axis.LAMBDA else round(best.short)
    toml_panel.draw(
        plan.policy.changed(**{plan.axis.value: at}),
        f"{named(plan.policy.selector).label} at {findings.NAMES[plan.axis]} {at:g}, where the "
        "mean is largest",
        key=f"sweep:{plan!r}:{name}:{stratum}",
    )


def by_depth_and_cap(load: Load, policy: Policy, pool: Pool) -> None:
    """Follow lambda at every depth and cap side by side: the best of each, exactly."""
    plan, depths, caps = evaluate_setting.by_depth_and_cap(policy, pool)
    show.block(show.markup.aside("The pool depth above is not read here: each row has its own."))
    name, stratum = _looked_at(_row())
    found = evaluate_run.swept(load, plan)
    if found is None:
        return
    if stratum is not None and not found.gathered.count(stratum):
        st.text(f"No question here has {stratum}.")
        return
    peaks = findings.peaks((found.sweep, *found.others), name, stratum)
    width = len(caps) + 1
    lines = [peaks[at : at + width] for at in range(0, len(peaks), width)]
    show.block(evaluate_markup.grid(lines, depths, caps))
    show.block(
        show.markup.aside(
            f"{LABELS[name]}: in each cell the best mean over lambda; beneath it the difference to "
            "plain top-k, the lambda that gives it, nearest to 1, and how mean relevance changes "
            "there. The largest of many cells flatters itself: look at it under “Sweep”, where it "
            "is held out."
        )
    )


def _row() -> DeltaGenerator:
    """Return a row for controls, which wraps where the window is narrow."""
    return st.container(horizontal=True, vertical_alignment="bottom", gap="medium")


def _looked_at(row: DeltaGenerator) -> tuple[str, Stratum | None]:
    """Ask for the measure, and for the questions that are looked at."""
    name = row.selectbox(
        "Measure",
        list(LABELS),
        format_func=LABELS.__getitem__,
        width=200,
        key=travelling.choice(
            "measure",
            state.key(Key.EVALUATE_MEASURE),
            {label: name for name, label in LABELS.items()},
            COVERAGE,
        ),
        persist_state="session",
    )
    choices = [*map(str, Stratum), ALL]
    chosen = row.segmented_control(
        "Questions",
        choices,
        key=travelling.choice(
            "questions",
            state.key(Key.EVALUATE_STRATUM),
            {choice: choice for choice in choices},
            choices[0],
        ),
        persist_state="session",
        required=True,
    )
    return str(name), None if chosen == ALL else Stratum(str(chosen))


def table(load: Load, plan: TablePlan) -> None:
    """Hold every usual setting against plain top-k."""
    found = evaluate_run.measured(load, plan)
    if found is None:
        return
    show.block(evaluate_markup.table(found))
    lacking = [row for row in found.rows if row.lacks]
    if lacking:
        need = "needs" if len(lacking) == 1 else "need"
        with st.expander(f"{counted(len(lacking), 'setting')} {need} what these questions lack"):
            lines = [f"{row.contender.label}: {row.lacks}" for row in lacking]
            show.block(show.markup.listing(lines))


def two(load: Load, plan: TablePlan) -> None:
    """Hold two settings against each other, question by question."""
    found = evaluate_run.measured(load, plan)
    if found is None:
        return
    row = _row()
    first, second = _pair(found.rows, row)
    name, stratum = _looked_at(row)
    rows = _of(found.gathered, stratum)
    before, after = first.values[name], second.values[name]
    met = rows & ~(np.isnan(before) | np.isnan(after))
    pairs = paired(before[met], after[met])
    costs = second.values[RELEVANCE] - first.values[RELEVANCE]
    known = rows & ~np.isnan(costs)
    cost = paired(first.values[RELEVANCE][known], second.values[RELEVANCE][known])
    said = findings.compared(
        pairs,
        cost if known.any() else None,
        first.contender.label,
        second.contender.label,
        LABELS[name],
    )
    show.block(show.markup.listing(said))
    places = np.flatnonzero(met).tolist()
    chart, listed = st.columns(2, gap="large")
    with chart:
        names = [found.gathered.known[at].query or found.gathered.known[at].name for at in places]
        show.figure(
            golden.differences(
                pairs.differences.tolist(), names, LABELS[name], show.current_theme()
            ),
            key=f"differences:{first.contender!r}:{second.contender!r}:{name}:{stratum}",
        )
    with listed:
        _differing(found.gathered, places, (pairs, costs[met]), second)
    _as_toml(second)


def _as_toml(row: Row) -> None:
    """Draw the setting of a row as what the command line reads."""
    if row.contender.preset:
        toml_panel.preset(presets.named(row.contender.preset))
    else:
        toml_panel.draw(row.contender.policy, f"“{row.contender.label}”", key="two")


def _pair(rows: Sequence[Row], row: DeltaGenerator) -> tuple[Row, Row]:
    """Ask for two settings that could be measured on every question."""
    usable = [row for row in rows if not row.lacks]
    places = list(range(len(usable)))
    usual = [
        place for place in places
        if usable[place].contender.policy.selector == "mmr" and not usable[place].contender.preset
    ]  # fmt: skip
    labels = {usable[place].contender.label: place for place in places}
    first = row.selectbox(
        "Held against", places, format_func=lambda place: usable[place].contender.label,
        key=travelling.choice(
            "held-against", state.key(Key.EVALUATE_FIRST, str(len(places))), labels, 0
        ),
        persist_state="session", width=240,
    )  # fmt: skip
    second = row.selectbox(
        "Setting", places, format_func=lambda place: usable[place].contender.label,
        key=travelling.choice(
            "setting",
            state.key(Key.EVALUATE_SECOND, str(len(places))),
            labels,
            usual[1] if len(usual) > 1 else 0,
        ),
        persist_state="session", width=240,
    )  # fmt: skip
    return usable[first], usable[second]


def _of(gathered: Gathered, stratum: Stratum | None) -> Bools:
    return np.array([stratum in (None, item.stratum) for item in gathered.known], dtype=np.bool_)


def _differing(
    gathered: Gathered,
    places: Sequence[int],
    found: tuple[Paired, Floats],
    row: Row,
) -> None:
    """List the questions that differ most, with what each costs and its way to Inspect."""
    pairs, costs = found
    changes = pairs.differences
    differing = [at for at in pairs.order if changes[at] != 0.0][:MOST_LISTED]
    if not differing:
        st.text("No question differs.")
        return
    st.markdown("**The questions that differ most**")
    for at in differing:
        known, number = gathered.known[places[at]], gathered.numbers[places[at]]
        line = st.container(
            horizontal=True, vertical_alignment="center", key=f"differing-line:{number}"
        )
        price = f"{findings.signed(changes[at], 2)}, {findings.cost(float(costs[at]))}"
        line.text(f"{price}: {known.query or known.name}")
        if line.button("Inspect", key=f"inspect:{number}"):
            _inspect(number, row)


def _inspect(number: int, row: Row) -> None:
    """Open a question on Inspect, with the setting on its board."""
    opening.question(number)
    loaded = opening.current()
    if loaded is not None and not row.contender.preset:
        state.apply(loaded.pool.digest, row.contender.policy)
    st.switch_page("pages/inspect.py")


def mix(load: Load, plan: TablePlan) -> None:
    """Weigh the two kinds of questions against each other, and send each its own way."""
    found = evaluate_run.measured(load, plan)
    if found is None:
        return
    gathered = found.gathered
    if not all(gathered.count(item) for item in Stratum):
        missing = next(item for item in Stratum if not gathered.count(item))
        st.text(f"A mix needs both kinds of questions, and none here has {missing}.")
        return
    first, second = _pair(found.rows, _row())
    pair = [(row.contender.label, _scores(gathered, row)) for row in (first, second)]
    usual = round(100 * gathered.count(Stratum.ONE) / len(gathered.known))
    share = st.slider(
        "Questions with one true answer, in per cent",
        0,
        100,
        help="What share of the questions that are asked has one true answer. It starts from the "
        "share in this set.",
        key=travelling.number(
            "share",
            state.key(Key.EVALUATE_SHARE, f"{state.session().digest}:{usual}"),
            (0, 100),
            usual,
        ),
        persist_state="session",
    )
    show.block(evaluate_markup.scores(pair, share / 100))
    show.block(show.markup.listing(findings.mixed(pair, share / 100)))
    show.figure(golden.mix_lines(pair, share / 100, show.current_theme()), key="mix")
    _router([scores for _, scores in pair], share / 100)


def _scores(gathered: Gathered, row: Row) -> Scores:
    one, several = _of(gathered, Stratum.ONE), _of(gathered, Stratum.SEVERAL)
    return Scores(
        float(row.values[HIT][one].mean()),
        float(row.values[COVERAGE][several].mean()),
        _mean(row.values[RELEVANCE][one]),
        _mean(row.values[RELEVANCE][several]),
    )


def _mean(values: Floats) -> float:
    met = values[~np.isnan(values)]
    return float(met.mean()) if len(met) else float("nan")


def _router(scores: Sequence[Scores], share: float) -> None:
    """Ask how often a router errs, and say what that costs."""
    st.markdown("**A router that tells the kinds apart**")
    left, right = st.columns(2)
    one = left.slider(
        "Single-answer questions sent the wrong way, in per cent", 0, 100,
        key=travelling.number("missed-one", state.key(Key.EVALUATE_MISSED_ONE), (0, 100), 10),
        persist_state="session",
    )  # fmt: skip
    several = right.slider(
        "Questions with several components sent the wrong way, in per cent", 0, 100,
        key=travelling.number(
            "missed-several", state.key(Key.EVALUATE_MISSED_SEVERAL), (0, 100), 10
        ),
        persist_state="session",
    )  # fmt: skip
    better_on_one = sorted(scores, key=lambda item: (-item.one, item.several))
    router = Router(better_on_one[0], better_on_one[-1], one / 100, several / 100)
    show.block(show.markup.listing(findings.routed(router, share)))


def likeness(load: Load, policy: Policy) -> None:
    """Hold the mean pairwise cosine against coverage, and calibrate an alarm on it."""
    plan = evaluate_setting.over_lambda(policy)
    found = evaluate_run.swept(load, plan)
    if found is None:
        return
    sweep = found.sweep
    likeness = sweep.at(1.0, PAIRWISE)
    if np.isnan(likeness).all():
        st.text("The proxy compares pairs, and no selection here has two passages with vectors.")
        return
    said = (
        findings.correlated(
            proxy.across_questions(sweep, 1.0), "Across the questions, at plain top-k"
        ),
        findings.correlated(proxy.over_the_sweep(sweep), "Within a question, over lambda"),
    )
    show.block(
        show.markup.aside(
            "The proxy is the mean pairwise cosine of what is selected. It reads geometry only: "
            "five unrelated passages score best on it."
        )
    )
    show.block(show.markup.listing(said))
    _alarm(found, likeness)


def _alarm(found: SweepResult, likeness: Floats) -> None:
    best = proxy.calibrated(found.sweep, 1.0, found.ceiling)
    usual = findings.alarmed(
        proxy.alarm(found.sweep, 1.0, found.ceiling, CROWDING_ALARM), "The usual threshold"
    )
    if best is None:
        said = [
            usual,
            "No threshold can be calibrated: plain top-k misses a facet that could be had on "
            "every question, or on none.",
        ]
    else:
        tells = best.hits - best.false_alarms
        said = [
            usual,
            findings.alarmed(best, "The threshold that tells best on this set"),
            f"Hits less false alarms: {tells:.2f}, where 0 is a coin and 1 is perfect; it was "
            "chosen on the very questions that it is measured on, which flatters.",
        ]
    show.block(show.markup.listing(said))
    show.figure(
        golden.proxy_against_coverage(
            likeness,
            found.sweep.at(1.0, COVERAGE),
            None if best is None else best.threshold,
            show.current_theme(),
        ),
        key="proxy",
    )
