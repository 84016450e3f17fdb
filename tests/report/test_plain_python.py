"""The plain Python makes the very same selection: run, and held against ``select``."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from poolscope import formats, samples, selection
from poolscope.formats import scores
from poolscope.model import (
    Direction,
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Order,
    Policy,
    Pool,
    Relevance,
    Scaling,
    ScoreKind,
)
from poolscope.report.base import key_of
from poolscope.report.plain_python import CARRIED, CONVERSIONS, SAME
from tests.report.conftest import SEEDS, run, snippet

if TYPE_CHECKING:
    from tests.report.conftest import MakePool

RULES = ("top_k", "two_pass_cap", "grouped_cap", "mmr", "mmr_cap")
"""The rules that are written as plain Python."""


def candidates(pool: Pool, policy: Policy) -> list[dict[str, object]]:
    """Return a pool as the code asks for it: raw scores, vectors of any length."""
    key = key_of(pool, policy)
    rows: list[dict[str, object]] = []
    for index in range(len(pool)):
        seen = pool.candidate(index)
        row: dict[str, object] = {
            pool.source_field: seen.source,
            key: pool.column(policy.key)[index],
            "id": seen.id,
            "position": seen.position,
            "tokens": seen.tokens,
            "score": seen.raw_score,
        }
        if pool.vectors is not None:
            row["vector"] = (3.0 * pool.vectors[index]).tolist() if seen.has_vector else None
        rows.append(row)
    return rows


def chosen(pool: Pool, policy: Policy) -> list[object]:
    """Run the snippet and return the ids that it chooses."""
    written = snippet("Plain Python", pool, policy)
    assert written.differs == SAME
    select = run(written.code)["select"]
    asks = "question_vector" in written.code
    question = None if pool.query_vector is None else (2.0 * pool.query_vector).tolist()
    found = select(candidates(pool, policy), question) if asks else select(candidates(pool, policy))
    return [candidate["id"] for candidate in found]


def expected(pool: Pool, policy: Policy) -> list[str]:
    return [pool.ids[index] for index in selection.select(pool, policy).ordered]


def drawn(make_pool: MakePool, rng: np.random.Generator) -> Pool:
    """Draw a pool with everything that is awkward: twins, ties, holes, another scale."""
    n = int(rng.integers(0, 26))
    rows = rng.normal(size=(n, 3)).round(int(rng.integers(0, 9)))
    for index in range(1, n):
        if rng.random() < 0.25:
            rows[index] = rows[rng.integers(0, index)]
    has_vector = rng.random(n) < 0.85
    rows[~has_vector] = 0.0
    values = rng.normal(size=n).round(int(rng.integers(1, 12))) * 10.0 ** rng.integers(-3, 4)
    raw, kind = values, ScoreKind("a score", Direction.HIGHER, "drawn")
    if rng.random() < 0.3:
        raw, kind = -values, ScoreKind("a distance", Direction.LOWER, "drawn", "-distance")
    labels = [None if rng.random() < 0.2 else f"s{rng.integers(0, 4)}" for _ in range(n)]
    section = tuple(None if rng.random() < 0.2 else f"part {rng.integers(0, 3)}" for _ in range(n))
    pool = make_pool(
        n,
        scores=values,
        vectors=rows if n else np.empty((0, 3)),
        query_vector=rng.normal(size=3).tolist(),
        sources=labels,
        tokens=rng.integers(0, 12, size=n).tolist(),
        fields={"section": section},
        score_kind=kind,
        has_vector=has_vector,
        positions=tuple(None if rng.random() < 0.3 else int(rng.integers(9)) for _ in range(n)),
        source_field=["source", "file name", 'a"b'][rng.integers(3)],
    )
    return dataclasses.replace(pool, raw_scores=raw)


def setting(rng: np.random.Generator, pool: Pool, rule: str) -> Policy:
    """Draw a setting of a rule."""

    def one(*choices: Any) -> Any:  # noqa: ANN401 - of any field
        return choices[int(rng.integers(len(choices)))]

    def yes() -> bool:
        return bool(rng.random() < 0.5)

    ids = rng.permutation(np.array([*pool.ids, "nobody"])).tolist()
    return Policy(
        selector=rule,
        k=int(rng.integers(0, 9)),
        depth=one(None, 0, 3, 10, 40),
        lambda_=one(0.0, 0.3, 0.6, 1 / 3, 0.9, 1.0),
        cap=int(rng.integers(1, 4)),
        key=one("source", "section"),
        overrides=one((), (("s1", 4), ("part 1", 1))),
        backfill=yes(),
        relevance=one(None, *Relevance),
        scaling=one(None, *Scaling),
        clip_negative=yes(),
        missing_vector=one(*MissingVector),
        missing_key=one(*MissingKey),
        budget=one(None, None, 0, 12, 30),
        on_budget=one(*OnBudget),
        first_item_always=yes(),
        order=one(Order.SELECTION, Order.SELECTION, Order.DOCUMENT),
        pinned=tuple(ids[:2]) if rng.random() < 0.3 else (),
        banned=tuple(ids[2:4]) if rng.random() < 0.3 else (),
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_it_selects_the_same_from_pools_with_twins_ties_and_holes(
    make_pool: MakePool, rule: str, seed: int
) -> None:
    rng = np.random.default_rng((seed, RULES.index(rule)))
    for _ in range(4):
        pool = drawn(make_pool, rng)
        policy = setting(rng, pool, rule)
        assert chosen(pool, policy) == expected(pool, policy), policy


@pytest.mark.parametrize("rule", RULES)
def test_it_hands_out_by_score(make_pool: MakePool, rule: str) -> None:
    pool = make_pool(
        scores=[0.5, 0.9, 0.5, 0.7], vectors=np.eye(4), sources="aabc", query_vector=[1, 1, 1, 1]
    )
    policy = Policy(selector=rule, k=3, lambda_=0.2, order=Order.SCORE)
    assert chosen(pool, policy) == expected(pool, policy)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", [sample.name for sample in samples.SAMPLES])
def test_it_selects_the_same_from_the_samples(name: str, rule: str) -> None:
    sample = samples.named(name)
    assert sample is not None
    load = formats.read(samples.data(sample), sample.file)
    pool = load.question(0, source_field=sample.source_field).pool
    for k, depth, lambda_, cap in [(5, None, 0.6, 2), (8, 20, 0.3, 1), (4, 10, 0.9, 3)]:
        policy = Policy(selector=rule, k=k, depth=depth, lambda_=lambda_, cap=cap)
        assert chosen(pool, policy) == expected(pool, policy)


def test_every_conversion_of_a_score_is_known() -> None:
    known = {"as loaded", scores.NEGATED, *(formula.conversion for formula in scores.FORMULAS)}
    assert set(CONVERSIONS) == known


@pytest.mark.parametrize("formula", scores.FORMULAS, ids=lambda formula: formula.name)
def test_a_conversion_is_the_formula_that_its_words_say(formula: scores.Formula) -> None:
    if formula.to_cosine is None or not formula.conversion:
        return
    raw = np.array([0.0, 0.3, 1.25])
    written = CONVERSIONS[formula.conversion].format("x")
    by_code = [eval(written, {"x": value}) for value in raw.tolist()]  # noqa: S307 - our own
    assert by_code == formula.to_cosine(raw).tolist()


def test_only_what_the_setting_needs_is_written(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8], vectors=np.eye(2), sources="ab")
    code = snippet("Plain Python", pool, Policy()).code
    assert "cosine" not in code
    assert "taken" not in code
    assert "BUDGET" not in code
    assert "K = 5" in code
    code = snippet("Plain Python", pool, Policy(selector="mmr_cap", cap=3, depth=40)).code
    for line in ("LAMBDA = 0.6", "CAP = 3", 'KEY = "source"', "DEPTH = 40"):
        assert line in code.splitlines()
    assert len(snippet("Plain Python", pool, Policy(selector="mmr")).code.splitlines()) < 80


NASTY = ("a\"b'; drop table", "a\\", 'x"""y', "line\nbreak", "nul\0", "\u2028", "\U0001f600", "{k}")


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("rule", RULES)
def test_no_name_breaks_out_of_its_literal(make_pool: MakePool, rule: str, name: str) -> None:
    pool = make_pool(
        scores=[0.9, 0.8, 0.7, 0.6],
        vectors=np.eye(4),
        sources=[name, name, "b", None],
        ids=[name, "2", "3", "4"],
        source_field=name,
    )
    policy = Policy(
        selector=rule, k=3, cap=1, overrides=((name, 2),), banned=(name,), order=Order.DOCUMENT
    )
    ast.parse(snippet("Plain Python", pool, policy).code)
    assert chosen(pool, policy) == expected(pool, policy)


