"""Evaluate: which setting, on our questions?"""

import streamlit as st

from poolscope import samples
from poolscope.formats import Load
from poolscope.model import Pool
from poolscope.ui import (
    evaluate_answers,
    evaluate_panels,
    evaluate_setting,
    golden_questions,
    opening,
    show,
    state,
    travelling,
)
from poolscope.ui.state import Key

GOLDEN = "help-centre"
"""The sample that is a golden set."""
SWEEP, TABLE, TWO, MIX, PROXY = "Sweep", "Table", "Two settings", "Query mix", "Proxy"
GRID, ANSWERS = "Depth and cap", "Answers"
SECTIONS = (SWEEP, GRID, TABLE, TWO, MIX, PROXY, ANSWERS)


def render() -> None:
    """Draw the page."""
    with show.errors():
        loaded = opening.current()
        load = state.session().load
        if loaded is None or load is None:
            show.no_pool()
            return
        show.block(show.markup.title("Which setting, on our questions?", (state.session().origin,)))
        if len(load) == 1:
            _one_question()
            return
        _sections(load, loaded.pool)


def _one_question() -> None:
    """Say what is needed, and where it comes from."""
    st.text(
        "A setting is judged on many questions, and this file holds one. Load a golden set: a "
        "file of questions whose candidates say which facets of the answer they support."
    )
    sample = samples.named(GOLDEN)
    if sample is not None:
        st.button(f"Open the sample “{sample.title}”", on_click=opening.sample, args=(GOLDEN,))


def _sections(load: Load, pool: Pool) -> None:
    golden_questions.choose(load)
    keys = evaluate_setting.keys_of(pool)
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    chosen = row.segmented_control(
        "Look at",
        SECTIONS,
        key=travelling.choice(
            "section",
            state.key(Key.EVALUATE_SECTION),
            {section: section for section in SECTIONS},
            SWEEP,
        ),
        persist_state="session",
        required=True,
    )
    policy = evaluate_setting.base(pool, row, reads_depth=chosen != GRID)
    show.block(show.markup.aside(evaluate_setting.from_inspect(pool, policy)))
    plan = evaluate_setting.table(policy, keys)
    if chosen == SWEEP:
        evaluate_panels.sweep(load, policy, keys)
    elif chosen == GRID:
        evaluate_panels.by_depth_and_cap(load, policy, pool)
    elif chosen == TABLE:
        evaluate_panels.table(load, plan)
    elif chosen == TWO:
        evaluate_panels.two(load, plan)
    elif chosen == MIX:
        evaluate_panels.mix(load, plan)
    elif chosen == PROXY:
        evaluate_panels.likeness(load, policy)
    else:
        evaluate_answers.draw(load, policy)
