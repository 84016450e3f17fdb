"""A setting as TOML: what is written is what the command line reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from streamlit.testing.v1 import AppTest

from poolscope.model import Policy, policy_toml
from tests.ui.test_code_panel import switched_on

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def test_the_setting_is_written_as_toml_too(open_app: Callable[..., Screen]) -> None:
    screen = switched_on(open_app())
    screen.slide("Lambda", 0.35).slide("k in context", 7)
    (written,) = [item.value for item in screen.app.code if item.language == "toml"]
    found = policy_toml.read(written, needs=("selector",))
    assert (found.selector, found.k, found.lambda_) == ("mmr", 7, 0.35)
    assert "as poolscope evaluate and poolscope report read it by --policy." in screen.says
    screen.choose("Column 3", "preset:langchain_mmr")
    (written,) = [item.value for item in screen.app.code if item.language == "toml"]
    assert policy_toml.read(written).lambda_ == 0.5


def script() -> None:
    from poolscope.model import Policy
    from poolscope.ui import toml_panel

    policy = Policy(selector="mmr", lambda_=0.7, pinned=("a",), banned=("b", "c"))
    toml_panel.draw(policy, "This", key="test")


def test_what_belongs_to_one_question_is_left_out_and_said() -> None:
    app = AppTest.from_function(script).run()
    (written,) = [item.value for item in app.code]
    assert policy_toml.read(written) == Policy(selector="mmr", lambda_=0.7)
    said = " ".join(item.value for item in app.text)
    assert said.endswith("by --policy. Pins and bans belong to this question and are left out.")
