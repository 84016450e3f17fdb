"""The stock widgets: what they offer for a pool, and that what they say reaches the selection."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poolscope import formats, samples, selection
from poolscope.model import Order, Policy, Pool, Relevance, Scaling
from poolscope.selection import presets, select
from poolscope.selection.presets import PRESETS
from poolscope.ui import controls, markup, state

if TYPE_CHECKING:
    from tests.ui.conftest import Screen


def setting(screen: Screen) -> state.Setting:
    (found,) = screen.app.session_state[state.SLOT].settings.values()
    assert isinstance(found, state.Setting)
    return found


def sample_pool(name: str) -> Pool:
    """Read a sample as the app does."""
    found = samples.named(name)
    assert found is not None
    load = formats.read(samples.data(found), found.file)
    return load.question(0, source_field=found.source_field).pool


@pytest.mark.parametrize(("n", "k"), [(0, 1), (1, 1), (2, 2), (5, 5), (50, 5)])
def test_the_start_fits_the_pool(make_pool: Callable[..., Pool], n: int, k: int) -> None:
    begin = controls.start(make_pool(n))
    assert begin.policy == Policy(k=k)


def test_the_sliders_ranges_fit_the_pool(open_app: Callable[..., Screen]) -> None:
    screen = open_app(sample="deploy-guide-6")
    ranges = {item.label: (item.min, item.max) for item in screen.app.slider}
    assert list(ranges.values()) == [(0.0, 1.0), (1, 6), (1, 6), (1, 6)]


def test_every_rule_and_preset_is_offered_with_what_the_pool_lacks(
    open_app: Callable[..., Screen],
) -> None:
    rules = [
        f"{item.label} · needs a field “arm”" if item.reads_arms else item.label
        for item in selection.SELECTORS
        if item.name != "top_k"
    ]
    screen = open_app()
    for number in (2, 3):
        options = screen.named("selectbox", f"Column {number}").options
        assert options[: len(rules)] == rules
        assert len(options) == len(rules) + len(PRESETS)
        assert "Preset: LangChain MMR" in options
        assert "Preset: Cap 2 per section + MMR" in options  # its sources are its sections
        assert "Preset: agentmemory · needs a field “session”" in options
    bare = open_app(sample="deploy-guide-8").named("selectbox", "Column 2").options
    assert "MMR · needs vectors" in bare


def test_a_preset_in_a_column_is_the_preset_and_follows_k(open_app: Callable[..., Screen]) -> None:
    screen = open_app().choose("Column 3", "preset:langchain_mmr")
    assert screen.columns[2].title == "□ LangChain MMR"
    assert screen.columns[2].setting == "lambda fixed at 0.5"
    pool = sample_pool("monograph")
    for k in (5, 8):
        screen.slide("k in context", k)
        direct = presets.named("langchain_mmr").select(pool, presets.Request(k=k))
        assert screen.columns[2].ranks == [index + 1 for index in direct.ordered]
    assert "A larger k only adds picks." in screen.says
    assert "Beside plain MMR: Only its defaults differ" in screen.says
    before = screen.columns[2].ranks
    assert screen.slide("Lambda", 0.1).columns[2].ranks == before


def test_a_preset_that_lacks_a_field_is_refused_in_words(open_app: Callable[..., Screen]) -> None:
    screen = open_app().choose("Column 3", "preset:agentmemory")
    refused = screen.columns[2]
    assert (refused.cards, refused.left) == ((), ())
    assert "Nothing is selected: it needs a field “session”." in refused.notes
    assert refused.setting == "needs a field “session”"
    assert {value for value, _ in refused.numbers.values()} == {markup.NOTHING}
    assert screen.columns[0].cards[0].state == "kept"
    assert screen.choose("Column 3", "mmr").columns[2].ranks


def test_a_preset_that_asks_for_a_number_runs_once_it_has_one(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app().choose("Column 2", "preset:swafra")
    assert screen.columns[1].cards == ()
    assert "it needs the number of stored sources" in screen.says
    screen.named("number_input", "Stored sources").set_value(20)
    screen.run()
    assert setting(screen).rules == ("preset:swafra:stored=20", "mmr")
    assert screen.columns[1].setting == "cap fixed at 1 per source, 20 stored sources"
    assert len(screen.columns[1].cards) == 3


def test_a_field_may_be_named_for_what_a_preset_reads(open_app: Callable[..., Screen]) -> None:
    screen = open_app().choose("Column 2", "preset:agentmemory")
    field = screen.named("selectbox", "Field for session")
    assert field.options[0] == "choose one"
    assert "Nothing is selected: it needs a field “session”." in screen.columns[1].notes
    screen.choose("Field for session", "source")
    assert setting(screen).rules == ("preset:agentmemory:field=source", "mmr")
    assert screen.columns[1].setting == "cap fixed at 3 per source, “source” as its session"
    direct = presets.named("agentmemory").select(
        sample_pool("monograph"), presets.Request(k=5, field="source")
    )
    assert screen.columns[1].ranks == [index + 1 for index in direct.ordered]
    screen.choose("Column 2", "preset:hippo")
    assert setting(screen).rules == ("preset:hippo", "mmr")
    assert not [item for item in screen.app.selectbox if item.label.startswith("Field for")]


def test_each_retrieval_arm_may_be_cut_first(open_app: Callable[..., Screen]) -> None:
    screen = open_app()
    assert not [item for item in screen.app.selectbox if item.label.startswith("Field that")]
    screen.named("number_input", "Most of each retrieval arm").set_value(1)
    screen.run()
    held = setting(screen).policy
    assert (held.arm_cap, held.arm_key) == (1, "source")
    chosen = select(sample_pool("monograph"), held.changed(selector="mmr"))
    assert screen.columns[2].ranks == [index + 1 for index in chosen.ordered]
    assert "each source cut at 1 and fused" in screen.columns[2].setting
    assert screen.columns[0].ranks == [1, 2, 3, 4, 5]


def test_columns_are_added_and_taken_away(open_app: Callable[..., Screen]) -> None:
    screen = open_app()
    for count in (4, 5):
        screen.press("Add a column")
        assert len(screen.columns) == count
    assert setting(screen).rules == ("grouped_cap", "mmr", "two_pass_cap", "mmr_cap")
    assert not [item for item in screen.app.button if item.label == "Add a column"]
    screen.choose("Column 5", "preset:hippo").slide("k in context", 6)
    assert [len(column.cards) for column in screen.columns] == [6] * 5
    assert screen.columns[0].cards[1].state.startswith("left by")
    for count in (4, 3, 2):
        screen.press("Remove the last")
        assert len(screen.columns) == count
    assert not [item for item in screen.app.button if item.label == "Remove the last"]
    assert setting(screen).rules == ("grouped_cap",)


def test_the_columns_rules_survive_a_page_and_the_other_board(
    open_app: Callable[..., Screen],
) -> None:
    screen = open_app().choose("Column 3", "preset:clawmem").press("Add a column")
    screen.page("data").page("inspect")
    assert screen.columns[2].title == "□ ClawMem"
    screen.named("toggle", "Plain sliders").set_value(False)
    screen.run()
    assert setting(screen).rules == ("grouped_cap", "preset:clawmem", "two_pass_cap")
    held = screen.app.session_state[state.SLOT]
    (digest,) = held.settings
    moved = dataclasses.replace(held.last, rules=("mmr", "preset:hippo"))
    screen.app.session_state[state.SLOT] = dataclasses.replace(
        held, settings={digest: moved}, last=moved
    )
    screen.run().named("toggle", "Plain sliders").set_value(True)
    screen.run()
    assert [column.title for column in screen.columns] == ["○ Top-k", "◇ MMR", "□ Hippo"]


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
