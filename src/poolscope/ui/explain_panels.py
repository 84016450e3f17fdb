"""Panels of the Explain page, each about one selection: trace, pool, two passages."""

from collections import Counter

import pandas as pd
import streamlit as st

from poolscope import explanation, wording
from poolscope.charts import labels
from poolscope.charts.matrix import matrix
from poolscope.explanation import Piece, PoolRow, TraceRow
from poolscope.model import Pool, Selection
from poolscope.ui import cache, explain_markup, marks, reach_panel, show, state
from poolscope.ui.explain_markup import Cell, blank, number
from poolscope.ui.state import Key

TEXT_CHARACTERS = 400
BEGINNING_CHARACTERS = 90
MOST_REASONS = 3
REACH = "What would it take"
"""Name of the panel that says what would let a passage in."""

HEADINGS = ("slot", "passage", "admitted by", "relevance", "penalty", "most like", "runner-up")


def trace(selection: Selection) -> None:
    """Show the picks, what decided each, and how alike they are."""
    if not len(selection):
        _nothing(selection)
        return
    found = cache.trace(selection)
    # A rule without a lambda has no stretch of it to stand in.
    has_stretch = any(row.stands is not None for row in found)
    headings = (*HEADINGS, "stands") if has_stretch else HEADINGS
    cells = [_trace_row(selection.pool, row)[: len(headings)] for row in found]
    show.block(explain_markup.rows(headings, cells, "The picks in the order of selection"))
    st.caption(_how_to_read(selection, has_stretch=has_stretch))
    for note in selection.notes:
        st.text(note)
    if selection.pool.vectors is not None and len(selection) > 1:
        st.markdown("**How alike the picks are** (cosine)")
        names = [f"{i + 1}. rank {index + 1}" for i, index in enumerate(selection.ordered)]
        figure = matrix(explanation.pairwise(selection), names, show.current_theme())
        show.figure(figure, key=f"matrix:{selection.policy.selector}")


def _nothing(selection: Selection) -> None:
    """Say why this rule selects nothing."""
    st.text("Nothing is selected.")
    if selection.policy.k:  # with no slot to fill there is one reason, and it says nothing
        counts = Counter(row.reason for row in cache.pool_rows(selection))
        show.block(
            show.markup.listing(
                f"{wording.counted(count, 'candidate')}: {reason}"
                for reason, count in counts.most_common(MOST_REASONS)
            )
        )
    for note in selection.notes:
        st.text(note)


def _how_to_read(selection: Selection, *, has_stretch: bool) -> str:
    said = (
        f"Relevance is the {selection.relevance_name}. Under the runner-up stands what the pick "
        "won by, on the rule's own scale."
    )
    if has_stretch:
        said += " “Stands” is the stretch of lambda over which the slot holds this pick."
    return said


def _trace_row(pool: Pool, row: TraceRow) -> list[Cell]:
    return [
        number(str(row.slot)),
        Cell(
            f"rank {row.index + 1} · {wording.source_of(pool, row.index)}",
            beneath=labels.shortened(pool.texts[row.index], BEGINNING_CHARACTERS),
        ),
        Cell(row.rule),
        number(f"{row.relevance:.4f}"),
        _weighed(row) if row.penalty is None else number(f"{row.penalty:.4f}"),
        _most_like(row),
        _runner_up(row),
        Cell("") if row.stands is None else number(f"{row.stands[0]:.4g} to {row.stands[1]:.4g}"),
    ]


def _weighed(row: TraceRow) -> Cell:
    """Return the blank of a pick whose likeness to others was not weighed."""
    if row.slot == 1:
        return blank("the first pick has no pick before it to be like")
    return blank("this rule does not weigh how alike passages are")


def _most_like(row: TraceRow) -> Cell:
    if row.blocker is None or row.similarity is None:
        return _weighed(row)
    return Cell(f"rank {row.blocker + 1}", beneath=f"cosine {row.similarity:.3f}", is_whole=True)


def _runner_up(row: TraceRow) -> Cell:
    if row.runner_up is None:
        return blank("nobody else was left to pick")
    won = "" if row.margin is None else f"by {row.margin:.4f}"
    return Cell(f"rank {row.runner_up + 1}", beneath=won, is_whole=True)


