from collections.abc import Callable

import numpy as np
import pytest

from poolscope.diagnosis.effect import effect
from poolscope.model import Facet, Policy, Pool
from poolscope.selection import select


def test_both_sides_are_measured_by_the_relevance_used_before(
    make_pool: Callable[..., Pool],
) -> None:
    marks = np.array([[1, 0], [0, 0], [0, 1]], dtype=np.int8)
    pool = make_pool(
        scores=[0.9, 0.8, 0.4],
        sources="aab",
        tokens=[5, 7, 11],
        facets=(Facet("f", "one"), Facet("g", "two")),
        judgements=marks,
    )
    after = select(pool, Policy(k=2, selector="two_pass_cap", cap=1))
    found = effect(select(pool, Policy(k=2)), after)
    assert found.coverage == (0.5, 1.0)
    assert found.relevance == pytest.approx((0.85, 0.65))
    assert found.sources == (1, 2)
    assert found.tokens == (12, 16)


def test_without_facets_there_is_no_coverage(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(scores=[0.9, 0.8])
    found = effect(select(pool, Policy(k=1)), select(pool, Policy(k=2)))
    assert found.coverage is None
    assert found.tokens == (10, 20)
