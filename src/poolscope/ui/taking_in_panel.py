"""What is loaded beside the golden set: questions to take in, names to begin with, settings."""

import dataclasses
import functools
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from poolscope import wording
from poolscope.annotator.payload import Sheet
from poolscope.errors import PoolscopeError, StoreError
from poolscope.formats import Load, Loaded
from poolscope.golden import place, taking_in
from poolscope.golden.actions import AddPassages, SetProject
from poolscope.golden.model import Who
from poolscope.golden.store import Store
from poolscope.model import Pool
from poolscope.ui import annotating, cache, golden_store, opening, show, state

MOST_NAMED = 3
HIDES = {
    "hides_rank": "Hide the rank, and shuffle the passages",
    "hides_score": "Hide the score",
    "hides_source": "Hide the source",
}
SETTING = "golden-setting:"


def first(store: Store, who: Who, loaded: Loaded | None) -> None:
    """Say what a golden set is made of, where there is none yet, with the way to begin."""
    load = state.session().load
    show.block(show.markup.title("The golden set is empty", ()))
    st.text(
        "It grows from pools: load one with the questions you want to decide by, then take its "
        "questions in. Per question you name the facets of a full answer and mark which passages "
        "support them."
    )
    st.caption(_kept_in())
    if load is None or loaded is None:
        st.page_link("pages/data.py", label="Load a pool", icon=":material/upload_file:")
        return
    passages = wording.counted(len(loaded.pool), "passage")
    size = f"{wording.counted(len(load), 'question')}, {passages} in this one"
    show.block(show.markup.aside(f"Loaded: {state.session().origin}, {size}."))
    _take_in(store, who, load, "primary")
    if loaded.pool.facets:
        st.caption(
            f"The file names {wording.counted(len(loaded.pool.facets), 'facet')} already. You can "
            "begin with these names; the file's own judgements are not taken over, so that every "
            "mark in the golden set says who made it."
        )


def _kept_in() -> str:
    return f"Labels are kept in {place.shown(golden_store.address())}"


def _take_in(store: Store, who: Who, load: Load, kind: Literal["primary", "secondary"]) -> None:
    is_one = len(load) == 1
    words = "Take this question in" if is_one else f"Take all {len(load):,} questions in"
    st.button(words, type=kind, on_click=_all, args=(store, who, load), key="take-in")
    if not is_one:
        st.button("Take only this one in", on_click=_one, args=(store, who), key="take-one-in")


def _one(store: Store, who: Who) -> None:
    session = state.session()
    annotating.change(problem=None, said="")
    if session.load is not None:
        _numbers(store, who, session.load, range(session.question, session.question + 1))


def _all(store: Store, who: Who, load: Load) -> None:
    annotating.change(problem=None, said="")
    _numbers(store, who, load, range(len(load)))


def _numbers(store: Store, who: Who, load: Load, numbers: range) -> None:
    """Take questions of the load in, and say how many, and why the others were not."""
    known = {question.id: question.text for question in store.questions()}
    taken: list[str] = []
    left: list[str] = []
    for number in numbers:
        try:
            action = taking_in.taken_in(_pool(load, number))
        except PoolscopeError as error:
            left.append(error.problem)
            continue
        id_ = action.question.id
        if id_ not in known:
            if not golden_store.send(store, id_, action, who):
                break
            taken.append(id_)
        elif known[id_] != action.question.text:
            left.append(f"“{id_}” is another question of the golden set")
    held = annotating.held()
    if held.problem is None and not held.said:
        annotating.change(said=_came_to(len(taken), left))
    if taken:
        annotating.change(question=taken[0])


def _pool(load: Load, number: int) -> Pool:
    session, choices = state.session(), opening.reading()
    return cache.question(
        load,
        session.digest,
        number,
        choices.field_of(load, number),
        choices.direction,
        choices.merges,
    ).pool


def _came_to(taken: int, left: list[str]) -> str:
    said = f"{wording.counted(taken, 'question')} taken in." if taken else "Nothing was taken in."
    if not left:
        return said
    rest = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
    were = "was" if len(left) == 1 else "were"
    return f"{said} {len(left)} {were} not: {'; '.join(left[:MOST_NAMED])}{rest}."


