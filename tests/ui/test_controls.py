"""The stock widgets: what they offer for a pool, and that what they say reaches the selection."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope import selection
from poolscope.model import Order, Policy, Pool, Relevance, Scaling
from poolscope.ui import controls, state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def setting(screen: Screen) -> state.Setting:
    (found,) = screen.app.session_state[state.SLOT].settings.values()
    assert isinstance(found, state.Setting)
    return found


@pytest.mark.parametrize(("n", "k"), [(0, 1), (1, 1), (2, 2), (5, 5), (50, 5)])
def test_the_start_fits_the_pool(make_pool: Callable[..., Pool], n: int, k: int) -> None:
    begin = controls.start(make_pool(n))
    assert begin.policy == Policy(k=k)


def test_the_sliders_ranges_fit_the_pool(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="deploy-guide-6")
    ranges = {item.label: (item.min, item.max) for item in screen.app.slider}
    assert list(ranges.values()) == [(0.0, 1.0), (1, 6), (1, 6), (1, 6)]


def test_every_selector_is_offered_but_the_baseline(open_app: Callable[..., Screen]) -> None:
    labels = [item.label for item in selection.SELECTORS if item.name != "top_k"]
    screen = open_app()
    for number in (2, 3):
        assert screen.named("selectbox", f"Column {number}").options == labels


def test_every_choice_reaches_the_policy(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="agent-memory")
    screen.named("selectbox", "Relevance used").set_value(Relevance.COSINE)
    screen.named("selectbox", "Scale of relevance").set_value(Scaling.SIGMOID)
    screen.named("selectbox", "Order handed out").set_value(Order.SCORE)
    screen.named("selectbox", "Cap's key").set_value("arm")
    screen.named("toggle", "Clip negative").set_value(True)
    screen.named("toggle", "Backfill").set_value(False)
    screen.named("number_input", "Token budget").set_value(300)
    screen.run()
    policy = setting(screen).policy
    assert policy.relevance is Relevance.COSINE
    assert policy.scaling is Scaling.SIGMOID
    assert policy.order is Order.SCORE
    assert (policy.key, policy.clip_negative, policy.backfill) == ("arm", True, False)
    assert policy.budget == 300
    for column in screen.columns:
        assert "at most 300 tokens" in column.setting
        assert float(column.numbers["Tokens"][0]) <= 300


def test_the_scale_follows_the_relevance_until_one_is_chosen(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app(sample="agent-memory")
    assert setting(screen).policy.scaling is None
    screen.choose("Relevance used", Relevance.COSINE)
    assert setting(screen).policy.scaling is None
    screen.choose("Scale of relevance", Scaling.SIGMOID)
    assert setting(screen).policy.scaling is Scaling.SIGMOID


def test_a_choice_that_the_pool_cannot_serve_is_not_offered(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app(sample="deploy-guide-8")
    assert screen.named("selectbox", "Relevance used").options == [
        "score as loaded",
        "rank in the pool",
    ]


def test_switching_to_the_live_board_and_back_keeps_the_sliders(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app().slide("Lambda", 0.42)
    switch = screen.named("toggle", "Plain sliders")
    switch.set_value(False)
    screen.run()
    assert len(screen.app.slider) == 0
    assert setting(screen).policy.lambda_ == 0.42
    screen.named("toggle", "Plain sliders").set_value(True)
    screen.run()
    assert screen.named("slider", "Lambda").value == 0.42


def test_the_next_question_starts_where_the_last_one_stood(
    make_pool: Callable[..., Pool],
) -> None:
    last = state.Setting(Policy(lambda_=0.3, k=7, depth=20, cap=3, key="section"), ("mmr", "mmr"))
    fits = make_pool(30, sources="ab" * 15, fields={"section": ("x", "y", "y") * 10})
    assert controls.start(fits, last) == last
    small = controls.start(make_pool(12), last)
    assert small.policy == Policy(lambda_=0.3, k=7, cap=3)
    assert small.rules == ("mmr", "mmr")


def test_a_setting_is_carried_to_the_next_question(open_app: Callable[..., Screen]) -> None:
    rows = [
        {"query_id": f"q{number}", "query": f"Question {number}", "text": f"text {number} {row}"}
        for number in (1, 2)
        for row in range(8)
    ]
    screen = open_app(page="data").paste("\n".join(json.dumps(row) for row in rows))
    screen.page("inspect").slide("k in context", 3)
    screen.press("Next")
    assert "Question 2 of 2" in screen.says
    assert [len(column.cards) for column in screen.columns[:1]] == [3]
