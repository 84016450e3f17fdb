"""The panels of the Explain page, each about one selection."""

import pandas as pd
import streamlit as st

from poolscope import explanation, wording
from poolscope.charts import labels
from poolscope.charts.matrix import matrix
from poolscope.diagnosis import what_would_it_take as reaching
from poolscope.diagnosis.what_would_it_take import Answer, Change, Goal, Move
from poolscope.model import Pool, Selection
from poolscope.ui import cache, show, state
from poolscope.ui.state import Key

NAME_CHARACTERS = 60
TEXT_CHARACTERS = 400


def trace(selection: Selection) -> None:
    """Show the picks, what decided each, and how alike they are."""
    if not len(selection):
        st.text("Nothing is selected.")
        return
    rows = [_trace_row(selection.pool, row) for row in cache.trace(selection)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    st.caption(
        f"Relevance is the {selection.relevance_name}. The margin is what the pick won by, on the "
        "rule's own scale; “stands” is the stretch of lambda over which the slot holds this pick."
    )
    for note in selection.notes:
        st.text(note)
    if selection.pool.vectors is not None and len(selection) > 1:
        st.markdown("**How alike the picks are** (cosine)")
        names = [f"{i + 1}. rank {index + 1}" for i, index in enumerate(selection.ordered)]
        figure = matrix(explanation.pairwise(selection), names, show.current_theme())
        show.figure(figure, key=f"matrix:{selection.policy.selector}")


def _trace_row(pool: Pool, row: explanation.TraceRow) -> dict[str, object]:
    return {
        "slot": row.slot,
        "rank": row.index + 1,
        "source": wording.source_of(pool, row.index),
        "admitted by": row.rule,
        "relevance": row.relevance,
        "penalty": row.penalty,
        "because of": None if row.blocker is None else f"rank {row.blocker + 1}",
        "cosine": row.similarity,
        "runner-up": None if row.runner_up is None else f"rank {row.runner_up + 1}",
        "margin": row.margin,
        "stands": None if row.stands is None else f"{row.stands[0]:.4g} to {row.stands[1]:.4g}",
    }


def candidates(selection: Selection) -> None:
    """Show the whole pool with one reason each; a row opens its passage and its neighbours."""
    pool = selection.pool
    rows = cache.pool_rows(selection)
    causes = sorted({row.cause for row in rows})
    chosen = st.multiselect(
        "Show only", causes, placeholder="everything", key=state.key(Key.CAUSES)
    )
    shown = [row for row in rows if not chosen or row.cause in chosen]
    table = pd.DataFrame(
        [
            {
                "rank": row.index + 1,
                "slot": row.slot,
                "source": wording.source_of(pool, row.index),
                "score": None if pool.raw_scores is None else pool.raw_scores[row.index],
                "reason": row.reason or "selected",
                "facets": ", ".join(row.facets),
                "text": labels.shortened(pool.texts[row.index], 140),
            }
            for row in shown
        ]
    )
    event = st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        height=360,
        on_select="rerun",
        selection_mode="single-row",
        key=f"candidates:{pool.digest}:{'|'.join(chosen)}",
    )
    picked = event["selection"]["rows"]
    if picked and picked[0] < len(shown):
        _passage(pool, shown[picked[0]].index)
    else:
        st.caption("Choose a row to read the passage and its neighbours in the document.")


def _passage(pool: Pool, index: int) -> None:
    st.markdown(f"**Rank {index + 1}**")
    st.text(f"{wording.source_of(pool, index)} · {pool.ids[index]}")
    st.text(labels.plain(pool.texts[index]))
    near = [other for other in explanation.neighbours(pool, index) if other != index]
    if near:
        st.markdown("**Near it in the document**")
        for other in near:
            text = labels.shortened(pool.texts[other], TEXT_CHARACTERS)
            st.text(f"position {pool.positions[other]}, rank {other + 1}: {text}")
    elif pool.positions[index] is None:
        st.caption("Its place in the document is not known.")
    else:
        st.caption("None of its neighbours in the document is in the pool.")


def reach(selection: Selection) -> None:
    """Ask what it would take to let a passage or a facet in."""
    if selection.pool.facets:
        st.dataframe(pd.DataFrame(_facet_rows(selection)), hide_index=True, width="stretch")
    goal = _goal(selection)
    answer = cache.reach(selection, goal)
    if answer.is_in:
        st.text(f"{goal.name} is in already.")
        return
    if not answer.changes:
        st.text("No setting of this rule reaches it.")
        st.text(answer.cause)
        return
    if len(answer.changes[0].moves) > 1:
        st.text("No single change lets it in. The cheapest pair of changes:")
    for number, change in enumerate(answer.changes):
        _change(answer, change, number)
    if not answer.is_exhaustive:
        st.caption("Not every value was looked at: a smaller change may exist.")


