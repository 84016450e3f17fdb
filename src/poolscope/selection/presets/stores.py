"""What libraries and stores do that no policy says."""

from dataclasses import replace

import numpy as np

from poolscope import geometry
from poolscope.geometry import Bools, Floats
from poolscope.model import Order, Pool, Relevance, Selection
from poolscope.selection.base import Task
from poolscope.selection.presets.by_hand import ByHand, by_marginal
from poolscope.selection.presets.request import Request
from poolscope.selection.relevance import Used
from poolscope.selection.similarities import similarities


def llamaindex_mmr(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 in which a candidate pays for its likeness to the last pick alone."""
    run = ByHand(pool, request.policy("mmr", 5, lambda_=0.5, relevance=Relevance.COSINE))
    by_marginal(run, similarities(pool).row, last_only=True)
    return run.finish()


class _SwapRemove:
    """Of equal ones the last in a list in which whoever is taken is replaced by the list's end."""

    def __init__(self, n: int) -> None:
        self._waiting = list(range(n))

    def take(self, tied: Bools) -> int:
        at = max(at for at, place in enumerate(self._waiting) if tied[place])
        place, last = self._waiting[at], self._waiting.pop()
        if at < len(self._waiting):
            self._waiting[at] = last
        return place


def qdrant(pool: Pool, request: Request) -> Selection:
    """MMR at 0.5 over as many candidates as results unless more are asked for; ties to the last."""
    k = 5 if request.k is None else request.k
    depth = k if request.candidates is None else request.candidates
    policy = request.policy("mmr", k, lambda_=0.5, depth=depth, relevance=Relevance.COSINE)
    run = ByHand(pool, policy)
    ties = _SwapRemove(int(run.task.eligible.sum()))
    by_marginal(run, similarities(pool).row, ties=ties)
    return run.finish()


def elasticsearch(pool: Pool, request: Request) -> Selection:
    """MMR over dot + 1, or 1 / (1 - dot) where negative, on both sides; in the pool's order.

    The dot product is that of unit vectors: a pool keeps no lengths.
    """
    policy = request.policy(
        "mmr",
        5,
        lambda_=request.lambda_,
        depth=10 if request.candidates is None else request.candidates,
        relevance=Relevance.COSINE,
        order=Order.RANK,
    )

    def mapped(task: Task) -> Used:
        used = task.used
        weighed = geometry.read_only(_shifted(used.values))
        return replace(used, weighed=weighed, name=f"{used.name}, shifted above 0")

    run = ByHand(pool, policy, mapped)
    known = similarities(pool)
    by_marginal(run, lambda index: _shifted(known.row(index)), measure="shifted dot product")
    return run.finish()


def _shifted(dots: Floats) -> Floats:
    return np.where(dots < 0.0, 1.0 / (1.0 - np.minimum(dots, 0.0)), dots + 1.0)
