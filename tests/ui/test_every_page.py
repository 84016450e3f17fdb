"""Every page on every sample, and on the pools that have hardly anything, found by glob."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from poolscope import samples

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

REPO = Path(__file__).resolve().parents[2]
PAGES = sorted(path.stem for path in (REPO / "pages").glob("*.py"))
POOLS: dict[str, dict[str, Any]] = {
    "one candidate": {"texts": ("alone",)},
    "two equal": {"texts": ("same", "same"), "sources": ("s", "s")},
    "no vectors": {"vectors": False},
    "no scores": {"scores": False},
    "neither": {"vectors": False, "scores": False},
    "no sources": {"sources": (None,) * 4},
    "facets": {"facets": {"a": "One", "b": "Two"}},
    "no question": {"query": ""},
    "twenty": {"texts": tuple(f"passage {number}" for number in range(20))},
    "no text": {"texts": ("", "x", "y")},
}


def test_there_are_pages() -> None:
    assert {"inspect", "data"} <= set(PAGES)


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: sample.name)
def test_every_page_shows_a_sample(open_app: Callable[..., Screen], sample: samples.Sample) -> None:
    screen = open_app(sample=sample.name)
    for page in PAGES:
        screen.page(page)
        assert sample.title in screen.says


@pytest.mark.parametrize("name", POOLS)
def test_every_page_shows_a_bare_pool(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes], name: str
) -> None:
    screen = open_app("data").upload(f"{name}.json", pool_file(**POOLS[name]))
    assert f"{name}.json" in screen.says
    assert "could not be read" not in screen.says
    for page in PAGES:
        screen.page(page)
        assert f"{name}.json" in screen.says
        assert "could not be read" not in screen.says


def test_every_page_shows_a_question_that_found_nothing(open_app: Callable[..., Screen]) -> None:
    screen = open_app("data").upload("none.json", b'{"query": "q", "candidates": []}')
    assert "0 of 0 rows" in screen.says
    for page in PAGES:
        assert "none.json" in screen.page(page).says


@pytest.mark.parametrize("data", [b"[]", b"{}", b" ", b""])
def test_an_empty_file_is_refused_and_every_page_keeps_the_one_before(
    open_app: Callable[..., Screen], data: bytes
) -> None:
    screen = open_app("data").upload("empty.json", data)
    assert "empty.json: " in screen.says
    for page in PAGES:
        screen.page(page)
        assert "Product monograph" in screen.says
