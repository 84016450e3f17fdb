"""What is asked of every question: one at a time, and put together."""

import pickle  # noqa: TID251 - how work travels between our own processes
from collections.abc import Callable

import numpy as np
import pytest

from poolscope.errors import PoolError
from poolscope.evaluation import plans, run
from poolscope.evaluation.contenders import Contender
from poolscope.evaluation.plans import Known, SweepPlan, TablePlan
from poolscope.evaluation.questions import Question
from poolscope.evaluation.run import Refused, attempt
from poolscope.evaluation.sweep import COVERAGE
from poolscope.model import Facet, Policy, Pool, Stratum
from poolscope.selection import select
from poolscope.selection.paths import Axis

MMR = Policy(selector="mmr", k=4)


def test_a_sweep_put_together_is_the_sweep(golden: Callable[..., list[Question]]) -> None:
    questions, plan = golden(5), SweepPlan(MMR, Axis.LAMBDA)
    found = plans.swept(plan, dict(enumerate(plan(item.pool) for item in questions)))
    assert found is not None
    whole = run.sweep(questions, MMR, Axis.LAMBDA, workers=1)
    np.testing.assert_array_equal(found.sweep.values[COVERAGE], whole.values[COVERAGE])
    oracle = [select(item.pool, MMR.changed(selector="facet_oracle")) for item in questions]
    for ceiling, best in zip(found.ceiling.tolist(), oracle, strict=True):
        covered = (best.pool.marks[best.indices] == 1).any(axis=0).mean()
        assert ceiling == pytest.approx(covered)


def test_other_policies_are_followed_beside(golden: Callable[..., list[Question]]) -> None:
    others = (MMR.changed(depth=6), MMR.changed(selector="mmr_cap", cap=1))
    questions, plan = golden(3), SweepPlan(MMR, Axis.LAMBDA, others)
    found = plans.swept(plan, dict(enumerate(plan(item.pool) for item in questions)))
    assert found is not None
    assert [sweep.policy for sweep in (found.sweep, *found.others)] == [MMR, *others]
    for sweep in (found.sweep, *found.others):
        alone = run.sweep(questions, sweep.policy, Axis.LAMBDA, workers=1)
        np.testing.assert_array_equal(sweep.starts, alone.starts)
        np.testing.assert_array_equal(sweep.values[COVERAGE], alone.values[COVERAGE])


def test_questions_that_were_refused_stand_apart(
    golden: Callable[..., list[Question]], make_pool: Callable[..., Pool]
) -> None:
    plan = TablePlan((Contender("Top-k"), Contender("MMR", MMR)))
    pools = [golden(1)[0].pool, make_pool(3), golden(1, facets=1)[0].pool]
    found = plans.measured(plan, {at: attempt(plan, pool) for at, pool in enumerate(pools)})
    assert found is not None
    assert found.gathered.numbers == (0, 2)
    assert [item.stratum for item in found.gathered.known] == [Stratum.SEVERAL, Stratum.ONE]
    assert list(found.gathered.refused) == [1]
    assert "no facets" in found.gathered.refused[1].problem
    assert [len(row.values[COVERAGE]) for row in found.rows] == [2, 2]


def test_nothing_measured_is_nothing() -> None:
    refused = {0: Refused("No.", "Do.")}
    assert plans.swept(SweepPlan(MMR, Axis.K), refused) is None
    assert plans.measured(TablePlan((Contender("x"),)), {}) is None


def test_a_question_is_known_by_what_is_left_of_it(make_pool: Callable[..., Pool]) -> None:
    facets = (Facet("a", "A"), Facet("b", "B"))
    pool = make_pool(2, facets=facets, judgements=np.array([[1, 0], [1, 0]], dtype=np.int8))
    assert Known.of(pool) == Known("a question", "a question", Stratum.SEVERAL, 2, 1)
    assert Known.of(pool, Stratum.ONE).stratum is Stratum.ONE
    with pytest.raises(PoolError, match="no facets"):
        Known.of(make_pool(2))


def test_plans_travel() -> None:
    for plan in (SweepPlan(MMR, Axis.CAP), TablePlan((Contender("x", preset="grouped"),))):
        assert pickle.loads(pickle.dumps(plan)) == plan  # noqa: S301


def test_a_rule_that_compares_is_refused_where_there_are_no_vectors(
    make_pool: Callable[..., Pool],
) -> None:
    """Without them it would select nothing, and a coverage of 0 would be a false verdict."""
    facets = (Facet("a", "A"),)
    pool = make_pool(3, facets=facets, judgements=np.array([[1], [1], [1]], dtype=np.int8))
    refused = attempt(SweepPlan(MMR, Axis.LAMBDA), pool)
    assert isinstance(refused, Refused)
    assert refused.problem == "“MMR” needs vectors; there are none."
    top, mmr = TablePlan((Contender("Top-k"), Contender("MMR", MMR)))(pool).outcomes
    assert not isinstance(top, Refused)
    assert top[COVERAGE] == 1.0
    assert isinstance(mmr, Refused)
