"""Runs over a golden set and what came of them, keyed by digests and settings, never by data.

A run is shared by every session that asks for the same: nobody waits twice.
"""

from functools import partial

import streamlit as st

from poolscope.evaluation import plans
from poolscope.evaluation.background import Run
from poolscope.evaluation.plans import (
    Measured,
    SweepPlan,
    SweepResult,
    Swept,
    TablePlan,
    TableResult,
)
from poolscope.formats import Load
from poolscope.ui import golden_questions
from poolscope.ui.figures import Choices
from poolscope.ui.golden_questions import Judges

MOST_RUNS = 32


def _scope(
    digest: str, choices: Choices, plan: SweepPlan | TablePlan, judges: Judges | None
) -> tuple[str, ...]:
    """Return what a run is known by."""
    return (digest, repr(choices), repr(plan), "" if judges is None else judges.name)


def sweep_run(
    load: Load, digest: str, choices: Choices, plan: SweepPlan, judges: Judges | None = None
) -> Run[Swept]:
    """Return the run of a sweep over the questions of a load; it is not started here."""
    return _sweep_run(_scope(digest, choices, plan, judges), load, choices, plan, judges)


@st.cache_resource(show_spinner=False, max_entries=MOST_RUNS)
def _sweep_run(
    scope: tuple[str, ...],  # noqa: ARG001 - what the run is known by
    _load: Load,
    _choices: Choices,
    _plan: SweepPlan,
    _judges: Judges | None,
) -> Run[Swept]:
    return Run(len(_load), partial(golden_questions.pools, _load, _choices, _judges), _plan)


def table_run(
    load: Load, digest: str, choices: Choices, plan: TablePlan, judges: Judges | None = None
) -> Run[Measured]:
    """Return the run of a table over the questions of a load; it is not started here."""
    return _table_run(_scope(digest, choices, plan, judges), load, choices, plan, judges)


@st.cache_resource(show_spinner=False, max_entries=MOST_RUNS)
def _table_run(
    scope: tuple[str, ...],  # noqa: ARG001 - what the run is known by
    _load: Load,
    _choices: Choices,
    _plan: TablePlan,
    _judges: Judges | None,
) -> Run[Measured]:
    return Run(len(_load), partial(golden_questions.pools, _load, _choices, _judges), _plan)


def swept(
    digest: str,
    choices: Choices,
    plan: SweepPlan,
    run: Run[Swept],
    judges: Judges | None = None,
) -> SweepResult | None:
    """Put together what a run has found so far."""
    return _swept(_scope(digest, choices, plan, judges), run.progress().done, plan, run)


@st.cache_resource(show_spinner=False, max_entries=MOST_RUNS)
def _swept(
    scope: tuple[str, ...],  # noqa: ARG001 - what the run is known by
    done: int,  # noqa: ARG001 - how far it was
    _plan: SweepPlan,
    _run: Run[Swept],
) -> SweepResult | None:
    return plans.swept(_plan, _run.found())


def measured(
    digest: str,
    choices: Choices,
    plan: TablePlan,
    run: Run[Measured],
    judges: Judges | None = None,
) -> TableResult | None:
    """Put together what a run has found so far."""
    return _measured(_scope(digest, choices, plan, judges), run.progress().done, plan, run)


@st.cache_resource(show_spinner=False, max_entries=MOST_RUNS)
def _measured(
    scope: tuple[str, ...],  # noqa: ARG001 - what the run is known by
    done: int,  # noqa: ARG001 - how far it was
    _plan: TablePlan,
    _run: Run[Measured],
) -> TableResult | None:
    return plans.measured(_plan, _run.found())
