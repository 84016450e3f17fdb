"""Cached results: the same value for the same question, a fresh one for another."""

import numpy as np
import pytest
import streamlit as st

from poolscope import formats
from poolscope.model import Policy
from poolscope.ui import cache
from poolscope.ui.state import Setting

pytestmark = pytest.mark.filterwarnings("ignore:No runtime found:UserWarning")
# Streamlit says so when a cache is used outside a server.


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
