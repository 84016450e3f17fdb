import dataclasses
from enum import StrEnum

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.model import (
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Order,
    Policy,
    Relevance,
    Scaling,
)


def test_the_defaults_are_those_of_the_design() -> None:
    policy = Policy()
    assert (policy.k, policy.depth, policy.budget) == (5, None, None)
    assert policy.backfill
    assert policy.missing_key is MissingKey.ALONE
    assert policy.missing_vector is MissingVector.LEAVE_OUT
    assert not policy.clip_negative
    assert policy.on_budget is OnBudget.SKIP
    assert not policy.first_item_always
    assert policy.order is Order.SELECTION


@pytest.mark.parametrize("value", [-1, -7, 2.5, 5.0, True, False, None, "5", float("nan")])
def test_k_must_be_a_whole_number_and_the_error_names_the_value(value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy().changed(k=value)
    assert caught.value.problem == f"k is {value!r}."
    assert caught.value.remedy == "Give a whole number of at least 0."


@pytest.mark.parametrize("value", [-1, 1.5, True])
@pytest.mark.parametrize(("field", "label"), [("depth", "pool depth"), ("budget", "token budget")])
def test_depth_and_budget_likewise(field: str, label: str, value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy().changed(**{field: value})
    assert caught.value.problem == f"{label} is {value!r}."
    assert "whole number of at least 0" in caught.value.remedy


@pytest.mark.parametrize("value", [0, -1, 1.5, True, None])
def test_a_cap_is_at_least_one(value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy().changed(cap=value)
    assert caught.value.problem == f"cap is {value!r}."
    assert caught.value.remedy == "Give a whole number of at least 1."


@pytest.mark.parametrize("value", [0, -3, 2.0, False])
def test_an_override_is_a_cap_and_its_error_names_the_source(value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy().changed(overrides=(("handbook", 2), ("wiki", value)))
    assert caught.value.problem == f"cap for “wiki” is {value!r}."
    assert "at least 1" in caught.value.remedy


@pytest.mark.parametrize(
    "value", [-0.001, 1.001, float("nan"), float("inf"), -float("inf"), "0.5", None, True]
)
def test_lambda_lies_within_0_and_1_and_the_remedy_says_which_end_is_which(value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy().changed(lambda_=value)
    assert repr(value) in caught.value.problem
    assert "outside 0 to 1" in caught.value.problem
    assert "0 (difference only)" in caught.value.remedy
    assert "1 (relevance only)" in caught.value.remedy


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.25, np.float64(0.5)])
def test_both_ends_of_lambda_are_allowed(value: float) -> None:
    assert Policy(lambda_=value).lambda_ == value


@pytest.mark.parametrize("value", [0, 1, 10**12, np.int64(3)])
def test_whole_numbers_are_allowed_from_zero(value: int) -> None:
    policy = Policy(k=value, depth=value, budget=value)
    assert (policy.k, policy.depth, policy.budget) == (value, value, value)


def test_a_change_makes_a_new_checked_policy() -> None:
    policy = Policy(k=3, lambda_=0.4)
    changed = policy.changed(k=4)
    assert (policy.k, changed.k, changed.lambda_) == (3, 4, 0.4)
    with pytest.raises(PolicyError, match="k is -1"):
        policy.changed(k=-1)


def test_a_policy_is_frozen_equal_by_value_and_hashable() -> None:
    field = "k"
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Policy(), field, 3)
    assert Policy(k=3) == Policy(k=3) != Policy(k=4)
    assert len({Policy(k=3), Policy(k=3), Policy(k=4)}) == 2


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Relevance, ["score", "cosine", "rank"]),
        (Scaling, ["none", "min-max", "divide by max", "sigmoid"]),
        (OnBudget, ["skip", "stop"]),
        (Order, ["selection", "score", "document", "rank"]),
        (MissingKey, ["each alone", "one shared group", "reject"]),
    ],
)
def test_choices_carry_the_words_of_the_design(kind: type[StrEnum], values: list[str]) -> None:
    assert [member.value for member in kind] == values


def test_choices_given_as_words_become_the_choices() -> None:
    policy = Policy(relevance="cosine", order="document")  # type: ignore[arg-type]
    assert policy.relevance is Relevance.COSINE
    assert policy.order is Order.DOCUMENT


def test_an_unknown_choice_is_refused_with_the_choices() -> None:
    with pytest.raises(PolicyError, match=r"on budget is 'later'.*skip, stop"):
        Policy(on_budget="later")  # type: ignore[arg-type]


def test_two_caps_for_one_value_are_refused() -> None:
    with pytest.raises(PolicyError, match="Two caps are given for one value"):
        Policy(overrides=(("a", 1), ("a", 2)))


def test_lambda_may_be_any_real_number() -> None:
    policy = Policy(lambda_=np.float32(0.5))  # type: ignore[arg-type]
    assert policy.lambda_ == 0.5
    assert type(policy.lambda_) is float


def test_a_candidate_is_pinned_or_banned_or_neither() -> None:
    policy = Policy().with_pin("a").with_ban("b").with_pin("b")
    assert (policy.pinned, policy.banned) == (("a", "b"), ())
    policy = policy.with_ban("a").with_ban("a")
    assert (policy.pinned, policy.banned) == (("b",), ("a",))
    assert policy.released("a", "b") == Policy()
    with pytest.raises(PolicyError, match="“a” is both pinned and banned"):
        Policy(pinned=("a",), banned=("a",))


def test_the_baseline_forgets_pins_and_bans_and_keeps_the_rest() -> None:
    policy = Policy(selector="mmr", k=7, depth=20, pinned=("a",), banned=("b",))
    assert policy.plain == Policy(selector="top_k", k=7, depth=20)


@pytest.mark.parametrize("name", ["copy_cosine", "copy_words", "copy_overlap"])
@pytest.mark.parametrize("value", [0.0, -0.1, 1.01, float("nan"), True, "0.9", None])
def test_a_threshold_for_copies_lies_above_0_and_up_to_1(name: str, value: object) -> None:
    with pytest.raises(PolicyError, match=f"{name.replace('_', ' ')} is "):
        Policy().changed(**{name: value})
    assert getattr(Policy().changed(**{name: 1}), name) == 1.0


def test_tests_for_copies_are_named_once_in_one_order() -> None:
    policy = Policy().changed(near_copies=("cosine", "same text", "cosine"))
    assert policy.near_copies == (NearCopy.TEXT, NearCopy.COSINE)
    assert [policy.copy_threshold(test) for test in NearCopy] == [1.0, 0.8, 0.5, 0.95]
    with pytest.raises(PolicyError, match="near copies is 'likeness'"):
        Policy().changed(near_copies=("likeness",))


@pytest.mark.parametrize("name", ["best", "neighbours"])
@pytest.mark.parametrize("value", [-1, 1.5, True, None])
def test_reserved_slots_are_counts(name: str, value: object) -> None:
    with pytest.raises(PolicyError, match=name):
        Policy().changed(**{name: value})


def test_the_baseline_removes_and_reserves_nothing() -> None:
    policy = Policy(selector="mmr", near_copies=(NearCopy.TEXT,), best=1, neighbours=2, k=7)
    assert policy.plain == Policy(k=7)
