"""How values reach the page: errors in one box, HTML in one call, figures in one call."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from poolscope.charts.theme import Theme, theme
from poolscope.errors import PolicyError, PoolscopeError, StoreError
from poolscope.ui import markup

if TYPE_CHECKING:
    import plotly.graph_objects as go

STYLE = Path(__file__).with_name("style.css")


def current_theme() -> Theme:
    """Return the theme of the person's browser."""
    return theme(st.context.theme.type)


def styles() -> None:
    """Put the app's styles and the theme's colours on the page."""
    colours = current_theme()
    roles = {
        "ink": colours.ink,
        "quiet": colours.quiet,
        "line": colours.line,
        "card": colours.card,
        "page": colours.page,
        "accent": colours.accent,
    }
    variables = "".join(f"--ps-{name}:{value};" for name, value in roles.items())
    st.html(f"<style>:root{{{variables}}}\n{STYLE.read_text(encoding='utf-8')}</style>")


def block(body: str) -> None:
    """Show HTML that ``markup`` made."""
    st.html(body)


def figure(figure: "go.Figure", *, key: str) -> None:
    """Show a plotly figure over the whole width."""
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        width="stretch",
        config={"displaylogo": False, "scrollZoom": True},
    )


def problem(error: PoolscopeError) -> None:
    """Show what went wrong and what to do, as text."""
    where = f"{error.place}: " if str(error.place) else ""
    with st.container(border=True):
        st.markdown(f"**:material/error: {_what(error)}**")
        st.text(f"{where}{error.problem}")
        st.text(error.remedy)


def _what(error: PoolscopeError) -> str:
    if isinstance(error, StoreError):
        return "The golden set could not take this"
    is_policy = isinstance(error, PolicyError)
    return f"This {'does not fit this pool' if is_policy else 'could not be read'}"


@contextmanager
def errors(*, again: str = "") -> Iterator[None]:
    """Turn our errors into a box on the page; anything else is a bug and passes through.

    Args:
        again: Label of a button that draws the page once more, for what passes by itself.
    """
    try:
        yield
    except PoolscopeError as error:
        problem(error)
        if again:
            st.button(again, key="once-more")


def no_pool() -> None:
    """Say that there is nothing to look at yet, and where to get it."""
    block(markup.title("No pool yet", ()))
    st.text("Load a file, paste JSON or pick a sample on the Data page.")


__all__ = [
    "block",
    "current_theme",
    "errors",
    "figure",
    "markup",
    "no_pool",
    "problem",
    "styles",
]
