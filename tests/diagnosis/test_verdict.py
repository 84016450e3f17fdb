"""The verdict on the samples and on real questions, and what must not change it."""

import dataclasses
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope import formats, geometry, samples
from poolscope.diagnosis import FINDINGS, Kind, Verdict, diagnose
from poolscope.diagnosis.verdict import REMARKS
from poolscope.geometry import Floats
from poolscope.measures.coverage import facet_coverage
from poolscope.model import Direction, Policy, Pool, Relevance, ScoreKind
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]


def _file(path: Path) -> formats.File:
    return formats.File(path.read_bytes(), path.name)


def loaded(name: str) -> Pool:
    sample = samples.named(name)
    assert sample is not None
    load = formats.read(samples.data(sample), sample.file)
    return load.question(0, source_field=sample.source_field).pool


def without_facets(pool: Pool) -> Pool:
    return dataclasses.replace(pool, facets=(), judgements=None)


@pytest.mark.parametrize(
    ("name", "kinds", "is_alarm"),
    [
        ("monograph", [Kind.OVERLAP, Kind.ONE_SOURCE], True),
        ("checkout", [Kind.MEANING], True),
        ("deploy-guide-8", [Kind.ONE_SOURCE, Kind.NO_VECTORS], True),
        ("deploy-guide-6", [Kind.ONE_SOURCE, Kind.NO_VECTORS], True),
        ("agent-memory", [Kind.ONE_SOURCE], True),
        ("healthy", [Kind.HEALTHY], False),
        ("single-source", [Kind.SINGLE_SOURCE], False),
    ],
)
def test_the_samples(name: str, kinds: list[Kind], is_alarm: bool) -> None:  # noqa: FBT001
    verdict = diagnose(loaded(name), Policy())
    assert [finding.kind for finding in verdict.findings] == kinds
    assert verdict.first.is_alarm == is_alarm


@pytest.mark.parametrize("name", ["healthy", "single-source"])
def test_no_alarm_on_the_quiet_samples_without_their_facets(name: str) -> None:
    verdict = diagnose(without_facets(loaded(name)), Policy())
    assert not any(finding.is_alarm for finding in verdict.findings)


def test_checkout_says_what_helps_and_what_does_not() -> None:
    found = diagnose(loaded("checkout"), Policy()).first
    assert found.step is not None
    assert found.step.words == "MMR at lambda 0.9"
    assert found.step.effect.coverage == (1 / 3, 1.0)
    assert "A cap will not help: every pick already has a source of its own." in found.evidence
    assert "MMR with any lambda from 0.44 to 0.94 covers 3 of 3 facets." in found.evidence
    assert any("0.79, under the default alarm" in line for line in found.evidence)


def test_agent_memory_is_helped_by_a_cap_and_not_by_similarity() -> None:
    found = diagnose(loaded("agent-memory"), Policy(relevance=Relevance.COSINE)).first
    assert found.kind is Kind.ONE_SOURCE
    assert any("no lambda of MMR covers more than now" in line for line in found.evidence)
    found = diagnose(loaded("agent-memory"), Policy()).first
    assert found.step is not None
    assert found.step.policy.selector == "grouped_cap"
    assert found.step.effect.coverage == (0.2, 0.8)


@pytest.mark.parametrize("name", [sample.name for sample in samples.SAMPLES])
@pytest.mark.parametrize("k", [3, 5, 10])
def test_a_suggested_step_is_never_measured_to_cover_less(name: str, k: int) -> None:
    for finding in diagnose(loaded(name), Policy(k=k)).findings:
        coverage = None if finding.step is None else finding.step.effect.coverage
        assert coverage is None or coverage[1] > coverage[0]


@pytest.mark.parametrize("name", [sample.name for sample in samples.SAMPLES])
def test_following_the_step_ends_the_alarm_it_came_with(name: str) -> None:
    pool = loaded(name)
    found = diagnose(pool, Policy()).first
    if found.step is None:
        return
    assert found.kind not in [after.kind for after in diagnose(pool, found.step.policy).findings]


def rotated(rows: Floats) -> Floats:
    d = rows.shape[-1]
    turn = np.linalg.qr(np.random.default_rng(6).normal(size=(d, d)))[0]
    return geometry.unit_rows(rows @ turn).rows


def said(verdict: Verdict) -> list[tuple[Kind, bool, tuple[int, ...]]]:
    """What must not change: kinds, alarms, and what the suggested step selects."""
    pool = verdict.selection.pool
    return [
        (
            finding.kind,
            finding.is_alarm,
            () if finding.step is None else tuple(select(pool, finding.step.policy).indices),
        )
        for finding in verdict.findings
    ]


@pytest.mark.parametrize("name", [sample.name for sample in samples.SAMPLES])
@pytest.mark.parametrize("known", [True, False])
def test_names_and_the_vectors_axes_do_not_matter(name: str, known: bool) -> None:  # noqa: FBT001
    pool = loaded(name) if known else without_facets(loaded(name))
    renamed = {source: f"document {i}" for i, source in enumerate(pool.distinct_sources)}
    other = dataclasses.replace(
        pool,
        ids=tuple(f"another-{i * 7 % 1000}" for i in range(len(pool))),
        sources=tuple(None if s is None else renamed[s] for s in pool.sources),
        vectors=None if pool.vectors is None else rotated(pool.vectors),
        query_vector=None if pool.query_vector is None else rotated(pool.query_vector[None])[0],
    )
    assert said(diagnose(other, Policy())) == said(diagnose(pool, Policy()))


