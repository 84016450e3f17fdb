"""The parts of the named systems; what they select stands in ``test_presets``."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from poolscope.model import Pool
from poolscope.selection import systems
from poolscope.selection.systems import Request

MakePool: TypeAlias = Callable[..., Pool]


def test_jaccard_by_hand() -> None:
    one, other = frozenset("abc"), frozenset("bcd")
    assert systems.jaccard(one, other) == 0.5
    assert systems.jaccard(frozenset(), one) == 0.0
    assert systems.jaccard(frozenset(), frozenset()) == 0.0
    assert systems.jaccard(frozenset(), frozenset(), empty=1.0) == 1.0


def test_clawmem_features_are_long_words_and_neighbouring_pairs() -> None:
    assert systems.clawmem_features("The Cache is-warm") == {
        "cache", "warm", "the cache", "cache is", "is warm",
    }  # fmt: skip
    assert systems.clawmem_features("向量检索") == frozenset()


@pytest.mark.parametrize(("k", "stored", "slots"), [(5, 3, 1), (5, 13, 1), (5, 20, 3), (2, 99, 2)])
def test_swafra_slots(k: int, stored: int, slots: int) -> None:
    assert systems.swafra_slots(k, stored) == slots


def test_a_field_is_found_by_its_names_whatever_the_case(make_pool: MakePool) -> None:
    pool = make_pool(1, fields={"Memory_Type": ["a"], "owner": ["b"]})
    assert systems.field_of(pool, "category", Request()) == "Memory_Type"
    assert systems.field_of(pool, "session", Request()) is None
    assert systems.field_of(pool, "session", Request(field="owner")) == "owner"


def test_a_request_keeps_its_k_pins_and_budget() -> None:
    request = Request(k=3, budget=9, pinned=("a",), banned=("b",))
    policy = request.policy("mmr", 5, lambda_=0.2)
    assert (policy.k, policy.budget, policy.pinned, policy.banned) == (3, 9, ("a",), ("b",))
    assert Request().policy("mmr", 5).k == 5
