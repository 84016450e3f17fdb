"""Every system on every rule: what holds for all of them, and for the README's table."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from poolscope import selection
from poolscope.errors import PolicyError
from poolscope.model import MissingVector, Policy, Relevance
from poolscope.report import DIALECTS, Status, snippets

if TYPE_CHECKING:
    from tests.report.conftest import DrawPool, MakePool

README = Path(__file__).resolve().parents[2] / "README.md"
RULES = tuple(rule.name for rule in selection.SELECTORS)
NAMES = [dialect.system for dialect in DIALECTS]


@pytest.mark.parametrize("rule", RULES)
def test_every_system_answers_in_order_with_code_or_a_reason(
    draw_pool: DrawPool, rule: str
) -> None:
    found = snippets(draw_pool(4, missing=True), Policy(selector=rule, k=4, depth=12))
    assert [item.system for item in found] == NAMES
    for item in found:
        assert item.differs.endswith(".")
        assert item.checked_with
        assert item.status in Status
        if item.language == "python":
            ast.parse(item.code)
        assert "{" not in item.differs
        assert not re.search(r"\{[a-z_!]+\}", item.code)
        assert max((len(line) for line in item.code.splitlines()), default=0) <= 100


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("k", [0, 1, 40])
@pytest.mark.parametrize("depth", [None, 0, 1, 50_000])
def test_no_setting_breaks_the_code(
    draw_pool: DrawPool, make_pool: MakePool, rule: str, k: int, depth: int | None
) -> None:
    policy = Policy(selector=rule, k=k, depth=depth, lambda_=1e-07)
    for pool in (draw_pool(4), make_pool(0), make_pool(3), make_pool(scores=[2.0, 1.0])):
        for item in snippets(pool, policy):
            if item.language == "python":
                ast.parse(item.code)
            assert item.code or item.differs


def test_the_numbers_are_the_policys_own(draw_pool: DrawPool) -> None:
    policy = Policy(selector="mmr", k=7, depth=23, lambda_=0.35)
    for item in snippets(draw_pool(4), policy):
        numbers = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", item.code))
        if item.system == "pgvector":
            assert "23" in numbers
            continue
        assert "7" in numbers
        assert {"0.35", "0.65"} & numbers
        assert "23" in numbers or item.system == "LlamaIndex"


def test_what_the_pool_lacks_is_a_clear_error(make_pool: MakePool) -> None:
    with pytest.raises(PolicyError, match="no scores"):
        snippets(make_pool(3), Policy(relevance=Relevance.SCORE))
    with pytest.raises(PolicyError, match="no selector"):
        snippets(make_pool(3), Policy(selector="nothing"))
    with pytest.raises(PolicyError, match="no field"):
        snippets(make_pool(3), Policy(selector="grouped_cap", key="nothing"))


def test_a_pool_without_a_question_vector_is_told_that_nothing_shows_the_cosine(
    make_pool: MakePool,
) -> None:
    pool = make_pool(scores=[0.9, 0.8], vectors=np.eye(2))
    said = {item.system: item.differs for item in snippets(pool, Policy(relevance=Relevance.RANK))}
    assert "lacks the vectors that would show" in said["LangChain"]
    said = {item.system: item.differs for item in snippets(pool, Policy())}
    assert said["LangChain"] == "It is the same rule."


def test_candidates_without_a_vector_are_spoken_of(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8], vectors=[[1, 0], [0, 0]], has_vector=np.array([True, False])
    )
    said = "without a vector are not in a vector store"
    mmr = Policy(selector="mmr")
    for policy in (mmr.changed(missing_vector=MissingVector.NO_REDUNDANCY), mmr.changed(depth=1)):
        for item in snippets(pool, policy)[1:]:
            assert said in item.differs, item.system
    assert not any(said in item.differs for item in snippets(pool, mmr))
    for rule in ("top_k", "two_pass_cap", "grouped_cap"):
        for item in snippets(pool, Policy(selector=rule))[1:]:
            assert said in item.differs or not item.code, item.system
    whole = make_pool(scores=[0.9, 0.8], vectors=np.eye(2))
    for item in snippets(whole, Policy(depth=1)):
        assert said not in item.differs


def test_the_readme_names_every_system_and_how_it_was_checked() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    start = lines.index("| system | what is written | how it was checked |")
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines[start + 2 : start + 2 + len(DIALECTS)]
    ]
    assert cells == [
        [dialect.system, dialect.written, f"{dialect.status}: {dialect.checked_with}"]
        for dialect in DIALECTS
    ]
    assert not lines[start + 2 + len(DIALECTS)].startswith("|")


@pytest.mark.parametrize("rule", RULES)
def test_the_code_of_a_setting_with_a_cut_of_arms_is_that_of_the_setting_without(
    make_pool: MakePool, rule: str
) -> None:
    parts = {
        "vectors": np.eye(3),
        "query_vector": [1, 0.5, 0.2],
        "fields": {"arm": ["a", "a", "b"]},
    }
    for scored in (make_pool(3, **parts), make_pool(scores=[0.9, 0.7, 0.4], **parts)):
        plain = Policy(selector=rule, k=2)
        without = snippets(scored, plain)
        for item, bare in zip(snippets(scored, plain.changed(arm_cap=1)), without, strict=True):
            assert item.code == bare.code
            left = not item.code or "plain Python function chooses" in item.differs
            assert left or "the cut of each retrieval arm's list" in item.differs
            assert "not scaled" not in item.differs or "not scaled" in bare.differs


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("depth", [None, 1, 50_000])
def test_nothing_is_said_twice(draw_pool: DrawPool, rule: str, depth: int | None) -> None:
    for missing in (MissingVector.NO_REDUNDANCY, MissingVector.LEAVE_OUT):
        policy = Policy(selector=rule, k=4, depth=depth, missing_vector=missing, budget=90)
        pool = draw_pool(4, missing=True)
        for dialect in DIALECTS:
            said = dialect.write(pool, policy).differs
            assert len(set(said)) == len(said), dialect.system
