"""Source identity: the field in use, and the rules that merge its labels, previewed first."""

import streamlit as st

from poolscope import wording
from poolscope.counts import counted
from poolscope.formats import SourceReport, identity
from poolscope.formats.identity import MergeRule, Preview
from poolscope.ui import opening, show, state
from poolscope.ui.state import Key

MOST_BEFORE = 4
"""Labels that are named of those that become one."""

MOST_MERGED = 12
"""Merged labels that are listed."""


def draw(report: SourceReport) -> None:
    """Draw the panel."""
    st.markdown("**Source identity**")
    session = state.session()
    scope = f"{session.digest}:{session.question}"
    if not _field(report, scope):
        st.text("No field says what a candidate belongs to: each stands alone.")
        return
    if report.merges:
        rules = ", ".join(rule.label for rule in identity.named(report.merges))
        before = wording.counted(report.chosen.distinct, "label")
        st.text(f"Merged by {rules}: {before}, {wording.counted(report.distinct, 'source')}.")
    show.block(show.markup.listing(report.warnings))
    if report.chosen.field:
        with st.expander("Merge labels that name one document", expanded=bool(report.merges)):
            _rules(report, scope)


def _field(report: SourceReport, scope: str) -> bool:
    """Let the field be chosen; say whether there is one to choose."""
    options = [report.chosen, *report.alternatives]
    counts = {option.field: option for option in options if option.field}
    if not counts:
        return False
    names = list(counts)
    st.selectbox(
        "Field that says what a candidate belongs to",
        names,
        index=names.index(report.chosen.field) if report.chosen.field in names else None,
        placeholder="none",
        format_func=lambda name: (
            f"{name}: {counted(counts[name].distinct, 'value')}, {counts[name].missing} missing"
        ),
        key=state.key(Key.SOURCE_FIELD, scope),
        on_change=opening.source_field,
        args=(scope,),
    )
    return True


@st.fragment
def _rules(report: SourceReport, scope: str) -> None:
    """Draw a switch a rule, what the chosen ones would merge, and the button that applies them."""
    st.caption("Nothing is merged before it is applied; then it holds for every question.")
    asked = tuple(rule.name for rule in identity.RULES if _switch(rule, report, scope))
    preview = identity.preview(report.labels, asked)
    _shown(preview, asked)
    if st.button(
        "Apply" if asked else "Merge nothing",
        type="primary",
        disabled=asked == report.merges,
        on_click=opening.merges,
        args=(asked,),
    ):
        st.rerun()  # the whole page, of which this is a fragment


def _switch(rule: MergeRule, report: SourceReport, scope: str) -> bool:
    alone = identity.preview(report.labels, (rule.name,))
    before, after = rule.example
    effect = (
        f"{alone.before} → {alone.after}" if alone.after < alone.before else "joins nothing here"
    )
    return st.checkbox(
        f"{rule.label.capitalize()}: {effect}",
        value=rule.name in report.merges,
        key=f"{state.key(Key.MERGE, scope)}:{report.chosen.field}:{rule.name}",
        help=f"`{before}` → `{after}`",
    )


def _shown(preview: Preview, asked: tuple[str, ...]) -> None:
    """Say how many sources become how many, and which labels become which."""
    if not asked:
        return
    said = f"{wording.counted(preview.before, 'source')} would become {preview.after}."
    if preview.rewritten:
        said += f" {wording.counted(preview.rewritten, 'more label')} would be shortened, alone."
    st.text(said)
    lines = [
        f"{_before(item.before)} → {item.after}: {wording.counted(item.rows, 'candidate')}"
        for item in preview.merged[:MOST_MERGED]
    ]
    more = len(preview.merged) - MOST_MERGED
    if more > 0:
        lines.append(f"{wording.counted(more, 'more source')} like these")
    show.block(show.markup.listing(lines))


def _before(labels: tuple[str, ...]) -> str:
    more = len(labels) - MOST_BEFORE
    return ", ".join(labels[:MOST_BEFORE]) + (f" and {more} more" if more > 0 else "")
