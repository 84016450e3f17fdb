"""The questions that Evaluate works on: those of the current load, and who says what is right.

The facets are the file's own, or those of the golden set that annotators keep, put on the file's
candidates by their source and text.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from poolscope.counts import counted
from poolscope.errors import PoolscopeError, StoreError
from poolscope.evaluation.run import Refused
from poolscope.formats import Load
from poolscope.golden.connection import file_of
from poolscope.golden.judged import in_set
from poolscope.golden.model import GoldenSet
from poolscope.golden.store import Store
from poolscope.model import Pool
from poolscope.ui import annotating, cache, golden_store, state, travelling
from poolscope.ui.figures import Choices

KEY = "evaluate-judges"
FILE, GOLDEN = "the file", "the golden set"


@dataclass(frozen=True, slots=True, eq=False)
class Judges:
    """A golden set as it stands, instead of the file's own facets.

    Args:
        store: Where it is kept.
        name: What its state is known by: it changes with every stroke.
    """

    store: Store
    name: str


def choose(load: Load) -> None:
    """Let the golden set judge instead of the file, where it knows a question of the load.

    It judges by itself where the file has no facets at all.
    """
    digest = state.session().digest
    met = len(_known() & cache.golden_ids(load, digest).keys())
    if not met:
        if travelling.taken("judges"):
            travelling.complain(
                "judges is left out: the golden set of this machine knows none of these questions."
            )
        return
    st.segmented_control(
        "Facets and marks of",
        [FILE, GOLDEN],
        required=True,
        key=travelling.choice(
            "judges",
            f"{KEY}:{digest}",
            {FILE: FILE, GOLDEN: GOLDEN},
            FILE if cache.has_facets(load, digest) else GOLDEN,
        ),
        persist_state="session",
        help=f"The golden set knows {met:,} of {counted(len(load), 'question')} by id. What its "
        "annotators' marks come to is put on the candidates of the file.",
    )


def _known() -> set[str]:
    """Return the questions of the golden set; none where it cannot be read: Annotate says why."""
    with suppress(StoreError):
        path = file_of(golden_store.address())
        if path is None or path.is_file():  # looking makes no file
            return {question.id for question in golden_store.opened().questions()}
    return set()


def judges() -> Judges | None:
    """Return the golden set where it is to judge; ``None`` for the file's own facets.

    Raises:
        StoreError: It cannot be opened or read.
    """
    if annotating.chosen(f"{KEY}:{state.session().digest}") != GOLDEN:
        return None
    store = golden_store.opened()
    return Judges(store, f"{golden_store.address()} {store.last_stroke()}")


def pools(
    load: Load, choices: Choices, asked: Judges | None, numbers: Sequence[int]
) -> Iterator[tuple[int, Pool | Refused]]:
    """Assemble questions of a load one by one, or say why one cannot be read.

    Args:
        load: The load.
        choices: How its questions are read.
        asked: The golden set that judges; ``None`` for the file's own facets.
        numbers: Which, from 0.
    """
    golden_set = None if asked is None else asked.store.golden_set()
    for number in numbers:
        try:
            loaded = load.question(
                number,
                source_field=choices.field_of(load, number),
                direction=choices.direction,
                merges=choices.merges,
            )
        except PoolscopeError as error:
            yield number, Refused(error.problem, error.remedy)
        else:
            yield number, _judged(loaded.pool, golden_set)


def _judged(pool: Pool, golden_set: GoldenSet | None) -> Pool | Refused:
    if golden_set is None:
        return pool
    found = in_set(pool, golden_set)
    if found is None:
        return Refused(
            "The golden set has no facets for this question.", "Annotate it, or leave it out."
        )
    return found.pool