@pytest.mark.parametrize("name", ["deploy-guide-6", "deploy-guide-8", "agent-memory"])
@pytest.mark.parametrize("factor", [1e-6, 250.0])
def test_the_unit_of_a_score_does_not_matter(name: str, factor: float) -> None:
    pool = without_facets(loaded(name))
    assert pool.scores is not None
    other = dataclasses.replace(pool, scores=pool.scores * factor)
    assert said(diagnose(other, Policy())) == said(diagnose(pool, Policy()))


LOGIT = ScoreKind("reranker logit", Direction.HIGHER, "drawn", is_cosine=False)
ORDER = ScoreKind("unknown", Direction.ORDER, "drawn", is_cosine=False)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_pool_breaks_it(make_pool: MakePool, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    flat = st.floats(-3, 3).map(lambda value: round(value, 1))
    rows = np.array(data.draw(st.lists(st.tuples(flat, flat), min_size=n, max_size=n)))
    has_vectors = data.draw(st.booleans())
    known = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    pool = make_pool(
        n,
        scores=sorted(data.draw(st.lists(flat, min_size=n, max_size=n)), reverse=True)
        if data.draw(st.booleans())
        else None,
        score_kind=data.draw(st.sampled_from([LOGIT, ORDER])),
        vectors=np.where(known[:, None], rows, 0.0) if has_vectors else None,
        has_vector=known if has_vectors else None,
        query_vector=[1.0, 0.0] if has_vectors and data.draw(st.booleans()) else None,
        sources=data.draw(st.lists(st.sampled_from(["a", "b", None]), min_size=n, max_size=n)),
        texts=tuple(
            data.draw(st.lists(st.sampled_from(["", "x", "a b c d e f g"]), min_size=n, max_size=n))
        ),
    )
    policy = Policy(
        selector=data.draw(st.sampled_from(["top_k", "two_pass_cap", "mmr"])),
        k=data.draw(st.integers(0, 14)),
        depth=data.draw(st.none() | st.integers(0, 14)),
        lambda_=data.draw(st.sampled_from([0.0, 0.3, 1.0])),
    )
    verdict = diagnose(pool, policy)
    assert verdict.findings
    found = [finding.kind for finding in verdict.findings]
    assert len(set(found)) == len(found)
    for finding in verdict.findings:
        text = " ".join((finding.sentence, *finding.evidence, finding.remedy))
        assert "nan" not in text.split()
        assert finding.sentence.endswith(".")
        assert finding.remedy.endswith(".")


def test_only_remarks_follow_healthy(make_pool: MakePool) -> None:
    for sample in samples.SAMPLES:
        pool = loaded(sample.name)
        found = diagnose(pool, Policy()).findings
        if found[0].kind is Kind.HEALTHY:
            assert not any(finding.is_alarm for finding in found)
            assert {f.kind for f in found[1:]} <= {
                Kind.NO_VECTORS,
                Kind.SCALE,
                Kind.OVERLAP,
                Kind.COPIES,
            }
        else:
            assert Kind.HEALTHY not in {finding.kind for finding in found}
    assert diagnose(make_pool(0, sources=[], scores=[]), Policy()).first.kind is Kind.NOTHING


def test_every_sentence_starts_with_its_kind() -> None:
    for sample in samples.SAMPLES:
        for finding in diagnose(loaded(sample.name), Policy()).findings:
            assert finding.sentence.startswith(f"{finding.kind.value.capitalize()}. ")


def test_every_look_is_taken_once() -> None:
    assert len({*FINDINGS, *REMARKS}) == len(FINDINGS) + len(REMARKS)


REAL = (
    "argkp_topic_stance",
    "quotesum_dev",
    "qmsum_spans_overlap50",
    "qmsum_singlespan_overlap50",
)


@cache
def real(folder: Path, name: str) -> list[Pool]:
    load = formats.read(
        (folder / f"{name}.jsonl").read_bytes(),
        f"{name}.jsonl",
        beside=formats.Beside(
            vectors=_file(folder / f"{name}.npz"),
            query_vectors=_file(folder / f"{name}.queries.npz"),
        ),
    )
    return [question.pool for question in load.questions()]


@pytest.mark.parametrize("known", [True, False])
def test_steps_on_real_questions_raise_coverage_more_often_than_they_lower_it(
    cases: Path,
    known: bool,  # noqa: FBT001
) -> None:
    outcomes: Counter[str] = Counter()
    for pool in (pool for name in REAL for pool in real(cases / "pools", name)):
        verdict = diagnose(pool if known else without_facets(pool), Policy())
        steps = [finding.step for finding in verdict.findings if finding.step is not None]
        if not steps:
            continue
        before = facet_coverage(select(pool, Policy()))
        after = facet_coverage(select(pool, steps[0].policy))
        outcomes["raised" if after > before else "lowered" if after < before else "left"] += 1
    assert outcomes["raised"] > 2 * outcomes["lowered"]
    assert outcomes["lowered"] == 0 or not known


def test_crowding_is_seen_on_the_crowded_set_and_not_on_the_single_answers(cases: Path) -> None:
    def alarms(name: str) -> float:
        pools = real(cases / "pools", name)
        return sum(diagnose(pool, Policy()).first.is_alarm for pool in pools) / len(pools)

    assert alarms("argkp_topic_stance") > 0.7
    assert alarms("qmsum_singlespan_overlap50") < 0.25


@pytest.mark.parametrize(("source", "said"), [("abcabc", True), ((None,) * 6, False)])
def test_what_no_field_names_is_not_counted_as_sources(
    make_pool: MakePool, source: str | tuple[None, ...], *, said: bool
) -> None:
    verdict = diagnose(make_pool(6, scores=[6, 5, 4, 3, 2, 1], sources=source), Policy(k=3))
    assert verdict.first.kind is Kind.HEALTHY
    assert (" from 3 sources" in verdict.first.sentence) is said
