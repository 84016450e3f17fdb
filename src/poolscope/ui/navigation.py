"""The pages, in the order in which a person meets them, and what stands around each."""

from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

import streamlit as st

from poolscope.ui import opening, server, show

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
    opening.start()
    page = st.navigation(
        {
            "One question": [
                st.Page("pages/data.py", title="Data", icon=":material/upload_file:"),
                st.Page(
                    "pages/inspect.py", title="Inspect", icon=":material/search:", default=True
                ),
                st.Page("pages/explain.py", title="Explain", icon=":material/help:"),
            ],
            "Golden set": [
                st.Page("pages/annotate.py", title="Annotate", icon=":material/edit_note:"),
                st.Page("pages/evaluate.py", title="Evaluate", icon=":material/monitoring:"),
            ],
        }
    )
    opening.sidebar()
    token = _in_frame.set(True)
    try:
        page.run()
    finally:
        _in_frame.reset(token)
    server.warm_worker()
    server.settle_memory()
