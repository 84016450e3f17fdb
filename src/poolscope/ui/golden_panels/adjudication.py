"""The cells in which annotators differ, and what an adjudicator rules."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from poolscope import wording
from poolscope.golden.actions import Adjudicate
from poolscope.golden.adjudication import DECISIVE, Dispute, disputes, shared
from poolscope.golden.model import Mark, Question, Record, Role, Stroke, Who
from poolscope.golden.store import Store
from poolscope.ui import annotating, annotators, golden_store, show, taking_back

MOST_SHOWN = 12
RULINGS = (*DECISIVE, Mark.CANT_TELL)
RULED = "adjudication-ruled"
UNDO = "adjudication-undo"


@dataclass(frozen=True, slots=True)
class _Item:
    """A cell to settle, and the question it is of."""

    question: Question
    dispute: Dispute


def draw(store: Store, who: Who, records: Sequence[Record], where: str) -> None:
    """List the cells that need an adjudicator, the open ones first.

    Args:
        store: The golden set.
        who: An adjudicator rules, an annotator reads.
        records: The questions that are looked at, with the marks that may be seen.
        where: Those questions in words, such as “in this question”.
    """
    found = [_Item(record.question, each) for record in records for each in disputes(record)]
    open_ = [each for each in found if not each.dispute.is_ruled]
    ruled = [each for each in found if each.dispute.is_ruled]
    st.markdown("**To settle**")
    if not found:
        st.caption(_nothing(sum(map(shared, records)), where))
        return
    st.caption(_said(len(open_), len(ruled), who))
    if who.role is Role.ADJUDICATOR:
        taking_back.draw(store, _last_ruling(store, who, records), UNDO)
    shown = open_
    if ruled and st.toggle("Show those that are settled too", key=RULED):
        shown = open_ + ruled
    for item in shown[:MOST_SHOWN]:
        _dispute(store, who, item, names_question=len(records) > 1)
    more = len(shown) - MOST_SHOWN
    if more > 0:
        st.caption(f"{more} more {'comes' if more == 1 else 'come'} when these are settled.")


def _last_ruling(store: Store, who: Who, records: Sequence[Record]) -> Stroke | None:
    question = records[0].question.id if len(records) == 1 else None
    return taking_back.last(store.standing(question, who), Adjudicate.__name__)


def _nothing(shared_cells: int, where: str) -> str:
    if not shared_cells:
        return f"Nothing yet: no cell {where} is marked by two annotators."
    return (
        f"As marks stand now, annotators agree {where} on every cell that two of them marked, "
        "and could tell."
    )


def _said(open_: int, ruled: int, who: Who) -> str:
    said = f"{wording.counted(open_, 'cell')} where annotators differ or could not tell"
    said += f", {ruled} settled." if ruled else "."
    if who.role is Role.ADJUDICATOR:
        return f"{said} Your ruling is kept beside the marks, as an entry of its own."
    part = annotators.PARTS[Role.ADJUDICATOR]
    return f"{said} Choose “{part}” under your name to settle them."


def _dispute(store: Store, who: Who, item: _Item, *, names_question: bool) -> None:
    dispute = item.dispute
    with st.container(border=True):
        show.block(
            f'<p class="ps-applied"><b>{show.markup.text(dispute.facet.label)}</b></p>'
            f"{show.markup.aside(item.question.text) if names_question else ''}"
            f"{show.markup.aside(_votes(dispute))}"
        )
        show.block(_passage(dispute))
        if who.role is Role.ADJUDICATOR:
            _ruling(store, who, item.question.id, dispute)
        elif dispute.ruling is not None and dispute.is_ruled:
            st.caption(
                show.markup.literal(f"{dispute.ruling.annotator} ruled: {dispute.ruling.mark}")
            )


def _passage(dispute: Dispute) -> str:
    source = dispute.passage.source
    said = show.markup.aside(source) if source else ""
    text = dispute.passage.text or f"Known by its id alone: {dispute.passage.id}"
    return f'<div class="ps-passage ps-clipped">{show.markup.text(text)}</div>{said}'


def _votes(dispute: Dispute) -> str:
    said: dict[Mark, list[str]] = {}
    for name, mark in sorted(dispute.marks.items()):
        said.setdefault(mark, []).append(name)
    votes = "; ".join(f"{mark}: {', '.join(said[mark])}" for mark in RULINGS if mark in said)
    words = {True: "it supports", False: "it does not support", None: "the cell is open"}
    return f"{votes}. As it stands {words[dispute.comes_to]}."


def _ruling(store: Store, who: Who, question: str, dispute: Dispute) -> None:
    version = 0 if dispute.ruling is None else dispute.ruling.version
    key = f"ruling:{question}:{dispute.facet.id}:{dispute.passage.key}:{version}"
    st.segmented_control(
        "Ruling",
        RULINGS,
        default=None if dispute.ruling is None else dispute.ruling.mark,
        key=key,
        label_visibility="collapsed",
        on_change=_rule,
        args=(store, who, question, dispute, version, key),
        help="Press the chosen one again to take the ruling back.",
    )


def _rule(store: Store, who: Who, question: str, dispute: Dispute, version: int, key: str) -> None:
    chosen = annotating.chosen(key)
    mark = Mark(chosen) if isinstance(chosen, str) else None
    action = Adjudicate(dispute.facet.id, dispute.passage.key, mark, version, dispute.facet.version)
    golden_store.send(store, question, action, who)
