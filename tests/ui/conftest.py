"""The app as a person meets it: run through ``app.py``, read back as words and numbers."""

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit import config
from streamlit.testing.v1 import AppTest

from poolscope import projection
from poolscope.golden import place
from poolscope.projection import cache as layouts
from poolscope.ui import state

REPO = Path(__file__).resolve().parents[2]
SECONDS = 300
"""A run takes 0.2 s of one core; busy machines take far longer."""


@pytest.fixture(scope="session", autouse=True)
def _app_at_rest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Keep layouts in a folder of these tests, show errors whole, and end the UMAP worker."""
    fresh = tmp_path_factory.mktemp("ui-cache")
    if request.config.cache is not None:  # compiling takes most of a minute: keep compiled code
        kept = request.config.cache.mkdir("poolscope") / "compiled"
        kept.mkdir(exist_ok=True)
        (fresh / "compiled").symlink_to(kept)
    before = config.get_option("client.showErrorDetails")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(layouts.VARIABLE, str(fresh))
        patch.setenv(place.VARIABLE, str(fresh / "golden.sqlite"))
        config.set_option("client.showErrorDetails", "full")
        yield
    config.set_option("client.showErrorDetails", before)
    projection.close()
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def _own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back the main module, which a run replaces: a process that is spawned later runs it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@dataclass(frozen=True, slots=True)
class Card:
    """One passage as its card shows it."""

    slot: int
    source: str
    rank: int
    score: str
    text: str
    facets: tuple[str, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One rule's column as it is shown.

    Args:
        title: The rule's name with its mark.
        setting: Its settings in words.
        numbers: Label to value and change; the change is empty in the baseline.
        cards: Passages, slot by slot.
        left: Sentences about what left.
        notes: Sentences about the selection as a whole.
    """

    title: str
    setting: str
    numbers: Mapping[str, tuple[str, str]]
    cards: tuple[Card, ...]
    left: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def ranks(self) -> list[int]:
        """Ranks of the passages, slot by slot."""
        return [card.rank for card in self.cards]

    @property
    def coverage(self) -> str:
        """Coverage as shown, for example ``2 of 6``."""
        return self.numbers["Facet coverage"][0]


def words(element: ET.Element) -> str:
    """Return what a person reads in an element."""
    return " ".join("".join(element.itertext()).split())


def parsed(body: str) -> ET.Element:
    """Parse one block of our HTML, which has to be well-formed."""
    return ET.fromstring(f"<div>{body}</div>")  # noqa: S314 - made by the code under test


def _card(element: ET.Element) -> Card:
    head, place = element.findall("header/*")
    slot, _, source = words(head).partition(" · ")
    rank, _, score = words(place).partition(" · ")
    *facets, state = element.findall("footer/span")
    summary = element.find("details/summary")
    assert summary is not None
    return Card(
        slot=int(slot),
        source=source,
        rank=int(rank.removeprefix("rank ")),
        score=score,
        text=words(summary),
        facets=tuple(words(facet) for facet in facets),
        state=words(state),
    )


def _column(element: ET.Element) -> Shown:
    head, small = element.find("h3"), element.find("h3/small")
    assert head is not None
    assert small is not None
    numbers = {}
    for row in element.iter("tr"):
        label, value, *change = [words(cell) for cell in row]
        numbers[label] = (value, change[0] if change else "")
    return Shown(
        title=words(head).removesuffix(words(small)).strip(),
        setting=words(small),
        numbers=numbers,
        cards=tuple(_card(card) for card in element.iter("article")),
        left=tuple(words(item) for item in element.iter("li")),
        notes=tuple(words(item) for item in element.findall("p")),
    )


