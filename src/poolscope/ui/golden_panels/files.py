"""The golden set as files, out and in; and what becomes of it when documents are read in anew."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from poolscope import wording
from poolscope.errors import PoolscopeError
from poolscope.golden import exchange, incoming, outgoing
from poolscope.golden.exchange import Imported
from poolscope.golden.incoming import Incoming
from poolscope.golden.model import GoldenSet, Role, Who
from poolscope.golden.reading import Progress
from poolscope.golden.store import Store
from poolscope.model import Pool
from poolscope.ui import annotating, show
from poolscope.ui.golden_panels import carrying

PREFIX = "golden-files"
SUFFIX = {
    outgoing.Kind.JSON: ("json", "application/json"),
    outgoing.Kind.CSV: ("csv", "text/csv"),
    outgoing.Kind.QRELS: ("qrels", "text/plain"),
    outgoing.Kind.RUN: ("run", "text/plain"),
}
DOCUMENTS = {
    "key": "what it is known by: stays when documents are read in anew",
    "id": "its id in the pool: for runs of your own",
}
MOST_NAMED = 3


def draw(store: Store, who: Who, question: str, pool: Pool | None) -> None:
    """Draw the panel.

    Args:
        store: The golden set.
        who: Who is at work.
        question: Id of the question that is open.
        pool: Its pool as it is loaded now; ``None`` where it is not.
    """
    left, right = st.columns(2, gap="large")
    with left:
        _download(store, who)
    with right:
        _upload(store, who, pool)
    st.divider()
    carrying.draw(store, who, question, pool)


def first(store: Store, who: Who) -> None:
    """Draw what an empty golden set can begin with beside a pool: one that was handed out."""
    with st.expander("Or begin with a golden set from a file", key=f"{PREFIX}-first"):
        _upload(store, who, None)


def _download(store: Store, who: Who) -> None:
    st.markdown("**Download the golden set**")
    asked = st.selectbox(
        "As",
        list(outgoing.Kind),
        format_func=lambda each: outgoing.LABELS[each],
        key=f"{PREFIX}-kind",
        persist_state="session",
    )
    kind = outgoing.Kind.JSON if asked is None else asked
    name = None
    if kind in (outgoing.Kind.QRELS, outgoing.Kind.RUN):
        name = st.selectbox(
            "A passage is named by",
            list(DOCUMENTS),
            format_func=lambda each: DOCUMENTS[each],
            key=f"{PREFIX}-documents",
            persist_state="session",
        )
    progress = store.progress(who)
    suffix, mime = SUFFIX[kind]
    st.download_button(
        f"Download {wording.counted(len(progress), 'question')}",
        data=partial(_written, store, who, kind, name or "key"),
        file_name=f"golden.{suffix}",
        mime=mime,
        on_click="ignore",
        key=f"{PREFIX}-download",
        disabled=not progress,
    )
    for sentence in (_without(progress, who), outgoing.LACKS[kind]):
        if sentence:
            st.caption(sentence)


def _written(store: Store, who: Who, kind: outgoing.Kind, name: str) -> bytes:
    return outgoing.written(store.visible_set(who), kind, outgoing.NAMES[name]).encode()


def _without(progress: Sequence[Progress], who: Who) -> str:
    """Say on how many questions others' marks are not shown, as ``reading.hides_others`` has it."""
    is_annotator = who.role is Role.ANNOTATOR
    hidden = sum(
        not one.is_done and (is_annotator or one.settled + one.later > 0) for one in progress
    )
    if not hidden:
        return ""
    return (
        f"Others' marks on {wording.counted(hidden, 'question')} are not in it: your own pass "
        "there is not done. The command “poolscope golden export” writes everything."
    )


def _upload(store: Store, who: Who, pool: Pool | None) -> None:
    st.markdown("**Add questions from a file**")
    file = st.file_uploader(
        "A golden set of this app, TREC judgements, or lists of nuggets",
        key=f"{PREFIX}-upload",
        help="JSON, JSON Lines, or lines of question, subtopic, document and grade.",
    )
    if file is None:
        st.caption(
            "A question that is there with facets is left as it is; one without takes the "
            "file's facets and marks. Judgements that name nobody stand under your name."
        )
        return
    pools = () if pool is None else (pool,)
    with show.errors():
        found = incoming.read(
            file.getvalue(),
            file.name,
            who,
            datetime.now(UTC),
            beside=incoming.known(pools, store),
        )
        _preview(store, who, found)


def _preview(store: Store, who: Who, found: Incoming) -> None:
    records = found.golden_set.records
    there = {question.id for question in store.questions()}
    known = sum(record.question.id in there for record in records)
    marks = sum(len(record.judgements) for record in records)
    facets = sum(len(record.facets) for record in records)
    sentences = [
        f"Read as {incoming.LABELS[found.kind]}: {wording.counted(len(records), 'question')}, "
        f"{wording.counted(facets, 'facet')}, {wording.counted(marks, 'mark')}.",
    ]
    if known:
        sentences.append(f"{wording.counted(known, 'question')} of them there already.")
    if found.unknown:
        named = ", ".join(found.unknown[:MOST_NAMED])
        sentences.append(
            f"{wording.counted(len(found.unknown), 'document')} known by an id alone, among them "
            f"{named}: load the pool first to give their texts."
        )
    if found.bare:
        sentences.append(
            f"{wording.counted(len(found.bare), 'question')} without passages: load the pool "
            "first, or add it afterwards."
        )
    show.block(show.markup.listing(sentences))
    st.button(
        "Add to the golden set",
        type="primary",
        key=f"{PREFIX}-add",
        on_click=_put,
        args=(store, who, found.golden_set),
    )


def _put(store: Store, who: Who, golden_set: GoldenSet) -> None:
    try:
        done = exchange.put(golden_set, store, who)
    except PoolscopeError as error:
        annotating.change(problem=error, said="")
        return
    annotating.change(said=_came_to(done), problem=None)


def _came_to(done: Imported) -> str:
    parts = [
        f"{len(numbers)} {words}"
        for numbers, words in (
            (done.added, "added"),
            (done.filled, "filled with facets and marks"),
            (done.same, "there already, the same"),
            (done.conflicts, "left as they are"),
        )
        if numbers
    ]
    said = f"Questions: {', '.join(parts) or 'none'}."
    if done.conflicts:
        named = ", ".join(f"“{id_}”" for id_ in list(done.conflicts)[:MOST_NAMED])
        said += f" The golden set has others under {named}: nothing is overwritten."
    return " ".join((said, *done.remarks))
