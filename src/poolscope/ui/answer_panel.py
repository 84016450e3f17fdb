"""The answer panel of Explain: what a generated answer did with its context."""

import os

import streamlit as st

from poolscope import wording
from poolscope.charts import labels
from poolscope.diagnosis.answer import (
    AnswerReport,
    Basis,
    FacetState,
    Grade,
    Stage,
    Use,
    examine,
    ignored,
)
from poolscope.diagnosis.citations import Numbering, cited
from poolscope.diagnosis.judge import propose_marks
from poolscope.model import Pool, Selection
from poolscope.ui import explain_markup, show, state
from poolscope.ui.explain_markup import Cell, blank, number
from poolscope.ui.state import Key

ENDPOINT = "POOLSCOPE_JUDGE_ENDPOINT"
MODEL = "POOLSCOPE_JUDGE_MODEL"
API_KEY = "POOLSCOPE_JUDGE_KEY"

READ_OFF = "read off the answer"
BEGINNING_CHARACTERS = 90
FACET_HEADINGS = ("facet", "made", "stage", "how that is known", "supported by")
USE_HEADINGS = ("slot", "passage", "used", "of the sentences", "wording that the answer shares")


def answer(selection: Selection) -> None:
    """Take a pasted answer and show which passages it used and where each facet was lost."""
    digest = selection.pool.digest
    pasted = st.text_area(
        "The generated answer",
        height=150,
        key=state.key(Key.ANSWER, digest),
        persist_state="session",
        placeholder="Paste the answer. Citations like [1], [doc-id], footnotes or 【1†source】 are "
        "read; without any, wording decides.",
    )
    if not pasted.strip():
        st.caption("It is held against the context that the chosen rule selects, in that order.")
        return
    numbering = _numbering(selection, pasted)
    marks = _marks(selection, pasted)
    report = examine(selection, pasted, marks, numbering)
    show.block(show.markup.finding(report.verdict))
    _ignored(report)
    st.markdown("**Facets**")
    if report.facets:
        cells = [_facet(selection, item) for item in report.facets]
        show.block(explain_markup.rows(FACET_HEADINGS, cells, "What became of each facet"))
    else:
        st.caption("No facet is marked for this question.")
    st.markdown("**Passages of the context**")
    if len(selection):
        show.block(explain_markup.rows(USE_HEADINGS, _uses(report), "What the answer used"))
    else:
        st.caption("Nothing is selected: the answer had no context.")
    if report.unknown:
        st.markdown("**Citations of something that is not in the context**")
        show.block(show.markup.listing(dict.fromkeys(item.text for item in report.unknown)))


def _ignored(report: AnswerReport) -> None:
    """Show what the answer leaves out: under its name where that is known, else as a remark."""
    finding = ignored(report)
    if finding is None:
        return
    if finding.is_alarm:
        show.block(show.markup.verdict(finding, len(report.facets)))
    else:
        show.block(show.markup.finding(f"{finding.sentence} {finding.remedy}"))


def _numbering(selection: Selection, pasted: str) -> Numbering | None:
    """Say how the answer's numbers are read, and let a person say otherwise."""
    found = cited(selection, pasted)
    if not found.numberings:
        return None
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    chosen = row.segmented_control(
        "Numbers in the answer",
        [READ_OFF, *(way.value for way in found.numberings)],
        default=READ_OFF,
        key=state.key(Key.NUMBERING, selection.pool.digest),
        persist_state="session",
        required=True,
    )
    numbering = next((way for way in found.numberings if way.value == chosen), None)
    with row:
        show.block(show.markup.aside(cited(selection, pasted, numbering).why))
    return numbering


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


def _uses(report: AnswerReport) -> list[list[Cell]]:
    used = {use.index: use for use in report.uses}
    return [
        _use(report.selection.pool, slot, index, used.get(index))
        for slot, index in enumerate(report.selection.ordered, start=1)
    ]


def _use(pool: Pool, slot: int, index: int, use: Use | None) -> list[Cell]:
    passage = Cell(
        f"rank {index + 1} · {wording.source_of(pool, index)}",
        beneath=labels.shortened(pool.texts[index], BEGINNING_CHARACTERS),
    )
    if use is None:
        none = blank("no citation names the passage and no sentence has its wording")
        return [number(str(slot)), passage, Cell("no sign", is_whole=True), none, none]
    is_cited = use.by is Basis.CITATION
    return [
        number(str(slot)),
        passage,
        Cell("cited" if is_cited else "by wording only"),
        number(f"{use.share:.0%}") if use.share else blank("named in a list of sources only"),
        Cell(" … ".join(use.shared)) if use.shared else blank("no wording is shared"),
    ]


def _facet(selection: Selection, item: FacetState) -> list[Cell]:
    slots = {index: slot for slot, index in enumerate(selection.ordered, start=1)}
    inside = ", ".join(str(slots[index]) for index in item.in_context)
    kind = "slot" if len(item.in_context) == 1 else "slots"
    outside = "nowhere in the pool" if item.nearest is None else f"rank {item.nearest + 1}"
    return [
        Cell(item.facet.label),
        _made(item),
        Cell(item.stage.value),
        _how(item),
        Cell(f"{kind} {inside}" if inside else outside),
    ]


def _made(item: FacetState) -> Cell:
    if item.is_made:
        return Cell("yes")
    if item.evidence.grade.hints:
        return Cell("possibly")
    is_told = item.is_marked or item.stage is Stage.IGNORED
    return Cell("no") if is_told else Cell("not known", is_whole=True)


def _how(item: FacetState) -> Cell:
    evidence = item.evidence
    if evidence.grade is Grade.NONE and not item.in_context:
        return blank("no passage of the context supports it, and no wording points to it")
    sentence = f"“{evidence.sentence}”" if evidence.sentence else ""
    return Cell(evidence.grade.value, beneath=sentence)
