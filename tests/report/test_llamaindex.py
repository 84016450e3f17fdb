"""The LlamaIndex snippets, run: top-k is ours, MMR differs as it is said to."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import pytest

from poolscope import selection
from poolscope.model import Policy, Pool
from poolscope.report.base import Status
from tests.report.conftest import SEEDS, run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool

WHY = "llama-index-core comes with the extra “llamaindex”"


def picked(pool: Pool, policy: Policy) -> list[str]:
    """Run the snippet over the pool in an index and return the ids."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports; nothing of ours
        core = pytest.importorskip("llama_index.core", reason=WHY)
        schema = pytest.importorskip("llama_index.core.schema", reason=WHY)
        embeddings = pytest.importorskip("llama_index.core.embeddings", reason=WHY)
    assert pool.vectors is not None
    assert pool.query_vector is not None
    nodes = [
        schema.TextNode(id_=name, text=text, embedding=row.tolist())
        for name, text, row, is_held in zip(
            pool.ids, pool.texts, pool.vectors, pool.vector_mask, strict=True
        )
        if is_held
    ]
    model = embeddings.MockEmbedding(embed_dim=pool.vectors.shape[1])
    index = core.VectorStoreIndex(nodes, embed_model=model)
    question = schema.QueryBundle(pool.query, embedding=pool.query_vector.tolist())
    written = snippet("LlamaIndex", pool, policy)
    assert written.status is Status.LIBRARY
    found = run(written.code, index=index, question=question)["nodes"]
    return [node.node_id for node in found]


def by_last_pick(pool: Pool, lambda_: float, k: int) -> list[int]:
    """MMR as the snippet says LlamaIndex does it: likeness to the last pick only."""
    assert pool.vectors is not None
    assert pool.query_vector is not None
    relevance = pool.vectors @ pool.query_vector
    picks = [0 if lambda_ == 0.0 else int(relevance.argmax())]
    while len(picks) < min(k, len(pool)):
        score = lambda_ * relevance - (1 - lambda_) * (pool.vectors @ pool.vectors[picks[-1]])
        score[picks] = -np.inf
        picks.append(int(score.argmax()))
    return picks


def ours(pool: Pool, policy: Policy) -> list[str]:
    return [pool.ids[index] for index in selection.select(pool, policy).indices]


@pytest.mark.parametrize("seed", SEEDS)
def test_top_k_is_the_same_and_mmr_up_to_the_second_pick(draw_pool: DrawPool, seed: int) -> None:
    pool = draw_pool(seed)
    assert picked(pool, Policy(k=5)) == ours(pool, Policy(k=5))
    two = Policy(selector="mmr", k=2, lambda_=0.5)
    assert picked(pool, two) == ours(pool, two)
    for lambda_ in (0.0, 0.5, 0.9):
        six = Policy(selector="mmr", k=6, lambda_=lambda_)
        assert picked(pool, six) == [pool.ids[i] for i in by_last_pick(pool, lambda_, 6)]


def test_from_the_third_pick_on_mmr_differs_somewhere(draw_pool: DrawPool) -> None:
    policy = Policy(selector="mmr", k=6, lambda_=0.5)
    pools = [draw_pool(seed) for seed in SEEDS]
    assert any(picked(pool, policy) != ours(pool, policy) for pool in pools)
    assert "against the last pick only" in snippet("LlamaIndex", pools[0], policy).differs


def test_the_first_pick_at_lambda_0_is_said_to_be_the_first_of_the_store(
    draw_pool: DrawPool,
) -> None:
    pool = draw_pool(3)
    said = snippet("LlamaIndex", pool, Policy(selector="mmr", lambda_=0.0)).differs
    assert "the first of the store" in said
    assert (
        "the first of the store" not in snippet("LlamaIndex", pool, Policy(selector="mmr")).differs
    )


@pytest.mark.parametrize("selector", ["two_pass_cap", "grouped_cap", "mmr_cap"])
def test_a_cap_is_refused(draw_pool: DrawPool, selector: str) -> None:
    found = snippet("LlamaIndex", draw_pool(1), Policy(selector=selector))
    assert found.code == ""
    assert "no cap by source" in found.differs


def test_no_slots_are_refused(draw_pool: DrawPool) -> None:
    found = snippet("LlamaIndex", draw_pool(1), Policy(selector="mmr", k=0))
    assert found.code == ""
    assert "everything" in found.differs
