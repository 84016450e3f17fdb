"""The question and its facets: add, rename, describe, weigh, order, merge, split, take away."""

import streamlit as st

from poolscope.annotator.payload import Sheet
from poolscope.golden.actions import (
    AddFacet,
    MergeFacets,
    RemoveFacet,
    ReorderFacets,
    ReviseFacet,
    SetNotes,
    SetStratum,
    SplitFacet,
)
from poolscope.golden.model import GoldenFacet, Question, Weight, Who
from poolscope.golden.store import Store, new_token
from poolscope.model import Stratum
from poolscope.ui import annotating, golden_store, taking_back

PREFIX = "facets:"
NEW = "new"
LONGEST_LABEL = 200
LONGEST_NOTES = 20_000


def draw(store: Store, who: Who, shown: Sheet) -> None:
    """Draw the panel of a question."""
    left, right = st.columns([1.3, 1], gap="large")
    with left:
        _list(store, who, shown)
    with right:
        _about(store, who, shown.question)


def _key(question: str, *parts: object) -> str:
    return PREFIX + ":".join([question, *(str(part) for part in parts)])


def _list(store: Store, who: Who, shown: Sheet) -> None:
    question, facets = shown.question.id, shown.facets
    st.markdown("**Facets**, the components of a full answer")
    for place, facet in enumerate(facets):
        _row(store, who, question, facets, place)
        if annotating.chosen(_key(question, "open", facet.id)):
            _more(store, who, question, facets, facet)
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    row.text_input(
        "Add a facet",
        key=_key(question, NEW),
        max_chars=LONGEST_LABEL,
        placeholder="a few words that name one component",
        on_change=_add,
        args=(store, who, question),
    )
    row.button("Add", on_click=_add, args=(store, who, question))
    taking_back.draw(store, store.undoable(question, who), _key(question, "undo"))


def _row(
    store: Store, who: Who, question: str, facets: tuple[GoldenFacet, ...], place: int
) -> None:
    facet = facets[place]
    row = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    key = _key(question, "label", facet.id, facet.version)
    row.container(width=22).caption(str(place + 1))
    row.text_input(
        f"Facet {place + 1}",
        facet.label,
        key=key,
        max_chars=LONGEST_LABEL,
        label_visibility="collapsed",
        on_change=_rename,
        args=(store, who, question, facet, key),
    )
    for name, icon, by in (("up", "arrow_upward", -1), ("down", "arrow_downward", 1)):
        row.button(
            f":material/{icon}:",
            key=_key(question, name, facet.id),
            help=f"Move {name}",
            type="tertiary",
            disabled=not 0 <= place + by < len(facets),
            on_click=_move,
            args=(store, who, question, facets, place, place + by),
        )
    row.toggle("More", key=_key(question, "open", facet.id))


def _more(
    store: Store,
    who: Who,
    question: str,
    facets: tuple[GoldenFacet, ...],
    facet: GoldenFacet,
) -> None:
    with st.container(border=True):
        key = _key(question, "about", facet.id, facet.version)
        st.text_area(
            "What counts as support",
            facet.description,
            key=key,
            height=80,
            max_chars=LONGEST_NOTES,
            on_change=_describe,
            args=(store, who, question, facet, key),
        )
        weight = _key(question, "weight", facet.id, facet.version)
        st.segmented_control(
            "Weight",
            list(Weight),
            default=facet.weight,
            key=weight,
            required=True,
            on_change=_weigh,
            args=(store, who, question, facet, weight),
        )
        _merge(store, who, question, facets, facet)
        _split(store, who, question, facet)
        st.button(
            "Take this facet away, with its marks",
            key=_key(question, "remove", facet.id),
            on_click=_remove,
            args=(store, who, question, facet),
            help="u brings both back",
        )


def _merge(
    store: Store,
    who: Who,
    question: str,
    facets: tuple[GoldenFacet, ...],
    facet: GoldenFacet,
) -> None:
    others = {each.id: each for each in facets if each.id != facet.id}
    if not others:
        return
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    key = _key(question, "into", facet.id)
    row.selectbox(
        "Merge into",
        list(others),
        format_func=lambda id_: others[id_].label,
        index=None,
        placeholder="the facet that stays",
        key=key,
    )
    row.button(
        "Merge",
        key=_key(question, "merge", facet.id),
        on_click=_do_merge,
        args=(store, who, question, facet, others, key),
    )


