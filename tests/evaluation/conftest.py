"""Golden questions for the tests: small ones by hand, real ones of the shared cases."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from poolscope.evaluation.questions import Question, question
from poolscope.model import DOES_NOT, SUPPORTS, Facet, Pool

MakePool: TypeAlias = Callable[..., Pool]


@pytest.fixture
def golden(make_pool: MakePool) -> Callable[..., list[Question]]:
    """Draw questions: clusters, one facet a cluster, some passages that support nothing."""

    def made(count: int, *, n: int = 24, facets: int = 3, seed: int = 0) -> list[Question]:
        rng = np.random.default_rng(seed)
        found = []
        for number in range(count):
            centres, query = rng.normal(size=(facets + 1, 8)), rng.normal(size=8)
            cluster = rng.integers(facets + 1, size=n)
            rows = centres[cluster] + 0.4 * rng.normal(size=(n, 8)) + query
            units = rows / np.linalg.norm(rows, axis=1)[:, None]
            scores = units @ (query / np.linalg.norm(query))
            order = np.argsort(-scores)
            marks = np.full((n, facets), DOES_NOT, dtype=np.int8)
            for facet in range(facets):
                marks[cluster[order] == facet, facet] = SUPPORTS
            found.append(
                question(
                    make_pool(
                        n,
                        scores=scores[order],
                        vectors=units[order],
                        query_vector=query.tolist(),
                        sources=[f"s{item}" for item in cluster[order]],
                        facets=tuple(Facet(f"f{i}", f"facet {i}") for i in range(facets)),
                        judgements=marks,
                        query_id=f"q{number}",
                    )
                )
            )
        return found

    return made
