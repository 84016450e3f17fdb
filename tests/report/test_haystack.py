"""The Haystack snippets, run: ours where negative cosines are clipped, as it is said."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

from poolscope import selection
from poolscope.model import Policy, Pool, Scaling
from poolscope.report.base import Status
from tests.report.conftest import AWKWARD, SEEDS, kinds, run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool

WHY = "pyversity-haystack comes with the extra “systems”"


@pytest.fixture(autouse=True)
def _nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")


def picked(pool: Pool, policy: Policy) -> list[str]:
    """Run the snippet over the pool in a document store and return the ids."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports; nothing of ours
        pytest.importorskip("haystack_integrations.components.rankers.pyversity", reason=WHY)
        haystack = pytest.importorskip("haystack")
        stores = pytest.importorskip("haystack.document_stores.in_memory")
        retrievers = pytest.importorskip("haystack.components.retrievers.in_memory")
    assert pool.vectors is not None
    assert pool.query_vector is not None
    store = stores.InMemoryDocumentStore(embedding_similarity_function="cosine")
    store.write_documents(
        [
            haystack.Document(id=name, content=text, embedding=row.tolist())
            for name, text, row, is_held in zip(
                pool.ids, pool.texts, pool.vectors, pool.vector_mask, strict=True
            )
            if is_held
        ]
    )
    retriever = retrievers.InMemoryEmbeddingRetriever(store, return_embedding=True)
    written = snippet("Haystack", pool, policy)
    assert written.status is Status.LIBRARY
    given = {"retriever": retriever, "question_vector": pool.query_vector.tolist()}
    return [document.id for document in run(written.code, **given)["documents"]]


def ours(pool: Pool, policy: Policy) -> list[str]:
    return [pool.ids[index] for index in selection.select(pool, policy).indices]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_picks_the_same_with_negative_cosines_clipped(draw_pool: DrawPool, seed: int) -> None:
    pool = draw_pool(seed)
    assert picked(pool, Policy(k=5)) == ours(pool, Policy(k=5))
    for lambda_ in (0.0, 0.3, 0.6, 1.0):
        policy = Policy(selector="mmr", k=6, depth=12, lambda_=lambda_, clip_negative=True)
        assert picked(pool, policy) == ours(pool, policy), policy
        assert "negative" not in snippet("Haystack", pool, policy).differs


@pytest.mark.parametrize("seed", SEEDS)
def test_with_copies_a_zero_vector_and_holes_it_picks_the_same_or_a_copy(
    draw_pool: DrawPool, seed: int
) -> None:
    pool = draw_pool(seed, awkward=True)
    for policy in AWKWARD:
        found = [pool.ids.index(name) for name in picked(pool, policy)]
        assert kinds(pool, found) == kinds(pool, selection.select(pool, policy).indices), policy


def test_unclipped_it_differs_somewhere_as_it_is_said(draw_pool: DrawPool) -> None:
    policy = Policy(selector="mmr", k=6, lambda_=0.2)
    pools = [draw_pool(seed) for seed in SEEDS]
    assert any(picked(pool, policy) != ours(pool, policy) for pool in pools)
    assert "a negative cosine as 0" in snippet("Haystack", pools[0], policy).differs


def test_a_scale_is_spoken_of(draw_pool: DrawPool) -> None:
    policy = Policy(selector="mmr", scaling=Scaling.MIN_MAX)
    assert "not scaled" in snippet("Haystack", draw_pool(1), policy).differs


@pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap", "mmr_cap"])
def test_a_cap_is_refused(draw_pool: DrawPool, selector: str) -> None:
    found = snippet("Haystack", draw_pool(1), Policy(selector=selector))
    assert found.code == ""
    assert "no cap by source" in found.differs


@pytest.mark.parametrize("policy", [Policy(k=0), Policy(selector="mmr", depth=0)])
def test_nothing_to_fetch_is_refused(draw_pool: DrawPool, policy: Policy) -> None:
    assert snippet("Haystack", draw_pool(1), policy).code == ""
