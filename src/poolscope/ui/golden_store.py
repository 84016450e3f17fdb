"""The golden set that this server works on: where it is kept, and changes that a page asks for."""

import streamlit as st

from poolscope import wording
from poolscope.errors import StoreError
from poolscope.golden import place
from poolscope.golden.actions import Action, AddFacet
from poolscope.golden.model import Conflict, Who
from poolscope.golden.store import Store, new_token
from poolscope.ui import annotating, cache


def address() -> str:
    """Return where labels are kept: the environment, else the secrets, else a file for data.

    Raises:
        StoreError: The folder of the file cannot be made.
    """
    given = ""
    if st.secrets.load_if_toml_exists():
        given = str(st.secrets.get(place.VARIABLE, ""))
    return place.address(given)


def opened() -> Store:
    """Return the golden set; it is opened once in a process.

    Raises:
        StoreError: It cannot be opened.
    """
    return cache.golden_store(address())


def send(store: Store, question: str, action: Action, who: Who, typed: str = "") -> bool:
    """Ask the golden set for a change, and remember what is to be said of it.

    Args:
        store: The golden set.
        question: Id of the question; empty for the whole set.
        action: The change.
        who: By whom.
        typed: What was typed in a field that shows, after a conflict, what another one wrote.

    Returns:
        Whether it was kept. What was typed stays in its field where it could not be.
    """
    what = f"{question} {action!r}"
    token = annotating.token_for(what, new_token())
    try:
        answer = store.send(question, action, who, token=token)
    except StoreError as error:
        annotating.keep_token(what, token)
        annotating.change(problem=error, said="")
        return False
    annotating.drop_token(what)
    if isinstance(answer, Conflict):
        by = f" By {answer.annotator}." if answer.annotator else ""
        mine = f" You typed: {typed}" if typed else ""
        annotating.change(said=f"{answer.problem}{by} Nothing was changed.{mine}", problem=None)
        return False
    clashes = len(answer.clashes)
    said = (
        f"In {wording.counted(clashes, 'passage')} one facet was supported and the other "
        "not: “supports” was kept."
        if clashes
        else ""
    )
    annotating.change(said=said, problem=None)
    return True


def add_facet(store: Store, question: str, label: str, who: Who) -> bool:
    """Add a facet; at a second attempt under the same id, so that it is not added twice.

    Returns:
        Whether it was kept.
    """
    what = f"{question} adds {label}"
    seed = annotating.token_for(what, new_token())
    is_kept = send(store, question, AddFacet(f"f-{seed[:12]}", label), who)
    if is_kept:
        annotating.drop_token(what)
    else:
        annotating.keep_token(what, seed)
    return is_kept
