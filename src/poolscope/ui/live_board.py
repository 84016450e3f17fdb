"""The live board on the page: what it is given, what a release changes, the wait for the map."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from poolscope import board, projection
from poolscope.analysis import Comparison
from poolscope.errors import PolicyError
from poolscope.model import Pool
from poolscope.selection import offers
from poolscope.ui import cache, large_charts, state
from poolscope.ui.state import Key, Setting

EXPLAIN = "pages/explain.py"


def draw(comparison: Comparison, setting: Setting) -> None:
    """Draw the board at a setting, on the map that there is so far."""
    pool = comparison.pool
    final = projection.request(pool)
    layout = final or replace(projection.pca(pool), note="UMAP is being computed; this is PCA.")
    board.mount(
        cache.board_renderer(),
        cache.board_payload(comparison, setting, layout),
        key=state.key(Key.BOARD, pool.digest),
        on_change=lambda: _released(pool.digest, len(pool)),
        on_asked=lambda: _asked(pool),
    )
    if state.wants_explain():
        st.switch_page(EXPLAIN)
    if final is None:
        large_charts.wait(pool)


def _released(digest: str, whole: int) -> None:
    """Take over what the sliders said when one was released.

    Args:
        digest: The pool's.
        whole: The depth that is the whole pool.
    """
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
    state.remember(digest, replace(setting, policy=policy))


def _asked(pool: Pool) -> None:
    """Do what was asked about the columns, or about the passage that is held on the board."""
    component = st.session_state.get(state.key(Key.BOARD, pool.digest))
    asked = None if component is None else component.get("asked")
    if not asked or asked.get("digest") != pool.digest:
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
