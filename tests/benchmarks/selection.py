"""How long selecting takes beside pyversity: ``python tests/benchmarks/selection.py``.

Run it with ``OPENBLAS_NUM_THREADS=1``: at these sizes one thread is faster than two; ``paths``,
``select`` or ``first`` behind it runs one part. Rows are random around one centre in 25 candidates.
pyversity gets the MMR strategy with ``diversity = 1 - lambda`` and its own kind of rows, float32;
where ours is the first call on a pool, both get the pool's float64 rows and make of them what they
need. Times are the least of several, taken in turns.
"""

import functools
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from pyversity import Strategy, diversify

from poolscope import geometry
from poolscope.model import Direction, Policy, Pool, ScoreKind
from poolscope.selection import paths, select
from poolscope.selection.paths import Axis

Array: TypeAlias = npt.NDArray[Any]

COLUMNS = ("top_k", "two_pass_cap", "mmr", "mmr_cap")
COSINE = ScoreKind("cosine", Direction.HIGHER, "drawn by a benchmark", is_cosine=True)


@functools.cache
def make(n: int, dimensions: int) -> Pool:
    """Draw a pool in rank order, two clusters to a source."""
    random = np.random.default_rng(n)
    centres, query = (
        random.normal(size=(max(n // 25, 4), dimensions)),
        random.normal(size=dimensions),
    )
    cluster = random.integers(len(centres), size=n)
    noise = random.normal(size=(n, dimensions))
    rows = geometry.unit_rows(centres[cluster] + 0.8 * noise + 0.5 * query).rows
    query = geometry.unit_rows(query).rows[0]
    scores = rows @ query
    order = np.argsort(-scores, kind="stable")
    return Pool(
        query="",
        ids=tuple(str(i) for i in range(n)),
        texts=("",) * n,
        sources=tuple(f"source {i // 2}" for i in cluster[order]),
        tokens=np.full(n, 100),
        tokenizer="benchmark",
        raw_scores=scores[order],
        scores=scores[order],
        score_kind=COSINE,
        vectors=geometry.read_only(rows[order]),
        query_vector=query,
    )


def parts(pool: Pool) -> tuple[Array, Array]:
    """Return the rows and scores that pyversity takes."""
    assert pool.vectors is not None
    assert pool.scores is not None
    return pool.vectors.astype(np.float32), pool.scores


def least(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Time several works in turns; return the least milliseconds of each."""
    times = [[0.0] * rounds for _ in works]
    for turn in range(rounds):
        for work, taken in zip(works, times, strict=True):
            begin = time.perf_counter()
            work()
            taken[turn] = time.perf_counter() - begin
    return [1000.0 * min(taken) for taken in times]


def beside(name: str, ours: float, theirs: float) -> None:
    """Print one comparison."""
    print(f"{name:38} {ours:10.3f} ms  pyversity {theirs:10.3f} ms  ratio {ours / theirs:6.2f}")


def lambda_paths() -> None:
    """Hold the exact path over lambda against a grid of 101 lambdas, k = 10, d = 384."""
    for n, rounds in ((50, 15), (500, 9), (5_000, 3)):
        pool, policy = make(n, 384), Policy(selector="mmr", k=10)
        rows, scores = parts(pool)

        def grid(rows: Array = rows, scores: Array = scores) -> None:
            for lambda_ in np.linspace(0.0, 1.0, 101):
                diversify(rows, scores, 10, strategy=Strategy.MMR, diversity=1.0 - lambda_)

        path = functools.partial(paths.path, pool, policy, Axis.LAMBDA)
        ours, theirs = least([path, grid], rounds)
        beside(f"lambda path, n = {n}, {len(path().intervals)} intervals", ours, theirs)


def boards() -> None:
    """Time all paths of a board's columns, k = 10, d = 384."""
    for n in (50, 500, 2_000):
        pool = make(n, 384)
        works = [
            functools.partial(paths.through, pool, Policy(selector=name, k=10)) for name in COLUMNS
        ]
        times = least(works, 5)
        each = ", ".join(f"{name} {taken:.1f}" for name, taken in zip(COLUMNS, times, strict=True))
        print(f"all paths, n = {n}: {sum(times):.1f} ms ({each})")


def selections(*, first: bool) -> None:
    """Hold one selection with its whole trace against one of pyversity, lambda 0.6.

    Args:
        first: Whether what a pool keeps from one call to the next is thrown away.
    """
    for dimensions in (384, 1_024):
        for n, repeats in ((50, 200), (500, 50), (5_000, 10), (50_000, 1)):
            pool = make(n, dimensions)
            for k in (5, 20, 100):
                if k <= n:
                    one_selection(pool, k, repeats, first=first)
        make.cache_clear()


def one_selection(pool: Pool, k: int, repeats: int, *, first: bool) -> None:
    """Time one size."""
    assert pool.vectors is not None
    rows, scores = parts(pool)
    rows, policy = pool.vectors if first else rows, Policy(selector="mmr", k=k)

    def ours() -> None:
        for _ in range(repeats):
            if first:
                pool.kept.clear()
            select(pool, policy)

    def theirs() -> None:
        for _ in range(repeats):
            diversify(rows, scores, k, strategy=Strategy.MMR, diversity=0.4)

    times = [taken / repeats for taken in least([ours, theirs], 15)]
    name = "first select" if first else "select"
    n, dimensions = pool.vectors.shape
    beside(f"{name}, n = {n}, d = {dimensions}, k = {k}", *times)


def main(parts_asked: list[str]) -> None:
    """Run what was asked for; everything by default."""
    print(f"OPENBLAS_NUM_THREADS = {os.environ.get('OPENBLAS_NUM_THREADS', 'not set')}")
    if not parts_asked or "paths" in parts_asked:
        lambda_paths()
        boards()
    if not parts_asked or "select" in parts_asked:
        selections(first=False)
    if not parts_asked or "first" in parts_asked:
        selections(first=True)


if __name__ == "__main__":
    main(sys.argv[1:])
