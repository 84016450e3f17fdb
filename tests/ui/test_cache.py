"""Cached results: the same value for the same question, a fresh one for another."""

import json

import numpy as np
import pytest
import streamlit as st

from poolscope import analysis, board, formats, projection
from poolscope.analysis import with_unread
from poolscope.charts.theme import LIGHT, palette
from poolscope.diagnosis import Finding, diagnose
from poolscope.model import Policy, Pool
from poolscope.selection import offers, select
from poolscope.selection.paths import Axis, path
from poolscope.ui import cache
from poolscope.ui.state import Setting

pytestmark = pytest.mark.filterwarnings("ignore:No runtime found:UserWarning")
# Streamlit says so when a cache is used outside a server.


MOVES = (
    {"lambda_": 0.31},
    {"cap": 1},
    {"cap": 7, "lambda_": 0.93},
    {"k": 3},
    {"depth": 12},
    {"lambda_": 0.31, "k": 8, "depth": 30},
)
SAMPLES = ("monograph", "agent-memory", "deploy-guide-8", "healthy")


@pytest.fixture(autouse=True)
def _empty() -> None:
    st.cache_resource.clear()


def load(score: str = "0.9") -> formats.Load:
    rows = f'[{{"id": "a", "source": "s", "team": "t", "text": "x", "score": {score}}}]'
    return formats.read(rows.encode(), "rows.json")


def test_a_sample_is_read_once() -> None:
    assert cache.sample("healthy") is cache.sample("healthy")
    assert cache.sample("healthy") is not cache.sample("checkout")


def test_an_unknown_sample_is_the_first() -> None:
    assert cache.sample("nothing of that name").name == "monograph.json"


def test_a_question_is_assembled_once_for_each_source_field() -> None:
    read = load()
    plain = cache.question(read, "digest", 0, None)
    assert cache.question(read, "digest", 0, None) is plain
    by_team = cache.question(read, "digest", 0, "team")
    assert (plain.pool.sources, by_team.pool.sources) == (("s",), ("t",))


def test_another_digest_is_another_question() -> None:
    first = cache.question(load("0.9"), "one", 0, None).pool.raw_scores
    second = cache.question(load("0.8"), "two", 0, None).pool.raw_scores
    assert first is not None
    assert second is not None
    assert not np.array_equal(first, second)


def test_a_comparison_follows_the_setting_and_the_pool() -> None:
    pool = cache.question(load("0.9"), "one", 0, None).pool
    first = cache.comparison(pool, Setting())
    assert cache.comparison(pool, Setting()) is first
    assert cache.comparison(pool, Setting(Policy(lambda_=0.61))) is not first
    assert cache.comparison(pool, Setting(rules=("mmr", "mmr"))) is not first
    other = cache.question(load("0.8"), "two", 0, None).pool
    assert cache.comparison(other, Setting()).pool is other


def pool_of(name: str) -> Pool:
    """Read a sample's first question."""
    return cache.question(cache.sample(name), name, 0).pool


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_remembered_is_what_a_fresh_comparison_gives(name: str) -> None:
    pool = pool_of(name)
    layout = projection.pca(pool)
    for move in MOVES:
        setting = Setting(Policy().changed(**move))
        policy = setting.policy
        found = cache.comparison(pool, setting)
        fresh = analysis.compare(pool, policy, setting.rules)
        assert [column.selection.policy for column in found.columns] == [
            column.selection.policy for column in fresh.columns
        ]
        scene = board.scene(pool, policy.key, layout, palette(pool, policy.key, LIGHT))
        for is_drawn, collect in ((False, board.whole), (True, board.moving)):
            sent = cache.board_payload(found, setting, layout, is_drawn=is_drawn)
            assert json.loads(sent) == json.loads(board.encoded(collect(fresh, scene)))


def test_a_path_at_a_smaller_k_is_taken_from_the_one_at_the_largest() -> None:
    pool = pool_of("monograph")
    for name in ("mmr", "mmr_cap", "grouped_cap", "facet_oracle", "preset:qdrant_mmr"):
        longest = Policy(selector=name, k=12)
        cache.board_path(pool, longest, Axis.DEPTH)
        for k in (12, 3, 7):
            policy = longest.changed(k=k)
            for axis in Axis:
                assert cache.board_path(pool, policy, axis) == offers.path(pool, policy, axis)


def test_a_path_that_reads_no_k_is_not_cut_at_one() -> None:
    pool, blocks = pool_of("agent-memory"), Policy(selector="preset:memory_blocks", k=30)
    cache.board_path(pool, blocks, Axis.DEPTH)
    fewer = blocks.changed(k=3)
    assert cache.board_path(pool, fewer, Axis.DEPTH) == offers.path(pool, fewer, Axis.DEPTH)


def test_an_unread_slider_moves_no_path_and_no_measure() -> None:
    pool = pool_of("monograph")
    first = cache.comparison(pool, Setting(Policy(lambda_=0.6)))
    second = cache.comparison(pool, Setting(Policy(lambda_=0.3)))
    capped, mmr = first.columns[1:]
    assert second.columns[1].selection.causes is capped.selection.causes
    assert second.columns[2].selection.causes is not mmr.selection.causes
    policy = Policy(selector="mmr")
    assert cache.board_path(pool, policy, Axis.K) is cache.board_path(pool, policy, Axis.K)
    other = policy.changed(lambda_=0.2)
    assert cache.board_path(pool, other, Axis.K) == path(pool, other, Axis.K)


def said(finding: Finding) -> tuple[object, ...]:
    """Everything that the screen says of a finding."""
    step = finding.step
    shown = None if step is None else (step.words, step.effect)
    return (finding.kind, finding.sentence, finding.evidence, finding.remedy, shown)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("rule", ["top_k", "grouped_cap", "mmr"])
def test_a_verdict_is_never_that_of_another_setting(name: str, rule: str) -> None:
    pool = pool_of(name)
    for move in MOVES:
        policy = Policy(selector=rule).changed(**move)
        fresh = diagnose(pool, policy)
        found = cache.verdict(select(pool, policy))
        assert [said(item) for item in found.findings] == [said(item) for item in fresh.findings]
        for mine, theirs in zip(found.findings, fresh.findings, strict=True):
            if mine.step is not None and theirs.step is not None:
                assert with_unread(mine.step.policy, policy) == theirs.step.policy
