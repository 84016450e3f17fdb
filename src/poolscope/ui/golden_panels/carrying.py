"""What becomes of judged passages in the pool that is loaded now, and the button that does it."""

import streamlit as st

from poolscope import wording
from poolscope.golden import passages as of_pool
from poolscope.golden.actions import CarryOver
from poolscope.golden.carrying import Changed, How, Matches, chosen, match
from poolscope.golden.model import Passage, Who
from poolscope.golden.store import Store
from poolscope.model import Pool
from poolscope.ui import annotating, golden_store, show

PREFIX = "carry"
MOST_LISTED = 10
MOST_CHARACTERS = 240
NONE = ""


def draw(store: Store, who: Who, question: str, pool: Pool | None) -> None:
    """Draw the report of a question's passages against its loaded pool.

    Args:
        store: The golden set.
        who: Who is at work.
        question: Id of the question that is open.
        pool: Its pool as it is loaded now; ``None`` where it is not.
    """
    st.markdown("**Documents read in anew**")
    if pool is None:
        st.caption(
            "Load this question's new pool on the Data page: then it is said here which judged "
            "passages it still holds, by source and text, whatever their ids and ranks, and marks "
            "can be carried over."
        )
        return
    old, new = store.passages(question), of_pool.passages_of(pool)
    found = match(old, new)
    added = {passage.key for passage in new} - {item.new for item in found.carried}
    if found.is_as_it_was and not added:
        st.caption("The loaded pool holds exactly the passages of this question.")
        return
    if found.is_as_it_was:
        st.caption(
            "Every passage of this question is in the loaded pool, which has "
            f"{wording.counted(len(added), 'passage')} more: “Add them” is enough."
        )
        return
    _report(found, len(old), len(added))
    choice = _changed(question, found.changed, old, new)
    _lost(found, old)
    kept = len(chosen(found, choice))
    st.button(
        f"Carry over {kept} of {wording.counted(len(old), 'passage')}",
        type="primary",
        key=f"{PREFIX}-over:{question}",
        disabled=not kept,
        on_click=_carry,
        args=(store, who, question, CarryOver(new, chosen(found, choice)), len(old) - kept),
        help="The loaded pool's passages take the place of the old ones. u on the sheet takes it "
        "back.",
    )


def _report(found: Matches, total: int, added: int) -> None:
    how = {each: sum(item.how is each for item in found.carried) for each in How}
    parts = ", ".join(f"{number} {each.value}" for each, number in how.items() if number)
    show.block(
        show.markup.table(
            [
                ("Carried over", f"{len(found.carried)} of {total}{f': {parts}' if parts else ''}"),
                ("Changed text", f"{len(found.changed)}, nothing is carried unless you choose"),
                ("Lost", f"{len(found.lost)}: the loaded pool has nothing of them"),
                ("New", f"{added}, to be marked"),
            ]
        )
    )
    if how[How.WITHIN]:
        st.caption("Into a longer passage only “supports” is carried: it may hold more.")


def _changed(
    question: str,
    changed: tuple[Changed, ...],
    old: tuple[Passage, ...],
    new: tuple[Passage, ...],
) -> dict[str, str]:
    """Let a successor be named for each passage whose text has changed."""
    before = {passage.key: passage for passage in old}
    after = {passage.key: passage for passage in new}
    choice: dict[str, str] = {}
    for item in changed[:MOST_LISTED]:
        with st.container(border=True):
            show.block(
                f"{show.markup.aside(f'Changed, {item.likeness:.0%} alike. It was:')}"
                f'<div class="ps-passage">{_text(before[item.old])}</div>'
            )
            picked = st.radio(
                "Its successor",
                [NONE, *item.near],
                format_func=lambda key: (
                    show.markup.literal(_short(after[key])) if key else "None: carry nothing"
                ),
                key=f"{PREFIX}-choice:{question}:{item.old}",
            )
            if picked:
                choice[item.old] = picked
    if len(changed) > MOST_LISTED:
        more = len(changed) - MOST_LISTED
        said = "1 more has changed and is" if more == 1 else f"{more} more have changed and are"
        st.caption(f"{said} not carried.")
    return choice


def _lost(found: Matches, old: tuple[Passage, ...]) -> None:
    if not found.lost:
        return
    texts = {passage.key: passage for passage in old}
    with st.expander(f"The {wording.counted(len(found.lost), 'passage')} lost"):
        show.block(show.markup.listing(_short(texts[key]) for key in found.lost[:MOST_LISTED]))
        if len(found.lost) > MOST_LISTED:
            st.caption(f"{len(found.lost) - MOST_LISTED} more")


def _text(passage: Passage) -> str:
    return show.markup.text(_short(passage))


def _short(passage: Passage) -> str:
    text = passage.text or f"known by its id alone: {passage.id}"
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def _carry(store: Store, who: Who, question: str, action: CarryOver, left: int) -> None:
    if golden_store.send(store, question, action, who):
        said = f"{wording.counted(len(action.carried), 'passage')} carried over"
        annotating.change(said=f"{said}; {left} left behind, in the log.", problem=None)