def beside(store: Store, who: Who, shown: Sheet, loaded: Loaded | None) -> None:
    """Say how the loaded pool and the question that is open belong together, where they do."""
    load = state.session().load
    if load is None or loaded is None:
        return
    try:
        id_ = taking_in.question_id(loaded.pool.query_id, loaded.pool.query)
    except StoreError:
        return
    if id_ != shown.question.id:
        # The sample that opens by itself is offered under “Golden set”, not on every question.
        if state.session().sample or not _lacking(store, load):
            return
        with _line("load"):
            show.block(
                show.markup.aside(f"{state.session().origin} is loaded and not in the golden set.")
            )
            _take_in(store, who, load, "secondary")
        return
    found = taking_in.beside(loaded.pool, shown.question, shown.passages, shown.facets)
    if found.is_other:
        show.block(
            show.markup.aside(
                f"The loaded pool asks something else under the same id “{id_}”: it is left aside."
            )
        )
        return
    _passages(store, who, shown, found)
    _names(store, who, shown, found)


def _lacking(store: Store, load: Load) -> int:
    """Return how many questions of the load the golden set lacks."""
    known = {question.id for question in store.questions()}
    return len(cache.golden_ids(load, state.session().digest).keys() - known)


def _line(name: str) -> DeltaGenerator:
    """Make room for a sentence with its button beside it."""
    return st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"annotate-line-{name}"
    )


def _passages(store: Store, who: Who, shown: Sheet, found: taking_in.Beside) -> None:
    if not found.added:
        return
    with _line("passages"):
        gone = f", and lacks {found.gone} of its own" if found.gone else ""
        show.block(
            show.markup.aside(
                f"The loaded pool has {wording.counted(len(found.added), 'passage')} that the "
                f"golden set lacks{gone}. Documents that were read in anew are carried over under "
                "Files."
            )
        )
        st.button(
            "Add them",
            on_click=_add,
            args=(store, who, shown.question.id, AddPassages(found.added)),
        )


def _add(store: Store, who: Who, question: str, action: AddPassages) -> None:
    golden_store.send(store, question, action, who)


def _names(store: Store, who: Who, shown: Sheet, found: taking_in.Beside) -> None:
    if shown.facets or not found.names:
        return
    with _line("names"):
        named = ", ".join(f"“{name}”" for name in found.names[:MOST_NAMED])
        rest = len(found.names) - MOST_NAMED
        more = f" and {rest} more" if rest > 0 else ""
        show.block(
            show.markup.aside(
                f"The file names facets: {named}{more}. They are names to begin with: its "
                "judgements are not taken over."
            )
        )
        st.button(
            f"Begin with these {len(found.names)}",
            on_click=_begin_with,
            args=(store, who, shown.question.id, found.names),
        )


def _begin_with(store: Store, who: Who, question: str, names: tuple[str, ...]) -> None:
    for name in names:
        if not golden_store.add_facet(store, question, name, who):
            return


def settings(store: Store, who: Who) -> None:
    """Draw where labels are kept and what is hidden until a pass is done."""
    st.text(f"{_kept_in()}.")
    st.caption(
        f"The variable {place.VARIABLE} names another file, or a PostgreSQL that a team shares."
    )
    project = store.project()
    st.markdown("**Until a pass is done**, for everybody")
    for name, words in HIDES.items():
        key = f"{SETTING}{name}:{project.version}"
        st.toggle(
            words,
            getattr(project, name),
            key=key,
            on_change=_hide,
            args=(store, who, name, key),
        )
    key = f"{SETTING}seed:{project.version}"
    st.number_input(
        "Seed of the shuffle",
        0,
        10**6,
        project.seed,
        key=key,
        on_change=_hide,
        args=(store, who, "seed", key),
        help="Every annotator meets the passages in an order of their own that follows from it.",
    )
    load = state.session().load
    if load is not None and (lacking := _lacking(store, load)):
        st.markdown("**Questions**")
        st.button(
            f"Take in {wording.counted(lacking, 'question')} of {len(load):,} loaded",
            on_click=functools.partial(_all, store, who, load),
            key="take-in-more",
        )


def _hide(store: Store, who: Who, name: str, key: str) -> None:
    value = annotating.chosen(key)
    changed = int(value) if isinstance(value, int | float) else 0
    changes = {name: changed if name == "seed" else bool(changed)}
    project = dataclasses.replace(store.project(), **changes)  # type: ignore[arg-type]  # by name
    golden_store.send(store, "", SetProject(project), who)
