"""How to mark, on demand: the team's own word, and what a facet and support are."""

import streamlit as st

from poolscope.golden.actions import SetGuidelines
from poolscope.golden.model import Guidelines, Project, Role, Who
from poolscope.golden.store import Store
from poolscope.ui import annotating, golden_store, show

PREFIX = "guidelines:"
LONGEST = 20_000

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


def draw(store: Store, who: Who) -> None:
    """Draw the team's guidelines, and the rules that hold where they say nothing else."""
    project = store.project()
    versions = store.guidelines() if project.guidelines_version else ()
    if project.guidelines:
        st.markdown("**Your team's guidelines**")
        show.block(f'<div class="ps-passage">{show.markup.text(project.guidelines)}</div>')
    if versions:
        st.caption(show.markup.literal(_said(versions[-1])))
    if who.role is Role.ADJUDICATOR:
        _edit(store, who, project)
        _earlier(versions[:-1])
    elif not project.guidelines:
        st.caption("Your team's own guidelines stand here once an adjudicator has written them.")
    st.markdown("**In every golden set**")
    for term, words in RULES:
        st.markdown(f"**{term}**  \n{words}")


def _said(version: Guidelines) -> str:
    taken = "" if version.text else ", taken away"
    return f"Version {version.number}{taken}, {version.author}, {version.at:%Y-%m-%d %H:%M} UTC"


def _edit(store: Store, who: Who, project: Project) -> None:
    key = f"{PREFIX}{project.guidelines_version}"
    st.text_area(
        "Write them, as plain text",
        project.guidelines,
        key=key,
        height=160,
        max_chars=LONGEST,
        on_change=_write,
        args=(store, who, project.guidelines_version, key),
        help="Kept when you leave the field. Everybody who marks in this golden set reads them.",
    )


def _write(store: Store, who: Who, seen: int, key: str) -> None:
    words = annotating.typed(key)
    golden_store.send(store, "", SetGuidelines(words, seen), who, words)


def _earlier(versions: tuple[Guidelines, ...]) -> None:
    if not versions:
        return
    with st.expander("Earlier versions"):
        for version in reversed(versions):
            st.caption(show.markup.literal(_said(version)))
            show.block(f'<div class="ps-passage">{show.markup.text(version.text)}</div>')
