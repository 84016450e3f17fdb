"""Pins and bans on the screen: what is decided by hand is said, counts everywhere, and goes."""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope.ui import state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


@pytest.fixture
def chosen(open_app: Callable[..., "Screen"]) -> "Screen":
    """Explain of the checkout sample, with rank 9 looked at."""
    screen = open_app(sample="checkout").page("explain")
    pool = screen.app.session_state[state.SLOT].load.question().pool
    screen.app.session_state[state.SLOT] = dataclasses.replace(
        screen.app.session_state[state.SLOT],
        panel=state.EVERY_CANDIDATE,
        passages={pool.digest: 8},
    )
    screen.app.session_state[state.key(state.Key.PANEL)] = state.EVERY_CANDIDATE
    return screen.run()


def test_a_ban_is_said_on_every_page_and_released(chosen: "Screen") -> None:
    assert "By hand" not in chosen.says
    assert "Rank 9" in chosen.says
    chosen.press("Ban")
    assert "Banned: rank 9 (INC-1981)" in chosen.says
    assert "banned by hand" in chosen.says
    inspect = chosen.page("inspect")
    assert "Banned: rank 9 (INC-1981)" in inspect.says
    inspect.press("Release all")
    assert "By hand" not in inspect.says


def test_a_pin_replaces_a_ban_and_enters_every_column_but_top_k(chosen: "Screen") -> None:
    chosen.press("Ban")
    chosen.press("Pin")
    assert "Pinned: rank 9 (INC-1981)" in chosen.says
    assert "Banned" not in chosen.says
    setting = state_of(chosen)
    assert setting.policy.pinned == ("inc-1981",)
    assert setting.policy.banned == ()


def state_of(screen: "Screen") -> state.Setting:
    """Return the one setting of the session."""
    (setting,) = screen.app.session_state[state.SLOT].settings.values()
    assert isinstance(setting, state.Setting)
    return setting


def test_applying_a_suggestion_keeps_what_was_decided_by_hand(chosen: "Screen") -> None:
    chosen.press("Pin")
    inspect = chosen.page("inspect")
    inspect.press("Try it")
    assert state_of(inspect).policy.pinned == ("inc-1981",)
    assert "Pinned: rank 9 (INC-1981)" in inspect.says


def test_what_a_suggestion_switches_off_is_said_and_may_be_undone(
    open_app: Callable[..., "Screen"],
) -> None:
    screen = open_app(sample="checkout")
    assert "Measured and tried without" not in screen.says
    screen.named("multiselect", "Near copies removed first, by").set_value(["same text"])
    screen.named("number_input", "Slots for the best").set_value(1)
    screen.run()
    off = "near copies removed by same text; 1 slot for the best"
    assert f"Measured and tried without: {off}." in screen.says
    screen.press("Try it")
    assert state_of(screen).policy.near_copies == ()
    explain = screen.page("explain")
    assert f"switched off: {off}" in explain.says
    explain.press("Undo")
    held = state_of(explain).policy
    assert ([str(test) for test in held.near_copies], held.best) == (["same text"], 1)
