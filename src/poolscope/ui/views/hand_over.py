"""Hand over: what does a colleague get who has no server?"""

from collections.abc import Callable

import streamlit as st

from poolscope import projection
from poolscope.analysis import Comparison
from poolscope.charts.theme import LIGHT, palette
from poolscope.formats import Loaded
from poolscope.report import pictures as drawn
from poolscope.report import selections
from poolscope.report.page import Disclosure, page
from poolscope.selection.paths import Axis
from poolscope.ui import cache, controls, opening, pictures, show, state

WORDS = {
    Disclosure.EVERYTHING: "question and passages",
    Disclosure.QUESTION: "the question, no passages",
    Disclosure.LABELS: "labels only: neither question nor passages",
}


def render() -> None:
    """Draw the page."""
    with show.errors():
        loaded = opening.current()
        if loaded is None:
            show.no_pool()
            return
        show.block(
            show.markup.title(loaded.pool.query, ("What a colleague gets who has no server",))
        )
        pool = loaded.pool
        setting = state.setting(pool.digest) or controls.start(pool, state.session().last)
        state.remember(pool.digest, setting)
        comparison = cache.comparison(pool, setting)
        show.block(show.markup.aside(f"as set on Inspect: {_said(comparison)}"))
        left, right = st.columns([1, 1.5], gap="large")
        with left:
            _file(comparison)
            _tables(loaded, comparison)
        with right:
            _pictures(comparison)


def _said(comparison: Comparison) -> str:
    policy = comparison.baseline.selection.policy
    columns = ", ".join(f"{item.title} ({item.setting})" for item in comparison.columns[1:])
    return f"{columns}, pool depth {comparison.depth}, k {policy.k}"


def _file(comparison: Comparison) -> None:
    show.block(show.markup.part("One file for a browser"))
    st.text(
        "The board with its sliders, the verdict and the setting. It opens from a double click, "
        "needs no network, and prints on one sheet."
    )
    disclosure = st.radio(
        "Texts in it", list(WORDS), format_func=lambda item: WORDS[item], key="disclosure"
    )
    pool = comparison.pool

    def written() -> str:
        return page(comparison, _layout(comparison), disclosure=disclosure, find=cache.board_path)

    stem = "poolscope" if disclosure is Disclosure.LABELS else selections.name_of(pool)
    _download("Download the HTML file", written, f"{stem}.html", "text/html", primary=True)
    st.caption("Labels of sources and facets, ranks and scores are in it whatever is chosen.")


def _layout(comparison: Comparison) -> projection.Layout:
    return projection.request(comparison.pool) or projection.pca(comparison.pool)


def _tables(loaded: Loaded, comparison: Comparison) -> None:
    pool = loaded.pool
    show.block(show.markup.part("Tables and the state"))
    stem = selections.name_of(pool)
    st.text("The selections: a row for every passage of every column, and for what left.")
    _download("Selections as CSV", lambda: selections.table(comparison), f"{stem}.csv", "text/csv")
    st.text("The pool with its setting: opened on the Data page it brings back this state.")
    setting = state.kept(pool.digest)
    passage = state.passage(pool.digest)
    rest = {} if passage is None else {"passage": [str(passage + 1)]}
    _download(
        "Pool and setting as JSON",
        lambda: selections.state(pool, setting.policy, setting.rules, rest),
        f"{stem}.json",
        "application/json",
    )


def _download(
    label: str, written: Callable[[], str], name: str, mime: str, *, primary: bool = False
) -> None:
    """Draw a button that writes its file only when it is pressed."""
    st.download_button(
        label,
        data=lambda: written().encode(),
        file_name=name,
        mime=mime,
        on_click="ignore",
        type="primary" if primary else "secondary",
        key=f"download:{mime}",
    )


def _pictures(comparison: Comparison) -> None:
    show.block(show.markup.part("Pictures"))
    pool, key = comparison.pool, comparison.baseline.selection.policy.key
    colours = palette(pool, key, LIGHT)
    made = {"Rank strip": drawn.strip(comparison, colours)}
    if pool.vectors is not None:
        made["Map"] = drawn.pool_map(comparison, _layout(comparison), colours)
    for column in reversed(comparison.columns[1:]):
        reads = () if column.lacks else column.offer.reads
        axis = next((axis for axis in (Axis.LAMBDA, Axis.CAP) if axis in reads), None)
        if axis is not None:
            found = cache.trade_off(pool, column.policy, axis)
            made["Trade-off"] = drawn.curve(found, colours, len(pool.facets))
            break
    pictures.draw(made, selections.name_of(pool), key=f"pictures:{pool.digest}")
