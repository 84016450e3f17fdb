"""The cells in which annotators differ, and what an adjudicator rules."""

import streamlit as st

from poolscope import wording
from poolscope.golden.actions import Adjudicate
from poolscope.golden.adjudication import DECISIVE, Dispute, disputes
from poolscope.golden.model import Mark, Record, Role, Who
from poolscope.golden.store import Store
from poolscope.ui import annotating, golden_store, show

MOST_SHOWN = 12
RULINGS = (*DECISIVE, Mark.CANT_TELL)
RULED = "adjudication-ruled"


def draw(store: Store, who: Who, record: Record) -> None:
    """List the cells of a question that need an adjudicator, the open ones first.

    Args:
        store: The golden set.
        who: An adjudicator rules, an annotator reads.
        record: The question with the marks that may be seen.
    """
    found = disputes(record)
    open_ = [each for each in found if not each.is_ruled]
    ruled = [each for each in found if each.is_ruled]
    st.markdown("**To settle**")
    if not found:
        st.caption("Annotators agree on every cell that two of them marked, and could tell.")
        return
    st.caption(_said(len(open_), len(ruled), who))
    shown = open_
    if ruled and st.toggle("Show those that are settled too", key=RULED):
        shown = open_ + ruled
    for dispute in shown[:MOST_SHOWN]:
        _dispute(store, who, record.question.id, dispute)
    if len(shown) > MOST_SHOWN:
        st.caption(f"{len(shown) - MOST_SHOWN} more come when these are settled.")


def _said(open_: int, ruled: int, who: Who) -> str:
    said = f"{wording.counted(open_, 'cell')} where annotators differ or could not tell"
    said += f", {ruled} settled." if ruled else "."
    if who.role is Role.ADJUDICATOR:
        return f"{said} Your ruling is kept beside the marks, as an entry of its own."
    return f"{said} Choose the adjudicator's part under your name to settle them."


def _dispute(store: Store, who: Who, question: str, dispute: Dispute) -> None:
    with st.container(border=True):
        show.block(
            f'<p class="ps-applied"><b>{show.markup.text(dispute.facet.label)}</b></p>'
            f"{show.markup.aside(_votes(dispute))}"
        )
        show.block(_passage(dispute))
        if who.role is Role.ADJUDICATOR:
            _ruling(store, who, question, dispute)
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
