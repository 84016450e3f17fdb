"""Pools and payloads for the board."""

from collections.abc import Callable

import numpy as np
import pytest

from poolscope import analysis, board, projection
from poolscope.analysis import Comparison
from poolscope.board import Json
from poolscope.charts.theme import LIGHT, palette
from poolscope.model import Facet, Policy, Pool

RULES = ("grouped_cap", "mmr")
WORDS = (
    "cache", "node", "restart", "probe", "deploy", "memory",
    "pressure", "window", "region", "shift", "quota", "lease",
)  # fmt: skip


@pytest.fixture(scope="session")
def payload_of() -> Callable[..., dict[str, Json]]:
    """Compare rules on a pool and collect what the board is given."""

    def collect(
        pool: Pool,
        policy: Policy,
        rules: tuple[str, ...] = RULES,
        *,
        found: Comparison | None = None,
    ) -> dict[str, Json]:
        comparison = found or analysis.compare(pool, policy, rules)
        colours = palette(pool, policy.key, LIGHT)
        scene = board.scene(pool, policy.key, projection.pca(pool), colours)
        return board.payload(comparison, scene)

    return collect


@pytest.fixture(scope="session")
def clustered(make_pool: Callable[..., Pool]) -> Callable[..., Pool]:
    """Draw a pool as a search gives it: 384-d, a few topics, 500 characters a passage."""

    def draw(n: int, seed: int = 0) -> Pool:
        random = np.random.default_rng(seed)
        centres = random.normal(size=(12, 384))
        of = random.integers(12, size=n)
        rows = 0.6 * centres[of] + random.normal(size=(n, 384))
        question = centres[:4].mean(axis=0) + random.normal(size=384)
        rows += 0.3 * question
        scores = rows @ question / np.linalg.norm(rows, axis=1) / np.linalg.norm(question)
        order = np.argsort(-scores)
        return make_pool(
            n,
            scores=scores[order],
            vectors=rows[order],
            query_vector=question,
            texts=tuple(" ".join(random.choice(WORDS, size=80)) for _ in range(n)),
            sources=[f"handbook-of-operations-{of[i]:02d}.md" for i in order],
            facets=tuple(Facet(f"f{i}", f"component {i} of the answer") for i in range(6)),
            judgements=random.integers(-1, 2, size=(n, 6)).astype(np.int8),
        )

    return draw
