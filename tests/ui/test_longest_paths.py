"""Longest paths: the longer one stays, the one used last stays longest."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from poolscope import formats
from poolscope.model import Policy, Pool
from poolscope.samples import data, named
from poolscope.selection import offers
from poolscope.selection.paths import Axis, Path
from poolscope.ui import longest_paths
from poolscope.ui.longest_paths import LongestPaths, Scope


@pytest.fixture(scope="module")
def followed() -> Path:
    found = named("checkout")
    assert found is not None
    pool: Pool = formats.read(data(found), found.file).question(0).pool
    return offers.path(pool, Policy(), Axis.LAMBDA)


def scope(name: object) -> Scope:
    return str(name), "", Axis.LAMBDA


def test_a_longer_path_serves_a_shorter_k_and_is_not_replaced_by_it(followed: Path) -> None:
    kept = LongestPaths()
    kept.keep(scope("a"), 9, followed)
    kept.keep(scope("a"), 3, followed)
    assert [kept.find(scope("a"), k) for k in (3, 9)] == [(9, followed)] * 2
    assert kept.find(scope("a"), 10) is None
    assert kept.find(scope("b"), 1) is None


def test_the_one_that_was_not_used_for_longest_goes(
    followed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longest_paths, "MOST_LONGEST", 2)
    kept = LongestPaths()
    for name in ("a", "b"):
        kept.keep(scope(name), 5, followed)
    kept.keep(scope("a"), 6, followed)
    kept.keep(scope("c"), 5, followed)
    assert [kept.find(scope(name), 1) is not None for name in "abc"] == [True, False, True]


def test_sessions_may_keep_at_once(followed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longest_paths, "MOST_LONGEST", 3)
    kept = LongestPaths()
    with ThreadPoolExecutor(4) as threads:
        done = threads.map(lambda at: kept.keep(scope(at % 50), at, followed), range(2_000))
        assert list(done) == [None] * 2_000
    assert sum(kept.find(scope(name), 0) is not None for name in range(50)) == 3
