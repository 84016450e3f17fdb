"""Pools drawn at random, and what the snippets are given."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.model import Policy, Pool, Relevance
from poolscope.report import Snippet, snippets

MakePool: TypeAlias = Callable[..., Pool]
DrawPool: TypeAlias = Callable[..., Pool]
SEEDS = range(50)
AWKWARD = (
    Policy(k=40, relevance=Relevance.COSINE),
    Policy(selector="mmr", k=6, lambda_=0.6, clip_negative=True),
    Policy(selector="mmr", k=40, lambda_=0.3, clip_negative=True),
)
"""Settings for pools with copies, a zero vector and missing ones; two ask for more than all."""


@pytest.fixture(scope="session")
def draw_pool(make_pool: MakePool) -> DrawPool:
    """Draw a pool whose score is the cosine to its question, best first."""

    def drawn(
        seed: int,
        *,
        n: int = 0,
        sources: int = 5,
        missing: bool = False,
        awkward: bool = False,
        zero: bool = True,
    ) -> Pool:
        rng = np.random.default_rng(seed)
        n = n or int(rng.integers(8, 30))
        rows = rng.normal(size=(n, 8)) + rng.normal(size=8)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        question = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
        has_vector = np.ones(n, dtype=np.bool_)
        if awkward:
            for index in range(1, n):
                if rng.random() < 0.3:
                    rows[index] = rows[rng.integers(0, index)]
            rows[0] *= not zero
            has_vector[1:] = rng.random(n - 1) < 0.85
        order = np.argsort(-(rows @ question), kind="stable")
        rows, has_vector = rows[order], has_vector[order]
        scores = rows @ question
        rows[~has_vector] = 0.0
        labels: list[str | None] = [f"s{number}" for number in rng.integers(0, sources, size=n)]
        if missing:
            labels = [None if rng.random() < 0.2 else label for label in labels]
        return make_pool(
            n,
            scores=scores,
            vectors=rows,
            has_vector=has_vector,
            query_vector=question.tolist(),
            sources=labels,
            tokens=rng.integers(1, 30, size=n).tolist(),
        )

    return drawn


def kinds(pool: Pool, picks: Iterable[int]) -> list[int]:
    """Number picks by their vectors: copies have one number, whichever of them was taken."""
    assert pool.vectors is not None
    rows = [row.tobytes() for row in np.round(pool.vectors, 9) + 0.0]
    return [rows.index(rows[index]) for index in picks]


def snippet(system: str, pool: Pool, policy: Policy) -> Snippet:
    """Return the snippet of one system."""
    (found,) = [item for item in snippets(pool, policy) if item.system == system]
    return found


def run(code: str, **given: object) -> Mapping[str, Any]:
    """Run code in a fresh namespace and return it."""
    namespace: dict[str, Any] = dict(given)
    exec(compile(code, "<snippet>", "exec"), namespace)  # noqa: S102 - made by the code under test
    return namespace
