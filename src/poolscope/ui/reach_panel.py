"""The panel of Explain that says what it would take to let a passage or a facet in."""

import math
from collections.abc import Sequence

import streamlit as st

from poolscope import wording
from poolscope.charts import labels
from poolscope.diagnosis import what_would_it_take as reaching
from poolscope.diagnosis.what_would_it_take import Answer, Change, Goal, Move, Outcome
from poolscope.model import Pool, Selection
from poolscope.selection import presets
from poolscope.ui import cache, explain_markup, show, state
from poolscope.ui.explain_markup import Cell, Figure, blank, number
from poolscope.ui.markup import signed
from poolscope.ui.state import Key

NAME_CHARACTERS = 60
MOST_RANKS = 8
FACET_HEADINGS = (
    "facet",
    "now",
    "the change that costs least relevance",
    "facets covered",
    "mean relevance",
    "tokens",
)
FACET, PASSAGE = "a facet", "a passage"


def reach(selection: Selection) -> None:
    """Ask what it would take to let a passage or a facet in."""
    if selection.preset:
        preset = presets.named(selection.preset)
        st.text(f"“{preset.label}” keeps settings of its own, so there is none here to move.")
        st.text("Choose plain top-k or a rule above: theirs are the sliders of Inspect.")
        return
    if selection.pool.facets:
        _facets(selection)
    goal = _goal(selection)
    answer = cache.reach(selection, goal)
    if answer.is_in:
        st.text(f"In already: {labels.plain(goal.name)}.")
        return
    if not answer.changes:
        st.text("No setting of this rule reaches it.")
        st.text(answer.cause)
        return
    if len(answer.changes[0].moves) > 1:
        st.text("No single change lets it in. The cheapest combination in relevance:")
    elif len(answer.changes) > 1:
        st.caption("Each of these alone lets it in; the least relevance given up stands first.")
    for place, change in enumerate(answer.changes):
        _change(answer, change, place)
    if not answer.is_exhaustive:
        st.caption("Not every value was looked at: a smaller change may exist.")


def _facets(selection: Selection) -> None:
    """Say for each facet whether it is in, and the change that would let it in."""
    cells = [_facet(selection, place) for place in range(len(selection.pool.facets))]
    show.block(explain_markup.rows(FACET_HEADINGS, cells, "Every facet, and what would let it in"))


def _facet(selection: Selection, place: int) -> list[Cell]:
    pool = selection.pool
    answer = cache.reach(selection, reaching.facet_goal(pool, place))
    label = Cell(pool.facets[place].label)
    if answer.is_in:
        return [label, Cell("in"), *[blank("nothing to change: the facet is in")] * 4]
    if not answer.changes:
        none = blank("no setting of this rule lets the facet in")
        return [label, Cell("out"), Cell(answer.cause), none, none, none]
    cheapest = answer.changes[0]
    lost = cheapest.effect.lost
    return [
        label,
        Cell("out"),
        Cell(moved(cheapest.moves), beneath=f"loses {_listed(lost)}" if lost else ""),
        *(number(item.value, item.change) for item in figures(cheapest.effect)),
    ]


def _first_out(selection: Selection) -> int:
    goals = [reaching.facet_goal(selection.pool, i) for i in range(len(selection.pool.facets))]
    out = (i for i, goal in enumerate(goals) if not goal.indices & selection.members)
    return next(out, 0)


def _goal(selection: Selection) -> Goal:
    pool = selection.pool
    left, right = st.columns([1, 3])
    kinds = [FACET, PASSAGE] if pool.facets else [PASSAGE]
    kind = left.radio(
        "Let in",
        kinds,
        key=state.key(Key.GOAL_KIND, pool.digest),
        horizontal=True,
        persist_state="session",
    )
    if kind == FACET:
        place = right.selectbox(
            "Facet",
            range(len(pool.facets)),
            index=_first_out(selection),
            format_func=lambda i: labels.plain(pool.facets[i].label),
            key=state.key(Key.GOAL_FACET, pool.digest),
            persist_state="session",
        )
        return reaching.facet_goal(pool, place)
    looked_at = state.passage(pool.digest)
    first_out = next((i for i in range(len(pool)) if i not in selection.members), 0)
    index = right.selectbox(
        "Passage",
        range(len(pool)),
        format_func=lambda i: passage_name(pool, i),
        index=first_out if looked_at is None else looked_at,
        key=state.key(Key.GOAL_PASSAGE, pool.digest),
        on_change=state.look_at_chosen,
        args=(pool.digest,),
        persist_state="session",
    )
    return reaching.candidate_goal(index)


