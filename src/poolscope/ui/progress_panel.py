"""How far the annotator is with every question, and how long each took."""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from poolscope import wording
from poolscope.golden.model import Question
from poolscope.golden.reading import Progress
from poolscope.ui import annotating

TABLE = "annotate-progress"
MOST_CHARACTERS = 300


def draw(
    questions: Sequence[Question], progress: Sequence[Progress], go: Callable[[str], None]
) -> None:
    """Draw a table of all questions; a click on a row opens its question.

    Args:
        questions: All of the golden set.
        progress: How far the annotator is with each.
        go: Opens a question.
    """
    finished = sum(item.is_finished for item in progress)
    minutes = sum(item.seconds for item in progress) / 60
    st.caption(
        f"{finished} of {wording.counted(len(questions), 'question')} done, {minutes:.0f} minutes "
        "in all. Time counts from key to key; a pause counts as one minute at most. Choose a row "
        "to open it."
    )
    texts = {question.id: question for question in questions}
    rows = [
        (
            number,
            texts[item.question].text[:MOST_CHARACTERS],
            texts[item.question].stratum.value,
            item.settled,
            item.total,
            item.later,
            round(item.seconds / 60, 1),
            _state(item),
        )
        for number, item in enumerate(progress, start=1)
    ]
    names = ["number", "question", "kind", "marks", "of", "put off", "minutes", "pass"]
    st.dataframe(
        pd.DataFrame(rows, columns=names),
        hide_index=True,
        width="stretch",
        column_config={"question": st.column_config.TextColumn(width="large")},
        on_select=partial(_chosen, [item.question for item in progress], go),
        selection_mode="single-row",
        key=TABLE,
    )


def _state(item: Progress) -> str:
    if item.is_finished:
        return "done"
    if item.is_done:
        return "open again"
    return "begun" if item.settled or item.later else ""


def _chosen(order: Sequence[str], go: Callable[[str], None]) -> None:
    rows = annotating.rows(TABLE)
    if rows and rows[0] < len(order):
        go(order[rows[0]])
