"""The questions of a file as a table, the most crowded first."""

from functools import partial

import pandas as pd
import streamlit as st

from poolscope.analysis import CROWDED_AT
from poolscope.counts import agreed, counted
from poolscope.formats import Load
from poolscope.ui import cache, opening, state
from poolscope.ui.figures import Figure, Figures, ordered
from poolscope.ui.state import Key

SECONDS = 0.5
"""How long one run of the page measures."""

EVERY = 0.7
"""Seconds from one stretch of measuring to the next, while it goes on."""

MOST_CHARACTERS = 300
SHOWN = "-"
"""What stands where a figure is undefined or not yet measured."""

FIGURES = {
    "largest share": ("%.2f", "Slots of the commonest source over the slots filled."),
    "sources": ("%d", "Different sources among them."),
    "pairwise cosine": ("%.3f", "Mean cosine over their pairs: needs vectors."),
    "near copies": ("%d", "Pairs of near copies among them: needs vectors."),
}


def draw(load: Load) -> None:
    """Draw the table; a click on a row opens its question."""
    session = state.session()
    figures = cache.figures(load, session.digest, opening.reading())
    if not session.is_measuring:
        figures.go_on(SECONDS)
    measured = figures.measured()
    order = ordered(measured, len(load))
    st.caption(
        f"{len(load):,} questions, the most crowded first, by what plain top-{CROWDED_AT} takes: "
        "largest share of one source, then near copies, then pairwise cosine. "
        "Choose a row to look at it."
    )
    # A table in another order is another one: no click on a row of the former opens a question
    # of this one.
    key = state.key(Key.QUESTION, f"{session.digest}:{opening.reading()!r}:{len(measured)}")
    st.dataframe(
        _table(load, measured, order),
        hide_index=True,
        width="stretch",
        height=min(38 + 35 * len(load), 320),
        placeholder=SHOWN,
        on_select=partial(opening.chosen, key, order),
        selection_mode="single-row",
        column_config={
            "number": st.column_config.NumberColumn(width="small"),
            "id": st.column_config.TextColumn(width="small"),
            "question": st.column_config.TextColumn(width="large"),
            "candidates": st.column_config.NumberColumn(width="small"),
            **{
                name: st.column_config.NumberColumn(
                    name,
                    width="small",
                    format=form,
                    help=f"Of the {CROWDED_AT} that plain top-k takes. {said}",
                )
                for name, (form, said) in FIGURES.items()
            },
        },
        key=key,
    )
    if not figures.is_complete:
        _rest(load, figures)


def _table(load: Load, measured: tuple[Figure, ...], order: tuple[int, ...]) -> pd.DataFrame:
    outlines = load.outlines
    rows = [
        (outlines[i].index + 1, outlines[i].query_id, outlines[i].query[:MOST_CHARACTERS])
        for i in order
    ]
    table = pd.DataFrame(rows, columns=["number", "id", "question"])
    if not any(outline.query_id for outline in outlines):
        table = table.drop(columns="id")
    table["candidates"] = [outlines[i].candidates for i in order]
    found = [measured[i].crowding if i < len(measured) else None for i in order]
    parts = ("largest_share", "distinct_sources", "mean_pairwise", "near_copies")
    for name, part in zip(FIGURES, parts, strict=True):
        values = [None if item is None else getattr(item, part) for item in found]
        column = pd.Series(values, dtype="Float64").replace(float("nan"), pd.NA)
        if not measured or column.notna().any():
            table[name] = pd.array(column)
    if any(item.problem for item in measured):
        table["problem"] = [measured[i].problem if i < len(measured) else "" for i in order]
    return table


def _measured(done: int, of: int) -> str:
    return f"{done:,} of {counted(of, 'question')} {agreed(done, 'is', 'are')} measured."


def _rest(load: Load, figures: Figures) -> None:
    """Say how many questions are measured, and let the others be."""
    if not state.session().is_measuring:
        said, go = st.columns([3, 1], vertical_alignment="center")
        said.text(_measured(len(figures), len(load)))
        go.button("Measure the rest", on_click=opening.measuring, args=("on",), width="stretch")
        return
    st.fragment(_going_on, run_every=EVERY)(load, figures)


def _going_on(load: Load, figures: Figures) -> None:
    """Say how far it is, and measure a stretch; at the end the table is drawn in its order."""
    said, stop = st.columns([3, 1], vertical_alignment="center")
    said.progress(len(figures) / len(load), text=_measured(len(figures), len(load)))
    if stop.button("Stop and sort", on_click=opening.measuring, args=("",), width="stretch"):
        st.rerun()  # the whole page, of which this is a fragment
    figures.go_on(SECONDS)
    if figures.is_complete:
        opening.measuring("")
        st.rerun()
