"""Every rule and preset on this pool at once: a table below the board, worked out when opened."""

import base64
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from poolscope.analysis import Comparison, Standing
from poolscope.charts.theme import Palette, palette
from poolscope.model import Pool
from poolscope.selection import offers
from poolscope.selection.offers import OFFERS, Offer
from poolscope.ui import cache, show, state
from poolscope.ui.markup import NOTHING, RING_MARKS
from poolscope.ui.state import Key, Setting

ROW_HEIGHT = 35
STRIP_WIDTH, STRIP_HEIGHT, LEAST_BAR = 200, 29, 3.0
WIDTHS = {"shown": 60, "rule": 168, "needs": 190, "picks": STRIP_WIDTH + 16}
FORMS = {
    "relevance": "{:.3f}",
    "sources": "{:.0f}",
    "tokens": "{:,.0f}",
    "in top-k": "{:.0f}",
}
HELP = {
    "shown": "The column that shows the rule.",
    "rule": "Rules first, then presets of named systems.",
    "needs": "What this pool lacks for the rule.",
    "coverage": "Facets with a supporting passage selected: needs facets.",
    "relevance": "Mean of the picks, by the relevance chosen under Rules, for every row.",
    "sources": "Different sources among the picks.",
    "tokens": "Of all picks.",
    "in top-k": "Picks that plain top-k has as well, of the row's own picks.",
    "picks": "The pool from its first rank to its last; a bar a pick, coloured as on the board.",
    "ranks": "The same as numbers, in the order handed out.",
}


def draw(comparison: Comparison, setting: Setting) -> None:
    """Draw the switch, and the table where it is on."""
    wanted = st.toggle(
        "Every rule and preset on this pool",
        key=state.key(Key.EVERY_RULE),
        persist_state="session",
    )
    if wanted:
        _table(comparison, setting)


def _table(comparison: Comparison, setting: Setting) -> None:
    pool = comparison.pool
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        place = _into(pool, setting)
        stored = _stored(pool, setting)
    found = cache.every_rule(pool, setting.policy, offered(setting, stored))
    key = state.key(Key.EVERY_RULE, pool.digest)
    colours = palette(pool, setting.policy.key, show.current_theme())
    st.dataframe(
        styled(rows(found, setting, colours, pool), found, pool, colours),
        hide_index=True,
        width="stretch",
        height=ROW_HEIGHT * (len(found) + 1) + 3,
        row_height=ROW_HEIGHT,
        on_select=partial(_chosen, key, pool, found, place),
        selection_mode="single-row",
        column_config={
            **{
                name: st.column_config.Column(help=said, width=WIDTHS.get(name))
                for name, said in HELP.items()
            },
            "picks": st.column_config.ImageColumn(help=HELP["picks"], width=WIDTHS["picks"]),
        },
        placeholder=NOTHING,
        key=key,
    )
    row = state.chosen_row(key)
    if row is not None and row < len(found) and found[row].lacks:
        asks = "" if found[row].offer.barred(pool) else " Its column asks for it."
        st.text(f"“{found[row].offer.label}” needs {', '.join(found[row].lacks)}.{asks}")


def _into(pool: Pool, setting: Setting) -> int:
    """Ask which column a click fills; return its place among the rules."""
    count = len(setting.rules)
    places = list(range(min(count + 1, state.MOST_RULES)))
    chosen = st.segmented_control(
        "A click on a row puts the rule into",
        places,
        default=count - 1,
        format_func=lambda place: f"Column {place + 2}" if place < count else "A new column",
        key=f"{state.key(Key.EVERY_INTO, pool.digest)}:{count}",
        required=True,
    )
    return int(chosen)


def _stored(pool: Pool, setting: Setting) -> int | None:
    """Ask for the number that one preset needs; a column's stands until another is typed."""
    known = (offers.named(rule).stored for rule in setting.rules)
    typed = st.number_input(
        "Stored sources, for Swafra",
        min_value=0,
        max_value=10**offers.MOST_DIGITS - 1,
        value=next((stored for stored in known if stored is not None), None),
        placeholder="how many?",
        key=state.key(Key.EVERY_STORED, pool.digest),
        persist_state="session",
        width=220,
    )
    return None if typed is None else int(typed)


def offered(setting: Setting, stored: int | None) -> tuple[Offer, ...]:
    """Return every rule, with what a column gives a preset; a number that is typed wins."""
    given = {offer.plain.name: offer for offer in map(offers.named, reversed(setting.rules))}
    found = (given.get(offer.name, offer) for offer in OFFERS)
    return tuple(
        replace(offer, stored=stored) if offer.asks_stored and stored is not None else offer
        for offer in found
    )


def _chosen(table: str, pool: Pool, found: tuple[Standing, ...], place: int) -> None:
    """Put the rule of the chosen row into a column, where it can run or be given what it lacks."""
    row = state.chosen_row(table)
    if row is not None and row < len(found) and not found[row].offer.barred(pool):
        state.put_rule(pool.digest, place, found[row].offer.name)


def rows(
    found: tuple[Standing, ...], setting: Setting, colours: Palette, pool: Pool
) -> pd.DataFrame:
    """Return the table: a row a rule."""
    shown = dict(zip(("top_k", *setting.rules), RING_MARKS, strict=False))
    table = pd.DataFrame(
        {
            "shown": [shown.get(item.offer.name, "") for item in found],
            "rule": [item.offer.label for item in found],
            "picks": [strip(item.picks, pool, setting.policy.key, colours) for item in found],
            "coverage": [item.coverage for item in found],
            "relevance": [item.relevance for item in found],
            "sources": [item.sources for item in found],
            "tokens": [item.tokens for item in found],
            "in top-k": [item.shared for item in found],
            "needs": [", ".join(item.lacks) for item in found],
            "ranks": [", ".join(str(index + 1) for index in item.picks) for item in found],
        }
    )
    return table if pool.facets else table.drop(columns="coverage")


def styled(
    table: pd.DataFrame, found: tuple[Standing, ...], pool: Pool, colours: Palette
) -> Styler:
    """Return the table as it is read: numbers in words, rules that cannot run in grey."""
    facets, grey = len(pool.facets), f"color: {colours.theme.other}"

    def colour(row: "pd.Series[str]") -> list[str]:
        return [grey if found[int(str(row.name))].lacks else ""] * len(row)

    def covered(share: object) -> str:
        return f"{round(float(str(share)) * facets)} of {facets}"

    forms: dict[str, str | Callable[[object], str] | None] = {**FORMS}
    if facets:
        forms["coverage"] = covered
    return table.style.apply(colour, axis=1).format(forms, na_rep=NOTHING)


def strip(picks: tuple[int, ...], pool: Pool, key: str, colours: Palette) -> str:
    """Return picks on a strip of the pool's ranks, as the address of a picture."""
    values, step = pool.column(key), STRIP_WIDTH / max(len(pool), 1)
    wide = max(step, LEAST_BAR)
    bars = "".join(
        f'<rect x="{min(index * step, STRIP_WIDTH - wide):.2f}" y="4" width="{wide:.2f}" '
        f'height="{STRIP_HEIGHT - 8}" fill="{colours.colour(values[index])}"/>'
        for index in picks
    )
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{STRIP_WIDTH}" height="{STRIP_HEIGHT}" '
        f'viewBox="0 0 {STRIP_WIDTH} {STRIP_HEIGHT}"><rect y="{STRIP_HEIGHT / 2 - 1}" '
        f'width="{STRIP_WIDTH}" height="2" fill="{colours.theme.line}"/>{bars}</svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}"
