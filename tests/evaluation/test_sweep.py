"""Sweeps: the mean of exact step functions, against direct selections and published figures."""

from collections.abc import Callable

import numpy as np
import pytest

from poolscope.errors import PolicyError
from poolscope.evaluation import run
from poolscope.evaluation.questions import Question
from poolscope.evaluation.sweep import HIT, NAMES, Sweep, combined, curve, outcome
from poolscope.model import Policy, Stratum
from poolscope.selection.paths import Axis

MMR = Policy(selector="mmr", k=4)


def test_every_value_of_a_sweep_is_that_of_a_direct_selection(
    golden: Callable[..., list[Question]],
) -> None:
    questions = golden(6)
    for axis, low, high in ((Axis.LAMBDA, 0.0, 1.0), (Axis.DEPTH, 0, 24), (Axis.K, 0, 24)):
        found = run.sweep(questions, MMR, axis, workers=1)
        assert found.exact
        random = np.random.default_rng(3)
        points = random.uniform(low, high, 20)
        if axis is not Axis.LAMBDA:
            points = np.rint(points)
        for point in (*points.tolist(), float(low), float(high)):
            value = point if axis is Axis.LAMBDA else int(point)
            for number, item in enumerate(questions):
                wanted = outcome(item.pool, MMR.changed(**{axis.value: value}))
                for name in NAMES:
                    got = found.at(point, name)[number]
                    assert got == pytest.approx(wanted[name], nan_ok=True, abs=1e-12), (axis, name)


def test_pieces_tile_the_range(golden: Callable[..., list[Question]]) -> None:
    found = run.sweep(golden(5), MMR, Axis.LAMBDA, workers=1)
    assert (found.starts[0], found.ends[-1]) == (0.0, 1.0)
    assert (np.nextafter(found.ends[:-1], 2.0) == found.starts[1:]).all()


def test_the_best_stretches_are_all_of_them_and_no_more(
    golden: Callable[..., list[Question]],
) -> None:
    found = run.sweep(golden(8, seed=2), MMR, Axis.LAMBDA, workers=1)
    mean = found.mean("facet_coverage")
    best = found.best("facet_coverage")
    covered = np.zeros(len(mean), dtype=bool)
    for stretch in best:
        assert stretch.value == pytest.approx(mean.max(), abs=1e-12)
        covered |= (found.starts >= stretch.low) & (found.ends <= stretch.high)
    assert covered.tolist() == (mean >= mean.max() - 1e-12).tolist()


def test_strata_stand_apart(golden: Callable[..., list[Question]]) -> None:
    several, one = golden(3), golden(2, facets=1, seed=9)
    found = run.sweep([*several, *one], MMR, Axis.LAMBDA, workers=1)
    assert found.strata == (*[Stratum.SEVERAL] * 3, *[Stratum.ONE] * 2)
    alone = run.sweep(one, MMR, Axis.LAMBDA, workers=1)
    for value in (0.1, 0.5, 0.9):
        together = found.mean(HIT, Stratum.ONE)[found.place(value)]
        assert together == pytest.approx(alone.mean(HIT)[alone.place(value)])


def test_a_smaller_pool_keeps_its_last_value(golden: Callable[..., list[Question]]) -> None:
    small, large = golden(1, n=10), golden(1, n=24)
    found = run.sweep([*small, *large], MMR, Axis.DEPTH, workers=1)
    assert found.ends[-1] == 24
    at_ten, at_end = found.at(10, "facet_coverage")[0], found.at(24, "facet_coverage")[0]
    assert at_ten == at_end


def test_workers_give_what_one_process_gives(golden: Callable[..., list[Question]]) -> None:
    questions = golden(12, n=12)
    alone = run.sweep(questions, MMR, Axis.LAMBDA, workers=1)
    spread = run.sweep(questions, MMR, Axis.LAMBDA, workers=2)
    assert spread.names == alone.names
    assert spread.starts.tolist() == alone.starts.tolist()
    np.testing.assert_array_equal(spread.values["facet_coverage"], alone.values["facet_coverage"])


def test_a_run_that_is_stopped_keeps_what_is_done(golden: Callable[..., list[Question]]) -> None:
    questions = golden(12, n=12)
    running = run.curves(questions, [MMR], Axis.LAMBDA, workers=2)
    done = [next(running) for _ in range(3)]
    running.close()
    kept = [questions[item.number] for item in done]
    found = combined(kept, [item.result[0] for item in done], MMR, Axis.LAMBDA)
    assert len(found.names) == 3


def test_what_cannot_be_asked_is_refused(golden: Callable[..., list[Question]]) -> None:
    with pytest.raises(PolicyError, match="no question"):
        run.sweep([], MMR, Axis.LAMBDA, workers=1)
    found = run.sweep(golden(1), MMR, Axis.LAMBDA, workers=1)
    with pytest.raises(PolicyError, match="outside 0 to 1"):
        found.place(1.5)


def test_a_curve_is_a_pure_function(golden: Callable[..., list[Question]]) -> None:
    (item,) = golden(1)
    first, second = (curve(item.pool, MMR, Axis.LAMBDA) for _ in range(2))
    assert first.starts.tolist() == second.starts.tolist()
    assert isinstance(first.values["facet_coverage"], np.ndarray)


def test_means_of_no_question_are_undefined(golden: Callable[..., list[Question]]) -> None:
    found: Sweep = run.sweep(golden(2), MMR, Axis.LAMBDA, workers=1)
    assert np.isnan(found.mean(HIT, Stratum.ONE)).all()
    assert found.best(HIT, Stratum.ONE) == ()
