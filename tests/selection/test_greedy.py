"""The greedy loop: each step against a plain one, ties, budget, and what it notes."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.model import Cause, Policy, Pool, Relevance
from poolscope.selection import named, select
from poolscope.selection.base import Draft, Task
from poolscope.selection.greedy import BestRanked, Marginal, climb, explain
from poolscope.selection.similarities import similarities

MakePool: TypeAlias = Callable[..., Pool]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lambda_", [0.0, 0.3, 0.7])
def test_marginal_relevance_is_that_of_mmr(make_pool: MakePool, seed: int, lambda_: float) -> None:
    rng = np.random.default_rng(seed)
    pool = make_pool(vectors=rng.normal(size=(15, 4)), scores=np.linspace(0.9, 0.2, 15))
    policy = Policy(selector="mmr", k=8, lambda_=lambda_, relevance=Relevance.SCORE)
    task = Task.of(pool, policy, named("mmr"))
    draft, row = Draft(task), similarities(pool).row
    draft.admit(0, select(pool, policy).rules[0])
    index = np.arange(1, 15)
    gains = climb(task, draft, index, Marginal(task.used.weighed[index], lambda_, row, index))
    explain(draft, gains, row)
    ours, theirs = draft.finish(()), select(pool, policy)
    assert ours.indices.tolist() == theirs.indices.tolist()
    np.testing.assert_allclose(ours.redundancies, theirs.redundancies, atol=1e-12)
    np.testing.assert_allclose(ours.margins[1:], theirs.margins[1:], atol=1e-12)
    assert ours.blockers.tolist() == theirs.blockers.tolist()
    assert ours.runners_up[1:].tolist() == theirs.runners_up[1:].tolist()
    for at in range(15):
        mine, other = ours.reason(at), theirs.reason(at)
        assert (mine is None) == (other is None)
        if mine is not None and other is not None and other.cause is Cause.TOO_SIMILAR:
            assert mine.cause is Cause.TOO_SIMILAR
            assert mine.blocker == other.blocker
            assert mine.value == pytest.approx(other.value)
            assert mine.last_value == pytest.approx(other.last_value)


def test_among_equals_the_best_ranked_is_taken() -> None:
    assert BestRanked().take(np.array([False, True, True])) == 1


def test_a_step_that_counts_only_the_last_pick(make_pool: MakePool) -> None:
    pool = make_pool(vectors=[[1, 0], [0, 1], [1, 0]])
    index = np.arange(3)
    objective = Marginal(np.zeros(3), 0.5, similarities(pool).row, index, last_only=True)
    objective.add(0)
    objective.add(1)
    assert objective.gains().tolist() == [0.0, -0.5, 0.0]


def test_nobody_eligible_gives_nothing(make_pool: MakePool) -> None:
    pool = make_pool(2, vectors=np.eye(2))
    task = Task.of(pool, Policy(selector="mmr", banned=("d1", "d2")), named("mmr"))
    draft = Draft(task)
    index = np.arange(2)
    assert (
        climb(task, draft, index, Marginal(np.ones(2), 0.5, similarities(pool).row, index)) is None
    )
    explain(draft, None, similarities(pool).row)
    assert len(draft.finish(())) == 0
