"""A run in a process of its own: real processes, which end by themselves."""

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import pytest

from poolscope.evaluation import background, run
from poolscope.evaluation.background import Run, State
from poolscope.evaluation.questions import Question
from poolscope.evaluation.run import Refused
from poolscope.evaluation.sweep import COVERAGE, Curve, curves
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis

SECONDS = 600
MMR = Policy(selector="mmr", k=3)
WORK = partial(curves, policies=(MMR,), axis=Axis.LAMBDA)
Pools = Callable[[list[int]], Iterable[tuple[int, Pool]]]


def until(state: State, running: Run[tuple[Curve, ...]]) -> None:
    last = time.monotonic() + SECONDS
    while running.progress().state is not state:
        assert time.monotonic() < last, running.progress()
        threading.Event().wait(0.02)


def test_it_finds_what_one_process_finds(golden: Callable[..., list[Question]]) -> None:
    questions = golden(10, n=10)
    running = Run(10, lambda todo: ((i, questions[i].pool) for i in todo), WORK)
    running.start()
    until(State.DONE, running)
    alone = {
        item.number: item.result for item in run.curves(questions, [MMR], Axis.LAMBDA, workers=1)
    }
    found = running.found()
    assert list(found) == list(range(10))
    for number, result in found.items():
        assert not isinstance(result, Refused)
        np.testing.assert_array_equal(result[0].values[COVERAGE], alone[number][0].values[COVERAGE])
    progress = running.progress()
    assert (progress.done, progress.total, progress.left) == (10, 10, 0.0)
    running.start()  # nothing is left to do
    assert running.progress().state is State.DONE


def test_what_is_done_is_kept_when_it_is_stopped_and_the_rest_done_later(
    golden: Callable[..., list[Question]],
) -> None:
    questions = golden(12, n=8)
    asked: list[list[int]] = []
    reached, gate = threading.Event(), threading.Event()

    def pools(todo: list[int]) -> Iterable[tuple[int, Pool]]:
        asked.append(todo)
        for number in todo:
            if number == 2 and len(asked) == 1:
                reached.set()
                gate.wait(SECONDS)
            yield number, questions[number].pool

    running = Run(12, pools, WORK)
    running.start()
    running.start()  # it is under way: once is enough
    assert reached.wait(SECONDS)
    running.stop()
    gate.set()
    until(State.STOPPED, running)
    kept = set(running.found())
    assert kept < set(range(12))
    running.start()
    until(State.DONE, running)
    assert set(running.found()) == set(range(12))
    assert set(asked[-1]) == set(range(12)) - kept


def test_a_refused_question_is_found_as_that(make_pool: Callable[..., Pool]) -> None:
    work = partial(curves, policies=(MMR.changed(selector="mmr_cap", key="team"),), axis=Axis.CAP)
    unread = Refused("It cannot be read.", "Mend it.")
    for total in (2, 10):  # in a thread, and in a process
        running = Run(total, lambda todo: ((i, make_pool(3) if i else unread) for i in todo), work)
        running.start()
        until(State.DONE, running)
        assert len(running.found()) == total
    first, second, *_ = running.found().values()
    assert first == unread
    assert isinstance(second, Refused)
    assert "no field “team”" in second.problem


def test_one_waits_for_another(golden: Callable[..., list[Question]]) -> None:
    questions = golden(1, n=8)
    running = Run(1, lambda todo: ((i, questions[i].pool) for i in todo), WORK)
    with background._TURN:
        running.start()
        assert running.progress().state is State.WAITING
        assert running.progress().left is None
        running.stop()
    until(State.STOPPED, running)
    assert not running.found()


def _raising(failing: type[Exception]) -> Iterable[tuple[int, Pool]]:
    raise failing("no questions")


@pytest.mark.parametrize(("failing", "total"), [(OSError, 10), (RuntimeError, 10), (OSError, 1)])
def test_questions_that_cannot_be_given_end_it(failing: type[Exception], total: int) -> None:
    def pools(_: list[int]) -> Iterable[tuple[int, Pool]]:
        yield from _raising(failing)

    running = Run(total, pools, WORK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "excepthook", lambda _: None)
        running.start()
        until(State.LOST, running)
