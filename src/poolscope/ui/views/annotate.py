"""Annotate: which facets does a full answer need, and which passages support them?"""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from poolscope import wording
from poolscope.annotator.payload import Sheet, sheet
from poolscope.errors import PoolscopeError
from poolscope.formats import Loaded
from poolscope.golden import place, taking_in
from poolscope.golden.model import Question, Role, Who
from poolscope.golden.reading import Progress, next_unfinished
from poolscope.golden.store import Store
from poolscope.model import Pool
from poolscope.ui import (
    annotating,
    annotators,
    cache,
    facets_panel,
    golden_store,
    guidelines,
    live_sheet,
    opening,
    progress_panel,
    show,
    state,
    taking_in_panel,
)
from poolscope.ui.golden_panels import agreement, files, suggestions

CHOSEN = "annotate-question"
TABS = "annotate-tabs"
MARK, FACETS, PROGRESS = "Mark", "Question and facets", "Progress"
AGREEMENT, SUGGESTIONS, FILES = "Agreement", "Suggestions", "Files"
MOST_CHARACTERS = 90


def render() -> None:
    """Draw the page."""
    with show.errors():
        store = golden_store.opened()
        annotators.resume()
        who = annotators.known()
        if who is None:
            show.block(
                show.markup.title(
                    "Which passages support which part of the answer?", (_where(store),)
                )
            )
            annotators.ask()
            return
        _page(store)


def _where(store: Store) -> str:
    size = wording.counted(len(store.questions()), "question")
    return f"Labels are kept in {place.shown(golden_store.address())}, {size} so far"


@st.fragment
def _page(store: Store) -> None:
    """Draw a question, or how to get the first one."""
    with show.errors(again="Try again"):
        who = annotators.known()  # a fragment's arguments stay those of the first run
        if who is None:
            st.rerun()
        questions = store.questions()
        if not questions:
            _head(store, who, ())
            _said()
            taking_in_panel.first(store, who, _loaded(""))
            files.first(store, who)
            live_sheet.remember(who)
            return
        progress = store.progress(who)
        question = _current(questions, progress)
        loaded = _loaded(question)
        annotating.change(question=question)
        _head(store, who, questions, progress)
        with _room():
            _said()
        shown = sheet(store, annotating.held().question, who, progress)
        if shown is not None:
            _question(store, who, shown, loaded, questions)


def _loaded(question: str) -> Loaded | None:
    """Return the pool of a question as it is loaded, or of the one that is looked at.

    There is none where it cannot be assembled: Data says why.
    """
    session = state.session()
    ids = {} if session.load is None else cache.golden_ids(session.load, session.digest)
    try:
        return opening.current(ids.get(question))
    except PoolscopeError:
        return None


def _current(questions: tuple[Question, ...], progress: tuple[Progress, ...]) -> str:
    """Return the question that is open, the one this browser had last, or the next unfinished."""
    ids = [question.id for question in questions]
    for wanted in (annotating.held().question, annotators.last_question()):
        if wanted in ids:
            return wanted
    return next_unfinished(progress) or ids[0]


def _head(
    store: Store,
    who: Who,
    questions: tuple[Question, ...],
    progress: tuple[Progress, ...] = (),
) -> None:
    """Draw the choice of a question, and what holds for all of them."""
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    if questions:
        _chooser(row, questions, progress)
    with row.popover("Guidelines"):
        guidelines.draw(store, who)
    with row.popover("Golden set"):
        taking_in_panel.settings(store, who)
    role = "" if who.role is Role.ANNOTATOR else ", adjudicator"
    with row.popover(show.markup.literal(f"{who.name}{role}")):
        annotators.panel(who)


def _chooser(
    row: DeltaGenerator,
    questions: tuple[Question, ...],
    progress: tuple[Progress, ...],
) -> None:
    texts = {question.id: question.text for question in questions}
    numbers = {question.id: number for number, question in enumerate(questions, start=1)}
    current = annotating.held().question
    # A list of its own for each question that is open: a stroke that was on its way when the page
    # went on to another question carries the old choice, which must not count as a new one.
    key = f"{CHOSEN}:{current}"
    row.selectbox(
        "Question",
        list(texts),
        index=list(texts).index(current),
        # The browser answers with the words of an option: they may not change while it is open.
        format_func=lambda id_: f"{numbers[id_]}. {_short(texts[id_])}",
        key=key,
        on_change=_choose,
        args=(key, frozenset(texts)),
        width="stretch",
    )
    after = next_unfinished(
        item for item in progress if item.question != annotating.held().question
    )
    row.button(
        "Next unfinished",
        on_click=_go,
        args=(next_unfinished(progress, annotating.held().question) or "",),
        disabled=after is None,
    )


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def _choose(key: str, known: frozenset[str]) -> None:
    chosen = annotating.chosen(key)
    if isinstance(chosen, str) and chosen in known:
        _go(chosen)


def _go(question: str) -> None:
    if question:
        annotating.change(question=question, said="", problem=None)


def _room() -> DeltaGenerator:
    """Make room for what comes and goes above the sheet.

    A sheet that changes its place is made anew: what is typed in it, and keys meanwhile, are lost.
    """
    return st.container()


def _said() -> None:
    """Say what the last change of a stock control came to."""
    held = annotating.held()
    if held.problem is not None:
        show.problem(held.problem)
    elif held.said:
        show.block(show.markup.finding(held.said))


def _question(
    store: Store,
    who: Who,
    shown: Sheet,
    loaded: Loaded | None,
    questions: tuple[Question, ...],
) -> None:
    with _room():
        taking_in_panel.beside(store, who, shown, loaded)
    pool = _pool_of(shown.question, loaded)
    panels: dict[str, Callable[[], None]] = {
        MARK: lambda: _mark(store, who, shown),
        # What stands in the log as an annotator's, the key u takes back on the sheet too.
        FACETS: lambda: facets_panel.draw(store, Who(who.name), shown),
        PROGRESS: lambda: progress_panel.draw(questions, shown.progress, _go),
        AGREEMENT: lambda: agreement.draw(store, who, shown.question.id),
        SUGGESTIONS: lambda: suggestions.draw(store, who, shown.question.id, pool),
        FILES: lambda: files.draw(store, who, shown.question.id, pool),
    }
    if annotating.chosen(TABS) is None and annotators.last_tab() in panels:
        annotating.put(TABS, annotators.last_tab())
    tabs = st.tabs(list(panels), key=TABS, on_change="rerun")
    for tab, draw in zip(tabs, panels.values(), strict=True):
        if tab.open:
            with tab:
                draw()
    live_sheet.remember(who, shown.question.id, str(annotating.chosen(TABS) or ""))


def _pool_of(question: Question, loaded: Loaded | None) -> Pool | None:
    """Return the loaded pool where it is this question's."""
    if loaded is None or not taking_in.belongs(loaded.pool, question):
        return None
    return loaded.pool


def _mark(store: Store, who: Who, shown: Sheet) -> None:
    if who.role is Role.ADJUDICATOR:
        st.caption(
            "Here you mark as an annotator; what others differ on is settled under Agreement."
        )
        own = sheet(store, shown.question.id, Who(who.name), shown.progress)
        if own is None:
            return
        shown = own
    live_sheet.draw(store, shown)
