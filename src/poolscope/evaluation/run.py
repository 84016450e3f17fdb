"""Work mapped over this machine's cores, question by question, with a way to stop.

A worker gets one question with everything that is asked of it, so that its similarities are worked
out once. What is done when a run is stopped is kept: the caller has it.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Generic, TypeAlias, TypeVar

from threadpoolctl import threadpool_limits

from poolscope.errors import PolicyError, PoolscopeError
from poolscope.evaluation.questions import Question
from poolscope.evaluation.sweep import Curve, Sweep, combined
from poolscope.evaluation.sweep import curves as curves_of
from poolscope.model import Policy, Pool
from poolscope.selection.paths import Axis

AHEAD = 4
"""Questions handed to each worker ahead of time: a pool travels only when it is nearly wanted."""
FEW = 8
"""Questions up to which no worker is started: that takes longer than they do."""

Result = TypeVar("Result")
Numbered: TypeAlias = Iterable[tuple[int, Pool]]


@dataclass(frozen=True, slots=True, eq=False)
class Done(Generic[Result]):
    """What was found for one question.

    Args:
        number: Its place in the golden set.
        result: What the work gave.
    """

    number: int
    result: Result


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a question could not be worked on, as it travels between processes.

    Args:
        problem: What was met.
        remedy: What to do about it.
    """

    problem: str
    remedy: str


def attempt(work: Callable[[Pool], Result], pool: Pool) -> Result | Refused:
    """Do some work on one question; what a person can put right comes back as a value."""
    try:
        return work(pool)
    except PoolscopeError as error:
        return Refused(error.problem, error.remedy)


def mapped(
    pools: Numbered, work: Callable[[Pool], Result], *, workers: int | None = None
) -> Generator[Done[Result | Refused], None, None]:
    """Yield what some work gives for every question as it is done, in any order.

    Closing the generator stops the run.

    Args:
        pools: Questions with their numbers, asked for as they are wanted.
        work: A pure function of one question, which can travel to another process.
        workers: Processes; ``None`` for one a core, 1 for none beside this one.
    """
    count = (os.cpu_count() or 1) if workers is None else workers
    waiting = iter(pools)
    first = list(islice(waiting, FEW + 1))
    if count < 2 or len(first) <= FEW:
        for numbered in (first, waiting):
            for number, pool in numbered:
                with threadpool_limits(1, user_api="blas"):
                    found = attempt(work, pool)
                yield Done(number, found)
        return
    yield from _spread(first, waiting, work, count)


def _spread(
    first: list[tuple[int, Pool]],
    waiting: Iterator[tuple[int, Pool]],
    work: Callable[[Pool], Result],
    workers: int,
) -> Iterator[Done[Result | Refused]]:
    running: dict[Future[Result | Refused], int] = {}
    entries = (entry for part in (first, waiting) for entry in part)
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_one_thread
    ) as executor:
        try:
            while True:
                for number, pool in islice(entries, workers * AHEAD - len(running)):
                    running[executor.submit(attempt, work, pool)] = number
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield Done(running.pop(future), future.result())
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _one_thread() -> None:
    """Give a worker's matrix products one thread: the workers fill the cores."""
    threadpool_limits(1, user_api="blas")


def settled(done: Done[Result | Refused]) -> Done[Result]:
    """Return what was found.

    Raises:
        PolicyError: The question could not be worked on.
    """
    if isinstance(done.result, Refused):
        raise PolicyError(done.result.problem, done.result.remedy)
    return Done(done.number, done.result)


def curves(
    questions: Sequence[Question],
    policies: Sequence[Policy],
    axis: Axis,
    *,
    workers: int | None = None,
) -> Generator[Done[tuple[Curve, ...]], None, None]:
    """Yield every question's curves as they are done, in any order; closing it stops the run.

    Args:
        questions: The golden set.
        policies: Everything but the parameter, several ways.
        axis: The parameter.
        workers: As for ``mapped``.

    Raises:
        PolicyError: A pool lacks what a policy asks for.
    """
    work = partial(curves_of, policies=tuple(policies), axis=axis)
    pools = ((number, item.pool) for number, item in enumerate(questions))
    running = mapped(pools, work, workers=workers)
    try:
        for done in running:
            yield settled(done)
    finally:
        running.close()


def sweep(
    questions: Sequence[Question], policy: Policy, axis: Axis, *, workers: int | None = None
) -> Sweep:
    """Sweep a golden set over one parameter.

    Raises:
        PolicyError: There is no question, or a pool lacks what the policy asks for.
    """
    done = {
        item.number: item.result[0] for item in curves(questions, [policy], axis, workers=workers)
    }
    return combined(questions, [done[number] for number in sorted(done)], policy, axis)
