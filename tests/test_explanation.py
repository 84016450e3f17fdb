"""The rows of Explain: the trace, the reasons, shared text and neighbours."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolscope import explanation
from poolscope.model import Policy, Pool
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]
Sample: TypeAlias = Callable[[str], Pool]


@pytest.fixture
def checkout(sample: Sample) -> Pool:
    return sample("checkout")


def test_the_trace_says_what_each_pick_paid_and_to_whom(checkout: Pool) -> None:
    selection = select(checkout, Policy(selector="mmr", lambda_=0.6))
    first, second, *_ = explanation.trace(selection)
    assert (first.slot, first.index, first.penalty, first.blocker) == (1, 0, None, None)
    assert second.index == 8
    assert second.blocker == 0
    assert second.similarity == pytest.approx(0.8 * 0.792, abs=1e-12)
    assert second.penalty == pytest.approx(0.4 * 0.8 * 0.792, abs=1e-12)


def test_a_pick_stands_over_the_stretch_in_which_its_slot_holds_it(checkout: Pool) -> None:
    policy = Policy(selector="mmr", lambda_=0.6)
    for row in explanation.trace(select(checkout, policy)):
        assert row.stands is not None
        low, high = row.stands
        assert low <= 0.6 <= high
        for inside in (low, high, (low + high) / 2):
            picked = select(checkout, policy.changed(lambda_=inside)).indices
            assert picked[row.slot - 1] == row.index
        for outside in (low - 1e-6, high + 1e-6):
            if 0.0 <= outside <= 1.0:
                picked = select(checkout, policy.changed(lambda_=outside)).indices
                assert picked[row.slot - 1] != row.index


def test_a_rule_without_lambda_has_no_stretch(checkout: Pool) -> None:
    assert [row.stands for row in explanation.trace(select(checkout, Policy()))] == [None] * 5


def test_every_candidate_is_in_or_has_a_reason(checkout: Pool) -> None:
    selection = select(checkout, Policy(selector="mmr", lambda_=0.6, depth=40))
    rows = explanation.rows(selection)
    assert [row.index for row in rows] == list(range(50))
    slots = {row.slot: row.index for row in rows if row.slot is not None}
    assert [slots[slot] for slot in sorted(slots)] == selection.indices.tolist()
    for row in rows:
        assert (row.slot is None) == bool(row.reason)
        assert (row.cause == "selected") == (row.slot is not None)
    assert {row.cause for row in rows[40:]} == {"beyond depth"}


def test_shared_text_is_marked_from_three_words_on() -> None:
    first, second = explanation.shared_text(
        "The node restarts in a loop, then stops.", "We saw: the node restarts in a loop again."
    )
    shared = [piece.text.strip() for piece in first if piece.is_shared]
    assert shared == ["node restarts in a loop"]
    assert [piece.text.strip() for piece in second if piece.is_shared] == shared


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_pieces_are_the_passages_again(first: str, second: str) -> None:
    left, right = explanation.shared_text(first, second)
    assert "".join(piece.text for piece in left) == first
    assert "".join(piece.text for piece in right) == second


def test_the_pairwise_matrix_has_a_gap_where_a_vector_is_missing(make_pool: MakePool) -> None:
    pool = make_pool(
        vectors=[[1.0, 0.0], [0.6, 0.8], [0.0, 0.0]], has_vector=np.array([True, True, False])
    )
    cosines = explanation.pairwise(select(pool, Policy(k=3)))
    assert cosines[0, 1] == pytest.approx(0.6)
    assert np.isnan(cosines[2]).all()
    assert np.isnan(cosines[:, 2]).all()


def test_neighbours_are_of_the_same_source_at_near_positions(make_pool: MakePool) -> None:
    pool = make_pool(6, sources="aabaaa", positions=(4, 5, 5, 9, 3, None))
    assert explanation.neighbours(pool, 0) == (4, 0, 1)
    assert explanation.neighbours(pool, 3) == (3,)
    assert explanation.neighbours(pool, 5) == ()