def _split(store: Store, who: Who, question: str, facet: GoldenFacet) -> None:
    key = _key(question, "parts", facet.id)
    st.text_area(
        "Split into, one facet a line",
        key=key,
        height=80,
        help="“Does not” holds for every part; whatever else was marked is put off until later.",
    )
    st.button(
        "Split",
        key=_key(question, "split", facet.id),
        on_click=_do_split,
        args=(store, who, question, facet, key),
    )


def _about(store: Store, who: Who, question: Question) -> None:
    st.markdown("**The question**")
    st.text(question.text)
    kind = _key(question.id, "stratum", question.version)
    st.segmented_control(
        "Kind",
        list(Stratum),
        default=question.stratum,
        key=kind,
        required=True,
        on_change=_set_stratum,
        args=(store, who, question, kind),
        help="The two are reported apart: diversity can only help where there are components.",
    )
    key = _key(question.id, "notes", question.notes_version)
    st.text_area(
        "Notes, for everybody who marks it",
        question.notes,
        key=key,
        height=160,
        max_chars=LONGEST_NOTES,
        on_change=_set_notes,
        args=(store, who, question, key),
    )


def _add(store: Store, who: Who, question: str) -> None:
    key = _key(question, NEW)
    label = annotating.typed(key).strip()
    if not label:
        return
    if golden_store.add_facet(store, question, label, who):
        annotating.put(key, "")


def _rename(store: Store, who: Who, question: str, facet: GoldenFacet, key: str) -> None:
    label = annotating.typed(key).strip()
    if label and label != facet.label:
        golden_store.send(store, question, ReviseFacet(facet.id, facet.version, label), who, label)


def _describe(store: Store, who: Who, question: str, facet: GoldenFacet, key: str) -> None:
    words = annotating.typed(key)
    action = ReviseFacet(facet.id, facet.version, description=words)
    golden_store.send(store, question, action, who, words)


def _weigh(store: Store, who: Who, question: str, facet: GoldenFacet, key: str) -> None:
    weight = Weight(str(annotating.chosen(key)))
    action = ReviseFacet(facet.id, facet.version, weight=weight)
    golden_store.send(store, question, action, who)


def _move(
    store: Store,
    who: Who,
    question: str,
    facets: tuple[GoldenFacet, ...],
    place: int,
    to: int,
) -> None:
    seen = tuple(facet.id for facet in facets)
    order = list(seen)
    order[place], order[to] = order[to], order[place]
    golden_store.send(store, question, ReorderFacets(tuple(order), seen), who)


def _remove(store: Store, who: Who, question: str, facet: GoldenFacet) -> None:
    golden_store.send(store, question, RemoveFacet(facet.id, facet.version), who)


def _do_merge(
    store: Store,
    who: Who,
    question: str,
    facet: GoldenFacet,
    others: dict[str, GoldenFacet],
    key: str,
) -> None:
    into = others.get(str(annotating.chosen(key)))
    if into is not None:
        action = MergeFacets(facet.id, into.id, facet.version, into.version)
        golden_store.send(store, question, action, who)


def _do_split(store: Store, who: Who, question: str, facet: GoldenFacet, key: str) -> None:
    labels = [line.strip() for line in annotating.typed(key).splitlines() if line.strip()]
    if len(labels) < 2:
        annotating.change(said="A facet is split into two or more: write one a line.", problem=None)
        return
    what = f"{question} splits {facet.id} {labels!r}"
    seed = annotating.token_for(what, new_token())
    parts = tuple(
        AddFacet(f"f-{seed[:10]}{number:02d}", label, weight=facet.weight)
        for number, label in enumerate(labels)
    )
    if golden_store.send(store, question, SplitFacet(facet.id, parts, facet.version), who):
        annotating.drop_token(what)
    else:
        annotating.keep_token(what, seed)


def _set_stratum(store: Store, who: Who, question: Question, key: str) -> None:
    stratum = Stratum(str(annotating.chosen(key)))
    golden_store.send(store, question.id, SetStratum(stratum, question.version), who)


def _set_notes(store: Store, who: Who, question: Question, key: str) -> None:
    words = annotating.typed(key)
    golden_store.send(store, question.id, SetNotes(words, question.notes_version), who, words)
