"""Wording: a sentence for every cause with its values, a few words for every setting."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from poolscope import wording
from poolscope.model import (
    Cause,
    MissingKey,
    NearCopy,
    OnBudget,
    Policy,
    Pool,
    Relevance,
    Selection,
)
from poolscope.selection import SELECTORS, offers, presets, select

MakePool = Callable[..., Pool]
VECTORS = [[1, 0, 0], [1, 0, 0], [0.5, 0.8, 0], [0, 0.6, 0.8], [0, 0, 1]]


@dataclass(frozen=True)
class Case:
    """A candidate that a policy leaves out, and what has to be said about it."""

    policy: Policy
    index: int
    sentence: str
    pool: dict[str, object] = field(default_factory=dict)


CASES = {
    Cause.BELOW_K: Case(Policy(k=2), 3, "not among the best 2"),
    Cause.BEYOND_DEPTH: Case(Policy(depth=2), 4, "rank 5 lies beyond the pool depth of 2"),
    Cause.NO_VECTOR: Case(
        Policy(selector="mmr"),
        1,
        "it has no vector, and this rule weighs similarity",
        {"vectors": None},
    ),
    Cause.NO_SOURCE: Case(
        Policy(selector="grouped_cap", missing_key=MissingKey.REJECT), 3, "it has no source"
    ),
    Cause.CAP_REACHED: Case(
        Policy(selector="grouped_cap", k=4, cap=1), 1, "cap of 1 reached for a"
    ),
    Cause.SOURCE_SERVED: Case(
        Policy(selector="two_pass_cap", k=3, cap=2),
        1,
        "a already has its best passage in; the slots went to other values first",
    ),
    Cause.OVER_BUDGET: Case(
        Policy(budget=25, on_budget=OnBudget.SKIP), 2, "10 tokens, 5 were left"
    ),
    Cause.TOO_SIMILAR: Case(
        Policy(selector="mmr", k=3, lambda_=0.5),
        1,
        "too similar to rank 1 (a): cosine 1.000; it scores \u22120.050, the last pick",
    ),
    Cause.BANNED: Case(Policy(banned=("d2",)), 1, "banned by hand"),
    Cause.NEAR_COPY: Case(
        Policy(near_copies=(NearCopy.COSINE,)),
        1,
        "near copy of rank 1 (a): cosine 1.000, where 0.95 is a copy",
    ),
    Cause.QUOTA_FULL: Case(
        Policy(selector="quotas", quotas=(("a", 1),)), 1, "quota of 1 full for a"
    ),
    Cause.ARM_CUT: Case(
        Policy(arm_cap=1, arm_key="source"),
        1,
        "cut from the list of its arm (a), which is cut at 1",
    ),
}


@pytest.fixture
def pool(make_pool: MakePool) -> Callable[[Case], Pool]:
    def made(case: Case) -> Pool:
        parts: dict[str, object] = {
            "vectors": VECTORS,
            "scores": [0.95, 0.9, 0.8, 0.7, 0.6],
            "sources": ["a", "a", "b", None, "c"],
        }
        return make_pool(**{**parts, **case.pool})

    return made


PRESETS = {
    Cause.BELOW_GATE: ("sonder", 4, "below the gate: it has 0.000, 0.7 is asked for"),
    Cause.SHED: ("memory_blocks", 1, "priority 2: dropped to get down to 30,000 tokens"),
    Cause.DEMOTED: (
        "clawmem",
        1,
        "put behind all others: more than 0.6 alike a passage before it",
    ),
}


def test_every_cause_has_a_case() -> None:
    assert set(CASES) | set(PRESETS) == set(Cause)


@pytest.mark.parametrize("cause", PRESETS)
def test_every_cause_of_a_preset_is_told_with_its_values(make_pool: MakePool, cause: Cause) -> None:
    name, index, sentence = PRESETS[cause]
    pool = make_pool(
        vectors=VECTORS,
        query_vector=[1, 0, 0],
        texts=("red apple tart", "red apple tart", "blue", "green", "grey"),
        tokens=20_000,
        fields={"priority": ["1", "2", "0", "0", "0"]},
    )
    chosen = presets.named(name).select(pool, presets.Request(k=1))
    why = chosen.reason(index)
    assert why is not None
    assert why.cause is cause
    assert wording.reason(chosen, index) == sentence


@pytest.mark.parametrize("cause", CASES)
def test_every_cause_is_told_with_its_values(pool: Callable[[Case], Pool], cause: Cause) -> None:
    case = CASES[cause]
    chosen = select(pool(case), case.policy)
    why = chosen.reason(case.index)
    assert why is not None
    assert why.cause is cause
    assert wording.reason(chosen, case.index).startswith(case.sentence)


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda selector: selector.name)
def test_whoever_is_out_has_a_sentence_and_whoever_is_in_has_none(
    pool: Callable[[Case], Pool], selector: object
) -> None:
    from poolscope.selection import Selector

    assert isinstance(selector, Selector)
    for settings in ({"k": 2}, {"depth": 3}, {"budget": 30}, {"cap": 1}, {"k": 0}):
        policy = Policy(selector=selector.name).changed(**settings)
        chosen: Selection = select(pool(CASES[Cause.BELOW_K]), policy)
        for index in range(5):
            told = wording.reason(chosen, index)
            assert bool(told) == (index not in chosen)
            assert "nan" not in told
            assert "None" not in told


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (Policy(), "the baseline"),
        (Policy(selector="mmr", lambda_=0.6), "lambda 0.6"),
        (Policy(selector="mmr", lambda_=25 / 71), "lambda 0.3521"),
        (Policy(selector="mmr", lambda_=1.0), "lambda 1"),
        (Policy(selector="two_pass_cap", cap=2), "cap 2 per source"),
        (
            Policy(selector="two_pass_cap", cap=1, key="team", backfill=False),
            "cap 1 per team, no backfill",
        ),
        (Policy(selector="mmr_cap", lambda_=0.5, cap=3), "lambda 0.5, cap 3 per source"),
        (Policy(budget=1200), "at most 1,200 tokens"),
        (
            Policy(selector="quotas", quotas=(("a", 1), ("b", 2)), key="kind", refill=True),
            "2 quotas by kind, refilled",
        ),
        (
            Policy(near_copies=(NearCopy.COSINE, NearCopy.TEXT), best=1, neighbours=2),
            "near copies removed by same text, cosine from 0.95, 1 slot for the best, "
            "2 slots for its neighbours",
        ),
    ],
)
def test_setting(policy: Policy, said: str) -> None:
    assert wording.setting(policy) == said


def test_a_candidate_is_named_by_rank_and_source(make_pool: MakePool) -> None:
    pool = make_pool(sources=["guide", None])
    assert wording.named(pool, 0) == "rank 1 (guide)"
    assert wording.named(pool, 1) == "rank 2 (no source)"


@pytest.mark.parametrize("kind", Relevance)
def test_every_relevance_has_a_name(make_pool: MakePool, kind: Relevance) -> None:
    named = {
        Relevance.SCORE: "score as loaded",
        Relevance.COSINE: "cosine to the question",
        Relevance.RANK: "rank in the pool",
    }
    assert wording.relevance(make_pool(scores=[0.9, 0.8]), kind) == named[kind]


def test_sources_are_counted_with_the_field_that_names_them(make_pool: MakePool) -> None:
    assert wording.sources(make_pool(3, sources="aab")) == "2 sources"
    assert wording.sources(make_pool(2, sources="aa", source_field="section")) == (
        "1 source by section"
    )
    assert wording.sources(make_pool(2, sources=(None, None))) == "no sources"


def test_one_thing_is_singular() -> None:
    said = [wording.counted(number, "candidate") for number in (0, 1, 2, 1200)]
    assert said == ["0 candidates", "1 candidate", "2 candidates", "1,200 candidates"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mmr", "lambda 0.3"),
        ("preset:two_pass", "cap 1 per source"),
        ("preset:grouped", "cap fixed at 2 per source"),
        ("preset:hippo", "lambda fixed at 0.7, at most 4,000 tokens"),
        ("preset:elasticsearch_diversify", "lambda 0.3"),
        ("preset:clawmem", "its own settings"),
        ("preset:swafra:stored=20", "cap fixed at 1 per source, 20 stored sources"),
    ],
)
def test_a_column_says_what_its_rule_sets_and_what_the_sliders_do(
    make_pool: MakePool, name: str, said: str
) -> None:
    pool = make_pool(vectors=VECTORS, query_vector=[1, 0, 0], scores=[5, 4, 3, 2, 1])
    policy = Policy(selector=name, k=3, cap=1, lambda_=0.3)
    found = offers.select(pool, policy)
    assert wording.column(offers.named(name), policy, found) == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"selector": "mmr"}, []),
        ({"selector": "two_pass_cap", "backfill": False}, ["no backfill"]),
        ({"selector": "mmr", "arm_cap": 3}, ["arms cut at 3"]),
        ({"selector": "mmr", "near_copies": (NearCopy.COSINE, NearCopy.TEXT)}, ["near copies out"]),
        ({"selector": "mmr", "best": 1, "neighbours": 2}, ["1 for the best", "2 for neighbours"]),
        (
            {"selector": "quotas", "key": "team", "quotas": (("a", 1), ("b", 2)), "refill": True},
            ["2 quotas by team", "refilled"],
        ),
        ({"selector": "mmr", "budget": 4000}, ["at most 4,000 tokens"]),
    ],
)
def test_a_head_says_in_few_words_what_no_slider_shows(
    changes: dict[str, Any], said: list[str]
) -> None:
    assert wording.beside_sliders(Policy(**changes)) == said


def test_whether_a_larger_k_keeps_the_picks_is_said_as_it_is_declared() -> None:
    for offer in offers.OFFERS:
        only_adds = wording.grows(offer.rule.prefix) == "a larger k only adds picks"
        assert only_adds == offer.rule.prefix.holds
