"""Pools and payloads for the board."""

from collections.abc import Callable

import pytest

from poolscope import analysis, board, projection
from poolscope.analysis import Comparison
from poolscope.board import Json
from poolscope.charts.theme import LIGHT, palette
from poolscope.model import Policy, Pool

RULES = ("grouped_cap", "mmr")


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
