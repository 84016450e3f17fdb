"""The Qdrant snippets, run against its local mode: ours but for ties, and for caps by groups."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

import pytest

from poolscope import selection
from poolscope.model import MissingKey, Policy, Pool
from poolscope.report.base import Status, key_of
from poolscope.report.qdrant import MOST_CANDIDATES
from tests.report.conftest import AWKWARD, SEEDS, kinds, run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool, MakePool

WHY = "qdrant-client comes with the extra “systems”"


def picked(pool: Pool, policy: Policy) -> list[int]:
    """Run the snippet over the pool in a collection and return the candidates' indices."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports; nothing of ours
        qdrant = pytest.importorskip("qdrant_client", reason=WHY)
    assert pool.vectors is not None
    assert pool.query_vector is not None
    models = qdrant.models
    client = qdrant.QdrantClient(":memory:")
    client.create_collection(
        "passages",
        vectors_config=models.VectorParams(
            size=pool.vectors.shape[1], distance=models.Distance.COSINE
        ),
    )
    key = key_of(pool, policy)
    points = [
        models.PointStruct(id=index, vector=row.tolist(), payload={key: value})
        for index, (row, value) in enumerate(
            zip(pool.vectors, pool.column(policy.key), strict=True)
        )
        if pool.vector_mask[index]
    ]
    client.upsert("passages", points)
    written = snippet("Qdrant", pool, policy)
    assert written.status is Status.LIBRARY
    found = run(written.code, client=client, question_vector=pool.query_vector.tolist())["points"]
    client.close()
    return [point.id for point in found]


def ours(pool: Pool, policy: Policy) -> list[int]:
    return [int(index) for index in selection.select(pool, policy).indices]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_picks_the_same(draw_pool: DrawPool, seed: int) -> None:
    pool = draw_pool(seed)
    for policy in (
        Policy(k=5),
        *(Policy(selector="mmr", k=6, lambda_=lambda_) for lambda_ in (0.0, 0.4, 0.6, 1.0)),
        Policy(selector="mmr", k=4, depth=7, lambda_=0.5),
        Policy(selector="grouped_cap", k=6, cap=2),
        Policy(selector="grouped_cap", k=9, cap=1),
        Policy(selector="two_pass_cap", k=7, cap=2),
        Policy(selector="two_pass_cap", k=12, cap=1),
        Policy(selector="two_pass_cap", k=12, cap=2, backfill=False),
    ):
        assert picked(pool, policy) == ours(pool, policy), policy


@pytest.mark.parametrize("seed", SEEDS)
def test_with_copies_a_zero_vector_and_holes_it_picks_the_same_or_a_copy(
    draw_pool: DrawPool, seed: int
) -> None:
    pool = draw_pool(seed, awkward=True)
    for setting in AWKWARD:
        policy = setting.changed(clip_negative=False)
        found = picked(pool, policy)
        assert kinds(pool, found) == kinds(pool, selection.select(pool, policy).indices), policy


def test_ties_go_to_the_last_as_it_is_said(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[1.0, 1.0, 0.0], vectors=[[1, 0], [1, 0], [0, 1]], query_vector=[1, 0], sources="abc"
    )
    policy = Policy(selector="mmr", k=2, lambda_=0.5)
    assert ours(pool, policy) == [0, 1]
    assert picked(pool, policy) != ours(pool, policy)
    assert "Ties go to the last" in snippet("Qdrant", pool, policy).differs


def test_points_without_the_field_never_come_back_as_it_is_said(draw_pool: DrawPool) -> None:
    pool = draw_pool(2, missing=True)
    for selector in ("grouped_cap", "two_pass_cap"):
        policy = Policy(selector=selector, k=8, cap=2)
        assert not {i for i in picked(pool, policy) if pool.sources[i] is None}
        assert "never come back" in snippet("Qdrant", pool, policy).differs
        rejecting = policy.changed(missing_key=MissingKey.REJECT)
        assert picked(pool, rejecting) == ours(pool, rejecting)
        assert "never come back" not in snippet("Qdrant", pool, rejecting).differs


def test_a_shallow_pool_is_spoken_of(draw_pool: DrawPool) -> None:
    said = snippet("Qdrant", draw_pool(1), Policy(selector="grouped_cap", depth=3)).differs
    assert "the pool depth is not read" in said


def test_more_candidates_than_it_takes_are_spoken_of(draw_pool: DrawPool) -> None:
    found = snippet("Qdrant", draw_pool(1), Policy(selector="mmr", depth=20_000))
    assert f"candidates_limit={MOST_CANDIDATES}" in found.code
    assert "16,384" in found.differs


@pytest.mark.parametrize("name", ["a\"b'; drop", "x\\", "line\nbreak", '"""', "{k}"])
def test_a_key_stays_a_literal(make_pool: MakePool, name: str) -> None:
    pool = make_pool(scores=[0.9], source_field=name)
    code = snippet("Qdrant", pool, Policy(selector="grouped_cap")).code
    (literal,) = [
        keyword.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "group_by"
    ]
    assert ast.literal_eval(literal) == name


@pytest.mark.parametrize(
    "policy", [Policy(k=0), Policy(selector="mmr", depth=0), Policy(selector="mmr_cap")]
)
def test_what_it_cannot_do_is_refused(draw_pool: DrawPool, policy: Policy) -> None:
    found = snippet("Qdrant", draw_pool(1), policy)
    assert found.code == ""
    assert found.differs.endswith(".")
