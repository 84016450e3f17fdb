"""Evaluate's panel of judged answers: accuracy and claims made, by setting, from a file."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from poolscope.errors import FormatError
from poolscope.evaluation import contenders
from poolscope.evaluation.answers import by_setting, judged_rows
from poolscope.evaluation.contenders import Contender
from poolscope.evaluation.plans import TablePlan
from poolscope.formats import Load, graded
from poolscope.model import Policy
from poolscope.ui import evaluate_markup, evaluate_run, show, state
from poolscope.ui.state import JudgedAnswers, Key
from poolscope.wording import counted

TYPES = ("csv", "json", "jsonl", "parquet")


def draw(load: Load, policy: Policy) -> None:
    """Ask for a file of judged answers, and show it beside what is measured here."""
    given = state.judged_answers()
    with st.expander("The file of judged answers", expanded=not given.graded):
        show.block(
            show.markup.aside(
                "A row an answer: setting (a value of lambda, or a rule's name), question (its "
                "id), correct (0 to 1). Or a row a claim: setting, question, facet, made "
                "(supported, partly supported, not supported), importance (vital, okay)."
            )
        )
        st.file_uploader(
            "Judged answers", type=TYPES, key=state.key(Key.EVALUATE_GRADED), on_change=_read
        )
    if given.problem is not None:
        show.problem(given.problem)
    if not given.graded:
        st.text("No answers are given, so nothing is said of their accuracy.")
        return
    named = {name: contenders.of_name(name, policy) for name in by_setting(given.graded)}
    known = {name: item for name, item in named.items() if item is not None}
    plan = TablePlan((Contender("Top-k", policy.plain), *known.values()))
    found = evaluate_run.measured(load, plan)
    if found is None:
        return
    rows = {name: row for name, row in zip(known, found.rows[1:], strict=True) if not row.lacks}
    asked = found.gathered.known
    names = {name for item in asked for name in (item.name, item.query)}
    strangers = sum(item.question not in names for item in given.graded)
    said = f"{given.name}: {counted(len(given.graded), 'answer')}"
    if strangers:
        said += f", {strangers:,} of them to questions that are not here"
    show.block(show.markup.aside(f"{said}."))
    show.block(evaluate_markup.answers(judged_rows(given.graded, asked, rows)))


def _read() -> None:
    """Read the file that was dropped."""
    file = state.widget(Key.EVALUATE_GRADED)
    if not isinstance(file, UploadedFile):
        state.keep_judged_answers(JudgedAnswers())
        return
    try:
        answers = graded.read(file.getvalue(), file.name)
    except FormatError as error:
        state.keep_judged_answers(JudgedAnswers(file.name, problem=error))
    else:
        state.keep_judged_answers(JudgedAnswers(file.name, answers))
