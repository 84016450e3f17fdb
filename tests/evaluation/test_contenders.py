"""Contenders: policies and presets on a golden set, and what some of them lack."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.evaluation import contenders
from poolscope.evaluation.contenders import Contender, outcomes, rows
from poolscope.evaluation.questions import Question
from poolscope.evaluation.run import Refused
from poolscope.evaluation.sweep import ALPHA_NDCG, COVERAGE, NAMES, RELEVANCE, measured, outcome
from poolscope.model import Policy, Pool, Relevance
from poolscope.selection import select, used
from poolscope.selection.presets import PRESETS


def test_a_policy_is_measured_as_alone(golden: Callable[..., list[Question]]) -> None:
    policy = Policy(selector="mmr", k=4, lambda_=0.5)
    (item,) = golden(1)
    (found,) = outcomes(item.pool, [Contender("MMR", policy)])
    assert found == pytest.approx(outcome(item.pool, policy), nan_ok=True)


def test_what_one_lacks_hides_no_other(golden: Callable[..., list[Question]]) -> None:
    asked = (
        Contender("Top-k"),
        Contender("By team", Policy(selector="two_pass_cap", key="team")),
        Contender("Coding", preset="openviking_coding"),
        Contender("LangChain", preset="langchain_mmr"),
    )
    found = rows(asked, [outcomes(item.pool, asked) for item in golden(3)])
    assert [row.missed for row in found] == [0, 3, 3, 0]
    assert "no field “team”" in found[1].lacks
    assert "category" in found[2].lacks
    assert np.isnan(found[1].values[COVERAGE]).all()
    assert set(found[0].values) == set(NAMES)


def test_the_usual_ones_begin_with_top_k_and_none_exceeds_the_ceiling(
    golden: Callable[..., list[Question]],
) -> None:
    asked = contenders.usual(Policy(k=4))
    found = rows(asked, [outcomes(item.pool, asked) for item in golden(4, facets=5)])
    assert asked[0].policy.selector == "top_k"
    assert asked[-1].policy.selector == contenders.CEILING
    assert len({item.label for item in asked}) == len(asked)
    for row in found:
        assert not row.lacks
        assert (row.values[COVERAGE] <= found[-1].values[COVERAGE] + 1e-12).all()


@pytest.mark.parametrize(
    ("name", "selector", "lambda_"),
    [
        ("0.6", "mmr", 0.6),
        ("1", "mmr", 1.0),
        ("lambda = 0.25", "mmr", 0.25),
        ("top_k", "top_k", 0.6),
        ("Two-pass cap", "two_pass_cap", 0.6),
    ],
)
def test_a_name_of_a_file_is_a_lambda_or_a_rule(name: str, selector: str, lambda_: float) -> None:
    found = contenders.of_name(name, Policy(k=7))
    assert found is not None
    assert (found.label, found.policy.selector, found.policy.k) == (name, selector, 7)
    assert found.policy.lambda_ == lambda_


def test_other_names_are_presets_or_nothing() -> None:
    found = contenders.of_name("Grouped", Policy(k=7))
    assert found is not None
    assert (found.preset, found.request.k) == ("grouped", 7)
    assert contenders.of_name("1.5", Policy()) is None
    assert contenders.of_name("our own", Policy()) is None


def test_every_preset_takes_part_at_the_same_k() -> None:
    asked = contenders.of_presets(Policy(k=7))
    assert [item.preset for item in asked] == [preset.name for preset in PRESETS]
    assert {item.request.k for item in asked} == {7}


@pytest.mark.parametrize("relevance", [None, Relevance.RANK, Relevance.COSINE])
def test_every_preset_is_measured_on_the_scale_of_what_it_is_held_against(
    golden: Callable[..., list[Question]], relevance: Relevance | None
) -> None:
    base = Policy(k=4, relevance=relevance)
    (item,) = golden(1)
    pool = item.pool
    asked = contenders.of_presets(base)
    met = 0
    for contender, found in zip(asked, outcomes(pool, asked), strict=True):
        if isinstance(found, Refused):
            continue
        picks = contender.select(pool).indices
        own = used(pool, base).values[picks]
        assert found[RELEVANCE] == pytest.approx(own.mean(), nan_ok=True), contender.label
        alike = select_by_hand(pool, base, picks.tolist())
        for name in set(NAMES) - {ALPHA_NDCG}:  # which reads the order as well
            assert found[name] == pytest.approx(alike[name], nan_ok=True), contender.label
        met += 1
    assert met > 12


def select_by_hand(pool: Pool, base: Policy, picks: list[int]) -> Mapping[str, float]:
    """Measure given picks as if a policy of the baseline's own had made them."""
    pinned = base.changed(pinned=tuple(pool.ids[index] for index in picks), k=len(picks))
    return measured(select(pool, pinned), base)


def test_a_cap_goes_by_every_field_but_its_own_key() -> None:
    asked = contenders.usual(Policy(key="team"), ("team", "section"))
    assert [item.policy.key for item in asked if item.label.startswith("Cap by")] == ["section"]


@pytest.mark.parametrize(
    ("rule", "problem", "remedy"),
    [
        ("facet_oracle", "“Facet oracle” needs facets; there are none.", "Mark which passages"),
        ("mmr", "“MMR” needs vectors; there are none.", "Give the file of vectors"),
    ],
)
def test_what_is_to_be_given_is_what_is_lacking(
    make_pool: Callable[..., Pool], rule: str, problem: str, remedy: str
) -> None:
    with pytest.raises(PolicyError) as met:
        contenders.require(make_pool(3), Policy(selector=rule))
    assert met.value.problem == problem
    assert met.value.remedy.startswith(remedy)
    assert ("vectors" in met.value.remedy) == (rule == "mmr")
