"""The samples: complete, readable, and showing what their README says that they show."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from poolscope import formats, samples
from poolscope.formats import Loaded
from poolscope.measures import Measured, measure
from poolscope.model import SUPPORTS, Policy, Pool, Relevance
from poolscope.selection import select

FOLDER = Path(__file__).resolve().parents[1] / "sample_data"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
EVERY = pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: sample.name)


def loaded(sample: samples.Sample) -> Loaded:
    load = formats.read(samples.data(sample), sample.file)
    return load.question(0, source_field=sample.source_field)


@pytest.fixture(scope="module")
def pool() -> Callable[[str], Pool]:
    def read(name: str) -> Pool:
        found = samples.named(name)
        assert found is not None
        return loaded(found).pool

    return read


def taken(pool: Pool, selector: str = "top_k", **settings: object) -> Measured:
    return measure(select(pool, Policy(selector=selector).changed(**settings)))


def ranks(measured: Measured) -> list[int]:
    return [int(index) + 1 for index in measured.selection.indices]


def covered(pool: Pool, selector: str = "top_k", **settings: object) -> int:
    found = taken(pool, selector, **settings)
    return round(found["facet_coverage"] * len(pool.facets))


@EVERY
def test_a_sample_loads_whole(sample: samples.Sample) -> None:
    found = loaded(sample)
    assert found.report.set_aside == ()
    assert found.pool.query
    assert len(found.pool.facets) >= 3
    assert found.report.judged == len(found.pool)
    assert all(text.strip() for text in found.pool.texts)


def test_every_file_is_a_sample_and_every_sample_a_file() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.json")) == sorted(
        sample.file for sample in samples.SAMPLES
    )


@EVERY
def test_the_readme_tells_file_candidates_and_sources(sample: samples.Sample) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| `{sample.file}`")]
    pool = loaded(sample).pool
    size = row.split("|")[2].strip()
    assert int(re.findall(r"\d+", size)[0]) == len(pool)
    if counts := re.findall(r"of (\d+)", size):
        column = pool.fields.get("source (as loaded)", pool.sources)
        assert int(counts[0]) == len(set(column))
    for name in re.findall(r"Fields: (.*?)\.(?: \||$)", row):
        for field in re.findall(r"`(\w+)`", name):
            assert any(field == met.partition(".")[0] for met in (*pool.fields, pool.source_field))


@EVERY
def test_a_sample_has_its_maker(sample: samples.Sample) -> None:
    stem = re.sub(r"-\d+$", "", sample.name).replace("-", "_")
    assert (FOLDER / "make" / f"{stem}.py").is_file()


def test_names_are_short_and_distinct() -> None:
    names = [sample.name for sample in samples.SAMPLES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert samples.named("healthy") is not None
    assert samples.named("Healthy") is None


@EVERY
def test_titles_and_stories_are_sentences(sample: samples.Sample) -> None:
    assert sample.story.endswith(".")
    assert not sample.title.endswith(".")


def test_the_larger_samples_are_of_a_useful_size(pool: Callable[[str], Pool]) -> None:
    for name in ("monograph", "checkout", "agent-memory", "healthy", "single-source"):
        found = pool(name)
        assert len(found) >= 40
        assert found.vectors is not None
        assert found.query_vector is not None


# The stories, one by one


def test_monograph_top_five_is_one_section_and_the_table_comes_later(
    pool: Callable[[str], Pool],
) -> None:
    monograph = pool("monograph")
    top = taken(monograph)
    assert top["distinct_sources"] == 1
    assert covered(monograph) == 2
    interactions = {f.id for f in monograph.facets} & {"inhibitors", "inducers", "warfarin"}
    assert not interactions & {f for i in range(5) for f in monograph.candidate(i).supports}


def test_monograph_interactions_table_starts_at_rank_8(pool: Callable[[str], Pool]) -> None:
    monograph = pool("monograph")
    ranks_of_table = [i + 1 for i, text in enumerate(monograph.texts) if "Table 3 lists" in text]
    assert ranks_of_table[0] == 8
    assert monograph.sources.index("4.5 Interactions") + 1 == 7


def test_monograph_chunks_overlap_by_half(pool: Callable[[str], Pool]) -> None:
    spans = [span for span in pool("monograph").spans if span is not None]
    shares = [
        max(0, min(a[1], b[1]) - max(a[0], b[0])) / (a[1] - a[0])
        for a, b in zip(sorted(spans), sorted(spans)[1:], strict=False)
    ]
    assert 0.35 < float(np.median(shares)) < 0.6


def test_monograph_lambda_and_caps(pool: Callable[[str], Pool]) -> None:
    monograph = pool("monograph")
    assert covered(monograph, "mmr", lambda_=0.6) == 5
    assert ranks(taken(monograph, "mmr", lambda_=0.8)) == ranks(taken(monograph))
    assert covered(monograph, "mmr", lambda_=0.3) < 5
    assert covered(monograph, "grouped_cap", cap=2) == 2 + 1
    assert covered(monograph, "two_pass_cap", cap=2) == 2 + 2


def test_checkout_tells_three_causes(pool: Callable[[str], Pool]) -> None:
    checkout = pool("checkout")
    assert len(set(checkout.sources)) == 50
    supporters = [np.flatnonzero(column == SUPPORTS) + 1 for column in checkout.marks.T]
    assert [len(found) for found in supporters] == [30, 5, 4]
    assert [int(found[0]) for found in supporters] == [1, 9, 14]


@pytest.mark.parametrize("selector", ["grouped_cap", "two_pass_cap"])
def test_checkout_a_cap_changes_nothing(pool: Callable[[str], Pool], selector: str) -> None:
    checkout = pool("checkout")
    assert ranks(taken(checkout, selector, cap=1)) == ranks(taken(checkout)) == [1, 2, 3, 4, 5]


def test_checkout_lambda_from_045_to_094_reaches_all_three(
    pool: Callable[[str], Pool],
) -> None:
    checkout = pool("checkout")
    assert checkout.vectors is not None
    assert checkout.vectors.shape[1] == 54
    found = [covered(checkout, "mmr", lambda_=step / 100) == 3 for step in range(101)]
    assert [step for step in range(101) if found[step]] == list(range(45, 95))


def test_deploy_guide_six_leaves_a_slot_empty_unless_backfilled(
    pool: Callable[[str], Pool],
) -> None:
    six = pool("deploy-guide-6")
    assert six.vectors is None
    assert covered(six, "grouped_cap", cap=2) == 3
    assert taken(six, "grouped_cap", cap=2).selection.empty_slots == 1
    assert taken(six, "two_pass_cap", cap=2, backfill=False).selection.empty_slots == 1
    assert taken(six, "two_pass_cap", cap=2).selection.empty_slots == 0


def test_deploy_guide_eight_costs_0013_of_mean_score(pool: Callable[[str], Pool]) -> None:
    eight = pool("deploy-guide-8")
    top, capped = taken(eight), taken(eight, "grouped_cap", cap=2)
    assert (top["distinct_sources"], covered(eight)) == (1, 1)
    assert (len(capped.selection), capped["distinct_sources"]) == (5, 3)
    assert covered(eight, "grouped_cap", cap=2) == 3
    assert top["mean_relevance"] - capped["mean_relevance"] == pytest.approx(0.013)


def test_agent_memory_a_cap_per_session_lifts_coverage(pool: Callable[[str], Pool]) -> None:
    memory = pool("agent-memory")
    assert len(set(memory.sources[:13])) == 1
    assert memory.sources[13] != memory.sources[0]
    assert covered(memory) == 1
    assert covered(memory, "two_pass_cap", cap=2) == 4
    assert covered(memory, "grouped_cap", cap=1) == 4
    assert memory.score_kind is not None
    assert not memory.score_kind.is_cosine


def test_agent_memory_no_lambda_on_cosine_does(pool: Callable[[str], Pool]) -> None:
    memory = pool("agent-memory")
    on_cosine = {"relevance": Relevance.COSINE}
    most = max(covered(memory, "mmr", lambda_=s / 20, **on_cosine) for s in range(21))
    assert most < 4


def test_healthy_nothing_should_be_changed(pool: Callable[[str], Pool]) -> None:
    healthy = pool("healthy")
    top = taken(healthy)
    assert covered(healthy) == len(healthy.facets) == 4
    assert top["distinct_sources"] == 4
    for selector, settings in (
        ("two_pass_cap", {"cap": 2}),
        ("grouped_cap", {"cap": 1}),
        ("mmr", {"lambda_": 0.6}),
    ):
        other = taken(healthy, selector, **settings)
        assert covered(healthy, selector, **settings) == 3
        assert other["mean_relevance"] < top["mean_relevance"]


def test_single_source_a_cap_or_mmr_takes_steps_away(pool: Callable[[str], Pool]) -> None:
    single = pool("single-source")
    assert covered(single) == len(single.facets) == 5
    assert taken(single)["distinct_sources"] == 1
    assert covered(single, "two_pass_cap", cap=2) == 1
    assert covered(single, "mmr", lambda_=0.6) == 3
