"""The pages, in the order in which a person meets them, and what stands around each."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from itertools import chain
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from poolscope.ui import address, opening, server, show, travelling

FIRST = "pages/inspect.py"
ANNOTATE = "Annotate"
ICON = Path(__file__).with_name("icon.png")

_in_frame: ContextVar[bool] = ContextVar("_in_frame", default=False)


def show_page(render: Callable[[], None]) -> None:
    """Draw a page inside the app's frame.

    A server that was just started runs a page file by itself when its address is the first one
    asked for: then the frame is drawn here, and it comes back to this page.
    """
    if _in_frame.get():
        render()
    else:
        run()


def run() -> None:
    """Draw the frame, and in it the page that the address asks for."""
    st.set_page_config(page_title="Poolscope", page_icon=str(ICON), layout="wide")
    server.one_blas_thread()
    show.styles()
    travelling.begin()
    opening.start()
    pages = {
        "One question": [
            st.Page("pages/data.py", title="Data", icon=":material/upload_file:"),
            st.Page(
                FIRST, title="Inspect", icon=":material/search:", default=True, url_path="first"
            ),
            st.Page("pages/explain.py", title="Explain", icon=":material/help:"),
        ],
        "Golden set": [
            st.Page("pages/annotate.py", title=ANNOTATE, icon=":material/edit_note:"),
            st.Page("pages/evaluate.py", title="Evaluate", icon=":material/monitoring:"),
        ],
        "Show": [
            st.Page("pages/present.py", title="Present", icon=":material/slideshow:"),
            st.Page("pages/hand_over.py", title="Hand over", icon=":material/ios_share:"),
        ],
    }
    # The first page stands at the root alone; whoever types its name is led there.
    by_name = st.Page(_lead_to_first, title="Inspect", url_path="inspect")
    page = st.navigation([*chain.from_iterable(pages.values()), by_name], position="hidden")
    _menu(pages)
    opening.sidebar(has_own_question=page.title == ANNOTATE)
    token = _in_frame.set(True)
    try:
        above = st.container()
        is_drawn = address.draw(above)
        page.run()
    finally:
        _in_frame.reset(token)
    address.complain(*travelling.complaints())
    if not is_drawn:
        address.draw(above)
    opening.keep_address()
    server.warm_worker()
    server.settle_memory()


def _lead_to_first() -> None:
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(FIRST, query_params=asked)


def _menu(pages: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """List the pages by group; Streamlit's own list is none to a screen reader."""
    for group, members in pages.items():
        with st.sidebar.container(gap="xxsmall"):
            st.caption(group)
            for member in members:
                st.page_link(member)
