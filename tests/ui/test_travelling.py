"""What a page's own controls say is in its address, and a link sets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
import streamlit as st

from poolscope.ui import address, travelling
from tests.ui.test_address import address as written
from tests.ui.test_address import session

if TYPE_CHECKING:
    from tests.ui.conftest import Screen

GOLDEN = "help-centre"


own_state = pytest.mark.usefixtures("_own_state")


@pytest.fixture
def _own_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a session state of its own outside the app."""
    monkeypatch.setattr(st, "session_state", {})


def begun(asked: dict[str, list[str]]) -> None:
    travelling.begin()
    travelling.ask(asked)


def measure() -> object:
    key = travelling.choice("measure", "m", {"Facet coverage": 1, "Any facet": 2}, 1)
    return st.session_state[key]


@own_state
def test_what_is_as_usual_is_not_written() -> None:
    begun({})
    assert measure() == 1
    st.session_state[travelling.number("k", "k", (1, 9), 5)] = 5
    assert travelling.written() == {}


@own_state
def test_what_was_moved_is_written_and_read_back() -> None:
    begun({})
    measure()
    ends = {"k": (1, 9), "lambda": (0.0, 1.0), "depth": (1, 9)}
    for name, usual in (("k", 5), ("lambda", 0.5), ("depth", None)):
        travelling.number(name, name, ends[name], usual)
    for key, value in (("m", 2), ("k", 7), ("lambda", 0.25), ("depth", 3)):
        st.session_state[key] = value
    found = travelling.written()
    assert found == {"measure": ["any-facet"], "k": ["7"], "lambda": ["0.25"], "depth": ["3"]}
    st.session_state.clear()
    begun(found)
    assert measure() == 2
    for name, limits in ends.items():
        travelling.number(name, name, limits, None)
    assert {name: st.session_state[name] for name in ends} == {"k": 7, "lambda": 0.25, "depth": 3}


@own_state
@pytest.mark.parametrize("text", ["0", "10", "x", "1.5", "nan", "9" * 30, "-1"])
def test_a_number_that_the_control_does_not_hold_is_said(text: str) -> None:
    begun({"k": [text]})
    assert st.session_state[travelling.number("k", "k", (1, 9), 5)] == 5
    assert travelling.complaints()[0].startswith("k = “")


@own_state
def test_a_word_that_is_none_of_the_options_is_said_once() -> None:
    begun({"measure": ["recall"]})
    assert [measure(), measure()] == [1, 1]
    assert travelling.complaints() == (
        "measure = “recall” is left out: there is facet-coverage, any-facet.",
    )


@own_state
@pytest.mark.parametrize("options", [("Type", "type", "Source"), ("a b", "a-b", "A B"), ("", "x")])
def test_options_that_are_nearly_alike_are_told_apart(options: tuple[str, ...]) -> None:
    for place in range(len(options)):
        st.session_state.clear()
        begun({})
        places = {option: at for at, option in enumerate(options)}
        key = travelling.choice("field", "f", places, None)
        st.session_state[key] = place
        found = travelling.written()
        assert "" not in found.get("field", [])
        if options[place]:
            st.session_state.clear()
            begun(found)
            travelling.choice("field", "f", places, None)
            assert (st.session_state["f"], travelling.complaints()) == (place, ())


@own_state
def test_a_whole_number_is_whole_however_it_is_written() -> None:
    begun({"cap": ["0000000005"], "k": ["000000005"]})
    assert st.session_state[travelling.number("cap", "cap", (1, 9), 2)] == 2
    assert travelling.complaints() == (
        "cap = “0000000005” is left out: it has more than 9 digits.",
    )
    assert repr(st.session_state[travelling.number("k", "k", (1, 9), 2)]) == "5"


@own_state
def test_a_control_that_was_moved_stays_where_it_is() -> None:
    begun({"measure": ["any-facet"]})
    measure()
    st.session_state["m"] = 1
    travelling.begin()
    assert measure() == 1


@own_state
def test_going_back_moves_the_controls_back_once() -> None:
    begun({"measure": ["any-facet"]})
    measure()
    travelling.begin()
    travelling.ask({}, is_anew=True)
    assert measure() == 1  # that address says nothing of it: it was as usual
    travelling.settle()
    st.session_state["m"] = 2
    assert measure() == 2


def test_evaluate_opens_as_its_link_says(open_app: Callable[..., Screen]) -> None:
    asked = {"sample": GOLDEN, "section": "answers", "at-k": "4", "at-depth": "20"}
    screen = open_app("evaluate", **asked)
    assert "No answers are given" in screen.says
    assert screen.named("number_input", "k").value == 4
    assert screen.named("number_input", "Pool depth").value == 20
    assert written(screen) == {name: [value] for name, value in asked.items()}
    screen.page("data")
    assert set(written(screen)) == {"sample"}  # they are of the other page
    assert written(screen.page("evaluate"))["at-k"] == ["4"]


def test_what_evaluate_cannot_take_over_is_said(open_app: Callable[..., Screen]) -> None:
    asked = {"at-k": "0", "judges": "the-golden-set"}
    screen = open_app("evaluate", sample=GOLDEN, section="answers", **asked)
    for said in ("at-k = “0” is left out", "knows none of these questions"):
        assert said in screen.says, said
    screen = open_app("evaluate", sample="checkout", section="nowhere")
    assert set(written(screen)) == {"sample"}


def test_explain_opens_as_its_link_says(open_app: Callable[..., Screen]) -> None:
    screen = open_app("explain", sample="checkout", panel="every-candidate", column="1")
    assert screen.named("button_group", "Rule").value == 0
    assert written(screen)["column"] == ["1"]
    assert written(screen)["panel"] == ["every-candidate"]


def test_present_opens_as_its_link_says(open_app: Callable[..., Screen]) -> None:
    screen = open_app("present", sample=GOLDEN, shown="3,1,99", beside="dpp", question="3")
    assert "shown: 1 of 3 are not there" in screen.says
    assert written(screen)["shown"] == ["3,1"]
    assert written(screen)["beside"] == ["dpp"]
    assert session(screen).question == 2
    assert screen.named("multiselect", "Questions").value == [2, 0]
    assert "There is no rule" not in screen.says


@own_state
def test_the_address_of_the_page_is_asked_for_at_the_start() -> None:
    found = {"section": ["table"]}
    address.start(found)
    assert travelling.taken("section") == "table"


def test_what_nobody_took_up_is_done_with_when_another_pool_is_loaded(
    open_app: Callable[..., Screen], pool_file: Callable[..., bytes]
) -> None:
    screen = open_app("data", sample=GOLDEN, panel="every-candidate")
    screen.upload("mine.json", pool_file(query="Whose is it?"))
    assert "panel" not in written(screen.page("explain"))
