"""Policies as TOML: written and read back the same, and what is wrong with a file said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope.errors import FormatError, PolicyError
from poolscope.model import (
    MissingKey,
    NearCopy,
    OnBudget,
    Order,
    Policy,
    Relevance,
    Scaling,
    policy_toml,
)

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    pairs = st.dictionaries(NAMES, st.integers(1, 9), max_size=3).map(lambda d: tuple(d.items()))
    return Policy(
        selector=draw(st.sampled_from(["top_k", "mmr", "mmr_cap"])),
        k=draw(st.integers(0, 50)),
        depth=draw(st.none() | st.integers(0, 99)),
        lambda_=draw(st.floats(0.0, 1.0)),
        cap=draw(st.integers(1, 9)),
        key=draw(NAMES),
        overrides=draw(pairs),
        quotas=draw(pairs),
        backfill=draw(st.booleans()),
        near_copies=draw(st.sampled_from([(), (NearCopy.WORDS, NearCopy.COSINE)])),
        copy_words=draw(st.floats(0.01, 1.0)),
        relevance=draw(st.none() | st.sampled_from(Relevance)),
        scaling=draw(st.none() | st.sampled_from(Scaling)),
        missing_key=draw(st.sampled_from(MissingKey)),
        budget=draw(st.none() | st.integers(0, 9_999)),
        on_budget=draw(st.sampled_from(OnBudget)),
        order=draw(st.sampled_from(Order)),
        pinned=tuple(draw(st.lists(NAMES.map("p{}".format), max_size=2))),
        banned=tuple(draw(st.lists(NAMES.map("b{}".format), max_size=2))),
    )


@given(policy=policies())
def test_what_is_written_is_read_back(policy: Policy) -> None:
    assert policy_toml.read(policy_toml.write(policy)) == policy


def test_a_file_says_what_is_not_the_default() -> None:
    policy = Policy(selector="mmr_cap", lambda_=0.7, overrides=(("hand book", 4),))
    assert policy_toml.write(policy) == (
        'selector = "mmr_cap"\nk = 5\nlambda = 0.7\n\n[overrides]\n"hand book" = 4\n'
    )
    assert policy_toml.read("lambda = 1") == Policy(lambda_=1.0)


@pytest.mark.parametrize("text", ["", "\n  \n", "# selector = 'mmr'\n"])
def test_a_file_without_a_setting_is_no_policy(text: str) -> None:
    with pytest.raises(FormatError, match=r"policy\.toml: There is no setting in it") as met:
        policy_toml.read(text, "policy.toml")
    assert 'selector = "mmr"' in met.value.remedy


def test_a_setting_that_must_be_said_is_missed() -> None:
    with pytest.raises(FormatError, match="It does not say “selector”"):
        policy_toml.read("lambda = 0.8", needs=("selector",))
    assert policy_toml.read('selector = "top_k"', needs=("selector",)) == Policy()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k = ", "not TOML"),
        ("fetch_k = 20", "no setting “fetch_k”"),
        ('k = "5"', "It is '5'"),
        ("k = 5.0", "It is 5.0"),
        ("k = true", "It is True"),
        ("backfill = 1", "It is 1"),
        ("selector = 3", "It is 3"),
        ("relevance = 1", "It is 1"),
        ("overrides = 3", "no table"),
        ("near_copies = 'cosine'", "no list of names"),
        ("pinned = [1]", "no list of names"),
        ("lambda = 0.5\nlambda_ = 0.6", "Both"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        policy_toml.read(text, "policy.toml")
    assert caught.value.place.file == "policy.toml"
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lambda = 1.5", "lambda is 1.5"),
        ('lambda = "0.5"', "lambda is '0.5'"),
        ("cap = 0", "cap is 0"),
        ("[overrides]\na = 0", "cap for “a”"),
        ('[quotas]\na = "x"', "quota for “a”"),
        ('near_copies = ["twins"]', "near copies"),
        ('order = "any"', "order"),
    ],
)
def test_what_is_out_of_range_names_the_file(text: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as caught:
        policy_toml.read(text, "policy.toml")
    assert caught.value.place.file == "policy.toml"
