"""Getting around: the pages, the address, and what stands around each page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope.ui import navigation

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def test_a_link_opens_its_sample(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="healthy")
    assert "Healthy pool" in screen.says
    assert screen.app.query_params["sample"] == "healthy"


@pytest.mark.parametrize("name", ["no such sample", "", "../app", "x" * 5000, "<b>"])
def test_an_unknown_sample_falls_back_to_the_first(
    open_app: Callable[..., Screen], name: str
) -> None:
    screen = open_app(sample=name)
    assert "Product monograph" in screen.says
    assert screen.app.query_params["sample"] == "monograph"


@pytest.mark.parametrize("number", ["0", "7", "-1", "two", "²", "٣", "9" * 5000])
def test_any_question_number_in_the_address_is_survived(
    open_app: Callable[..., Screen], number: str
) -> None:
    screen = open_app(sample="healthy", question=number)
    assert "Healthy pool" in screen.says


def test_both_pages_are_reached_and_know_the_same_pool(open_app: Callable[..., Screen]) -> None:
    screen = open_app().page("data").open_sample("checkout")
    assert screen.app.query_params["sample"] == "checkout"
    screen.page("inspect")
    assert "Checkout incidents" in screen.says
    assert "50 candidates" in screen.says


def test_one_question_has_no_previous_and_next(open_app: Callable[..., Screen]) -> None:
    labels = [button.label for button in open_app().app.button]
    assert "Next" not in labels


def test_the_icon_is_there() -> None:
    assert navigation.ICON.read_bytes().startswith(b"\x89PNG")
