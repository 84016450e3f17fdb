"""Runs that nobody looks at any more give way; what is done of them is kept."""

import threading
import time
from collections.abc import Callable, Iterable

from poolscope.evaluation.background import Run, State
from poolscope.evaluation.contenders import Contender
from poolscope.evaluation.plans import Measured, TablePlan
from poolscope.model import Pool
from poolscope.ui.evaluate_looks import Looks

SECONDS = 600
PLAN = TablePlan((Contender("Top-k"),))


class Held:
    """A run of three questions that stands at the second until it is let go."""

    def __init__(self, pool: Pool) -> None:
        self.gate = threading.Event()
        self.run: Run[Measured] = Run(3, self._pools, PLAN)
        self._pool = pool

    def _pools(self, todo: list[int]) -> Iterable[tuple[int, Pool]]:
        for number in todo:
            if number == 1:
                self.gate.wait(SECONDS)
            yield number, self._pool


def until(state: State, run: Run[Measured]) -> None:
    last = time.monotonic() + SECONDS
    while run.progress().state is not state:
        assert time.monotonic() < last, run.progress()
        threading.Event().wait(0.01)


def test_a_run_is_left_when_its_only_session_asks_for_another(
    make_pool: Callable[..., Pool],
) -> None:
    looks, one, two = Looks(), Held(make_pool(3)), Held(make_pool(3))
    looks.at(one.run, "a", lambda _: True)
    one.run.start()
    until(State.RUNNING, one.run)
    looks.at(one.run, "a", lambda _: True)  # the same again leaves nothing
    assert not one.run.is_left()
    looks.at(two.run, "a", lambda _: True)
    assert one.run.is_left()
    one.gate.set()
    until(State.STOPPED, one.run)
    assert one.run.progress().done < 3
    one.run.start()  # who comes back
    assert not one.run.is_left()
    until(State.DONE, one.run)


def test_a_run_that_others_look_at_goes_on_until_they_are_gone(
    make_pool: Callable[..., Pool],
) -> None:
    looks, one, two = Looks(), Held(make_pool(3)), Held(make_pool(3))
    for viewer in ("a", "b"):
        looks.at(one.run, viewer, lambda _: True)
    one.run.start()
    looks.at(two.run, "a", lambda _: True)
    assert not one.run.is_left()
    looks.at(two.run, "c", lambda name: name != "b")  # b has reloaded the page, and is c now
    assert one.run.is_left()
    one.gate.set()
    until(State.STOPPED, one.run)
