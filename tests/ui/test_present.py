"""Present: the question that is looked at, before and after, and the way to the next."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from poolscope.ui import presenting, state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def shown(screen: Screen) -> dict[str, Any]:
    """Return what the view is given."""
    (view,) = [
        item.proto for item in screen.app.get("bidi_component")
        if b'"talk"' in bytes(item.proto.bytes)
    ]  # fmt: skip
    data: dict[str, Any] = json.loads(view.bytes)
    return data


def questions(count: int) -> bytes:
    """Return a file of several questions."""
    return json.dumps(
        [
            {"query": f"Question number {number}?",
             "candidates": [{"id": f"p{i}", "text": f"text {i}", "source": f"s{i % 2}",
                             "score": 1 - i / 10} for i in range(6)]}
            for number in range(count)
        ]
    ).encode()  # fmt: skip


def test_the_view_shows_plain_top_k_and_the_last_column(open_app: Callable[..., Screen]) -> None:
    found = shown(open_app("present", sample="monograph", rules="mmr,grouped_cap"))
    assert [column["title"] for column in found["columns"]] == ["Top-k", "Capped"]
    assert found["talk"]["question"].startswith("What are the side effects")
    assert (found["talk"]["place"], found["talk"]["count"]) == (0, 1)


def test_another_rule_can_be_shown(open_app: Callable[..., Screen]) -> None:
    screen = open_app("present", sample="monograph")
    assert shown(screen)["columns"][1]["title"] == "MMR"
    screen.choose("Beside plain top-k", "two_pass_cap")
    assert shown(screen)["rule"] == "two_pass_cap"
    session = screen.app.session_state[state.SLOT]
    assert session.last.rules == ("grouped_cap", "mmr")


def test_questions_are_shown_in_the_order_chosen(open_app: Callable[..., Screen]) -> None:
    screen = open_app("data").upload("many.json", questions(4)).page("present")
    assert (shown(screen)["talk"]["place"], shown(screen)["talk"]["count"]) == (0, 4)
    screen.named("multiselect", "Questions").set_value([2, 0])
    screen.run()
    assert (shown(screen)["talk"]["place"], shown(screen)["talk"]["count"]) == (1, 2)
    screen.named("multiselect", "Questions").set_value([])
    assert shown(screen.run())["talk"]["count"] == 2


def test_of_very_many_questions_the_one_looked_at_is_shown(open_app: Callable[..., Screen]) -> None:
    screen = open_app("data").upload("many.json", questions(20)).page("present")
    assert shown(screen)["talk"]["count"] == 1
    assert "Question number 0" in shown(screen)["talk"]["question"]


def test_of_the_questions_not_all_are_chosen_and_that_is_said(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app("data").upload("many.json", questions(20)).page("present")
    assert shown(screen)["talk"]["of"] == 20
    assert "1 of 20 questions is chosen" in screen.says
    screen.named("multiselect", "Questions").set_value([2, 0])
    assert "Left and right change the question." in screen.run().says
    assert "Left and right" not in open_app("present", sample="monograph").says


def test_a_rule_that_lacks_something_gives_way_with_words(open_app: Callable[..., Screen]) -> None:
    screen = open_app("data").upload("bare.json", questions(1)).page("present")
    found = shown(screen)
    assert (found["rule"], found["talk"]["lacks"]) == ("grouped_cap", [])
    assert found["talk"]["note"] == "MMR needs vectors; Capped is shown instead."
    screen.choose("Beside plain top-k", "mmr")
    found = shown(screen)
    assert (found["rule"], found["talk"]["lacks"]) == ("mmr", ["vectors"])
    assert found["talk"]["note"].startswith("MMR needs vectors.")


@pytest.mark.parametrize(("current", "place"), [(2, 0), (0, 1), (1, -1)])
def test_a_question_stands_where_it_was_put(current: int, place: int) -> None:
    assert presenting.place((2, 0), current) == place


def test_an_empty_pool_is_survived(open_app: Callable[..., Screen]) -> None:
    data = b'{"query": "Nothing found?", "candidates": []}'
    screen = open_app("data").upload("empty.json", data).page("present")
    assert not screen.app.exception