def candidates(selection: Selection) -> None:
    """Show the whole pool with one reason each; a row opens its passage and its neighbours."""
    pool = selection.pool
    rows = cache.pool_rows(selection)
    causes = sorted({row.cause for row in rows})
    chosen = st.multiselect(
        "Show only",
        causes,
        placeholder="everything",
        key=f"{state.key(Key.CAUSES, pool.digest)}:{selection.policy.selector}",
        persist_state="session",
    )
    shown = [row for row in rows if not chosen or row.cause in chosen]
    looked_at = state.passage(pool.digest)
    picked = [place for place, row in enumerate(shown) if row.index == looked_at]
    key = f"{state.key(Key.POOL_ROW, pool.digest)}:{'|'.join(chosen)}"
    st.dataframe(
        _table(pool, shown),
        hide_index=True,
        width="stretch",
        height=360,
        on_select=lambda: state.look_at_row(key, pool.digest, [row.index for row in shown]),
        selection_mode="single-row",
        selection_default={"selection": {"rows": picked}},
        placeholder=explain_markup.BLANK,
        column_config={
            "text": st.column_config.TextColumn(width="large"),
            "reason": st.column_config.TextColumn(width="large"),
            "score": st.column_config.NumberColumn(format=_decimals(pool)),
        },
        key=key,
    )
    if looked_at is None or not picked:
        st.caption("Choose a row to read the passage and its neighbours in the document.")
    else:
        _passage(selection, shown[picked[0]])


def _table(pool: Pool, shown: list[PoolRow]) -> pd.DataFrame:
    """Return the pool's rows; a column that nothing in the pool fills is left out."""
    columns: dict[str, list[object]] = {
        "rank": [row.index + 1 for row in shown],
        "slot": [row.slot for row in shown],
        "source": [wording.source_of(pool, row.index) for row in shown],
        "reason": [row.reason or "selected" for row in shown],
    }
    if pool.raw_scores is not None:
        columns["score"] = [pool.raw_scores[row.index] for row in shown]
    if pool.facets:
        columns["facets"] = [", ".join(row.facets) for row in shown]
    columns["text"] = [labels.shortened(pool.texts[row.index], 140) for row in shown]
    return pd.DataFrame(columns).astype({"slot": "Int64"})


def _decimals(pool: Pool) -> str | None:
    """Return the format in which scores stand with as many decimals as on the board."""
    shown = () if pool.raw_scores is None else labels.aligned(pool.raw_scores.tolist())
    if not shown or "e" in shown[0]:
        return None
    return f"%.{len(shown[0].partition('.')[2])}f"


def _passage(selection: Selection, row: PoolRow) -> None:
    pool, index = selection.pool, row.index
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        where = row.reason or f"selected, slot {row.slot}"
        show.block(
            show.markup.aside(
                f"Rank {index + 1} · {wording.source_of(pool, index)} · {pool.ids[index]}: {where}"
            )
        )
    with right.container(horizontal=True, horizontal_alignment="right"):
        marks.buttons(pool, index)
        if row.slot is None:
            st.button(
                "What would let it in?",
                on_click=state.ask,
                args=(pool.digest, REACH, reach_panel.PASSAGE),
            )
    show.block(show.markup.marked([Piece(pool.texts[index], is_shared=False)]))
    near = [other for other in explanation.neighbours(pool, index) if other != index]
    if near:
        st.markdown("**Near it in the document**")
        lines = (
            f"position {pool.positions[other]}, rank {other + 1}: "
            f"{labels.shortened(pool.texts[other], TEXT_CHARACTERS)}"
            for other in near
        )
        show.block(show.markup.listing(lines))
    elif pool.positions[index] is None:
        st.caption("Its place in the document is not known.")
    else:
        st.caption("None of its neighbours in the document is in the pool.")


def two_passages(selection: Selection) -> None:
    """Show two passages side by side with their shared text marked."""
    pool = selection.pool
    if len(pool) < 2:
        st.text("There is only one passage.")
        return
    begin = state.passage(pool.digest) or 0
    starts = (begin, 1 if begin == 0 else 0)
    columns = st.columns(2)
    chosen = []
    for place, column in enumerate(columns):
        with column:
            chosen.append(
                st.selectbox(
                    ("First", "Second")[place],
                    range(len(pool)),
                    index=starts[place],
                    format_func=lambda i: reach_panel.passage_name(pool, i),
                    key=f"{state.key(Key.COMPARED, pool.digest)}:{place}",
                    persist_state="session",
                )
            )
    first, second = chosen
    pieces = explanation.shared_text(pool.texts[first], pool.texts[second])
    for column, part in zip(columns, pieces, strict=True):
        with column:
            show.block(show.markup.marked(part))
    known = pool.vector_mask[first] and pool.vector_mask[second]
    cosine = f"cosine {pool.similarity(first, second):.3f}; " if known else ""
    st.caption(f"{cosine}text that both share is marked, from three words on.")
