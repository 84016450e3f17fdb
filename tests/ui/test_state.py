"""What a session remembers across pages and loads, and what the address carries."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
import streamlit as st

from poolscope import selection
from poolscope.model import Policy
from poolscope.ui import state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def test_settings_survive_a_page_switch(open_app: Callable[..., Screen]) -> None:
    screen = open_app().slide("Lambda", 0.8).slide("k in context", 7)
    screen.choose("Column 3", "mmr_cap")
    before = [column.ranks for column in screen.columns]
    screen.page("data").page("inspect")
    assert [column.ranks for column in screen.columns] == before
    assert screen.named("slider", "Lambda").value == 0.8
    assert screen.named("slider", "k in context").value == 7
    assert screen.columns[2].title == "□ MMR with a cap"


def test_every_pool_keeps_its_own_settings(open_app: Callable[..., Screen]) -> None:
    screen = open_app().slide("Lambda", 0.35)
    screen.page("data").open_sample("healthy").page("inspect")
    assert screen.columns[2].setting == "lambda 0.6"
    screen.page("data").open_sample("monograph").page("inspect")
    assert screen.columns[2].setting == "lambda 0.35"


def test_two_sessions_do_not_share_settings(open_app: Callable[..., Screen]) -> None:
    open_app().slide("Lambda", 0.9)
    assert open_app().columns[2].setting == "lambda 0.6"


def test_a_session_of_another_class_is_begun_anew(open_app: Callable[..., Screen]) -> None:
    screen = open_app()
    screen.app.session_state[state.SLOT] = "a value of yesterday's class"
    screen.run()
    assert isinstance(screen.app.session_state[state.SLOT], state.Session)
    assert len(screen.columns) == 3


def test_values_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.Session().question = 3  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.Setting().policy = Policy(k=1)  # type: ignore[misc]


def test_keys_are_distinct_in_every_scope() -> None:
    keys = [state.key(name, scope) for name in state.Key for scope in ("", "a", "b")]
    assert len(set(keys)) == len(keys)
    assert state.key(state.Key.LAMBDA, "a") == "lambda:a"


def test_defaults_compare_capped_and_mmr() -> None:
    cap, other = (selection.named(rule) for rule in state.Setting().rules)
    assert (cap.reads_key, cap.reads_similarity) == (True, False)
    assert other.name == "mmr"
    assert state.Setting().policy == Policy()


def test_undo_puts_back_the_rules_of_the_columns_too(open_app: Callable[..., Screen]) -> None:
    screen = open_app()
    before = screen.app.session_state[state.SLOT]
    (digest,) = before.settings
    held = before.settings[digest]
    applied = state.Setting(Policy(selector="mmr_cap", cap=1), ("grouped_cap", "mmr_cap"))
    screen.app.session_state[state.SLOT] = dataclasses.replace(
        before,
        settings={digest: applied},
        applied=(state.Applied("cap 2 → 1", digest, held, applied),),
    )
    screen.page("explain").press("Undo")
    assert screen.app.session_state[state.SLOT].settings[digest] == held
    assert [column.title for column in screen.page("inspect").columns][2] == "□ MMR"


def test_what_was_applied_to_another_pool_is_not_offered_here(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app()
    before = screen.app.session_state[state.SLOT]
    (setting,) = before.settings.values()
    screen.app.session_state[state.SLOT] = dataclasses.replace(
        before, applied=(state.Applied("k 5 → 6", "another pool", None, setting),)
    )
    assert "Applied:" not in screen.page("explain").says


def test_rules_are_put_into_columns_within_their_number(
    open_app: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = open_app().app.session_state[state.SLOT]
    (digest,) = held.settings
    monkeypatch.setattr(st, "session_state", {state.SLOT: held})
    state.put_rule(digest, 1, "preset:hippo")
    assert state.kept(digest).rules == ("grouped_cap", "preset:hippo")
    state.put_rule(digest, 2, "dpp")
    state.put_rule(digest, 3, "max_sum")
    assert state.kept(digest).rules == ("grouped_cap", "preset:hippo", "dpp", "max_sum")
    state.put_rule(digest, 4, "mmr")
    state.put_rules(digest, ())
    assert state.kept(digest).rules == ("grouped_cap", "preset:hippo", "dpp", "max_sum")
