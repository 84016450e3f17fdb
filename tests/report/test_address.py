"""A setting survives the way through an address, and what cannot be read is said."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from poolscope.report.address import FIELDS, LAMBDA, names, read, written

RULES = ("grouped_cap", "mmr")
USUAL = Policy()

OTHER: dict[str, Any] = {
    "k": 8,
    "depth": 40,
    "lambda_": 0.1 + 0.2,
    "cap": 3,
    "key": "section of a & b",
    "overrides": (("a:b", 2), ("c", 1)),
    "backfill": False,
    "quotas": (("x", 0), ("y: z", 3)),
    "refill": True,
    "arm_cap": 4,
    "arm_key": "found by",
    "near_copies": (NearCopy.TEXT, NearCopy.COSINE),
    "copy_cosine": 0.91,
    "copy_words": 0.7,
    "copy_overlap": 0.33,
    "best": 2,
    "neighbours": 1,
    "relevance": Relevance.RANK,
    "scaling": Scaling.MIN_MAX,
    "clip_negative": True,
    "missing_vector": MissingVector.NO_REDUNDANCY,
    "missing_key": MissingKey.REJECT,
    "budget": 900,
    "on_budget": OnBudget.STOP,
    "first_item_always": True,
    "order": Order.DOCUMENT,
    "pinned": ("a,b", "<b>"),
    "banned": ("c",),
}


def test_every_field_has_another_value_here() -> None:
    assert set(OTHER) == set(FIELDS)
    assert set(FIELDS) == {field.name for field in dataclasses.fields(Policy)} - {"selector"}


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_comes_back(field: str) -> None:
    policy = USUAL.changed(**{field: OTHER[field]})
    found = written(policy, RULES, USUAL, RULES)
    assert set(found) == {LAMBDA if field == "lambda_" else field}
    assert read(found, USUAL, RULES).policy == policy
    assert not read(found, USUAL, RULES).complaints


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_comes_back_to_the_default_where_another_is_usual(field: str) -> None:
    usual = USUAL.changed(**{field: OTHER[field]})
    found = written(USUAL, RULES, usual, RULES)
    assert read(found, usual, RULES).policy == USUAL


def test_all_at_once_and_the_usual_is_nothing() -> None:
    policy = USUAL.changed(**OTHER)
    found = written(policy, ("mmr", "dpp", "top_k"), USUAL, RULES)
    asked = read(found, USUAL, RULES)
    assert asked.policy == policy
    assert asked.rules == ("mmr", "dpp")
    assert written(USUAL, RULES, USUAL, RULES) == {}
    assert read({}, USUAL, RULES).policy == USUAL


@given(st.floats(0.0, 1.0), st.integers(1, 10**6))
def test_numbers_come_back_to_the_last_digit(lambda_: float, k: int) -> None:
    policy = Policy(lambda_=lambda_, k=k)
    assert read(written(policy, RULES, USUAL, RULES), USUAL, RULES).policy == policy


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("lambda", "7", "outside 0 to 1"),
        ("lambda", "nan", "outside 0 to 1"),
        ("lambda", "half", "no number"),
        ("k", "-1", "below 1"),
        ("k", "0", "below 1"),
        ("depth", "0", "below 1"),
        ("cap", "-3", "below 1"),
        ("best", "-1", "below 0"),
        ("budget", "-" + "9" * 5000, "below 0"),
        ("k", "9" * 5000, "more than 12 digits"),
        ("k", "3.5", "no whole number"),
        ("k", "--3", "no whole number"),
        ("k", "٣", "no whole number"),
        ("k", "", "says no number"),
        ("cap", "0", "below 1"),
        ("backfill", "maybe", "neither yes nor no"),
        ("order", "random", "order is"),
        ("relevance", "<b>", "relevance is"),
        ("near_copies", "magic", "near copies is"),
        ("quotas", "a", "no value, colon and number"),
        ("overrides", "a:x", "no whole number"),
        ("overrides", "a:0", "below 1"),
        ("quotas", "a:-1", "below 0"),
        ("overrides", "a:", "no value, colon and number"),
    ],
)
def test_a_bad_value_keeps_the_usual_one_and_is_said(name: str, value: str, why: str) -> None:
    asked = read({name: [value], "cap": ["4"]} if name != "cap" else {name: [value]}, USUAL, RULES)
    assert asked.policy == (USUAL.changed(cap=4) if name != "cap" else USUAL)
    (said,) = asked.complaints
    assert why in said
    assert said.startswith(name)
    assert len(said) < 200


def test_unknown_rules_are_left_out_and_said() -> None:
    asked = read({"rules": ["mmr,no such,top_k"]}, USUAL, RULES)
    assert asked.rules == ("mmr",)
    assert [said for said in asked.complaints if "no such" in said]
    assert read({"rules": [","]}, USUAL, RULES).rules == RULES
    assert len(read({"rules": ["x," * 999]}, USUAL, RULES).complaints) <= 3


def test_presets_are_rules_too() -> None:
    rules = ("preset:hippo", "preset:swafra:stored=40")
    assert read(written(USUAL, rules, USUAL, RULES), USUAL, RULES).rules == rules
    asked = read({"rules": ["preset:no such,preset:swafra:stored=x,mmr"]}, USUAL, RULES)
    assert asked.rules == ("mmr",)
    assert len(asked.complaints) == 2


def test_what_clashes_is_left_out() -> None:
    asked = read({"pinned": ["a"], "banned": ["a"]}, USUAL, RULES)
    assert asked.policy.pinned == ("a",)
    assert asked.policy.banned == ()
    assert "both pinned and banned" in asked.complaints[0]


def test_names_are_those_of_the_fields() -> None:
    assert {"lambda", "rules", "cap", "k"} <= names()
    assert "lambda_" not in names()
    assert "selector" not in names()
