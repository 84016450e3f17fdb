"""What the pool suggests after a first pass: possible facets, possible support. Never a mark."""

import streamlit as st

from poolscope import wording
from poolscope.golden import reading
from poolscope.golden.actions import MarkPassage
from poolscope.golden.model import Mark, Passage, Record, Role, Who
from poolscope.golden.store import Store
from poolscope.golden.suggestions import (
    Basis,
    PossibleFacet,
    PossibleSupport,
    Suggestions,
    likeness,
    suggestions,
)
from poolscope.model import Pool
from poolscope.ui import annotating, golden_store, show

PREFIX = "suggested"
MOST_TEXTS = 6


def draw(store: Store, who: Who, question: str, pool: Pool | None) -> None:
    """Draw the panel.

    Args:
        store: The golden set.
        who: Who is at work.
        question: Id of the question that is open.
        pool: Its pool, for the vectors; ``None`` where it is not loaded.
    """
    record = store.visible_record(question, who)
    if record is None:
        return
    if reading.hides_others(record, who):
        show.block(
            show.markup.finding(
                "Suggestions are made after your own pass over this question is done, so that "
                "they do not steer it."
            )
        )
        return
    st.caption(
        "Computed from how alike passages are. None of this is a mark, and nothing of it is "
        "counted: it enters the golden set only as a facet or a mark that you make."
    )
    found = _found(record, who, pool)
    if found.missing:
        show.block(show.markup.aside(found.missing))
    left, right = st.columns(2, gap="large")
    with left:
        _facets(store, who, record, found)
    with right:
        _support(store, who, record, found)


def _found(record: Record, who: Who, pool: Pool | None) -> Suggestions:
    basis = Basis.VECTORS
    if pool is not None and pool.vectors is not None:
        chosen = st.segmented_control(
            "Alike by",
            list(Basis),
            default=Basis.VECTORS,
            required=True,
            key=f"{PREFIX}-basis",
            persist_state="session",
            help="On three sets with known facets 31 to 50 of 100 passages suggested by vectors "
            "were right, and 49 to 82 of 100 by words, which find no other wording.",
        )
        basis = Basis(str(chosen))
    return suggestions(record, likeness(record.passages, pool, basis), who.name)


def _facets(store: Store, who: Who, record: Record, found: Suggestions) -> None:
    st.markdown("**Possible facets**")
    if not found.facets:
        st.caption("No two passages that support nothing stand apart from the others.")
        return
    st.caption(
        f"Groups of passages that are alike and support no facet. Alone: {found.alone}. Name one "
        "yourself: the phrases are what its passages share."
    )
    texts = {passage.key: passage for passage in record.passages}
    for facet in found.facets:
        with st.container(border=True):
            _facet(store, who, record.question.id, facet, [texts[key] for key in facet.passages])


def _facet(
    store: Store, who: Who, question: str, facet: PossibleFacet, passages: list[Passage]
) -> None:
    phrases = " · ".join(facet.phrases) or "no phrase in common"
    size = wording.counted(len(passages), "passage")
    show.block(
        f'<p class="ps-applied"><span class="ps-suggested">Suggestion</span> '
        f"<b>{show.markup.text(phrases)}</b></p>"
        f"{show.markup.aside(f'{size}, mean cosine {facet.likeness:.2f}')}"
    )
    with st.expander("Its passages, the most typical first"):
        for passage in passages[:MOST_TEXTS]:
            show.block(f'<div class="ps-passage">{show.markup.text(passage.text)}</div>')
        if len(passages) > MOST_TEXTS:
            st.caption(f"{len(passages) - MOST_TEXTS} more")
    key = f"{PREFIX}-label:{question}:{facet.passages[0]}"
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    row.text_input(
        "Name of the facet",
        key=key,
        placeholder="a few words that name one component",
        label_visibility="collapsed",
        max_chars=200,
    )
    row.button(
        "Add as a facet",
        key=f"{PREFIX}-add:{question}:{facet.passages[0]}",
        on_click=_add,
        args=(store, who, question, key),
    )


def _add(store: Store, who: Who, question: str, key: str) -> None:
    label = annotating.typed(key).strip()
    if not label:
        annotating.change(said="Name the facet first: the phrases are no name.", problem=None)
        return
    if golden_store.add_facet(store, question, label, who):
        annotating.put(key, "")
        annotating.change(said=f"Facet “{label}” added, without a mark: mark it on the sheet.")


def _support(store: Store, who: Who, record: Record, found: Suggestions) -> None:
    st.markdown("**Possible support**")
    if not found.support:
        st.caption(
            f"No passage reaches a cosine of {found.begins:.2f} to one that supports a facet."
        )
        return
    st.caption(
        f"Passages with a cosine of {found.begins:.2f} or more to one that supports the facet: "
        "that far above the pool's median they begin to stand out. Many will not support it."
    )
    texts = {passage.key: passage for passage in record.passages}
    labels = {facet.id: facet.label for facet in record.facets}
    for item in found.support:
        with st.container(border=True):
            show.block(
                f'<p class="ps-applied"><span class="ps-suggested">Suggestion</span> '
                f"<b>{show.markup.text(labels[item.cell.facet])}</b></p>"
                f"{show.markup.aside(_said(item))}"
                f'<div class="ps-passage ps-clipped">'
                f"{show.markup.text(texts[item.cell.passage].text)}</div>"
            )
            with st.expander("The passage that supports it"):
                show.block(
                    f'<div class="ps-passage">{show.markup.text(texts[item.nearest].text)}</div>'
                )
            if who.role is Role.ANNOTATOR:
                _mark(store, who, record, item)


def _said(item: PossibleSupport) -> str:
    own = f"you said: {item.mark}" if item.mark is not None else "you have not marked it"
    return f"cosine {item.likeness:.2f}; {own}"


def _mark(store: Store, who: Who, record: Record, item: PossibleSupport) -> None:
    st.button(
        "I say it supports",
        key=f"{PREFIX}-mark:{record.question.id}:{item.cell.facet}:{item.cell.passage}",
        on_click=_supports,
        args=(store, who, record, item),
    )


def _supports(store: Store, who: Who, record: Record, item: PossibleSupport) -> None:
    facets = {facet.id: facet.version for facet in record.facets}
    seen = next(
        (
            one.version
            for one in record.judgements
            if one.cell == item.cell and one.annotator == who.name and one.role is Role.ANNOTATOR
        ),
        0,
    )
    cell = item.cell
    action = MarkPassage(cell.facet, cell.passage, Mark.SUPPORTS, seen, facets[cell.facet])
    golden_store.send(store, record.question.id, action, who)
