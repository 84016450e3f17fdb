"""A link shows a colleague what its sender saw, and says what it cannot show."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope.model import Policy
from poolscope.ui import address as written
from poolscope.ui import cache, state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def session(screen: Screen) -> state.Session:
    found = screen.app.session_state[state.SLOT]
    assert isinstance(found, state.Session)
    return found


def address(screen: Screen) -> dict[str, list[str]]:
    """Return the address's parameters, every value of each."""
    found = screen.app.query_params.items()
    return {name: [values] if isinstance(values, str) else list(values) for name, values in found}


def setting(screen: Screen) -> state.Setting:
    held = session(screen)
    assert held.last is not None
    return held.last


def test_a_usual_setting_is_not_in_the_address(open_app: Callable[..., Screen]) -> None:
    assert address(open_app(sample="checkout")) == {"sample": ["checkout"]}


def test_the_address_is_taken_over_and_kept(open_app: Callable[..., Screen]) -> None:
    asked = {"sample": "checkout", "lambda": "0.35", "k": "7", "depth": "20", "rules": "mmr,dpp"}
    screen = open_app("inspect", **asked)
    found = setting(screen)
    assert (found.policy.lambda_, found.policy.k, found.policy.depth) == (0.35, 7, 20)
    assert found.rules == ("mmr", "dpp")
    assert address(screen) == {name: [value] for name, value in asked.items()}
    assert "could be taken over" not in screen.says


def test_a_change_is_in_the_address_on_this_page_and_the_next(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app(sample="monograph")
    next(item for item in screen.app.slider if item.label.startswith("Cap")).set_value(3).run()
    assert address(screen) == {"sample": ["monograph"], "cap": ["3"]}
    screen.page("explain")
    assert address(screen)["cap"] == ["3"]


def test_a_passage_in_the_address_is_looked_at(open_app: Callable[..., Screen]) -> None:
    screen = open_app("explain", sample="monograph", passage="12")
    assert list(session(screen).passages.values()) == [11]
    assert address(screen)["passage"] == ["12"]


def test_bad_values_fall_back_with_words(open_app: Callable[..., Screen]) -> None:
    screen = open_app(
        sample="monograph", **{"lambda": "7"}, k="6", key="no such", passage="999", score="up",
        merge="x", pinned="nobody", arm_cap="2",
    )  # fmt: skip
    assert setting(screen).policy.changed(relevance=None) == Policy(k=6)
    assert address(screen) == {"sample": ["monograph"], "k": ["6"]}
    for said in ("lambda = “7”", "no field “no such”", "ranks 1 to 54", "score = “up”", "“x”",
                 "1 of 1 are not in this pool", "this pool has no field “arm”"):  # fmt: skip
        assert said in screen.says, said
    next(button for button in screen.app.button if button.label == "Close").click().run()
    assert "could be taken over" not in screen.says


def test_numbers_that_no_control_allows_fall_back_with_words(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app(
        sample="monograph", **{"lambda": "abc"}, cap="-3", k="9999", depth="0", question="99",
        quotas="nowhere:2", rules="mmr,dpp,max_sum,grouped_cap,two_pass_cap",
    )  # fmt: skip
    assert setting(screen).policy.changed(relevance=None) == Policy()
    assert set(address(screen)) == {"sample", "rules"}
    for said in ("lambda = “abc” is left out: it is no number",
                 "cap = “-3” is left out: it is below 1",
                 "k = “9999” is left out: this pool has 54 candidates",
                 "depth = “0” is left out: it is below 1",
                 "question = “99” is left out: this file has one question",
                 "quotas: 1 of 1 values", "rules: the first 4 of 5"):  # fmt: skip
        assert said in screen.says, said
    screen = open_app(sample="monograph", k="54", depth="54", cap="54")
    assert setting(screen).policy.changed(relevance=None) == Policy(k=54, cap=54)
    assert "could be taken over" not in screen.says


def test_a_source_field_that_is_not_there_is_said(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="monograph", by="no such")
    assert "by: this question has no field “no such”" in screen.says
    assert address(screen) == {"sample": ["monograph"]}


@pytest.mark.parametrize("text", ["99", "0", "-1", "one", "9" * 99])
def test_a_question_that_is_not_there_is_said(text: str) -> None:
    assert written.question({"question": [text]}, 34)[0] == 0
    (said,) = written.question({"question": [text]}, 34)[1]
    assert "this file has questions 1 to 34" in said


def test_a_question_that_is_there_is_taken_over() -> None:
    assert written.question({"question": ["34"]}, 34) == (33, [])
    assert written.question({}, 34) == (0, [])


def test_a_setting_kept_from_a_larger_pool_writes_a_link_that_holds(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app(sample="monograph", k="20", cap="12")
    screen.page("data").upload("small.json", pool_file(query="Small?"))
    screen.page("inspect")
    link = {name: values[-1] for name, values in address(screen).items()}
    assert "could be taken over" not in open_app("inspect", **link).says


def test_a_file_is_named_by_its_pool_and_opens_for_a_colleague(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    first = open_app("data").upload("mine.json", pool_file(query="Whose is it?"))
    first.page("inspect")
    next(item for item in first.app.slider if item.label.startswith("Cap")).set_value(1).run()
    link = {name: values[-1] for name, values in address(first).items()}
    assert set(link) == {"pool", "cap"}
    other = open_app("inspect", **link)
    assert "Whose is it?" in other.says
    assert session(other).origin == "mine.json"
    assert setting(other).policy.cap == 1


def test_a_pool_not_seen_is_waited_for_and_taken_over_when_it_comes(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    data = pool_file(query="Not seen before?")
    digest = session_digest(open_app, data)
    screen = open_app("data", pool=digest, cap="1", passage="3")
    assert "has not seen" not in screen.says  # the server that wrote the link knows it
    screen = open_app("data", pool="0123456789abcdef", cap="1")
    assert "has not seen" in screen.says
    assert session(screen).load is None
    screen.upload("wrong.json", data)
    assert "holds another pool" in screen.says


def session_digest(open_app: Callable[..., Screen], data: bytes) -> str:
    """Return a file's pool as an address names it."""
    return address(open_app("data").upload("a.json", data))["pool"][0]


def test_a_pool_that_was_forgotten_comes_back_with_its_file(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    data = pool_file(query="Forgotten?")
    digest = session_digest(open_app, data)
    cache.seen.clear()  # as after a restart of the server
    screen = open_app("data", pool=digest, cap="1", passage="3")
    assert "has not seen" in screen.says
    screen.upload("renamed.json", data)
    assert "has not seen" not in screen.says
    assert session(screen).settings[digest].policy.cap == 1
    assert session(screen).passages == {digest: 2}
    screen.page("inspect")
    assert address(screen) == {"pool": [digest], "cap": ["1"], "passage": ["3"]}


def test_how_a_file_is_read_is_in_the_address(open_app: Callable[..., Screen]) -> None:
    rows = [
        {"id": f"p{i}", "text": f"text {i}", "source": f"s{i % 2}", "team": f"t{i % 3}",
         "score": 1 - i / 10}
        for i in range(6)
    ]  # fmt: skip
    screen = open_app("data").upload("a.json", json.dumps(rows).encode())
    screen.choose("Field that says what a candidate", "team")
    assert address(screen)["by"] == ["team"]
    again = open_app("inspect", pool=address(screen)["pool"][0])
    assert session(again).source_field == "team"