def passage_name(pool: Pool, index: int) -> str:
    """Name a passage in a list: rank, source, beginning."""
    source = labels.shortened(wording.source_of(pool, index), 40)
    return f"{index + 1} · {source} · {labels.shortened(pool.texts[index], NAME_CHARACTERS)}"


def _change(answer: Answer, change: Change, place: int) -> None:
    digest = answer.selection.pool.digest
    with st.container(border=True):
        left, right = st.columns([6, 1], vertical_alignment="top")
        with left:
            show.block(change_card(change))
        right.button(
            "Apply",
            key=f"apply:{answer.selection.policy.selector}:{place}",
            on_click=state.apply,
            args=(digest, change.policy, moved(change.moves)),
            width="stretch",
        )


def change_card(change: Change) -> str:
    """Return a change as a card: what is moved, what it does, who comes and goes."""
    effect = change.effect
    lines = []
    if effect.facets:
        lines.append(("Gained:", _listed(effect.gained) or "no facet"))
        lines.append(("Lost:", _listed(effect.lost) or "no facet"))
    lines += [("Come in:", _ranks(change.entered)), ("Go out:", _ranks(change.left))]
    beside = "; ".join(filter(None, map(_stretch, change.moves)))
    return explain_markup.change(moved(change.moves), beside, figures(effect), lines)


def figures(effect: Outcome) -> tuple[Figure, ...]:
    """Return what a change does to coverage, relevance and tokens, each as before and after."""
    covered = effect.covered
    before, after = effect.relevance
    was, becomes = effect.tokens
    return (
        Figure("facets covered", "not marked", "no facet is known")
        if covered is None
        else Figure(
            "facets covered",
            f"{covered[0]} → {covered[1]} of {effect.facets}",
            signed(covered[1] - covered[0], 0),
        ),
        Figure("mean relevance", f"{_mean(before)} → {_mean(after)}", signed(after - before, 3)),
        Figure("tokens", f"{was:,} → {becomes:,}", _growth(was, becomes)),
    )


def _mean(value: float) -> str:
    return "nothing in" if math.isnan(value) else f"{value:.3f}"


def _growth(was: int, becomes: int) -> str:
    """Say how many tokens more or fewer, and as a share of those now."""
    change = signed(becomes - was, 0)
    if not was or becomes == was:
        return change
    if becomes >= 2 * was:
        return f"{change} ({becomes / was:.1f} times)"
    return f"{change} ({signed(100 * (becomes - was) / was, 0)} %)"


def moved(moves: Sequence[Move]) -> str:
    """Say what is moved, from where to where."""
    return " and ".join(map(_move, moves))


def _move(move: Move) -> str:
    return f"{move.label} {_value(move.before)} → {_value(move.value)}"


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def _stretch(move: Move) -> str:
    """Say the stretch of values that do the same; empty where only one does."""
    if isinstance(move.low, str) or isinstance(move.high, str) or move.low == move.high:
        return ""
    return f"any {move.label} from {move.low:.4g} to {move.high:.4g} does"


def _ranks(indices: Sequence[int]) -> str:
    """Name ranks, the first of many."""
    if not indices:
        return "no passage"
    named = ", ".join(str(index + 1) for index in indices[:MOST_RANKS])
    more = len(indices) - MOST_RANKS
    kind = "rank" if len(indices) == 1 else "ranks"
    return f"{kind} {named}" + (f" and {more} more" if more > 0 else "")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
