"""How to mark, on demand: what a facet is, and what counts as support."""

import streamlit as st

RULES = (
    (
        "A facet",
        "One distinct component of a full answer: a cause, a step, a condition, an exception. "
        "Two facets are distinct when an answer could have the one and lack the other. Name it in "
        "a few words; say under “Question and facets” what counts as support where that could "
        "be doubted.",
    ),
    (
        "Vital or okay",
        "An answer without a vital facet is not full. An okay facet is good to have.",
    ),
    (
        "Supports",
        "The passage itself states the facet, so that somebody who reads only this passage "
        "could answer that part. Being about the same subject is not enough.",
    ),
    ("Does not", "The passage does not state it, or states only a part that answers nothing."),
    (
        "Can't tell",
        "You read it and cannot decide: a term you do not know, or a text that is cut off. It "
        "counts for neither side.",
    ),
    ("Later", "You did not decide yet. A pass is done when nothing is empty and nothing is later."),
    (
        "One true answer",
        "Where a question has one answer and no components, make one facet of it, and set the "
        "kind of the question under “Question and facets”.",
    ),
    (
        "A passage that shows a further facet",
        "Add the facet when you meet it. Passages that you have marked become open for it.",
    ),
    (
        "Others' marks",
        "They stay hidden until your own pass is done, so that agreement means something. Marks "
        "changed after that are kept, and left out of agreement.",
    ),
)


def draw() -> None:
    """Draw the rules."""
    for term, words in RULES:
        st.markdown(f"**{term}**  \n{words}")
