"""Present: one question for a room, before and after."""

from dataclasses import replace

import streamlit as st

from poolscope import wording
from poolscope.board import present as view
from poolscope.charts.labels import shortened
from poolscope.formats import Loaded
from poolscope.selection.offers import OFFERS
from poolscope.ui import cache, controls, opening, presenting, show, state
from poolscope.ui.presenting import Talk

MOST_NAMED = 200
"""Questions that can be chosen by name."""


def render() -> None:
    """Draw the page."""
    with show.errors():
        loaded = opening.current()
        if loaded is None:
            show.no_pool()
            return
        presenting.travel()
        talk = presenting.talk()
        _view(loaded, talk)
        with st.popover("Prepare"):
            _prepare(talk)


def _view(loaded: Loaded, talk: Talk) -> None:
    pool = loaded.pool
    setting = state.setting(pool.digest) or controls.start(pool, state.session().last)
    state.remember(pool.digest, setting)
    rule, note = presenting.rule(pool, setting, talk.rule)
    session = state.session()
    told = view.Told(
        presenting.place(talk.questions, session.question),
        len(talk.questions),
        1 if session.load is None else len(session.load),
        note,
    )
    view.mount(
        cache.present_renderer(),
        cache.present_payload(pool, replace(setting, rules=(rule,)), told),
        key=presenting.VIEW,
        on_turned=lambda: presenting.turned(presenting.VIEW),
    )


def _prepare(talk: Talk) -> None:
    session = state.session()
    load = session.load
    if load is not None and len(load) > 1:
        count = min(len(load), MOST_NAMED)
        key = presenting.chooser(presenting.SHOWN)
        st.multiselect(
            "Questions, in the order shown",
            range(count),
            default=[number for number in talk.questions if number < count],
            format_func=lambda number: f"{number + 1}. {shortened(load.raws[number].query, 60)}",
            key=key,
            on_change=presenting.choose,
            args=(key,),
        )
        if count < len(load):
            st.caption(f"The first {wording.counted(count, 'question')} can be chosen here.")
    labels = {item.name: item.label for item in OFFERS if item.name != "top_k"}
    names = ["", *labels]
    key = presenting.chooser(presenting.BESIDE)
    st.selectbox(
        "Beside plain top-k",
        names,
        index=names.index(talk.rule) if talk.rule in names else 0,
        format_func=lambda name: labels.get(name, "the last column of Inspect"),
        key=key,
        on_change=presenting.show,
        args=(key,),
    )
    turning = presenting.keys(len(talk.questions), 1 if load is None else len(load))
    st.caption(
        "The setting is the one of Inspect. What is moved on this page stays on it. "
        f"{turning} Up and down step, space plays, F fills the screen."
    )
