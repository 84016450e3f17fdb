"""Elasticsearch, OpenSearch and Weaviate: no server here, so what they are sent is read back."""

from __future__ import annotations

import ast
import importlib
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from poolscope.model import Policy
from poolscope.report.base import Status
from tests.report.conftest import run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool

SYSTEMS = ("Elasticsearch", "OpenSearch", "Weaviate")
MMR = Policy(selector="mmr", k=4, depth=20, lambda_=0.6)
QUESTION = [0.6, 0.8]


def sent(code: str) -> dict[str, Any]:
    """Run a search and return what the client was given, as JSON carries it."""
    calls: list[dict[str, Any]] = []

    def search(**given: Any) -> dict[str, Any]:  # noqa: ANN401 - what clients take
        calls.append(given)
        return {"hits": {"hits": []}}

    run(code, client=SimpleNamespace(search=search), question_vector=QUESTION)
    (call,) = calls
    found: dict[str, Any] = json.loads(json.dumps(call))
    return found


def test_elasticsearch_is_sent_the_diversify_retriever(draw_pool: DrawPool) -> None:
    call = sent(snippet("Elasticsearch", draw_pool(1), MMR).code)
    retriever = call["retriever"]["diversify"]
    inner = retriever.pop("retriever")["knn"]
    assert call["size"] == 4
    assert retriever == {
        "type": "mmr",
        "field": "vector",
        "query_vector": QUESTION,
        "lambda": 0.6,
        "size": 4,
        "rank_window_size": 20,
    }
    assert inner == {"field": "vector", "query_vector": QUESTION, "k": 20, "num_candidates": 100}


def test_opensearch_is_sent_the_mmr_extension(draw_pool: DrawPool) -> None:
    body = sent(snippet("OpenSearch", draw_pool(1), MMR).code)["body"]
    assert body == {
        "size": 4,
        "query": {"knn": {"vector": {"vector": QUESTION, "k": 20}}},
        "ext": {"mmr": {"diversity": 0.4, "candidates": 20}},
    }


def test_weaviate_is_asked_for_k_of_the_depth(draw_pool: DrawPool) -> None:
    tree = ast.parse(snippet("Weaviate", draw_pool(1), MMR).code)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = {
        keyword.arg: keyword.value.value
        for call in calls
        for keyword in call.keywords
        if isinstance(keyword.value, ast.Constant)
    }
    assert given == {"limit": 4, "balance": 0.6}
    (limits,) = [
        [
            k.value.value
            for k in call.keywords
            if k.arg == "limit" and isinstance(k.value, ast.Constant)
        ]
        for call in calls
        if any(keyword.arg == "near_vector" for keyword in call.keywords)
    ]
    assert limits == [20]


@pytest.mark.parametrize("system", ["Elasticsearch", "OpenSearch"])
def test_top_k_is_a_plain_search(draw_pool: DrawPool, system: str) -> None:
    call = sent(snippet(system, draw_pool(1), Policy(k=7)).code)
    assert call.get("body", call)["size"] == 7
    assert "mmr" not in json.dumps(call)


@pytest.mark.parametrize("system", ["Elasticsearch", "OpenSearch"])
def test_a_depth_below_k_and_one_beyond_the_window(draw_pool: DrawPool, system: str) -> None:
    pool = draw_pool(1)
    shallow = sent(snippet(system, pool, MMR.changed(depth=3)).code)
    assert shallow.get("body", shallow)["size"] == 3
    deep = snippet(system, pool, MMR.changed(depth=30_000))
    assert "no more than 10,000" in deep.differs
    assert "30000" not in deep.code
    assert snippet(system, pool, MMR.changed(k=20_000)).code == ""


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    "policy",
    [
        Policy(k=0),
        MMR.changed(depth=0),
        *(Policy(selector=name) for name in ("two_pass_cap", "grouped_cap", "mmr_cap")),
    ],
)
def test_what_a_system_cannot_do_is_refused(
    draw_pool: DrawPool, system: str, policy: Policy
) -> None:
    found = snippet(system, draw_pool(1), policy)
    assert found.code == ""
    assert found.differs.endswith(".")


@pytest.mark.parametrize("system", SYSTEMS)
def test_none_of_them_was_run_and_each_says_so(draw_pool: DrawPool, system: str) -> None:
    found = snippet(system, draw_pool(1), MMR)
    assert found.status is Status.NO_SERVER
    assert "single precision" in found.differs or system == "Elasticsearch"
    assert "approximate" in found.differs


def test_elasticsearch_says_that_its_order_is_another(draw_pool: DrawPool) -> None:
    said = snippet("Elasticsearch", draw_pool(1), MMR).differs
    assert "inner retriever's order" in said


@pytest.mark.parametrize("name", [system.lower() for system in SYSTEMS])
def test_each_has_a_module_of_its_own(name: str) -> None:
    assert importlib.import_module(f"poolscope.report.{name}").write