def test_every_field_of_a_policy_is_carried_or_spoken_of() -> None:
    from poolscope.report.base import _WORDS, READ_BY_ALL

    fields = {item.name for item in dataclasses.fields(Policy)}
    assert fields == {*READ_BY_ALL, *CARRIED, *_WORDS, "lambda_", "cap", "key"}


def test_a_rule_that_nobody_has_written_is_refused(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = dataclasses.replace(selection.named("top_k"), name="other", label="Other")
    monkeypatch.setitem(selection._BY_NAME, "other", rule)
    pool = make_pool(scores=[0.9])
    found = snippet("Plain Python", pool, Policy(selector="other"))
    assert found.code == ""
    assert found.differs == "The rule “Other” is not written as plain Python."


def test_every_other_rule_is_refused_in_words(make_pool: MakePool) -> None:
    others = [rule for rule in selection.SELECTORS if rule.name not in RULES]
    assert others
    for rule in others:
        found = snippet("Plain Python", make_pool(scores=[0.9]), Policy(selector=rule.name))
        assert found.code == ""
        assert found.differs == f"The rule “{rule.label}” is not written as plain Python."


def test_settings_that_are_not_written_are_named(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.8])
    for changes, name in (
        ({"near_copies": (NearCopy.TEXT,)}, "the removal of near copies"),
        ({"best": 1}, "slots reserved for the best"),
        ({"neighbours": 1}, "slots reserved for neighbours of the best"),
    ):
        found = snippet("Plain Python", pool, Policy().changed(**changes)).differs
        assert "Not carried over" in found
        assert name in found


def test_a_setting_that_nobody_has_heard_of_is_named(make_pool: MakePool) -> None:
    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Later(Policy):
        stale_after: float | None = None

    pool = make_pool(scores=[0.9])
    assert snippet("Plain Python", pool, Later()).differs == SAME
    found = snippet("Plain Python", pool, Later(stale_after=0.9)).differs
    assert found == "Not carried over: “stale after”."


def test_sources_made_by_a_rule_are_spoken_of(make_pool: MakePool) -> None:
    pool = make_pool(
        scores=[0.9, 0.8],
        sources=["guide", "guide"],
        fields={"url": ("guide#1", "guide#2")},
        source_field="url",
    )
    found = snippet("Plain Python", pool, Policy(selector="grouped_cap")).differs
    assert "made from the field “url” by a rule" in found
    assert snippet("Plain Python", pool, Policy(selector="top_k")).differs == SAME
