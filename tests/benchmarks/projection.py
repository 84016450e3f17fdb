"""How long a layout takes: ``python tests/benchmarks/projection.py [--cold]``.

Rows are random around twelve centres, d = 384. A new worker imports umap first; ``--cold`` gives it
an empty folder for compiled code as well, as on a machine's first day, which takes minutes.
"""

import functools
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from poolscope import geometry
from poolscope.model.pool import Pool
from poolscope.projection import cache, pca
from poolscope.projection.cache import Store
from poolscope.projection.service import Service

SIZES = (50, 500, 2000)
DIMENSIONS = 384


@functools.cache
def make(n: int, seed: int) -> Pool:
    """Draw a pool with a query."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(12, DIMENSIONS))
    rows = 0.6 * centres[random.integers(12, size=n + 1)] + random.normal(size=(n + 1, DIMENSIONS))
    unit = geometry.unit_rows(rows).rows
    return Pool(
        query="",
        ids=tuple(str(i) for i in range(n)),
        texts=("",) * n,
        sources=(None,) * n,
        tokens=np.ones(n, np.intp),
        tokenizer="benchmark",
        vectors=unit[:n],
        query_vector=unit[n],
    )


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def wait(service: Service, pool: Pool) -> None:
    """Ask until the layout is there."""
    while service.request(pool) is None:
        time.sleep(0.005)


def measure(n: int, folder: Path) -> list[float]:
    """Time PCA, UMAP by a new worker, by a running one, and from memory and disk."""
    store = Store(folder / f"layouts {n}")
    service = Service(store)
    try:
        row = [
            seconds(lambda: pca(make(n, 0))),
            seconds(lambda: wait(service, make(n, 0))),
            seconds(lambda: wait(service, make(n, 1))),
            seconds(lambda: wait(service, make(n, 1))),
        ]
    finally:
        service.close()
    return [*row, seconds(lambda: wait(Service(store), make(n, 1)))]


def table(title: str, folder: Path, sizes: tuple[int, ...]) -> None:
    """Print one line a size."""
    print(f"\n{title} (seconds)")
    names = ("PCA", "UMAP, new worker", "UMAP, running worker", "from memory", "from disk")
    print(f"{'n':>6} " + " ".join(f"{name:>20}" for name in names))
    for n in sizes:
        for seed in (0, 1):
            make(n, seed)
        print(f"{n:>6} " + " ".join(f"{value:>20.4f}" for value in measure(n, folder)))


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as temporary:
        if "--cold" in sys.argv:
            for n in SIZES:
                os.environ[cache.VARIABLE] = str(Path(temporary) / f"cold {n}")
                table("Nothing compiled yet", Path(temporary) / "cold", (n,))
            os.environ[cache.VARIABLE] = str(Path(temporary) / f"cold {SIZES[0]}")
        else:
            service = Service(Store(Path(temporary) / "first"))
            wait(service, make(SIZES[0], 2))
            service.close()
        table("Compiled code kept", Path(temporary) / "kept", SIZES)


if __name__ == "__main__":
    main()
