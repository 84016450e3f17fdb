"""The pages, in the order in which a person meets them, and what stands around each."""

from pathlib import Path

import streamlit as st

from poolscope.ui import opening, show

ICON = Path(__file__).with_name("icon.png")


def run() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(page_title="Poolscope", page_icon=str(ICON), layout="wide")
    show.styles()
    opening.start()
    page = st.navigation(
        {
            "One question": [
                st.Page(
                    "pages/inspect.py", title="Inspect", icon=":material/search:", default=True
                ),
                st.Page("pages/data.py", title="Data", icon=":material/upload_file:"),
            ],
        }
    )
    opening.sidebar()
    page.run()
