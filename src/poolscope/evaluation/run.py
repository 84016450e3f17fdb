"""Sweeps mapped over this machine's cores, question by question, with a way to stop.

A worker gets one question with all policies, so that its similarities are worked out once. What is
done when a run is stopped is kept: the caller has it.
"""

import os
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context

from threadpoolctl import threadpool_limits

from poolscope.evaluation.questions import Question
from poolscope.evaluation.sweep import Curve, Sweep, combined
from poolscope.evaluation.sweep import curves as sweep_curves
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis

AHEAD = 4
"""Questions handed to each worker ahead of time: a pool travels only when it is nearly wanted."""
FEW = 8
"""Questions up to which no worker is started: that takes longer than they do."""


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """One question's curves.

    Args:
        number: Its place in the golden set.
        curves: One a policy, in order.
    """

    number: int
    curves: tuple[Curve, ...]


def curves_of(pool: Pool, policies: Sequence[Policy], axis: Axis) -> tuple[Curve, ...]:
    """Follow one question over one parameter under several policies: a pure function.

    Raises:
        PolicyError: The pool lacks what a policy asks for.
    """
    return sweep_curves(pool, policies, axis)


def curves(
    questions: Sequence[Question],
    policies: Sequence[Policy],
    axis: Axis,
    *,
    workers: int | None = None,
) -> Generator[Done, None, None]:
    """Yield every question's curves as they are done, in any order; closing it stops the run.

    Args:
        questions: The golden set.
        policies: Everything but the parameter, several ways.
        axis: The parameter.
        workers: Processes; ``None`` for one a core, 1 for none beside this one.

    Raises:
        PolicyError: A pool lacks what a policy asks for.
    """
    count = (os.cpu_count() or 1) if workers is None else workers
    if count < 2 or len(questions) <= FEW:
        for number, item in enumerate(questions):
            with threadpool_limits(1, user_api="blas"):
                found = curves_of(item.pool, policies, axis)
            yield Done(number, found)
        return
    yield from _mapped(questions, tuple(policies), axis, count)


def _mapped(
    questions: Sequence[Question], policies: tuple[Policy, ...], axis: Axis, workers: int
) -> Iterator[Done]:
    waiting = iter(enumerate(questions))
    running: dict[Future[tuple[Curve, ...]], int] = {}
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_one_thread
    ) as executor:
        try:
            while True:
                while len(running) < workers * AHEAD and (entry := next(waiting, None)) is not None:
                    number, item = entry
                    running[executor.submit(curves_of, item.pool, policies, axis)] = number
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield Done(running.pop(future), future.result())
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _one_thread() -> None:
    """Give a worker's matrix products one thread: the workers fill the cores."""
    threadpool_limits(1, user_api="blas")


def sweep(
    questions: Sequence[Question], policy: Policy, axis: Axis, *, workers: int | None = None
) -> Sweep:
    """Sweep a golden set over one parameter.

    Raises:
        PolicyError: There is no question, or a pool lacks what the policy asks for.
    """
    done = {
        item.number: item.curves[0] for item in curves(questions, [policy], axis, workers=workers)
    }
    return combined(questions, [done[number] for number in sorted(done)], policy, axis)
