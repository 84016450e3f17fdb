"""Names of groups and rows of words, by hand."""

import math

import numpy as np
import pytest

from poolscope.golden.key_phrases import key_phrases, word_rows, words


def test_words_are_in_small_letters_with_their_hyphens() -> None:
    assert words("St John's wort, X-ray (A1)!") == ["st", "john's", "wort", "x-ray", "a1"]


def test_rows_weigh_what_two_texts_share_by_its_rarity() -> None:
    rows = word_rows(["pump pump valve", "pump valve", "valve only here", ""])
    # “pump” stands in 2 of 4 texts, “valve” in 3; all others in one.
    pump, valve = math.log(5 / 3), math.log(5 / 4)
    twice = (1 + math.log(2)) * pump
    assert rows[0] == pytest.approx(np.array([twice, valve]) / math.hypot(twice, valve))
    assert rows[1] == pytest.approx(np.array([pump, valve]) / math.hypot(pump, valve))
    assert rows[2].tolist() == [0.0, 1.0]
    assert rows[3].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("texts", [[], ["one"], ["one", "two"], ["", ""]])
def test_texts_that_share_nothing_have_zero_rows(texts: list[str]) -> None:
    rows = word_rows(texts)
    assert rows.shape == (len(texts), 1)
    assert not rows.any()


REFUNDS = [
    "Refund requests take two weeks. The card is credited.",
    "You file refund requests in the shop.",
]
KEYS = ["Rotate the signing key each year.", "A signing key is kept in the vault."]
REST = ["The shop opens at nine.", "Two weeks of holidays.", "Each year we close the shop."]


def test_a_group_is_named_by_what_its_texts_share_and_others_do_not() -> None:
    assert key_phrases([REFUNDS, KEYS], REST) == [("refund requests",), ("signing key",)]


def test_what_is_common_everywhere_comes_last() -> None:
    groups = [["pump alarm. system", "pump broke. system"], ["valve x. system", "valve y. system"]]
    rest = ["system", "system of old", "system and system"]
    assert key_phrases(groups, rest) == [("pump", "system"), ("valve", "system")]


def test_a_phrase_stays_within_a_clause_and_within_two_texts() -> None:
    # “alpha beta” stands across a full stop in one of the two, “gamma” in one text only.
    (found,) = key_phrases([["alpha beta gamma", "alpha. beta"]], [])
    assert set(found) == {"alpha", "beta"}


def test_singular_and_plural_do_not_both_name_a_group() -> None:
    (found,) = key_phrases([["effect effects pain", "effects effect pain"]], ["other"])
    assert len([phrase for phrase in found if "effect" in phrase]) == 1


def test_function_words_and_numbers_name_nothing() -> None:
    assert key_phrases([["the of 14", "the of 14"]], []) == [()]
    assert key_phrases([], ["text"]) == []
