"""The button that takes the last change back where there is no sheet; its key is the sheet's, u."""

import streamlit as st

from poolscope.annotator.payload import WHOLE_QUESTION
from poolscope.golden.actions import Undo
from poolscope.golden.model import Stroke, Who
from poolscope.golden.store import Store
from poolscope.ui import golden_store

KEY = "u"
WORDS = {
    "Adjudicate": "the last ruling",
    "AddFacet": "the facet that was added",
    "ReviseFacet": "the change of a facet",
    "RemoveFacet": "taking a facet away",
    "MergeFacets": "the merge",
    "SplitFacet": "the split",
    "ReorderFacets": "the new order",
    "SetStratum": "the kind of the question",
    "SetNotes": "the change of the notes",
    "MarkPassage": "the last mark",
    "AddPassages": "the passages that were added",
    "CarryOver": "carrying marks over",
    "AddQuestion": "taking this question in",
    "AddRecord": "taking this question from a file",
}


def draw(store: Store, stroke: Stroke | None, key: str) -> None:
    """Offer to take a stroke back; draw nothing where there is none.

    Args:
        store: The golden set.
        stroke: The own one that stands and was made last.
        key: Key of the button.
    """
    if stroke is None:
        return
    st.button(
        f"Undo {WORDS.get(stroke.kind, 'the last change')}",
        key=key,
        shortcut=None if stroke.kind in WHOLE_QUESTION else KEY,
        on_click=_take_back,
        args=(store, stroke),
    )


def _take_back(store: Store, stroke: Stroke) -> None:
    golden_store.send(
        store, stroke.question, Undo(stroke.token), Who(stroke.annotator, stroke.role)
    )


def last(strokes: tuple[Stroke, ...], *kinds: str) -> Stroke | None:
    """Return the last of some strokes, of some kinds where any are named."""
    return next((each for each in reversed(strokes) if not kinds or each.kind in kinds), None)
