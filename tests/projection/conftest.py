from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from poolscope import geometry
from poolscope.model.pool import Pool
from poolscope.projection import cache


@pytest.fixture(scope="session", autouse=True)
def compiled_code(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Keep compiled code between runs: compiling it takes most of a minute."""
    kept = request.config.cache
    folder = kept.mkdir("poolscope") if kept else tmp_path_factory.mktemp("poolscope")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, str(folder))
        yield folder


@pytest.fixture(scope="session")
def make_pool() -> Callable[..., Pool]:
    """Return a function from vectors (and a query, and who has one) to a pool."""

    def make(
        vectors: npt.ArrayLike | None,
        query: npt.ArrayLike | None = None,
        *,
        has_vector: npt.ArrayLike | None = None,
        n: int | None = None,
    ) -> Pool:
        rows = None if vectors is None else geometry.unit_rows(vectors).rows
        count = (0 if rows is None else len(rows)) if n is None else n
        return Pool(
            query="",
            ids=tuple(str(i) for i in range(count)),
            texts=("",) * count,
            sources=(None,) * count,
            tokens=np.ones(count, np.intp),
            tokenizer="test",
            vectors=rows,
            has_vector=None if has_vector is None else np.asarray(has_vector, np.bool_),
            query_vector=None if query is None else geometry.unit_rows(query).rows[0],
        )

    return make


@pytest.fixture(scope="session")
def clouds() -> Callable[..., npt.NDArray[np.float64]]:
    """Return a function that draws ``n`` vectors around six centres."""

    def draw(n: int, d: int = 32, seed: int = 0) -> npt.NDArray[np.float64]:
        random = np.random.default_rng(seed)
        centres = random.normal(size=(6, d))
        return centres[np.arange(n) % 6] + 0.4 * random.normal(size=(n, d))

    return draw
