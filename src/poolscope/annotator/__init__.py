"""The sheet on which an annotator marks passages: a component that answers each key at once.

The browser shows a stroke as on its way until Python says that the golden set has kept it.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

HERE = Path(__file__).parent
NAME = "poolscope.annotator"
HTML = '<div class="sheet"></div>'


@cache
def script() -> str:
    """Return the component's JavaScript: the parts of ``js/`` in the order of their names."""
    parts = sorted((HERE / "js").glob("*.js"))
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


@cache
def style() -> str:
    """Return the component's style sheet."""
    return (HERE / "annotator.css").read_text(encoding="utf-8")


def encoded(payload: Mapping[str, object]) -> bytes:
    """Write a payload as it is sent."""
    return json.dumps(payload, ensure_ascii=False, allow_nan=False).encode()


def register() -> "ComponentRenderer":
    """Register the component with Streamlit and return what mounts it; once in a process."""
    from streamlit.components.v2 import component

    return component(NAME, html=HTML, css=style(), js=script())


def mount(
    renderer: "ComponentRenderer",
    data: bytes,
    *,
    key: str,
    on_strokes: Callable[[], None],
    on_go: Callable[[], None],
) -> None:
    """Draw the sheet.

    Args:
        renderer: What ``register`` returned.
        data: A payload, ``encoded``.
        key: Key of the component; its state ``strokes`` holds every stroke without an answer.
        on_strokes: Called when strokes were made, or sent again.
        on_go: Called when another question was asked for; ``go`` of the state says which.
    """
    renderer(key=key, data=data, on_strokes_change=on_strokes, on_go_change=on_go)
