"""The live board: a component that answers a drag from a payload of exact paths.

The browser looks intervals up; every selection in it was made in Python.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from poolscope.analysis import Comparison
from poolscope.board.alone import alone
from poolscope.board.payload import Find, encoded, longest, moving, payload
from poolscope.board.scene import Json, Scene, scene
from poolscope.selection.offers import path

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

__all__ = [
    "Json",
    "alone",
    "alone_script",
    "encoded",
    "longest",
    "mount",
    "moving",
    "payload",
    "scene",
    "script",
    "style",
    "whole",
]

HERE = Path(__file__).parent
NAME = "poolscope.board"
HTML = '<div class="board"></div>'


@cache
def script() -> str:
    """Return the board's JavaScript: the parts of ``js/`` in the order of their names."""
    parts = sorted((HERE / "js").glob("*.js"))
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


@cache
def alone_script() -> str:
    """Return the script of a board in a file: the board, mounted without Streamlit."""
    return f"{script()}\n{(HERE / 'alone.js').read_text(encoding='utf-8')}"


def whole(comparison: Comparison, scene: Scene, find: Find = path) -> dict[str, Json]:
    """Collect what a board needs that is not on the page yet: its code, and its payload.

    Args:
        comparison: As for ``payload``.
        scene: As for ``payload``.
        find: As for ``payload``.
    """
    return {"code": f"{script()}\nexport {{ Board }};", **payload(comparison, scene, find)}


@cache
def style() -> str:
    """Return the board's style sheet."""
    return (HERE / "board.css").read_text(encoding="utf-8")


def register() -> "ComponentRenderer":
    """Register the component with Streamlit and return what mounts it; once in a process."""
    from streamlit.components.v2 import component

    mounted = (HERE / "mount.js").read_text(encoding="utf-8")
    return component(NAME, html=HTML, css=style(), js=mounted)


def mount(
    renderer: "ComponentRenderer",
    data: bytes,
    *,
    key: str,
    on_change: Callable[[], None],
    on_asked: Callable[[], None],
) -> None:
    """Draw the board.

    Args:
        renderer: What ``register`` returned.
        data: What ``whole`` collected, or ``moving`` for a board that stands on the page,
            ``encoded``: it is sent as it is.
        key: Key of the component; its state ``setting`` holds what the sliders say.
        on_change: Called when a slider was released.
        on_asked: Called when something was asked about a passage; ``asked`` of the component's
            state then says what, about which candidate, of which pool.
    """
    renderer(key=key, data=data, on_setting_change=on_change, on_asked_change=on_asked)
