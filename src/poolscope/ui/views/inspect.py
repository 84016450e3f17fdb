"""Inspect: what would each rule select?"""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from poolscope import wording
from poolscope.analysis import Comparison, with_unread
from poolscope.formats import Loaded, identity
from poolscope.model import Policy, Pool
from poolscope.ui import (
    cache,
    code_panel,
    controls,
    every_rule,
    large_charts,
    live_board,
    marks,
    opening,
    plain_board,
    show,
    state,
)
from poolscope.ui.state import Key


def render() -> None:
    """Draw the page."""
    with show.errors():
        loaded = opening.current()
        if loaded is None:
            show.no_pool()
            return
        _page(loaded)


def facts(loaded: Loaded) -> tuple[str, ...]:
    """Say in short sentences what the pool is made of."""
    pool, report = loaded.pool, loaded.report
    sources = wording.sources(pool)
    if pool.merges:
        rules = ", ".join(rule.label for rule in identity.named(pool.merges))
        sources += f", {report.sources.chosen.distinct} before merging by {rules}"
    vectors = "no vectors" if report.vectors is None else f"{report.vectors.dimension}-d vectors"
    kind = "no scores" if pool.score_kind is None else pool.score_kind.name
    score = kind if "score" in kind else f"score: {kind}"
    size = wording.counted(len(pool), "candidate")
    parts = [size, sources, vectors, score]
    if pool.facets:
        facets = wording.counted(len(pool.facets), "facet")
        parts.append(f"{facets}, {report.judged:,} of {len(pool):,} judged")
    if report.set_aside:
        parts.append(f"{wording.counted(len(report.set_aside), 'row')} set aside")
    return tuple(parts)


@st.fragment
def _page(loaded: Loaded) -> None:
    """Draw the question, and the rules beside it: what they say is kept for the board."""
    pool = loaded.pool
    begin = state.setting(pool.digest) or controls.start(pool, state.session().last)
    head, right = st.columns([5, 1])
    with head:
        show.block(show.markup.title(pool.query, facts(loaded)))
    with right.container(horizontal=True, horizontal_alignment="right"), st.popover("Rules"):
        setting = controls.choices(pool, begin)
        plain = controls.plain()
    if plain:
        setting = replace(setting, policy=controls.sliders(pool, setting.policy))
    state.remember(pool.digest, setting)
    if plain:
        _plain(pool)
    else:
        state.change(is_drawn=False)
        _live(pool, setting.rules)


def _plain(pool: Pool) -> None:
    """Draw the verdict and the plain board."""
    above = _above()
    setting = state.kept(pool.digest)
    with show.errors():
        comparison = cache.comparison(pool, setting)
        _verdict(comparison, above)
        marks.draw(pool)
        plain_board.draw(comparison, setting)
        opening.keep_address()
        every_rule.draw(comparison, setting)
        code_panel.draw(comparison.columns[-1])


@st.fragment
def _live(pool: Pool, listed: tuple[str, ...]) -> None:
    """Draw the verdict and the live board; a release draws this afresh, and no more.

    A release draws the verdict after the board, which answers sooner; at first the verdict comes
    before, so that the board stands where it will stay.

    Args:
        pool: The pool.
        listed: The rules that the controls above are drawn for.
    """
    setting = state.kept(pool.digest)
    if setting.rules != listed:
        st.rerun()
    is_drawn = state.session().is_drawn
    with show.errors():
        prepared = live_board.prepare(pool, setting)
        comparison = prepared.comparison
        state.change(is_drawn=True)
        above = _above()
        if not is_drawn:
            _verdict(comparison, above)
        marks.draw(pool)
        live_board.draw(prepared)
        if is_drawn:
            _verdict(comparison, above)
        every_rule.draw(comparison, setting)
        large_charts.draw(comparison, setting)
        code_panel.draw(comparison.columns[-1])
        opening.keep_address()  # last: the browser draws all else before it looks at this
        live_board.foresee(comparison)


def _above() -> DeltaGenerator:
    """Make room for the verdict and what can be done about it: one row, and little to send."""
    return st.container(
        horizontal=True, gap="small", vertical_alignment="center", key=str(Key.VERDICT)
    )


def _verdict(comparison: Comparison, above: DeltaGenerator) -> None:
    """Say what is wrong with plain top-k, or that nothing is, with one suggested step."""
    pool = comparison.pool
    verdict = cache.verdict(comparison.baseline.selection)
    held = state.kept(pool.digest).policy
    step = verdict.first.step
    without = "" if step is None else _without(held, step.policy)
    with above:
        show.block(show.markup.verdict(verdict.first, len(pool.facets), without))
        with st.popover("Why?"):
            for finding in verdict.findings:
                show.block(show.markup.verdict(finding, len(pool.facets)))
                show.block(show.markup.listing(finding.evidence))
    if step is None:
        return
    policy = with_unread(step.policy, comparison.baseline.selection.policy)
    if above.button("Try it", type="primary", on_click=state.apply, args=(pool.digest, policy)):
        st.rerun()


def _without(held: Policy, suggested: Policy) -> str:
    """Say what of a setting a suggested step was measured without, and what becomes of it."""
    off = wording.switched_off(held, suggested)
    said = [f"Measured and tried without: {off}."] if off else []
    if held.pinned or held.banned:
        said.append("Measured without what is pinned or banned by hand, which stays.")
    return " ".join(said)
