"""Runs: several policies at once, one question at a time."""

import pickle  # noqa: TID251 - how a pool travels between our own processes
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.evaluation import run
from poolscope.evaluation.questions import Question
from poolscope.evaluation.sweep import curves
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis


def test_several_policies_share_a_question(golden: Callable[..., list[Question]]) -> None:
    questions = golden(2, n=12)
    policies = [Policy(selector="mmr", k=3, depth=depth) for depth in (6, 12)]
    done = list(run.curves(questions, policies, Axis.LAMBDA, workers=1))
    assert [item.number for item in done] == [0, 1]
    for item in done:
        assert len(item.result) == 2
    shallow = curves(questions[0].pool, policies[:1], Axis.LAMBDA)[0]
    assert done[0].result[0].starts.tolist() == shallow.starts.tolist()


def test_a_pool_travels_whole_and_forgets_what_it_worked_out(
    golden: Callable[..., list[Question]],
) -> None:
    pool = golden(1)[0].pool
    curves(pool, [Policy(selector="mmr")], Axis.LAMBDA)
    assert pool.kept
    other = pickle.loads(pickle.dumps(pool))  # noqa: S301
    assert other.digest == pool.digest
    assert not other.kept
    assert not other.vectors.flags.writeable
    np.testing.assert_array_equal(other.marks, pool.marks)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_pool_lacks_is_said_from_any_process(
    golden: Callable[..., list[Question]], workers: int
) -> None:
    policy = Policy(selector="mmr_cap", key="nowhere")
    running = run.curves(golden(10, n=8), [policy], Axis.LAMBDA, workers=workers)
    with pytest.raises(PolicyError, match="nowhere") as caught:
        next(running)
    assert "Choose one of" in caught.value.remedy


def test_a_question_that_is_refused_hides_no_other(make_pool: Callable[..., Pool]) -> None:
    pools = [
        make_pool(3, fields={"team": ("a", "b", "a")}),
        make_pool(3),
        make_pool(2, fields={"team": ("a", "b")}),
    ]
    policy = Policy(selector="two_pass_cap", key="team")
    work = partial(curves, policies=(policy,), axis=Axis.CAP)
    found = {done.number: done.result for done in run.mapped(enumerate(pools), work, workers=1)}
    assert isinstance(found[0], tuple)
    assert found[1] == run.Refused("The pool has no field “team”.", "Choose one of: source.")
    assert isinstance(found[2], tuple)
