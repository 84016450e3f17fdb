"""Runs: several policies at once, one question at a time."""

import pickle  # noqa: TID251 - how a pool travels between our own processes
from collections.abc import Callable

import numpy as np

from poolscope.evaluation import run
from poolscope.evaluation.questions import Question
from poolscope.model import Policy
from poolscope.selection.paths import Axis


def test_several_policies_share_a_question(golden: Callable[..., list[Question]]) -> None:
    questions = golden(2, n=12)
    policies = [Policy(selector="mmr", k=3, depth=depth) for depth in (6, 12)]
    done = list(run.curves(questions, policies, Axis.LAMBDA, workers=1))
    assert [item.number for item in done] == [0, 1]
    for item in done:
        assert len(item.curves) == 2
    shallow = run.curves_of(questions[0].pool, policies[:1], Axis.LAMBDA)[0]
    assert done[0].curves[0].starts.tolist() == shallow.starts.tolist()


def test_a_pool_travels_whole_and_forgets_what_it_worked_out(
    golden: Callable[..., list[Question]],
) -> None:
    pool = golden(1)[0].pool
    run.curves_of(pool, [Policy(selector="mmr")], Axis.LAMBDA)
    assert pool.kept
    other = pickle.loads(pickle.dumps(pool))  # noqa: S301
    assert other.digest == pool.digest
    assert not other.kept
    assert not other.vectors.flags.writeable
    np.testing.assert_array_equal(other.marks, pool.marks)