class Screen:
    """What stands on the page, and what a person can do to it.

    Args:
        app: The running app.
    """

    def __init__(self, app: AppTest) -> None:
        self.app = app

    def run(self) -> "Screen":
        """Run the page; a traceback on it fails the test."""
        self.app.run()
        assert not self.app.exception, [item.value for item in self.app.exception]
        return self

    def page(self, name: str) -> "Screen":
        """Go to a page by its file's name."""
        self.app.switch_page(f"pages/{name}.py")
        return self.run()

    @property
    def blocks(self) -> list[str]:
        """The HTML blocks in the order of the page, without the styles."""
        bodies = [str(item.proto.body) for item in self.app.get("html")]
        return [body for body in bodies if not body.startswith("<style")]

    @property
    def elements(self) -> list[ET.Element]:
        """The same, parsed."""
        return [parsed(body) for body in self.blocks]

    @property
    def columns(self) -> list[Shown]:
        """The rules' columns, the baseline first."""
        found = [part for block in self.elements for part in block.findall("section")]
        return [_column(part) for part in found]

    @property
    def says(self) -> str:
        """Every word on the page, line by line."""
        shown = [words(block) for block in self.elements]
        kinds = ("title", "header", "subheader", "markdown", "text", "caption")
        plain = [str(getattr(item, "value", "")) for kind in kinds for item in self.app.get(kind)]
        return "\n".join([*shown, *plain])

    def named(self, kind: str, label: str) -> Any:  # noqa: ANN401 - AppTest's widgets share no type
        """Return the one widget of a kind whose label starts so."""
        met = [(str(getattr(item, "label", "")), item) for item in self.app.get(kind)]
        found = [item for name, item in met if name.startswith(label)]
        assert len(found) == 1, (label, [name for name, _ in met])
        return found[0]

    def slide(self, label: str, value: float) -> "Screen":
        """Move a slider."""
        self.named("slider", label).set_value(value)
        return self.run()

    def choose(self, label: str, value: object) -> "Screen":
        """Choose in a list."""
        self.named("selectbox", label).set_value(value)
        return self.run()

    def press(self, label: str) -> "Screen":
        """Press a button."""
        self.named("button", label).click()
        return self.run()

    def open_sample(self, name: str) -> "Screen":
        """Press a sample's button in the gallery."""
        self.app.button(key=f"sample:{name}").click()
        return self.run()

    def upload(self, name: str, data: bytes, *, where: str = "A pool") -> "Screen":
        """Drop a file on an uploader of the Data page."""
        self.named("file_uploader", where).set_value((name, data, "application/octet-stream"))
        return self.run()

    def paste(self, text: str) -> "Screen":
        """Paste on the Data page."""
        self.app.text_area[0].set_value(text)
        return self.press("Load what was pasted")

    @property
    def figures(self) -> list[dict[str, Any]]:
        """The plotly figures."""
        return [json.loads(item.proto.spec) for item in self.app.get("plotly_chart")]

    def colours(self) -> dict[str, str]:
        """Return colour by source as the legend of the strip names them."""
        found = {}
        for block in self.elements:
            for item in block.findall(".//div[@class='ps-legend']/span"):
                swatch = item.find("i")
                assert swatch is not None
                style = str(swatch.get("style"))
                found[words(item)] = re.sub(r"^--source:", "", style)
        return found


@pytest.fixture
def open_app() -> Callable[..., Screen]:
    """Open the app in a fresh session, with the plain board; keywords are the address's."""

    def opened(page: str = "inspect", *, live: bool = False, **parameters: str) -> Screen:
        app = AppTest.from_file(str(REPO / "app.py"), default_timeout=SECONDS)
        app.session_state[state.key(state.Key.PLAIN)] = not live
        for name, value in parameters.items():
            app.query_params[name] = value
        return Screen(app).page(page)

    return opened


@pytest.fixture(scope="session")
def pool_file() -> Callable[..., bytes]:
    """Write a small pool as JSON; keywords replace or remove (``None``) fields of all rows."""

    def written(
        texts: Sequence[str] = ("alpha", "beta", "gamma", "delta"),
        *,
        query: str = "Which one?",
        sources: Sequence[str | None] | None = None,
        scores: bool = True,
        vectors: bool = True,
        facets: Mapping[str, str] | None = None,
    ) -> bytes:
        n = len(texts)
        rows = []
        for index, text in enumerate(texts):
            row: dict[str, object] = {"id": f"p{index + 1}", "text": text}
            label = f"doc {index % 2}" if sources is None else sources[index]
            if label is not None:
                row["source"] = label
            if scores:
                row["score"] = round(0.9 - 0.1 * index, 3)
            if vectors:
                row["vector"] = [1.0, 0.1 * index, *(float(index == j) for j in range(n))]
            if facets is not None:
                row["facets"] = [list(facets)[index % len(facets)]] if facets else []
            rows.append(row)
        document: dict[str, object] = {"query": query, "candidates": rows}
        if facets is not None:
            document["facets"] = dict(facets)
        if vectors:
            document["query_vector"] = [1.0, 0.2, *(0.0 for _ in range(n))]
        return json.dumps(document).encode()

    return written
