"""The LangChain snippets, run: the in-memory store gives our selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from poolscope import selection
from poolscope.model import Policy, Pool, Relevance
from poolscope.report.base import Status
from tests.report.conftest import AWKWARD, SEEDS, kinds, run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool

LAMBDAS = (0.0, 0.2, 0.5, 0.6, 0.9, 1.0)


def picked(pool: Pool, policy: Policy) -> list[str]:
    """Run the snippet over the pool in a store and return the ids."""
    pytest.importorskip("langchain_core", reason="langchain-core comes with the extra “dev”")
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    assert pool.vectors is not None
    assert pool.query_vector is not None
    rows: list[list[float]] = pool.vectors.tolist()
    question: list[float] = pool.query_vector.tolist()

    class Known(Embeddings):
        """Vectors of the pool by text."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [rows[pool.texts.index(text)] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            assert text == pool.query
            return question

    store = InMemoryVectorStore(Known())
    held = np.flatnonzero(pool.vector_mask).tolist()
    store.add_texts([pool.texts[i] for i in held], ids=[pool.ids[i] for i in held])
    written = snippet("LangChain", pool, policy)
    assert written.status is Status.LIBRARY
    found = run(written.code, vector_store=store, question=pool.query)["documents"]
    return [str(document.id) for document in found]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_picks_the_same(draw_pool: DrawPool, seed: int) -> None:
    pool = draw_pool(seed)
    for lambda_ in LAMBDAS:
        for policy in (
            Policy(selector="mmr", k=6, lambda_=lambda_),
            Policy(selector="mmr", k=4, depth=7, lambda_=lambda_),
        ):
            ours = [pool.ids[index] for index in selection.select(pool, policy).indices]
            assert picked(pool, policy) == ours, policy
    ours = [pool.ids[index] for index in selection.select(pool, Policy(k=6)).indices]
    assert picked(pool, Policy(k=6)) == ours


@pytest.mark.parametrize("seed", SEEDS)
def test_with_copies_a_zero_vector_and_holes_it_picks_the_same_or_a_copy(
    draw_pool: DrawPool, seed: int
) -> None:
    pool = draw_pool(seed, awkward=True)
    for setting in AWKWARD:
        policy = setting.changed(clip_negative=False)
        found = [pool.ids.index(name) for name in picked(pool, policy)]
        assert kinds(pool, found) == kinds(pool, selection.select(pool, policy).indices), policy


def test_another_relevance_is_spoken_of(draw_pool: DrawPool) -> None:
    pool = draw_pool(1)
    by_score = snippet("LangChain", pool, Policy(selector="mmr"))
    assert "the setting weighs" not in by_score.differs
    by_rank = snippet("LangChain", pool, Policy(selector="mmr", relevance=Relevance.RANK))
    assert "The store weighs the cosine to the question; the setting weighs rank" in by_rank.differs


@pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap", "mmr_cap"])
def test_a_cap_is_refused(draw_pool: DrawPool, selector: str) -> None:
    found = snippet("LangChain", draw_pool(1), Policy(selector=selector, depth=33))
    assert found.code == ""
    assert "no cap by source" in found.differs
    assert "k = 33" in found.differs
