"""Inspect: what would each rule select?"""

import streamlit as st

from poolscope import analysis, projection
from poolscope.charts.pool_map import pool_map
from poolscope.charts.theme import palette
from poolscope.formats import Loaded
from poolscope.ui import cache, controls, opening, show, state

POLL_SECONDS = 0.4


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
    sources = f"{len(pool.distinct_sources)} sources by {pool.source_field}"
    vectors = "no vectors" if report.vectors is None else f"{report.vectors.dimension}-d vectors"
    score = "no scores" if pool.score_kind is None else f"score: {pool.score_kind.name}"
    parts = [f"{len(pool)} candidates", sources, vectors, score]
    if pool.facets:
        parts.append(f"{len(pool.facets)} facets, {report.judged} of {len(pool)} judged")
    if report.set_aside:
        parts.append(f"{len(report.set_aside)} rows set aside")
    return tuple(parts)


@st.fragment
def _board(loaded: Loaded) -> None:
    """Draw the stock board: what the live board replaces stands here and in ``controls``."""
    pool = loaded.pool
    begin = state.setting(pool.digest) or controls.start(pool)
    finding = st.container()
    setting = controls.setting(pool, begin)
    state.remember(pool.digest, setting)
    with show.errors():
        comparison = cache.comparison(pool, setting)
        key = setting.policy.key
        colours = palette(pool, key, show.current_theme())
        with finding:
            show.block(show.markup.finding(analysis.finding(comparison, key)))
        show.block(show.markup.strip(comparison, colours, key))
        for number, column in enumerate(st.columns(len(comparison.columns), gap="medium")):
            with column:
                show.block(show.markup.column(comparison, number, colours, key))
        _map(loaded)


def _map(loaded: Loaded) -> None:
    waiting = projection.request(loaded.pool) is None
    st.fragment(_draw_map, run_every=POLL_SECONDS if waiting else None)(loaded)


def _draw_map(loaded: Loaded) -> None:
    pool = loaded.pool
    setting = state.setting(pool.digest)
    if setting is None:
        return
    final = projection.request(pool)
    layout = final or projection.pca(pool)
    comparison = cache.comparison(pool, setting)
    colours = palette(pool, setting.policy.key, show.current_theme())
    st.subheader("Map", anchor=False)
    told = "UMAP is being computed; this is PCA." if final is None else layout.note
    st.caption(
        f"{layout.method} of all {len(pool)} candidates, coloured by {setting.policy.key}. "
        "Near means alike; distances across the map mean little."
    )
    if told:
        st.caption(told)
    figure = pool_map(comparison, layout, colours, key=setting.policy.key)
    show.figure(figure, key=f"map:{pool.digest}:{layout.method}")
