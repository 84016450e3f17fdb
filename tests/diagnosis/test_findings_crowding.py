"""Copies, overlap, one source, one meaning: each on both sides of its boundary."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest

from poolscope.diagnosis import Facts, Finding, Kind, diagnose
from poolscope.geometry import Floats
from poolscope.model import Facet, Policy, Pool
from poolscope.selection import select

MakePool: TypeAlias = Callable[..., Pool]

WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("al", "en", "ir", "ox", "um", "ash", "ell")]
"""Words to make passages of."""


def passage(seed: int, count: int = 30) -> str:
    return " ".join(np.random.default_rng(seed).choice(WORDS, size=count))


def clustered(
    relevances: Sequence[float], clusters: Sequence[int], likeness: float = 0.5, common: float = 0.0
) -> tuple[Floats, Floats]:
    """Vectors of given cosine to the question; those of one cluster share a direction.

    ``common`` adds one direction to everything, as embedders do that put all texts close together.
    """
    n, m = len(relevances), max(clusters) + 1
    rows = np.zeros((n, n + m + 2))
    r = np.array(relevances)
    rest = np.sqrt(1.0 - r**2)
    rows[:, 0] = r
    rows[np.arange(n), 1 + np.array(clusters)] = rest * np.sqrt(likeness)
    rows[np.arange(n), 1 + m + np.arange(n)] = rest * np.sqrt(1.0 - likeness)
    rows[:, -1] = common
    question = np.zeros(n + m + 2)
    question[[0, -1]] = 1.0, common
    return rows, question


def kinds(pool: Pool, policy: Policy | None = None) -> list[Kind]:
    return [finding.kind for finding in diagnose(pool, policy or Policy()).findings]


def first(pool: Pool, policy: Policy | None = None) -> Finding:
    return diagnose(pool, policy or Policy()).first


def texts(n: int) -> tuple[str, ...]:
    return tuple(passage(seed) for seed in range(n))


SCORES = [0.80, 0.79, 0.78, 0.77, 0.76, 0.75, 0.74, 0.73, 0.50, 0.45, 0.40, 0.35, 0.30, 0.25, 0.2]
TAIL = [9, 10, 11, 12, 13, 14, 15]


def meaning_pool(make_pool: MakePool, common: float = 0.0, **rest: Any) -> Pool:  # noqa: ANN401
    """Five picks of one meaning, three others hardly less relevant, a tail far below."""
    rows, question = clustered(SCORES, [0, 0, 0, 0, 0, 1, 1, 2, *TAIL[:7]], common=common)
    parts = {"sources": [f"report-{i:c}" for i in range(97, 112)], "texts": texts(15), **rest}
    return make_pool(vectors=rows, query_vector=question, scores=SCORES, **parts)


@pytest.mark.parametrize("common", [0.0, 0.5, 1.5])
def test_one_meaning_across_sources_is_crowded_whatever_the_embedder_puts_all_texts_at(
    make_pool: MakePool, common: float
) -> None:
    found = first(meaning_pool(make_pool, common))
    assert found.kind is Kind.MEANING
    assert found.is_alarm
    assert found.sentence.startswith("Crowded by meaning. 5 of 5 slots say much the same")
    assert "the first at rank 6" in found.sentence
    assert any(line.startswith("A cap will not help") for line in found.evidence)
    assert any("0.85" in line and "decides nothing" in line for line in found.evidence)


def test_one_meaning_without_an_alternative_is_healthy(make_pool: MakePool) -> None:
    scores = [*SCORES[:5], *(0.50 - 0.03 * i for i in range(10))]
    rows, question = clustered(scores, [0, 0, 0, 0, 0, *range(1, 11)])
    pool = make_pool(
        vectors=rows,
        query_vector=question,
        scores=scores,
        sources=[f"report-{i:c}" for i in range(97, 112)],
        texts=texts(15),
    )
    assert kinds(pool) == [Kind.HEALTHY]


def test_five_meanings_are_healthy(make_pool: MakePool) -> None:
    rows, question = clustered(SCORES, list(range(15)))
    pool = make_pool(
        vectors=rows,
        query_vector=question,
        scores=SCORES,
        sources=[f"report-{i:c}" for i in range(97, 112)],
        texts=texts(15),
    )
    assert kinds(pool) == [Kind.HEALTHY]


def facets_of(marks: Sequence[int]) -> dict[str, Any]:
    """One facet a number from 0; -1 supports none."""
    m = max(marks) + 1
    table = np.array([[int(mark == facet) for facet in range(m)] for mark in marks], dtype=np.int8)
    return {"facets": tuple(Facet(f"f{i}", f"cause {i}") for i in range(m)), "judgements": table}


def test_facets_covered_as_well_as_can_be_overrule_any_likeness(make_pool: MakePool) -> None:
    marks = [0, 1, 2, 0, 0, *[0] * 10]
    assert kinds(meaning_pool(make_pool, **facets_of(marks))) == [Kind.HEALTHY]


def test_with_facets_the_step_is_measured(make_pool: MakePool) -> None:
    pool = meaning_pool(make_pool, **facets_of([0, 0, 0, 0, 0, 1, 1, 2, *[-1] * 7]))
    found = first(pool)
    assert found.kind is Kind.MEANING
    assert found.step is not None
    assert found.step.effect.coverage == (1 / 3, 1.0)
    assert found.step.policy.selector == "mmr"
    assert any(line.startswith("MMR with any lambda from") for line in found.evidence)
    covered = pool.marks[select(pool, found.step.policy).indices].any(axis=0)
    assert covered.all()


def one_source_pool(make_pool: MakePool, others: Sequence[float], **rest: Any) -> Pool:  # noqa: ANN401
    scores = [0.92, 0.91, 0.90, 0.89, 0.885, *others, 0.5, 0.45, 0.4, 0.35]
    n = len(scores)
    sources = ["guide"] * 5 + [f"other-{i}" for i in range(len(others))] + ["rest"] * 4
    return make_pool(scores=scores, sources=sources, texts=texts(n), **rest)


def test_one_source_is_crowded_while_others_are_as_good(make_pool: MakePool) -> None:
    found = first(one_source_pool(make_pool, [0.88, 0.87]))
    assert found.kind is Kind.ONE_SOURCE
    assert found.is_alarm
    assert found.sentence == (
        "Crowded by one source. 5 of 5 slots come from guide; "
        "2 other sources lie within 0.05 of the best score."
    )


def test_one_source_is_a_single_source_question_where_the_others_fall_off(
    make_pool: MakePool,
) -> None:
    found = first(one_source_pool(make_pool, [0.6, 0.55]))
    assert found.kind is Kind.SINGLE_SOURCE
    assert not found.is_alarm
    assert "lies at rank 6" in found.sentence


def test_a_majority_of_one_source_is_not_crowded(make_pool: MakePool) -> None:
    scores = [0.92, 0.91, 0.90, 0.89, 0.885, 0.88, 0.87, 0.5, 0.45, 0.4]
    pool = make_pool(scores=scores, sources="aaabcdeabc", texts=texts(10))
    assert Kind.ONE_SOURCE not in kinds(pool)


def test_a_cap_is_suggested_where_it_was_measured_to_cover_more(make_pool: MakePool) -> None:
    pool = one_source_pool(make_pool, [0.88, 0.87], **facets_of([0, 0, 0, 0, 0, 1, 2, *[-1] * 4]))
    found = first(pool)
    assert found.kind is Kind.ONE_SOURCE
    assert found.step is not None
    assert (found.step.policy.selector, found.step.policy.cap) == ("grouped_cap", 3)
    assert found.step.words == "Cap of 3 per source"
    assert found.step.effect.sources == (1, 3)
    assert found.remedy.startswith("Try cap of 3 per source")


def test_the_policys_key_is_what_slots_are_counted_by(make_pool: MakePool) -> None:
    scores = [0.92, 0.91, 0.90, 0.89, 0.885, 0.88, 0.87, 0.5, 0.45, 0.4]
    sections = ["4.8"] * 5 + ["4.5", "5.1", *"678"]
    pool = make_pool(
        scores=scores, sources="abcdeabcde", texts=texts(10), fields={"section": sections}
    )
    assert Kind.ONE_SOURCE not in kinds(pool)
    assert first(pool, Policy(key="section")).kind is Kind.ONE_SOURCE


def copied(n: int, places: Sequence[int], change: int) -> tuple[str, ...]:
    """Passages of which some are one text, with a few words changed in each."""
    made = list(texts(n))
    for place in places:
        row = passage(99).split()
        for word in range(change):
            row[(7 * place + 11 * word) % len(row)] = f"changed{place}{word}"
        made[place] = " ".join(row)
    return tuple(made)


@pytest.mark.parametrize(
    ("places", "change", "found"),
    [
        ((0, 2), 0, True),  # the same words
        ((0, 2, 3), 1, True),  # one word of thirty
        ((0, 2), 12, False),  # two fifths of the words
        ((0, 8), 0, False),  # the copy has no slot
    ],
)
def test_copies_by_their_words(
    make_pool: MakePool,
    places: Sequence[int],
    change: int,
    found: bool,  # noqa: FBT001
) -> None:
    pool = make_pool(
        scores=SCORES, sources=[f"s{i}" for i in range(15)], texts=copied(15, places, change)
    )
    assert (first(pool).kind is Kind.COPIES) == found


def test_copies_differ_in_case_and_signs_only(make_pool: MakePool) -> None:
    made = list(texts(15))
    made[1] = made[0].upper().replace(" ", ",  ")
    pool = make_pool(scores=SCORES, sources=[f"s{i}" for i in range(15)], texts=tuple(made))
    found = first(pool)
    assert found.kind is Kind.COPIES
    assert "1 of 5 slots repeats" in found.sentence
    assert "ranks 1 and 2" in found.sentence


def test_texts_that_tell_nothing_are_no_copies(make_pool: MakePool) -> None:
    pool = make_pool(scores=SCORES, sources=[f"s{i}" for i in range(15)], texts=("-",) * 15)
    assert Kind.COPIES not in kinds(pool)


def chunks(n: int, step: int, size: int = 40) -> tuple[str, ...]:
    row = [f"{word}{i}" for i, word in enumerate(passage(5, step * n + size).split())]
    return tuple(" ".join(row[i * step : i * step + size]) for i in range(n))


@pytest.mark.parametrize(("step", "found"), [(20, True), (28, True), (36, False), (40, False)])
def test_overlapping_chunks_by_their_words(
    make_pool: MakePool,
    step: int,
    found: bool,  # noqa: FBT001
) -> None:
    made = (*chunks(6, step), *texts(9))
    pool = make_pool(scores=SCORES, sources=["guide"] * 6 + list("bcdefghij"), texts=made)
    assert (first(pool).kind is Kind.OVERLAP) == found


@pytest.mark.parametrize(("step", "is_alarm"), [(30, True), (31, False)])
def test_a_slots_worth_of_repeated_text_is_an_alarm_and_less_is_a_remark(
    make_pool: MakePool,
    step: int,
    is_alarm: bool,  # noqa: FBT001
) -> None:
    made = (*chunks(6, step), *texts(9))
    pool = make_pool(scores=SCORES, sources=["guide"] * 6 + list("bcdefghij"), texts=made)
    met = [f for f in diagnose(pool, Policy()).findings if f.kind is Kind.OVERLAP]
    assert [finding.is_alarm for finding in met] == [is_alarm]
    assert "Merge neighbours" in met[0].remedy


def test_the_step_against_overlap_says_that_coverage_is_not_known(make_pool: MakePool) -> None:
    rows, question = clustered(SCORES, [0, 0, 0, *range(1, 13)], likeness=0.9)
    pool = make_pool(
        vectors=rows,
        query_vector=question,
        scores=SCORES,
        sources=["guide"] * 3 + list("bcdefghijklm"),
        texts=(*chunks(3, 13), *texts(12)),
    )
    found = first(pool)
    assert found.kind is Kind.OVERLAP
    assert found.step is not None
    assert "not known without facets" in found.remedy
    kept = set(select(pool, found.step.policy).indices.tolist())
    pairs = Facts(select(pool, Policy())).repetition.overlaps.pairs
    assert {0, 1, 2, 3, 4} - kept
    for left in {0, 1, 2, 3, 4} - kept:
        assert any(left in pair and kept & set(pair) for pair in pairs)


def test_a_long_header_makes_no_copies_of_rows(make_pool: MakePool) -> None:
    header = " ".join(passage(77, 24).split())
    rows = tuple(f"{header}\n{passage(seed, 6)}" for seed in range(15))
    pool = make_pool(scores=SCORES, sources=["sheet"] * 6 + list("bcdefghij"), texts=rows)
    assert not {Kind.COPIES, Kind.OVERLAP} & set(kinds(pool))


def test_a_disclaimer_below_every_chunk_is_no_overlap(make_pool: MakePool) -> None:
    end = passage(78, 20)
    made = tuple(f"{text} {end}" for text in texts(15))
    pool = make_pool(scores=SCORES, sources=["site"] * 6 + list("bcdefghij"), texts=made)
    assert not {Kind.COPIES, Kind.OVERLAP} & set(kinds(pool))


def test_more_relevant_picks_are_not_of_one_meaning_for_that(make_pool: MakePool) -> None:
    scores = [0.95, 0.945, 0.94, 0.935, 0.93, *(0.90 - 0.004 * i for i in range(10))]
    rows, question = clustered(scores, range(15), common=2.0)
    pool = make_pool(
        vectors=rows,
        query_vector=question,
        scores=(np.array(scores) + 2.0) / 3.0,
        sources=[f"report-{i:c}" for i in range(97, 112)],
        texts=texts(15),
    )
    found = diagnose(pool, Policy()).findings
    assert [finding.kind for finding in found] == [Kind.HEALTHY, Kind.COPIES]
    assert not found[1].is_alarm
    assert "such a cosine is usual in this pool" in found[1].sentence


def test_overlapping_chunks_by_their_offsets(make_pool: MakePool) -> None:
    spans = tuple((100 * i, 100 * i + 200) for i in range(15))
    sources = ["guide"] * 6 + list("bcdefghij")
    pool = make_pool(scores=SCORES, sources=sources, texts=texts(15), spans=spans)
    found = first(pool)
    assert found.kind is Kind.OVERLAP
    assert found.sentence == (
        "Overlapping chunks. 5 of 5 slots share text with another one of guide: 40% of the context "
        "stands in it twice."
    )
    assert found.evidence[0] == "4 pairs share 50% of the shorter chunk on average."
    assert found.evidence[1].startswith(
        "Passing over chunks that share text with a better one would bring in ranks 7, 8, "
    )
    apart = tuple((200 * i, 200 * i + 200) for i in range(15))
    pool = make_pool(scores=SCORES, sources=sources, texts=texts(15), spans=apart)
    assert Kind.OVERLAP not in kinds(pool)


def test_a_repeated_heading_is_no_overlap(make_pool: MakePool) -> None:
    made = tuple(f"From the guide on caches and probes, part one: {text}" for text in texts(15))
    pool = make_pool(scores=SCORES, sources=["guide"] * 6 + list("bcdefghij"), texts=made)
    assert Kind.OVERLAP not in kinds(pool)


def test_alternatives_are_held_against_the_pools_own_spread(make_pool: MakePool) -> None:
    pool = one_source_pool(make_pool, [0.88, 0.6])
    facts = Facts(select(pool, Policy()))
    assert facts.standing.losses[4] == 0.0
    assert facts.standing.losses[5] < 0.1 < 0.35 < facts.standing.losses[6]
    assert facts.standing.near == (5,)
