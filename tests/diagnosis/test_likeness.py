"""Likeness beyond the question: partial correlations, held against a computation of their own."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.diagnosis.likeness import Likeness
from poolscope.model import Pool

MakePool: TypeAlias = Callable[..., Pool]


def likeness(pool: Pool) -> Likeness:
    return Likeness(pool, tuple(range(min(4, len(pool)))), tuple(range(len(pool))))


def test_it_is_the_cosine_of_what_is_left_without_the_question(make_pool: MakePool) -> None:
    rng = np.random.default_rng(3)
    rows, question = rng.normal(size=(6, 9)), rng.normal(size=9)
    found = likeness(make_pool(vectors=rows, query_vector=question)).beyond_question(
        range(6), range(6)
    )
    unit = question / np.linalg.norm(question)
    left = rows - np.outer(rows @ unit, unit)
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    assert found is not None
    np.testing.assert_allclose(found, left @ left.T, atol=1e-9)


def test_passages_near_the_question_are_not_alike_for_that(make_pool: MakePool) -> None:
    rows = 0.3 * np.eye(5)[:4] + np.eye(5)[4]
    pool = make_pool(vectors=rows, query_vector=[0, 0, 0, 0, 1])
    same = likeness(pool)
    assert same.cosines[0, 1] > 0.9
    assert same.shared_by([0, 1, 2, 3]) == pytest.approx(0.0, abs=1e-9)


def test_cosine_scores_stand_in_for_the_questions_vector(make_pool: MakePool) -> None:
    rows = 0.3 * np.eye(5)[:4] + np.eye(5)[4]
    score = 1.0 / np.sqrt(1.09)
    pool = make_pool(vectors=rows, scores=[score] * 4)
    assert likeness(pool).shared_by([0, 1]) == pytest.approx(0.0, abs=1e-9)


def test_it_is_unknown_without_vectors_or_without_the_question(make_pool: MakePool) -> None:
    assert likeness(make_pool(4)).beyond_question([0], [1]) is None
    assert likeness(make_pool(vectors=np.eye(4))).beyond_question([0], [1]) is None
    assert np.isnan(likeness(make_pool(4)).shared_by([0, 1]))
    assert np.isnan(likeness(make_pool(vectors=np.eye(3), query_vector=[1, 1, 1])).shared_by([0]))
