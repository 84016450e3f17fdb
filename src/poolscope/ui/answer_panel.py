"""The answer panel of Explain: what a generated answer did with its context."""

import os

import pandas as pd
import streamlit as st

from poolscope import wording
from poolscope.charts import labels
from poolscope.diagnosis.answer import AnswerReport, Basis, FacetState, examine, ignored
from poolscope.diagnosis.judge import propose_marks
from poolscope.model import Selection
from poolscope.ui import show, state
from poolscope.ui.state import Key

ENDPOINT = "POOLSCOPE_JUDGE_ENDPOINT"
MODEL = "POOLSCOPE_JUDGE_MODEL"
API_KEY = "POOLSCOPE_JUDGE_KEY"


def answer(selection: Selection) -> None:
    """Take a pasted answer and show which passages it used and where each facet was lost."""
    digest = selection.pool.digest
    pasted = st.text_area(
        "The generated answer",
        height=180,
        key=state.key(Key.ANSWER, digest),
        persist_state="session",
        placeholder="Paste the answer. Citations like [1], [doc-id], footnotes or 【1†source】 are "
        "read; without any, wording decides.",
    )
    if not pasted.strip():
        st.caption("It is held against the context that the chosen rule selects, in that order.")
        return
    marks = _marks(selection, pasted)
    report = examine(selection, pasted, marks)
    show.block(show.markup.finding(report.verdict))
    finding = ignored(report)
    if finding is not None:
        show.block(show.markup.verdict(finding, len(selection.pool.facets)))
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Passages of the context**")
        st.dataframe(pd.DataFrame(_uses(report)), hide_index=True, width="stretch")
    with right:
        st.markdown("**Facets**")
        if report.facets:
            rows = [_facet(selection, item) for item in report.facets]
            st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
        else:
            st.caption("No facet is marked for this question.")
    if report.unknown:
        st.markdown("**Citations of something that is not in the context**")
        show.block(show.markup.listing(dict.fromkeys(item.text for item in report.unknown)))


def _marks(selection: Selection, pasted: str) -> dict[str, bool]:
    """Let a person say which facets the answer makes; what is not said is read off the uses."""
    facets = selection.pool.facets
    if not facets:
        return {}
    digest = selection.pool.digest
    with st.expander("Which facets does the answer make? Your word wins."):
        made = st.multiselect(
            "It makes",
            range(len(facets)),
            format_func=lambda number: labels.plain(facets[number].label),
            key=state.key(Key.MADE, digest),
            persist_state="session",
        )
        missed = st.multiselect(
            "It does not make",
            [number for number in range(len(facets)) if number not in made],
            format_func=lambda number: labels.plain(facets[number].label),
            key=state.key(Key.MISSED, digest),
            persist_state="session",
        )
        _judge(selection, pasted)
    said = {facets[number].id: True for number in made}
    return said | {facets[number].id: False for number in missed}


def _judge(selection: Selection, pasted: str) -> None:
    """Offer a model's marks where the environment names one; nothing is sent unless pressed."""
    endpoint, model = os.environ.get(ENDPOINT), os.environ.get(MODEL)
    if not endpoint or not model:
        st.caption(f"Set {ENDPOINT} and {MODEL} (and {API_KEY}) to let a model propose marks.")
        return
    pressed = st.button("Ask the judge", help="Sends the answer and the facets' labels.")
    st.text(f"{model} at {endpoint}")
    if not pressed:
        return
    with show.errors():
        facets = selection.pool.facets
        proposed = propose_marks(
            pasted, facets, endpoint=endpoint, model=model, key=os.environ.get(API_KEY, "")
        )
        lines = [
            f"{facet.label}: {'makes it' if proposed[facet.id] else 'does not make it'}"
            for facet in facets
            if facet.id in proposed
        ]
        st.caption("Proposed, not counted until you mark them above:")
        show.block(show.markup.listing(lines))


def _uses(report: AnswerReport) -> list[dict[str, object]]:
    pool = report.selection.pool
    used = {use.index: use for use in report.uses}
    rows: list[dict[str, object]] = []
    for slot, index in enumerate(report.selection.ordered, start=1):
        use = used.get(index)
        known = "" if use is None else "cited" if use.by is Basis.CITATION else "by wording"
        rows.append(
            {
                "slot": slot,
                "rank": index + 1,
                "source": wording.source_of(pool, index),
                "used": known or "no",
                "of the answer": None if use is None else use.share,
                "shared wording": "" if use is None else " … ".join(use.shared),
            }
        )
    return rows


def _facet(selection: Selection, item: FacetState) -> dict[str, object]:
    nearest = "nowhere in the pool" if item.nearest is None else f"rank {item.nearest + 1}"
    slots = {index: slot for slot, index in enumerate(selection.ordered, start=1)}
    inside = ", ".join(f"slot {slots[index]}" for index in item.in_context)
    return {
        "facet": item.facet.label,
        "stage": item.stage.value,
        "made": "yes" if item.is_made else "no",
        "where": inside or nearest,
    }
