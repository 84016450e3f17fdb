"""What was decided about candidates by hand: the line that says it, and the buttons."""

import streamlit as st

from poolscope import wording
from poolscope.model import Pool
from poolscope.ui import show, state

MOST_NAMED = 4


def draw(pool: Pool) -> None:
    """Say which candidates are pinned and banned, with the way back; nothing where none is."""
    policy = state.kept(pool.digest).policy
    parts = [
        f"{title}: {_named(pool, names)}"
        for title, names in (("Pinned", policy.pinned), ("Banned", policy.banned))
        if names
    ]
    if not parts:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show.block(show.markup.aside(f"By hand, in every column but top-k. {'. '.join(parts)}."))
        st.button(
            "Release all",
            key=f"release-all:{pool.digest}",
            on_click=state.mark,
            args=(pool.digest, "release", *policy.pinned, *policy.banned),
        )


def buttons(pool: Pool, index: int) -> None:
    """Draw what can be decided about one candidate."""
    name, policy = pool.ids[index], state.kept(pool.digest).policy
    marked = name in policy.pinned or name in policy.banned
    for what, label, stands in (
        ("pin", "Pin", name in policy.pinned),
        ("ban", "Ban", name in policy.banned),
        ("release", "Release", not marked),
    ):
        if not stands:
            st.button(
                label,
                key=f"{what}:{pool.digest}",
                on_click=state.mark,
                args=(pool.digest, what, name),
            )


def _named(pool: Pool, names: tuple[str, ...]) -> str:
    known = sorted(pool.places[name] for name in names if name in pool.places)
    shown = ", ".join(wording.named(pool, index) for index in known[:MOST_NAMED])
    rest = len(names) - min(len(known), MOST_NAMED)
    return shown if rest == 0 else f"{shown} and {rest} more"
