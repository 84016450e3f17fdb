"""How far annotators agree, in figures; and where they differ, to be settled."""

import math

import streamlit as st

from poolscope import wording
from poolscope.golden import reading
from poolscope.golden.agreement import Agreement, Coefficient, SetAgreement, agreement_of
from poolscope.golden.model import Record, Role, Who
from poolscope.golden.store import Store
from poolscope.ui import show
from poolscope.ui.explain_markup import Cell, blank, number, rows
from poolscope.ui.golden_panels import adjudication

THIS, ALL = "This question", "All questions"
HEADINGS = ("facet", "cells", "by two or more", "raw", "kappa", "AC1", "alpha")
MEANING = (
    "Raw is the share of pairs of labels that are equal, whatever chance would give. Cohen's kappa "
    "(the mean over pairs of annotators) and Krippendorff's alpha take chance off, and fall near 0 "
    "where one label is rare, however much is agreed; Gwet's AC1 takes chance off and does not. "
    "Read them beside the counts."
)


def draw(store: Store, who: Who, question: str) -> None:
    """Draw the figures, and under them the cells to settle of the same questions.

    Args:
        store: The golden set.
        who: Who is at work.
        question: Id of the question that is open.
    """
    row = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    scope = row.segmented_control(
        "Agreement over",
        [THIS, ALL],
        default=THIS,
        required=True,
        key="agreement-scope",
        label_visibility="collapsed",
        persist_state="session",
    )
    counts = row.toggle(
        "Count “can't tell” as a label", key="agreement-cant-tell", persist_state="session"
    )
    one = store.visible_record(question, who)
    if one is None:
        return
    records = (one,) if scope == THIS else store.visible_set(who).records
    hidden = sum(reading.hides_others(record, who) for record in records)
    if hidden:
        show.block(show.markup.finding(_hidden(hidden, len(records), who)))
    seen = tuple(record for record in records if not reading.hides_others(record, who))
    if seen:
        _figures(agreement_of(seen, counts_cant_tell=counts), seen)
        adjudication.draw(store, who, seen, _where(str(scope), hidden))


def _where(scope: str, hidden: int) -> str:
    if scope == THIS:
        return "in this question"
    return "in the questions that are not left out" if hidden else "in all questions"


def _hidden(hidden: int, total: int, who: Who) -> str:
    whose = (
        "your own pass over it is done"
        if who.role is Role.ANNOTATOR
        else "the pass that you have begun as an annotator is done"
    )
    if total == 1:
        return f"Others' marks on this question stay hidden until {whose}."
    return (
        f"{wording.counted(hidden, 'question')} of {total} left out: others' marks on a question "
        f"stay hidden until {whose}."
    )


def _figures(found: SetAgreement, records: tuple[Record, ...]) -> None:
    overall = found.overall
    if len(overall.annotators) < 2:
        names = ", ".join(overall.annotators) or "nobody"
        show.block(
            show.markup.aside(
                f"Agreement needs two annotators who marked the same cells; so far: {names}."
            )
        )
        return
    texts = {record.question.id: record.question.text for record in records}
    is_one = len(records) == 1
    cells = [
        _row(one.facet.label, "" if is_one else texts[one.question], one.agreement)
        for one in found.facets
    ]
    cells.append(_row("Overall", "", overall))
    show.block(rows(HEADINGS, cells, "Agreement by facet and overall"))
    labels = ", ".join(f"{label} {count:,}" for label, count in overall.labels.items())
    show.block(
        show.markup.aside(
            f"{', '.join(overall.annotators)}. Labels given: {labels}; missing: "
            f"{overall.left_out:,}. {found.treatment}"
        )
    )
    with st.expander("What the four numbers say"):
        st.text(MEANING)


def _row(label: str, beneath: str, found: Agreement) -> tuple[Cell, ...]:
    given = ", ".join(f"{name} {count}" for name, count in found.labels.items())
    return (
        Cell(label, beneath=beneath),
        number(f"{found.units:,}", given),
        number(f"{found.paired:,}"),
        *(_number(value) for value in (found.raw, found.kappa, found.ac1, found.alpha)),
    )


def _number(found: Coefficient) -> Cell:
    if math.isnan(found.value):
        return blank(found.reason)
    value = round(found.value, 2) + 0.0  # no minus before a zero
    return number(f"{value:.2f}".replace("-", "\N{MINUS SIGN}"))
