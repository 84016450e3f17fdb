"""The live board on the page: what it is given, what a release changes, the wait for the map."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from poolscope import board, projection
from poolscope.analysis import Comparison
from poolscope.errors import PolicyError, PoolscopeError
from poolscope.model import Pool
from poolscope.selection import offers
from poolscope.ui import cache, large_charts, state
from poolscope.ui.state import Key, Setting

EXPLAIN = "pages/explain.py"
PREPARED = "poolscope-prepared"
MOST_FORESEEN = 1_000
"""Candidates up to which the paths of the largest k take less than a blink."""
SENT_SECONDS = 0.02
"""What the thread that sends needs of the interpreter for the board, while this one rests."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the board shows at a setting.

    Args:
        comparison: The columns.
        setting: The setting.
        payload: What the browser draws it from.
        is_final: Whether the map is the one that stays.
    """

    comparison: Comparison
    setting: Setting
    payload: bytes
    is_final: bool

    def answers(self, pool: Pool, setting: Setting) -> bool:
        """Say whether this is about a pool at a setting."""
        return self.comparison.pool is pool and self.setting == setting


def prepare(pool: Pool, setting: Setting) -> Prepared:
    """Work out what the board shows, on the map that there is so far.

    The browser draws what has come ten milliseconds after the first piece of a run, and later the
    rest: what is sent before the board is worked out would be drawn alone, and the board after it.
    So a release works it out in its callback, before the run has sent anything, and it is taken
    from there.

    Raises:
        PoolscopeError: A rule does not fit the pool.
    """
    is_drawn = state.session().is_drawn
    held = st.session_state.pop(PREPARED, None)
    if isinstance(held, Prepared) and is_drawn and held.answers(pool, setting):
        return held
    comparison = cache.comparison(pool, setting)
    final = projection.request(pool)
    layout = final or replace(projection.pca(pool), note="UMAP is being computed; this is PCA.")
    payload = cache.board_payload(comparison, setting, layout, is_drawn=is_drawn)
    return Prepared(comparison, setting, payload, final is not None)


def draw(prepared: Prepared) -> None:
    """Draw the board, and see that it is sent before the run goes on."""
    pool = prepared.comparison.pool
    board.mount(
        cache.board_renderer(),
        prepared.payload,
        key=state.key(Key.BOARD, pool.digest),
        on_change=lambda: _released(pool),
        on_asked=lambda: _asked(pool),
    )
    time.sleep(SENT_SECONDS)
    if state.wants_explain():
        st.switch_page(EXPLAIN)
    if not prepared.is_final:
        large_charts.wait(pool)


def foresee(comparison: Comparison) -> None:
    """Follow the paths that a release of k will ask for, once all is drawn.

    A run that is asked for meanwhile goes first, between two of them.
    """
    pool = comparison.pool
    if len(pool) > MOST_FORESEEN:
        return
    with suppress(PoolscopeError):
        for policy, axis in board.longest(comparison):
            if PREPARED in st.session_state:  # this is where Streamlit ends a run for the next
                return
            cache.board_path(pool, policy, axis)


def _released(pool: Pool) -> None:
    """Take over what the sliders said when one was released, and work out what follows from it.

    This runs before anything of the new run is sent, so that all of it is sent at once.
    """
    digest, whole = pool.digest, len(pool)
    component = st.session_state.get(state.key(Key.BOARD, digest))
    values = None if component is None else component.get("setting")
    setting = state.setting(digest)
    if values is None or setting is None:
        return
    policy = setting.policy.changed(
        lambda_=min(max(float(values["lambda"]), 0.0), 1.0),
        cap=max(round(values["cap"]), 1),
        depth=None if values["depth"] >= whole else max(round(values["depth"]), 1),
        k=max(round(values["k"]), 1),
    )
    fresh = replace(setting, policy=policy)
    state.remember(digest, fresh)
    with suppress(PoolscopeError):  # the run that follows meets it again, and says it
        st.session_state[PREPARED] = prepare(pool, fresh)


def _asked(pool: Pool) -> None:
    """Do what was asked about the columns, or about the passage that is held on the board."""
    component = st.session_state.get(state.key(Key.BOARD, pool.digest))
    asked = None if component is None else component.get("asked")
    if not asked or asked.get("digest") != pool.digest:
        return
    if asked["what"] == "scene":
        state.change(is_drawn=False)
        return
    if asked["what"] == "columns":
        _put(pool.digest, asked["rules"])
        return
    index = int(asked["index"])
    if not 0 <= index < len(pool):
        return
    if asked["what"] == "explain":
        state.explain(pool.digest, index)
    elif asked["what"] in state.MARKS:
        state.mark(pool.digest, asked["what"], pool.ids[index])


def _put(digest: str, rules: Sequence[object]) -> None:
    """Show rules in the columns; names that mean nothing change nothing."""
    try:
        names = tuple(offers.named(str(rule)).name for rule in rules)
    except PolicyError:
        return
    state.put_rules(digest, names)
