"""Inspect: what would each rule select?"""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from poolscope import wording
from poolscope.analysis import Comparison
from poolscope.formats import Loaded
from poolscope.ui import cache, controls, live_board, opening, plain_board, show, state


def render() -> None:
    """Draw the page."""
    with show.errors():
        loaded = opening.current()
        if loaded is None:
            show.no_pool()
            return
        show.block(show.markup.title(loaded.pool.query, facts(loaded)))
        _board(loaded)


def facts(loaded: Loaded) -> tuple[str, ...]:
    """Say in short sentences what the pool is made of."""
    pool, report = loaded.pool, loaded.report
    count = len(pool.distinct_sources)
    sources = f"{wording.counted(count, 'source')} by {pool.source_field}"
    vectors = "no vectors" if report.vectors is None else f"{report.vectors.dimension}-d vectors"
    kind = "no scores" if pool.score_kind is None else pool.score_kind.name
    score = kind if "score" in kind else f"score: {kind}"
    size = wording.counted(len(pool), "candidate")
    parts = [size, sources if count else "no sources", vectors, score]
    if pool.facets:
        facets = wording.counted(len(pool.facets), "facet")
        parts.append(f"{facets}, {report.judged} of {len(pool)} judged")
    if report.set_aside:
        parts.append(f"{wording.counted(len(report.set_aside), 'row')} set aside")
    return tuple(parts)


@st.fragment
def _board(loaded: Loaded) -> None:
    pool = loaded.pool
    begin = state.setting(pool.digest) or controls.start(pool, state.session().last)
    left, side = st.columns([3.1, 1], vertical_alignment="center")
    right = side.container(horizontal=True, gap="small", horizontal_alignment="right")
    with right, st.popover("Rules"):
        setting = controls.choices(pool, begin)
        plain = controls.plain()
    if plain:
        setting = replace(setting, policy=controls.sliders(pool, setting.policy))
    state.remember(pool.digest, setting)
    with show.errors():
        comparison = cache.comparison(pool, setting)
        _verdict(comparison, left, right)
        if plain:
            plain_board.draw(comparison, setting)
        else:
            live_board.draw(comparison, setting)


def _verdict(comparison: Comparison, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Say what is wrong with plain top-k, or that nothing is, with one suggested step."""
    pool = comparison.pool
    verdict = cache.verdict(comparison.baseline.selection)
    with left:
        show.block(show.markup.verdict(verdict.first, len(pool.facets)))
    with right, st.popover("Why?"):
        for finding in verdict.findings:
            show.block(show.markup.verdict(finding, len(pool.facets)))
            show.block(show.markup.listing(finding.evidence))
    step = verdict.first.step
    if step is not None:
        right.button(
            "Try it",
            type="primary",
            on_click=state.apply,
            args=(pool.digest, step.policy),
        )
