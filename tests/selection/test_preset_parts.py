"""The parts of the presets; what they select stands in ``test_presets``."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Pool
from poolscope.selection import presets
from poolscope.selection.presets import Request, field_of, memories, policies
from poolscope.selection.presets.base import OF_FIELDS

MakePool: TypeAlias = Callable[..., Pool]


def test_jaccard_by_hand() -> None:
    one, other = frozenset("abc"), frozenset("bcd")
    assert memories.jaccard(one, other) == 0.5
    assert memories.jaccard(frozenset(), one) == 0.0
    assert memories.jaccard(frozenset(), frozenset()) == 0.0


def test_sets_as_bits_share_what_the_sets_share() -> None:
    draw = np.random.default_rng(3)
    sets = [frozenset(draw.choice(list("abcdefghijkl"), 6).tolist()) for _ in range(20)]
    sets += [frozenset(["only here"]), frozenset()]
    bits = memories.as_bits(sets)
    for one, (mine, size) in zip(sets, bits, strict=True):
        assert size == len(one)
        for other, (theirs, _) in zip(sets, bits, strict=True):
            if one is not other:
                assert (mine & theirs).bit_count() == len(one & other)


def test_clawmem_features_are_long_words_and_neighbouring_pairs() -> None:
    assert memories.clawmem_features("The Cache is-warm") == {
        "cache", "warm", "the cache", "cache is", "is warm",
    }  # fmt: skip
    assert memories.clawmem_features("向量检索") == frozenset()


@pytest.mark.parametrize(("k", "stored", "slots"), [(5, 3, 1), (5, 13, 1), (5, 20, 3), (2, 99, 2)])
def test_swafra_slots(k: int, stored: int, slots: int) -> None:
    assert policies.swafra_slots(k, stored) == slots


def test_a_field_is_found_by_its_names_whatever_the_case(make_pool: MakePool) -> None:
    pool = make_pool(1, fields={"Memory_Type": ["a"], "owner": ["b"]})
    assert field_of(pool, "category", Request()) == "Memory_Type"
    assert field_of(pool, "session", Request()) is None
    assert field_of(pool, "session", Request(field="owner")) == "owner"
    assert field_of(pool, "category", Request(field="kind")) is None


def test_a_need_of_a_field_is_the_part_that_may_be_named() -> None:
    for preset in presets.PRESETS:
        needed = [OF_FIELDS[need] for need in preset.needs if need in OF_FIELDS]
        assert needed == [preset.part] or (not needed and preset.part in ("", "title", "parent"))
        assert preset.part in ("", *presets.FIELDS)


def test_the_field_that_the_sources_were_read_from_plays_its_part_too(make_pool: MakePool) -> None:
    pool = make_pool(2, sources="ab", source_field="Section")
    assert field_of(pool, "section", Request()) == "source"
    own = make_pool(2, source_field="section", fields={"section": ["x", "y"]})
    assert field_of(own, "section", Request()) == "section"


def test_a_depth_cuts_what_a_system_is_given_and_never_widens_it() -> None:
    assert Request(depth=7).policy("mmr", 5, depth=20).depth == 7
    assert Request(depth=30).policy("mmr", 5, depth=20).depth == 20
    assert Request(depth=7).policy("mmr", 5).depth == 7
    assert Request().policy("mmr", 5).depth is None


def test_a_cut_pool_is_what_a_system_measures(make_pool: MakePool) -> None:
    """The gates and totals that a system reads are those of the part that it is given."""
    pool = make_pool(
        vectors=[[1, 0.2, 0], [1, -0.2, 0], [1, 0, 0.9], [1, 0, 0]],
        query_vector=[1, 0, 0],
        scores=[0.9, 0.8, 0.7, 0.6],
        sources="abcd",
        tokens=[10, 10, 10, 40_000],
        fields={"priority": ["1", "0", "2", "0"]},
    )
    whole = presets.named("memory_blocks").select(pool)
    assert whole.ordered == (1, 3)
    cut = presets.named("memory_blocks").select(pool, Request(depth=3))
    assert cut.ordered == (0, 1, 2)
    gate = presets.named("total_agent_memory")
    assert "open" in gate.select(pool, Request(k=4, depth=2)).notes[0]
    assert "among the first 4" in gate.select(pool, Request(k=4)).notes[0]


def test_what_is_worked_out_once_is_not_mixed_up_between_pins_and_bans(
    make_pool: MakePool,
) -> None:
    text = "the quick brown foxes jumped over the lazy dogs"
    pool = make_pool(4, texts=(text, text, f"{text} again", "nothing of the kind"))
    claw = presets.named("clawmem")
    assert claw.select(pool, Request(k=4)).ordered == (0, 3, 1, 2)
    assert claw.select(pool, Request(k=4, pinned=("d2",))).ordered == (1, 3, 0, 2)
    assert claw.select(pool, Request(k=4, banned=("d1",))).ordered == (1, 3, 2)
    assert claw.select(pool, Request(k=4)).ordered == (0, 3, 1, 2)


def test_a_request_keeps_its_k_pins_and_budget() -> None:
    request = Request(k=3, budget=9, pinned=("a",), banned=("b",))
    policy = request.policy("mmr", 5, lambda_=0.2)
    assert (policy.k, policy.budget, policy.pinned, policy.banned) == (3, 9, ("a",), ("b",))
    assert Request().policy("mmr", 5).k == 5


def test_clawmem_keeps_no_answer_for_every_pin_and_ban(make_pool: MakePool) -> None:
    texts = ["red apple tart", "red apple tart", "blue sky today", "blue sky today"]
    pool, claw = make_pool(4, texts=texts), presets.named("clawmem")
    asked = [
        presets.Request(k=4, pinned=pinned, banned=banned)
        for pinned in ((), ("d2",), ("d4",), ("d2", "d4"))
        for banned in ((), ("d1",), ("d3",))
    ]
    first = [claw.select(pool, request).ordered for request in asked]
    held = len(pool.kept)
    assert first[0] == (0, 2, 1, 3)
    assert first[1] == (1, 2, 3)
    assert [claw.select(make_pool(4, texts=texts), request).ordered for request in asked] == first
    assert [claw.select(pool, request).ordered for request in reversed(asked)] == first[::-1]
    assert len(pool.kept) == held
    assert held < len(asked)
