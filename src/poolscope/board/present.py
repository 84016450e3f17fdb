"""The view for a room: the question, before and after, from the board's own payload."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from poolscope.analysis import Comparison
from poolscope.board.payload import Find, payload
from poolscope.board.scene import Json, Scene
from poolscope.charts.labels import shortened
from poolscope.selection.offers import path

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

HERE = Path(__file__).parent
NAME = "poolscope.present"
HTML = '<div class="talk"></div>'
QUESTION_CHARACTERS = 240
NO_QUESTION = "A pool without a question"


@dataclass(frozen=True, slots=True)
class Told:
    """What the view says beside the question and the two columns.

    Args:
        place: Which of the questions that are shown this is, from 0; -1 where it is none of them.
        count: How many questions are shown.
        of: How many there are.
        note: A sentence about the rule that is shown; empty for none.
    """

    place: int = 0
    count: int = 1
    of: int = 1
    note: str = ""


def talk(
    comparison: Comparison, scene: Scene, told: Told = Told(), *, find: Find = path
) -> dict[str, Json]:
    """Collect what the view shows.

    Args:
        comparison: Plain top-k and one more column.
        scene: Their pool, as the board draws it.
        told: What is said beside.
        find: Computes a path.
    """
    question = shortened(comparison.pool.query, QUESTION_CHARACTERS) or NO_QUESTION
    column = comparison.columns[-1]
    said: dict[str, Json] = {
        **asdict(told),
        "question": question,
        "lacks": list(column.offer.missing(comparison.pool, column.policy)),
    }
    return {
        **payload(comparison, scene, find),
        "rule": column.offer.name,
        "talk": said,
    }


@cache
def script() -> str:
    """Return the view's JavaScript: the board's lookup, then its own."""
    parts = (HERE / "js" / "1_base.js", HERE / "present.js")
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


def register() -> "ComponentRenderer":
    """Register the component with Streamlit and return what mounts it; once in a process."""
    from streamlit.components.v2 import component

    style = (HERE / "present.css").read_text(encoding="utf-8")
    return component(NAME, html=HTML, css=style, js=script())


def mount(
    renderer: "ComponentRenderer", data: bytes, *, key: str, on_turned: Callable[[], None]
) -> None:
    """Draw the view.

    Args:
        renderer: What ``register`` returned.
        data: What ``talk`` collected, encoded.
        key: Key of the component; ``turned`` of its state says to which question to go.
        on_turned: Called when another question is asked for.
    """
    renderer(key=key, data=data, on_turned_change=on_turned)
