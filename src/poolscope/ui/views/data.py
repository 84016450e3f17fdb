"""Data: which pool?"""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from poolscope import formats, samples
from poolscope.counts import counted
from poolscope.errors import PoolscopeError
from poolscope.formats import Loaded, SetAside
from poolscope.model import Direction
from poolscope.ui import identity_panel, opening, questions_panel, show, state
from poolscope.ui.state import Key

PER_ROW = 4
PER_ROW_BESIDE = 3
UPLOAD_TYPES = [
    *("json", "jsonl", "ndjson", "csv", "tsv", "txt", "trec", "run", "qrels"),
    *("parquet", "npz", "npy", "gz"),
]


ASKED = "beside it"
"""Words with which an error or a note asks for a further file."""
VECTOR_TYPES = ["npz", "npy"]
BESIDE = {
    Key.CORPUS: (
        "The corpus",
        "Passages with id and text, where the pool names them by id alone, as a TREC run does.",
    ),
    Key.QUERIES: ("Texts of the questions", "Where the pool names its questions by id alone."),
    Key.EARLIER: (
        "The pool before the reranker",
        "The candidates as they were sent, where the results name places in that list.",
    ),
    Key.JUDGEMENTS: (
        "Judgements",
        "Which passages are relevant, for which subtopic: qrels or a table by id.",
    ),
    Key.VECTORS: ("Vectors of the candidates", "NPZ or NPY, where the pool carries none."),
    Key.QUERY_VECTORS: ("Vectors of the questions", "NPZ or NPY, where the pool carries none."),
}
"""The files that may lie beside a pool: a name, and when it is needed."""


def render() -> None:
    """Draw the page."""
    show.block(show.markup.title("Which pool?", ()))
    gallery, upload, paste = st.tabs(["Samples", "Upload a file", "Paste"])
    with gallery:
        _gallery()
    with upload:
        _upload()
    with paste:
        _paste()
    session = state.session()
    if session.problem is not None:
        show.problem(session.problem)
        if session.load is not None:
            st.caption("The pool loaded before is still here, unchanged.")
    st.divider()
    if session.load is not None and len(session.load) > 1:
        questions_panel.draw(session.load)
    with show.errors():
        loaded = opening.current()
        if loaded is not None:
            _report(loaded)


def _gallery() -> None:
    for first in range(0, len(samples.SAMPLES), PER_ROW):
        columns = st.columns(PER_ROW)
        for column, item in zip(columns, samples.SAMPLES[first : first + PER_ROW], strict=False):
            card = column.container(border=True, height="stretch", vertical_alignment="distribute")
            with card:
                shown = " :small[loaded]" if item.name == state.session().sample else ""
                with st.container(gap="xsmall"):
                    st.markdown(f"**{item.title}**{shown}")
                    st.caption(item.story)
                st.button(
                    "Open",
                    key=f"sample:{item.name}",
                    on_click=opening.sample,
                    args=(item.name,),
                    width="stretch",
                )


def _upload() -> None:
    left, right = st.columns([2, 1])
    with left:
        st.file_uploader(
            "A pool: JSON, JSONL, CSV, TREC, Parquet or NPZ",
            type=UPLOAD_TYPES,
            key=state.key(Key.UPLOAD),
            on_change=opening.upload,
        )
    with right:
        labels = {item.name: item.label for item in formats.FORMATS}
        st.selectbox(
            "Format",
            ["", *labels],
            format_func=lambda name: labels.get(name, "detected"),
            key=state.key(Key.FORMAT),
            on_change=opening.upload,
            persist_state="session",
        )
        st.caption(
            "One candidate a row, best first: an id, a text, a score; a source, a vector and "
            "facets where you have them. The README shows the shape."
        )
    _beside()


def _beside() -> None:
    """Ask for the files that lie beside a pool, open where one is given or asked for."""
    given = any(state.widget(name) is not None for name in BESIDE)
    with st.expander("Files beside it", expanded=given or _is_more_asked_for()):
        names = list(BESIDE)
        for first in range(0, len(names), PER_ROW_BESIDE):
            columns = st.columns(PER_ROW_BESIDE)
            for column, name in zip(columns, names[first : first + PER_ROW_BESIDE], strict=False):
                label, needed = BESIDE[name]
                is_vectors = name in (Key.VECTORS, Key.QUERY_VECTORS)
                column.file_uploader(
                    label,
                    type=VECTOR_TYPES if is_vectors else UPLOAD_TYPES,
                    key=state.key(name),
                    on_change=opening.beside,
                )
                column.caption(needed)