def _facet_rows(selection: Selection) -> list[dict[str, object]]:
    """Say for each facet whether it is in, and the cheapest change that would let it in."""
    pool = selection.pool
    rows: list[dict[str, object]] = []
    for number, facet in enumerate(pool.facets):
        answer = cache.reach(selection, reaching.facet_goal(pool, number))
        cheapest = answer.changes[0] if answer.changes else None
        words = "" if cheapest is None else " and ".join(map(move_words, cheapest.moves))
        rows.append(
            {
                "facet": facet.label,
                "now": "in" if answer.is_in else "out",
                "the cheapest change that lets it in": words or answer.cause,
                "change in mean relevance": None if cheapest is None else -cheapest.relevance_lost,
            }
        )
    return rows


def _first_out(selection: Selection) -> int:
    goals = [reaching.facet_goal(selection.pool, i) for i in range(len(selection.pool.facets))]
    out = (i for i, goal in enumerate(goals) if not goal.indices & selection.members)
    return next(out, 0)


def _goal(selection: Selection) -> Goal:
    pool = selection.pool
    left, right = st.columns([1, 3])
    kinds = ["a facet", "a passage"] if pool.facets else ["a passage"]
    kind = left.radio("Let in", kinds, key=state.key(Key.GOAL_KIND), horizontal=True)
    if kind == "a facet":
        number = right.selectbox(
            "Facet",
            range(len(pool.facets)),
            index=_first_out(selection),
            format_func=lambda i: labels.plain(pool.facets[i].label),
            key=state.key(Key.GOAL_FACET, pool.digest),
        )
        return reaching.facet_goal(pool, number)
    index = right.selectbox(
        "Passage",
        range(len(pool)),
        format_func=lambda i: passage_name(pool, i),
        index=min(selection.policy.k, len(pool) - 1),
        key=state.key(Key.GOAL_PASSAGE, pool.digest),
    )
    return reaching.candidate_goal(index)


def passage_name(pool: Pool, index: int) -> str:
    """Name a passage in a list: rank, source, beginning."""
    source = labels.shortened(wording.source_of(pool, index), 40)
    return f"{index + 1} · {source} · {labels.shortened(pool.texts[index], NAME_CHARACTERS)}"


def _change(answer: Answer, change: Change, number: int) -> None:
    digest = answer.selection.pool.digest
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        with left:
            st.text(" and ".join(move_words(move) for move in change.moves))
            st.caption(effect_words(change))
        right.button(
            "Apply",
            key=f"apply:{answer.selection.policy.selector}:{number}",
            on_click=state.apply,
            args=(digest, change.policy),
            width="stretch",
        )


def move_words(move: Move) -> str:
    """Say one move: from where to where, and the stretch that does the same."""
    if isinstance(move.value, str) or isinstance(move.before, str):
        return f"{move.label}: {move.before} → {move.value}"
    shown = f"{move.label}: {move.before:.4g} → {move.value:.6g}"
    if move.low == move.high:
        return shown
    return f"{shown} (anything from {float(move.low):.4g} to {float(move.high):.4g} does)"


def effect_words(change: Change) -> str:
    """Say what a change lets in, what it pushes out, and what it costs and buys."""
    effect = change.effect
    parts = [f"in: rank {', '.join(str(i + 1) for i in change.entered)}"]
    out = ", ".join(str(i + 1) for i in change.left)
    parts.append(f"out: rank {out}" if out else "nothing goes out")
    if effect.coverage is not None:
        before, after = effect.coverage
        parts.append(f"coverage {before:.2f} → {after:.2f}")
    before, after = effect.relevance
    parts.append(f"mean relevance {before:.3f} → {after:.3f}")
    parts.append(f"tokens {effect.tokens[0]:,} → {effect.tokens[1]:,}")
    return "; ".join(parts)


def two_passages(selection: Selection) -> None:
    """Show two passages side by side with their shared text marked."""
    pool = selection.pool
    if len(pool) < 2:
        st.text("There is only one passage.")
        return
    columns = st.columns(2)
    chosen = []
    for number, column in enumerate(columns):
        with column:
            chosen.append(
                st.selectbox(
                    ("First", "Second")[number],
                    range(len(pool)),
                    index=number,
                    format_func=lambda i: passage_name(pool, i),
                    key=f"{state.key(Key.COMPARED, pool.digest)}:{number}",
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
