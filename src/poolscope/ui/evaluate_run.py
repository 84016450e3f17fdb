"""A run over the golden set on the page: started, watched, stopped, let go on."""

from typing import TypeVar

import streamlit as st

from poolscope.counts import agreed
from poolscope.errors import PolicyError
from poolscope.evaluation import findings
from poolscope.evaluation.background import Progress, Run, State
from poolscope.evaluation.plans import (
    Gathered,
    SweepPlan,
    SweepResult,
    TablePlan,
    TableResult,
)
from poolscope.evaluation.run import Refused
from poolscope.formats import Load
from poolscope.model import Stratum
from poolscope.ui import (
    evaluate_looks,
    evaluation_cache,
    golden_questions,
    opening,
    show,
    state,
)
from poolscope.ui.golden_questions import Judges
from poolscope.wording import counted

AT_ONCE = 300
"""Questions up to which a run starts by itself."""
PATIENCE = 0.5
"""Seconds that a page waits for a run before it shows how far it is."""
EVERY = 0.6

Result = TypeVar("Result")


def swept(load: Load, plan: SweepPlan) -> SweepResult | None:
    """Return what a sweep has found, once it is done or stopped; until then show how far it is."""
    digest, choices, judges = state.session().digest, opening.reading(), golden_questions.judges()
    run = evaluation_cache.sweep_run(load, digest, choices, plan, judges)
    evaluate_looks.look(run)
    if not _is_over(run, len(load)):
        return None
    found = evaluation_cache.swept(digest, choices, plan, run, judges)
    _head(run, None if found is None else found.gathered, judges)
    return found


def measured(load: Load, plan: TablePlan) -> TableResult | None:
    """Return what a table has found, once it is done or stopped; until then show how far it is."""
    digest, choices, judges = state.session().digest, opening.reading(), golden_questions.judges()
    run = evaluation_cache.table_run(load, digest, choices, plan, judges)
    evaluate_looks.look(run)
    if not _is_over(run, len(load)):
        return None
    found = evaluation_cache.measured(digest, choices, plan, run, judges)
    _head(run, None if found is None else found.gathered, judges)
    return found


def _is_over(run: Run[Result], total: int) -> bool:
    """Start a run where it is small, and say whether there is something to show."""
    if run.progress().state is State.NEW:
        if total > AT_ONCE:
            st.text(f"{total:,} questions are loaded. Measuring them takes every core for a while.")
            st.button("Measure them", on_click=run.start, type="primary")
            return False
        run.start()
    if run.is_left():  # by this session or another; who comes back wants the rest
        run.wait(PATIENCE)
        run.start()
    run.wait(PATIENCE)
    if not run.progress().is_going:
        return True
    st.fragment(_watch, run_every=EVERY)(run)
    return False


def _watch(run: Run[Result]) -> None:
    """Say how far a run is; the page is drawn afresh when it has ended."""
    progress = run.progress()
    if not progress.is_going:
        st.rerun()  # the whole page, of which this is a fragment
    said, stop = st.columns([4, 1], vertical_alignment="center")
    said.progress(progress.done / progress.total, text=words(progress))
    stop.button("Stop", on_click=run.stop, width="stretch", help="What is done is kept and shown.")


def words(progress: Progress) -> str:
    """Say how far a run is, and how long the rest takes."""
    if progress.state is State.WAITING:
        return "Another run takes the cores; this one comes next."
    done = f"{progress.done:,} of {counted(progress.total, 'question')}"
    if progress.left is None:
        return f"{done}."
    seconds = round(progress.left)
    left = f"{seconds // 60} min {seconds % 60} s" if seconds >= 60 else f"{max(seconds, 1)} s"
    return f"{done}, about {left} left."


def _head(run: Run[Result], gathered: Gathered | None, judges: Judges | None) -> None:
    """Say which questions the result is of."""
    progress = run.progress()
    if progress.state in (State.STOPPED, State.LOST):
        row = st.container(horizontal=True, vertical_alignment="center")
        why = "stopped" if progress.state is State.STOPPED else "its process ended"
        done, of = progress.done, counted(progress.total, "question")
        row.text(f"{done:,} of {of} {agreed(done, 'is', 'are')} measured: {why}.")
        row.button("Go on", on_click=run.start)
    if gathered is not None:
        said = composition(gathered, by_golden_set=judges is not None)
        show.block(show.markup.aside(" ".join(said)))
        return
    for item in run.found().values():
        if isinstance(item, Refused):
            show.problem(PolicyError(item.problem, item.remedy))
            return


def composition(gathered: Gathered, *, by_golden_set: bool = False) -> tuple[str, ...]:
    """Say in sentences which questions were measured, and which were not.

    Args:
        gathered: The questions.
        by_golden_set: Whether the golden set judges, so that open cells are settled on Annotate.
    """
    total = len(gathered.known)
    parts = [f"{gathered.count(item)} with {item}" for item in Stratum]
    said = [f"{counted(total, 'question')}: {', '.join(parts)}."]
    lacking = gathered.without_support if by_golden_set else gathered.unsupported
    if lacking:
        said.append(findings.unsupported(lacking, f"{lacking:,} of them"))
    cells, questions = gathered.undecided
    if cells and by_golden_set:
        said.append(
            f"Undecided: {counted(cells, 'cell')} of {counted(questions, 'question')} to settle on "
            "Annotate, in facets that no passage supports so far; until then these count as not "
            "covered."
        )
    if gathered.refused:
        number, first = next(iter(gathered.refused.items()))
        said.append(
            f"{counted(len(gathered.refused), 'question')} left out; number {number + 1}: "
            f"{first.problem}"
        )
    return tuple(said)