def _is_more_asked_for() -> bool:
    """Whether what was read last, well or not, says what is to be given beside it."""
    problem = state.session().problem
    if problem is not None:
        return ASKED in problem.remedy
    try:
        loaded = opening.current()
    except PoolscopeError as error:
        return ASKED in error.remedy
    return loaded is not None and any(ASKED in note for note in loaded.report.notes)


def _paste() -> None:
    st.text_area(
        "JSON, JSON lines or a CSV table",
        height=220,
        key=state.key(Key.PASTE),
        placeholder='{"query": "…", "candidates": [{"id": "a", "source": "…", "text": "…"}]}',
    )
    st.button("Load what was pasted", on_click=opening.paste, type="primary")
    st.caption("Files beside it, such as the corpus, are taken from “Upload a file”.")


def _report(loaded: Loaded) -> None:
    report = loaded.report
    with st.container(horizontal=True, vertical_alignment="center"):
        show.block(show.markup.part("What was read"))
        st.page_link("pages/inspect.py", label="Inspect this pool", icon=":material/search:")
    left, right = st.columns([1.4, 1], gap="large")
    with left:
        show.block(show.markup.table(_rows(loaded)))
        if report.warnings:
            st.markdown("**Worth a look**")
            show.block(show.markup.listing(report.warnings))
        if report.notes:
            st.markdown("**What was done**")
            show.block(show.markup.listing(report.notes))
    with right:
        identity_panel.draw(report.sources)
        _direction(loaded)
    if report.set_aside:
        st.markdown(
            f"**{counted(len(report.set_aside), 'row')} set aside**, the rest is in the pool"
        )
        st.dataframe(_set_aside(report.set_aside), hide_index=True, width="stretch", placeholder="")


def _set_aside(items: Sequence[SetAside]) -> pd.DataFrame:
    """Return the rows that were set aside; without a column that would say nothing."""
    rows = [(item.row, item.line, item.id or None, item.reason) for item in items]
    table = pd.DataFrame(rows, columns=["row", "line", "id", "reason"])
    return table.astype({"line": "Int64"}).dropna(axis="columns", how="all")


def _rows(loaded: Loaded) -> list[tuple[str, str]]:
    pool, report = loaded.pool, loaded.report
    kind = pool.score_kind
    rows = [
        ("Question", pool.query or "none"),
        ("Format", f"{report.format_label}: {report.reason}"),
        ("Candidates", f"{report.candidates:,} of {counted(report.rows, 'row')}"),
        ("Score", "none" if kind is None else f"{kind.name}, {kind.direction}. {kind.evidence}"),
    ]
    if kind is not None and kind.conversion != "as loaded":
        rows.append(("Score used", kind.conversion))
    vectors = report.vectors
    if vectors is None:
        rows.append(("Vectors", "none: MMR and the map need them"))
    else:
        rows.append(
            (
                "Vectors",
                f"{vectors.dimension} dimensions; {vectors.missing} missing, {vectors.zero} zero; "
                f"largest deviation from unit length {vectors.deviation:.2g}; "
                f"{'with' if vectors.has_query else 'without'} a query vector",
            )
        )
    copies = report.copies
    rows.append(
        (
            "Copies",
            f"{copies.exact} exact, {copies.near} near (cosine at least {copies.threshold}"
            f"{_of_first(copies.examined, report.candidates)})",
        )
    )
    facets = f"{report.facets}; {report.judged} of {counted(report.candidates, 'candidate')} judged"
    rows.append(("Facets", facets if report.facets else "none: coverage needs them"))
    rows.append(("Tokens", f"{int(pool.tokens.sum()):,} in all, {pool.tokenizer}"))
    return rows


def _of_first(examined: int, candidates: int) -> str:
    return f", among the first {examined:,}" if 0 < examined < candidates else ""


def _direction(loaded: Loaded) -> None:
    """Ask which end of the score is better, where the file does not tell."""
    session, kind = state.session(), loaded.report.score_kind
    if kind is None or (kind.direction is not Direction.ORDER and session.direction is None):
        return
    scope = f"{session.digest}:{session.question}"
    choices = [None, Direction.HIGHER, Direction.LOWER]
    st.markdown("**Score**")
    st.selectbox(
        "Which end of the score is better?",
        choices,
        index=choices.index(session.direction),
        format_func=lambda end: "not known: the list order counts" if end is None else end.value,
        key=state.key(Key.DIRECTION, scope),
        on_change=opening.direction,
        args=(scope,),
    )
