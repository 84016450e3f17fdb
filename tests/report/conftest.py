"""Pools drawn at random, and what the snippets are given."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.model import Policy, Pool
from poolscope.report import Snippet, snippets

MakePool: TypeAlias = Callable[..., Pool]
DrawPool: TypeAlias = Callable[..., Pool]
SEEDS = range(50)


@pytest.fixture(scope="session")
def draw_pool(make_pool: MakePool) -> DrawPool:
    """Draw a pool whose score is the cosine to its question, best first."""

    def drawn(seed: int, *, n: int = 0, sources: int = 5, missing: bool = False) -> Pool:
        rng = np.random.default_rng(seed)
        n = n or int(rng.integers(8, 30))
        rows = rng.normal(size=(n, 8)) + rng.normal(size=8)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        question = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
        rows = rows[np.argsort(-(rows @ question), kind="stable")]
        labels: list[str | None] = [f"s{number}" for number in rng.integers(0, sources, size=n)]
        if missing:
            labels = [None if rng.random() < 0.2 else label for label in labels]
        return make_pool(
            n,
            scores=rows @ question,
            vectors=rows,
            query_vector=question.tolist(),
            sources=labels,
            tokens=rng.integers(1, 30, size=n).tolist(),
        )

    return drawn


def snippet(system: str, pool: Pool, policy: Policy) -> Snippet:
    """Return the snippet of one system."""
    (found,) = [item for item in snippets(pool, policy) if item.system == system]
    return found


def run(code: str, **given: object) -> Mapping[str, Any]:
    """Run code in a fresh namespace and return it."""
    namespace: dict[str, Any] = dict(given)
    exec(compile(code, "<snippet>", "exec"), namespace)  # noqa: S102 - made by the code under test
    return namespace
