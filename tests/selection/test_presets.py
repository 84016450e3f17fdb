"""Presets: each by hand, the published numbers, what other libraries picked, and the table."""

import json
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from langchain_core.vectorstores.utils import maximal_marginal_relevance
from pyversity import Strategy, diversify

from poolscope.errors import PolicyError
from poolscope.model import Cause, Direction, Pool, Rule, ScoreKind, Selection
from poolscope.selection import presets
from poolscope.selection.presets import PRESETS, Need, Preset, Request, memories, policies

MakePool: TypeAlias = Callable[..., Pool]
Sample: TypeAlias = Callable[[str], Pool]

RECORDED = json.loads(
    (Path(__file__).parent / "recorded" / "mmr_of_others.json").read_text(encoding="utf-8")
)
FUSED = ScoreKind(name="fused", direction=Direction.HIGHER, evidence="a test")

every = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)


def run(name: str, pool: Pool, **request: Any) -> Selection:  # noqa: ANN401
    return presets.named(name).select(pool, Request(**request))


def ids(name: str, pool: Pool, **request: Any) -> list[str]:  # noqa: ANN401
    selection = run(name, pool, **request)
    return [pool.ids[index] for index in selection.ordered]


def ranks(name: str, pool: Pool, **request: Any) -> list[int]:  # noqa: ANN401
    return [index + 1 for index in run(name, pool, **request).ordered]


def angles(*degrees: float) -> list[list[float]]:
    return [[math.cos(math.radians(a)), math.sin(math.radians(a))] for a in degrees]


@pytest.fixture
def rich(make_pool: MakePool) -> Pool:
    """Thirty candidates that have all that any preset reads."""
    rng = np.random.default_rng(30)
    rows = rng.normal(size=(30, 6)) + 0.6
    query = np.ones(6)
    cosines = rows @ query / np.linalg.norm(rows, axis=1)
    rows = rows[np.argsort(-cosines)]
    kinds = ["events", "entities", "preferences", "experiences", "resources", "skills"]
    words = ["cache", "probe", "memory", "limit", "node", "deploy", "restart", "warm"]
    return make_pool(
        30,
        query="why does the cache node restart",
        vectors=rows,
        query_vector=query.tolist(),
        scores=np.sort(cosines)[::-1] / math.sqrt(6),
        sources=[f"s{number}" for number in rng.integers(0, 7, 30)],
        texts=tuple(" ".join(rng.choice(words, 5)) for _ in range(30)),
        fields={
            "session": [f"t{number}" for number in rng.integers(0, 4, 30)],
            "category": rng.choice(kinds, 30).tolist(),
            "section": [f"h{number}" for number in rng.integers(0, 5, 30)],
            "arm": rng.choice(["graph", "dense", "dense, lexical"], 30).tolist(),
            "priority": [str(number) for number in rng.integers(0, 4, 30)],
        },
    )


FULL = Request(stored=40, lambda_=0.5)
CAPPED = ("two_pass", "grouped", "section_cap_mmr", "swafra", "second_brain", "hindsight")


def unusual(make_pool: MakePool, n: int) -> Pool:
    """A pool in which all scores and all vectors are alike, and half of every field is missing."""
    names = ("session", "category", "section", "arm", "title", "parent", "priority")
    half = [None if index % 2 else "1" for index in range(n)]
    return make_pool(
        n,
        vectors=np.ones((n, 3)),
        query_vector=[1, 1, 1],
        scores=[0.9] * n,
        texts=("the very same words",) * n,
        fields=dict.fromkeys(names, half),
    )


# The table


def test_there_are_the_rows_of_the_table() -> None:
    assert len(PRESETS) == 23
    assert len({preset.name for preset in PRESETS}) == 23
    assert len({preset.label for preset in PRESETS}) == 23


@every
def test_it_says_what_it_does_in_sentences(preset: Preset) -> None:
    assert presets.named(preset.name) is preset
    for text in (preset.summary, preset.differs, preset.prefix.why, preset.trap or "."):
        assert text.endswith(".")


def test_an_unknown_preset_is_refused_with_the_choices() -> None:
    with pytest.raises(PolicyError, match="no preset “best”") as caught:
        presets.named("best")
    assert "qdrant_mmr" in caught.value.remedy


@every
@pytest.mark.parametrize("k", [0, 1, 5, 12])
def test_its_trace_and_reasons_are_whole(rich: Pool, preset: Preset, k: int) -> None:
    selection = preset.select(rich, Request(k=k, stored=40, lambda_=0.5))
    picks = selection.indices.tolist()
    assert len(set(picks)) == len(picks)
    if preset.name not in ("memory_blocks", "hippo") and not preset.name.startswith("openviking"):
        assert len(picks) <= k
    assert [pick.slot for pick in selection.picks] == list(range(1, len(picks) + 1))
    for index in range(30):
        assert (selection.reason(index) is None) == (index in selection)


@every
def test_a_pool_of_ties_is_walked_in_its_order(make_pool: MakePool, preset: Preset) -> None:
    pool = unusual(make_pool, 6)
    selection = preset.select(pool, Request(k=4, stored=40, lambda_=0.5))
    picks = selection.indices.tolist()
    if preset.name == "qdrant_mmr":
        assert picks == [3, 2, 1, 0]  # equal ones go to the last
    elif preset.name.startswith("openviking"):
        assert picks == []  # a value that is not listed has no slots
    elif preset.name in CAPPED:
        assert picks[0] == 0
        assert picks == sorted(picks)
    else:
        assert picks[:4] == [0, 1, 2, 3]
    assert len(set(picks)) == len(picks)


@every
def test_an_empty_pool_gives_an_empty_selection(make_pool: MakePool, preset: Preset) -> None:
    assert preset.select(unusual(make_pool, 0), FULL).ordered == ()


@every
def test_a_k_beyond_the_pool_leaves_slots_empty_and_says_so(
    make_pool: MakePool, preset: Preset
) -> None:
    selection = preset.select(unusual(make_pool, 3), Request(k=9, stored=90, lambda_=0.5))
    assert len(selection) <= 3
    if preset.name != "memory_blocks":  # it reads no k
        assert any("slots stayed empty" in note for note in selection.notes)


@every
def test_what_the_pool_lacks_is_named_and_refused(make_pool: MakePool, preset: Preset) -> None:
    bare = make_pool(3)
    assert preset.missing(bare) == preset.needs
    if preset.needs:
        with pytest.raises(PolicyError) as caught:
            preset.select(bare)
        assert all(need in caught.value.problem for need in preset.needs)
    else:
        assert len(preset.select(bare)) > 0


@every
def test_nothing_is_missing_where_all_is_there(rich: Pool, preset: Preset) -> None:
    assert preset.missing(rich, FULL) == ()


def test_a_field_may_play_the_part_of_another(make_pool: MakePool) -> None:
    pool = make_pool(3, fields={"Session_ID": ["a", "a", "b"]})
    assert presets.named("agentmemory").missing(pool) == ()
    assert presets.named("section_cap_mmr").missing(pool)[0] is Need.SECTION
    assert presets.named("hindsight").missing(pool, Request(field="source")) == ()


@every
def test_pins_and_bans_hold(rich: Pool, preset: Preset) -> None:
    marked = Request(k=4, stored=40, lambda_=0.5, pinned=("d25",), banned=("d1",))
    selection = preset.select(rich, marked)
    assert selection.indices[0] == 24
    assert selection.rules[0] is Rule.PINNED
    assert 0 not in selection


@every
def test_a_larger_k_only_adds_where_it_says_so(rich: Pool, preset: Preset) -> None:
    handed = [
        preset.select(rich, Request(k=k, stored=200, lambda_=0.5)).ordered for k in range(1, 29)
    ]
    pairs = pairwise(handed)
    if preset.prefix.holds:
        assert all(longer[: len(shorter)] == shorter for shorter, longer in pairs)


def test_where_it_does_not_there_is_a_counterexample(rich: Pool, make_pool: MakePool) -> None:
    crowded = make_pool(
        vectors=[[1, 0, 0, 0]] * 22 + np.eye(4)[1:].tolist(),
        query_vector=[1, 0.9, 0.8, 0.7],
        scores=np.linspace(0.9, 0.5, 25),
        sources=list(map(str, range(25))),
        fields={"session": ["one"] * 22 + ["two"] * 3},
    )
    late = make_pool(
        scores=np.linspace(1.0, 0.8, 16),
        vectors=angles(*[20] * 13, *[-30] * 3),
        query_vector=[1, 0],
        sources=list(map(str, range(16))),
    )
    for preset in PRESETS:
        if not preset.prefix.holds:
            found = False
            for pool in (rich, crowded, late):
                if preset.missing(pool, FULL):
                    continue
                handed = [
                    preset.select(pool, Request(k=k, stored=40, lambda_=0.5)).ordered
                    for k in range(1, len(pool) + 1)
                ]
                pairs = pairwise(handed)
                found = found or any(b[: len(a)] != a for a, b in pairs)
            assert found, preset.name


# The grouping document


@pytest.fixture
def six(make_pool: MakePool) -> Pool:
    return make_pool(
        ids=["a1", "a2", "a3", "a4", "b1", "c1"],
        scores=[0.92, 0.91, 0.90, 0.89, 0.88, 0.87],
        sources=["deploy-guide"] * 4 + ["incident-2024-11", "runbook-cache"],
    )


def test_two_pass_of_the_six(six: Pool) -> None:
    assert ids("two_pass", six, cap=1) == ["a1", "b1", "c1"]
    assert ids("two_pass", six) == ["a1", "b1", "c1", "a2"]
    assert ids("two_pass", six, cap=3) == ["a1", "b1", "c1", "a2", "a3"]


def test_grouped_of_the_six_and_the_eight(six: Pool, sample: Sample) -> None:
    assert ids("grouped", six) == ["a1", "a2", "b1", "c1"]
    assert run("grouped", six).empty_slots == 1
    eight = sample("deploy-guide-8")
    picks = run("grouped", eight).indices
    assert len(picks) == 5
    assert len({eight.sources[index] for index in picks}) == 3


def test_swafra_of_the_six(six: Pool) -> None:
    assert ids("swafra", six, stored=3) == ["a1"]
    assert ids("swafra", six, stored=20) == ["a1", "b1", "c1"]
    assert [policies.swafra_slots(9, stored) for stored in (0, 13, 14, 20, 1000)] == [1, 1, 2, 3, 9]


def test_swafra_counts_by_title_where_there_is_one(make_pool: MakePool) -> None:
    pool = make_pool(4, fields={"title": ["x", "x", "y", "z"]})
    assert ids("swafra", pool, stored=100, k=2) == ["d1", "d3"]


def test_agentmemory_of_the_six(six: Pool) -> None:
    request = {"field": "source"}
    assert ids("agentmemory", six, k=5, **request) == ["a1", "a2", "a3", "b1", "c1"]
    selection = run("agentmemory", six, k=6, **request)
    assert [six.ids[index] for index in selection.indices] == ["a1", "a2", "a3", "b1", "c1", "a4"]
    assert selection.rules[-1] is Rule.BACKFILL


def test_agentmemory_items_without_a_session_share_one(make_pool: MakePool) -> None:
    pool = make_pool(5, fields={"session": [None, None, None, None, "t"]})
    assert ranks("agentmemory", pool, k=4) == [1, 2, 3, 5]


def test_agentmemory_sees_twenty_at_least(make_pool: MakePool) -> None:
    pool = make_pool(30, fields={"session": ["t"] * 20 + ["u"] * 10})
    assert ranks("agentmemory", pool, k=4) == [1, 2, 3, 4]
    assert ranks("agentmemory", pool, k=21) == [1, 2, 3, 21, *range(4, 21)]


# MMR and its kin, by hand: unit vectors in the plane, the query along the first axis


def test_mmr_and_its_cap(make_pool: MakePool) -> None:
    # Cosines .996 .985 .940 .087; a copy of the first at rank 2.
    pool = make_pool(
        vectors=angles(5, 10, -20, 85), query_vector=[1, 0], fields={"section": list("aaab")}
    )
    # 0.6 r - 0.4 s: rank 2 .591-.398=.192, rank 3 .564-.363=.201, rank 4 .052-.069=-.017.
    assert ranks("mmr", pool, k=2) == [1, 3]
    assert ranks("mmr", pool, k=3) == [1, 3, 2]
    assert ranks("section_cap_mmr", pool, k=3) == [1, 3, 4]


def test_mmr_sees_fifty_and_langchain_twenty(make_pool: MakePool) -> None:
    pool = make_pool(vectors=[[1, 0, 0]] * 51, query_vector=[1, 0, 0])
    for name, deepest, k in (("mmr", 50, 5), ("langchain_mmr", 20, 4)):
        selection = run(name, pool)
        assert len(selection) == k
        beyond = [
            index
            for index in range(51)
            if (reason := selection.reason(index)) and reason.cause is Cause.BEYOND_DEPTH
        ]
        assert beyond == list(range(deepest, 51))


def test_llamaindex_forgets_all_but_the_last_pick(make_pool: MakePool) -> None:
    # Rank 2 is a copy of rank 1. Behind rank 3 it has .464 - .300, rank 4 .288 - .271; held
    # against both picks rank 2 has .464 - .500.
    pool = make_pool(
        vectors=[[1, 0, 0], [1, 0, 0], [0.6, 0.8, 0], [0.5, 0.3, 0.81]], query_vector=[1, 0.4, 0]
    )
    selection = run("llamaindex_mmr", pool, k=4)
    assert [index + 1 for index in selection.indices] == [1, 3, 2, 4]
    assert selection.picks[2].blocker == 2
    assert selection.picks[2].redundancy == pytest.approx(0.6)
    assert selection.picks[2].margin == pytest.approx(0.164 - 0.018, abs=2e-3)
    assert ranks("langchain_mmr", pool) == [1, 3, 4, 2]


@pytest.mark.parametrize("number", range(6))
def test_recorded_picks_of_llamaindex_0_14_25(make_pool: MakePool, number: int) -> None:
    case = RECORDED["pools"][number]
    pool = make_pool(vectors=case["vectors"], query_vector=case["query"])
    for record in case["llama_index"]:
        picks = run("llamaindex_mmr", pool, k=record["k"]).indices.tolist()
        assert picks == record["picks"]


@pytest.mark.parametrize("number", range(5))
def test_recorded_picks_of_qdrant_client_1_20_0(make_pool: MakePool, number: int) -> None:
    case = RECORDED["pools"][number]
    for record in case["qdrant"]:
        near = record["nearest"]
        pool = make_pool(vectors=np.array(case["vectors"])[near], query_vector=case["query"])
        selection = run("qdrant_mmr", pool, k=record["k"], candidates=record["candidates"])
        assert [near[index] for index in selection.indices] == record["picks"]


def test_qdrant_ties_go_to_the_last_and_its_depth_is_k(make_pool: MakePool) -> None:
    pool = make_pool(vectors=[[1, 0]] * 4 + [[0, 1]], query_vector=[1, 0.1])
    # The last of four is taken and the third moves into its place; then that again.
    assert ranks("qdrant_mmr", pool, k=4) == [4, 3, 2, 1]
    assert ranks("qdrant_mmr", pool, k=2, candidates=5)[0] == 4


@pytest.mark.parametrize("seed", range(5))
def test_langchain_and_pyversity_pick_the_same(make_pool: MakePool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, query = rng.normal(size=(20, 8)) + 0.5, np.ones(8)
    order = np.argsort(-(rows @ query) / np.linalg.norm(rows, axis=1))
    rows = rows[order]
    scores = rows @ query / np.linalg.norm(rows, axis=1) / math.sqrt(8)
    pool = make_pool(vectors=rows, query_vector=query.tolist(), scores=scores)
    theirs = maximal_marginal_relevance(query, rows.tolist(), lambda_mult=0.5, k=4)
    assert run("langchain_mmr", pool).indices.tolist() == theirs
    other = diversify(rows, scores, 6, strategy=Strategy.MMR, diversity=0.5)
    assert run("pyversity_mmr", pool, k=6).indices.tolist() == other.indices.tolist()


def test_pyversity_and_opensearch_weigh_the_score_as_it_is(make_pool: MakePool) -> None:
    rows = [[1, 0], [1, 0], [0, 1], [-1, 0]]
    pool = make_pool(vectors=rows, scores=[9.0, 8.0, 7.5, 7.4], score_kind=FUSED)
    # 4 - 0.5, 3.75 - 0, 3.7 - 0: an opposite earns nothing.
    assert ranks("pyversity_mmr", pool, k=3) == [1, 3, 4]
    assert ranks("opensearch_mmr", pool, k=1) == [1]
    assert ranks("opensearch_mmr", pool, k=3) == [1, 3, 4]
    deep = make_pool(vectors=[[1, 0]] * 6 + [[0, 1]], scores=np.linspace(0.9, 0.8, 7))
    assert max(ranks("opensearch_mmr", deep, k=2)) <= 6
    assert 7 in ranks("opensearch_mmr", deep, k=3)


def test_elasticsearch_hands_out_by_relevance(make_pool: MakePool) -> None:
    # Shifted: 1 + cosine; a negative one 1 / (1 - dot).
    pool = make_pool(vectors=angles(0, 5, 60, 100), query_vector=[1, 0])
    selection = run("elasticsearch_diversify", pool, k=3, lambda_=0.3)
    # Rank 4: .3 x 1/1.174 - .7 x 1/1.174 = -.341; rank 3: .45 - 1.05 = -.6; then rank 3.
    assert [index + 1 for index in selection.indices] == [1, 4, 3]
    assert [index + 1 for index in selection.ordered] == [1, 3, 4]
    assert selection.picks[1].redundancy == pytest.approx(1 / (1 + math.sin(math.radians(10))))
    with pytest.raises(PolicyError, match="a value of lambda"):
        run("elasticsearch_diversify", pool)


def test_elasticsearch_keeps_the_order_of_the_inner_retriever(make_pool: MakePool) -> None:
    # As above, but the inner retriever, say by words, has the third first.
    pool = make_pool(vectors=angles(60, 0, 5, 100), query_vector=[1, 0])
    selection = run("elasticsearch_diversify", pool, k=3, lambda_=0.3)
    assert [index + 1 for index in selection.indices] == [2, 4, 1]
    assert [index + 1 for index in selection.ordered] == [1, 2, 4]


# Memory systems


def test_openviking_fills_buckets_and_loses_slots(make_pool: MakePool) -> None:
    kinds = ["events"] * 4 + ["entities", "skills", "skills", "skills", "other"]
    pool = make_pool(scores=np.linspace(0.9, 0.05, 9), fields={"category": kinds})
    assert ranks("openviking_coding", pool) == [1, 5, 6, 7]
    assert ranks("openviking_chat", pool) == [1, 2, 3, 5, 6]
    assert ranks("openviking_recall", pool) == [1, 2, 3, 4, 5]
    assert run("openviking_coding", pool).empty_slots == 6


def test_openviking_recall_has_a_gate_and_no_quota_is_a_flat_ten(make_pool: MakePool) -> None:
    pool = make_pool(scores=[0.9, 0.1, 0.09], fields={"category": ["events"] * 3})
    selection = run("openviking_recall", pool)
    assert selection.indices.tolist() == [0, 1]
    reason = selection.reason(2)
    assert reason is not None
    assert (reason.cause, reason.limit) == (Cause.BELOW_GATE, 0.1)
    flat = make_pool(scores=np.linspace(0.9, 0.5, 12), fields={"category": ["events"] * 12})
    assert len(memories.openviking(())(flat, Request())) == 10


def test_hindsight_is_off_at_zero_and_stops_at_the_budget(make_pool: MakePool) -> None:
    arms = ["graph"] * 4 + ["dense"] * 2
    pool = make_pool(6, fields={"arm": arms}, tokens=[5, 5, 5, 5, 5, 50])
    assert ranks("hindsight", pool, k=6) == [1, 5, 2, 6, 3, 4]
    assert ranks("hindsight", pool, k=6, cap=1) == [1, 5]
    assert ranks("hindsight", pool, k=6, budget=30) == [1, 5, 2]


WHEN = "the cache is flushed when the deploy finishes"
AFTER = "the cache is flushed after the deploy finishes"


def test_clawmem_boundary(make_pool: MakePool) -> None:
    first, second = (memories.clawmem_features(text) for text in (WHEN, AFTER))
    assert (len(first & second), len(first | second)) == (9, 15)
    pool = make_pool(3, texts=(WHEN, AFTER, "something else"))
    assert ranks("clawmem", pool) == [1, 2, 3]
    closer = make_pool(3, texts=(f"{WHEN} today", f"{WHEN} tonight", "something else"))
    selection = run("clawmem", closer)
    assert [index + 1 for index in selection.indices] == [1, 3, 2]
    assert selection.rules == (Rule.RELEVANCE, Rule.RELEVANCE, Rule.DEMOTED)


def test_clawmem_puts_texts_outside_ascii_behind(make_pool: MakePool) -> None:
    pool = make_pool(4, texts=("向量检索", "知识库", "plain words here", "来源"))
    assert ranks("clawmem", pool) == [1, 3, 2, 4]
    assert ranks("clawmem", pool, k=2) == [1, 3]


def test_second_brain_keeps_the_best_of_each_parent(make_pool: MakePool) -> None:
    pool = make_pool(
        vectors=angles(10, 11, 40, 80),
        query_vector=[1, 0],
        scores=[2.0, 1.9, 1.6, 0.4],
        score_kind=FUSED,
        fields={"parent_id": ["p", "p", "q", "r"]},
    )
    # Rank 2 goes for rank 1; 0.7 x 0.8 - 0.3 x cos 30 = .300, 0.7 x 0.2 - 0.3 x cos 70 = .037.
    selection = run("second_brain", pool, k=3)
    assert [index + 1 for index in selection.indices] == [1, 3, 4]
    assert selection.picks[1].margin == pytest.approx(0.3002 - 0.0374, abs=1e-3)


def test_second_brain_hands_out_by_score_and_divides_by_the_best_it_fetched(
    make_pool: MakePool,
) -> None:
    pool = make_pool(
        vectors=angles(10, 10, 80, *[85] * 4), query_vector=[1, 0], sources=list("abcdefg"),
        scores=[0.5, 0.45, 0.4, 0.1, 0.1, 0.1, 0.9],
        score_kind=ScoreKind(name="fused", direction=Direction.ORDER, evidence="a test"),
    )  # fmt: skip
    # Six are fetched; .7 x .8 - .3 x cos 70 = .457 before .7 x .9 - .3 = .33.
    selection = run("second_brain", pool, k=2)
    assert [index + 1 for index in selection.indices] == [1, 3]
    assert selection.weighed[:2].tolist() == [1.0, 0.9]
    three = run("second_brain", pool, k=3, depth=3)
    assert [index + 1 for index in three.indices] == [1, 3, 2]
    assert [index + 1 for index in three.ordered] == [1, 2, 3]


@pytest.mark.parametrize(("angle", "deepest"), [(10, 6), (40, 50)])
def test_second_brain_fetches_fifty_where_nothing_is_close(
    make_pool: MakePool, angle: float, deepest: int
) -> None:
    pool = make_pool(
        vectors=angles(*[angle] * 60), query_vector=[1, 0], scores=np.linspace(1, 0.5, 60),
        sources=[None] * 60,
    )  # fmt: skip
    selection = run("second_brain", pool, k=2)
    assert selection.policy.depth == deepest


def test_open_second_brain_reads_words(make_pool: MakePool) -> None:
    texts = ("Größe 12, rot", "rot größe 12", "blau", "...")
    pool = make_pool(4, texts=texts, scores=[0.9, 0.85, 0.5, 0.3])
    # .595 - .3 x 1 = .295 against .35: the copy comes behind; no words resemble nothing.
    selection = run("open_second_brain", pool, k=4)
    assert [index + 1 for index in selection.indices] == [1, 3, 2, 4]
    assert selection.picks[2].redundancy == 1.0
    assert selection.picks[3].redundancy == 0.0
    out = run("open_second_brain", pool, k=2).reason(1)
    assert out is not None
    assert (out.cause, out.measure, out.blocker) == (Cause.TOO_SIMILAR, "Jaccard of words", 0)
    large = make_pool(4, texts=texts, scores=[90.0, 85.0, 50.0, 30.0], score_kind=FUSED)
    assert ranks("open_second_brain", large, k=4) == [1, 2, 3, 4]


def test_sonder_gate_and_first_pick(make_pool: MakePool) -> None:
    pool = make_pool(
        query="cache restart loop",
        vectors=[
            [math.cos(math.radians(a)), math.sin(math.radians(a)), 0] for a in (20, 48, 50, 60)
        ],
        query_vector=[1, 0, 0],
        texts=("x", "cache only", "cache restart", "cache restart loop"),
    )
    # Cosines .94 .67 .64 .5: the second shares one word and needs .70.
    selection = run("sonder", pool, k=4)
    assert [index + 1 for index in selection.indices] == [1, 3]
    limits = [reason.limit for index in (1, 3) if (reason := selection.reason(index))]
    assert limits == [0.70, 0.62]
    turned = make_pool(vectors=angles(40, 5, 0), query_vector=[1, 0])
    assert ranks("sonder", turned, k=1) == [3]
    assert ranks("sonder", turned, k=1, lambda_=0.0) == [1]


def test_total_agent_memory_gate_is_shut_on_the_checkout_set(sample: Sample) -> None:
    selection = run("total_agent_memory", sample("checkout"))
    assert [index + 1 for index in selection.indices] == [1, 2, 3, 4, 5]
    assert selection.notes == (
        "The gate is shut, they stay as they are: mean pairwise cosine 0.79 among the first 5, "
        "where 0.85 opens it.",
    )


def test_total_agent_memory_reorders_what_is_alike(make_pool: MakePool) -> None:
    pool = make_pool(
        vectors=angles(0, 0, 30, 90), scores=[1.0, 0.999, 0.98, 0.9], query_vector=[1, 0]
    )
    # Mean of 1, .866, .866 is .911; .9 x .999 - .1 = .7991 against .882 - .0866 = .7954.
    assert ranks("total_agent_memory", pool, k=3) == [1, 2, 3]
    closer = make_pool(
        vectors=angles(0, 0, 30, 90), scores=[1.0, 0.999, 0.99, 0.9], query_vector=[1, 0]
    )
    assert ranks("total_agent_memory", closer, k=3) == [1, 3, 2]


def test_total_agent_memory_leaves_an_authoritative_order_alone(make_pool: MakePool) -> None:
    kind = ScoreKind(name="fused", direction=Direction.ORDER, evidence="a test")
    pool = make_pool(vectors=np.eye(3), scores=[0.7, 0.9, 0.8], score_kind=kind)
    assert ranks("total_agent_memory", pool, k=3) == [1, 2, 3]


def test_a_gate_met_exactly_is_open_however_the_number_was_rounded(make_pool: MakePool) -> None:
    at = [1.0 - 0.9, 0.1 - 1e-6]
    kinds = make_pool(scores=[0.9, *at], fields={"category": ["events"] * 3})
    assert at[0] < 0.1
    assert ranks("openviking_recall", kinds) == [1, 2]
    for gate, words in ((0.62, "cache restart"), (0.70, "x")):
        row = [gate, math.sqrt(1.0 - gate**2)]
        rows = [[*np.array(row) * scale] for scale in (1.0, 1 / 3, 0.7)]
        pool = make_pool(
            query="cache restart loop", vectors=rows, query_vector=[1, 0], texts=(words,) * 3
        )
        assert len(run("sonder", pool, k=3)) == 3
    row = [0.85, math.sqrt(1.0 - 0.85**2)]
    pair = make_pool(vectors=[[0.3, 0], (np.array(row) / 3).tolist()], scores=[1.0, 0.5])
    assert "The gate is open" in run("total_agent_memory", pair, k=2).notes[0]


def test_hippo_divides_by_the_first_and_lets_it_exceed_the_budget(make_pool: MakePool) -> None:
    rows = [[1, 0], [1, 0], [0, 1]]
    pool = make_pool(vectors=rows, scores=[8.0, 7.0, 5.0], score_kind=FUSED, tokens=[5000, 10, 10])
    selection = run("hippo", pool, k=2)
    assert [index + 1 for index in selection.indices] == [1]
    assert selection.weighed.tolist() == [1.0, 0.875, 0.625]
    fits = make_pool(vectors=rows, scores=[8.0, 7.0, 5.0], score_kind=FUSED)
    # .6125 - .3 = .3125 against .4375.
    assert ranks("hippo", fits, k=2) == [1, 3]
    assert ranks("hippo", fits, k=0) == [1]


def test_memory_blocks_shed_the_largest_number_first(make_pool: MakePool) -> None:
    pool = make_pool(
        4, tokens=[20_000, 8_000, 9_000, 5_000], fields={"priority": ["0", "2", "1", "2"]}
    )
    # 42,000: the second goes first of the two with priority 2, then the fourth; 29,000 stay.
    selection = run("memory_blocks", pool)
    assert selection.indices.tolist() == [0, 2]
    assert [selection.causes[index] for index in (1, 3)] == [selection.causes[1]] * 2
    default = make_pool(2, tokens=[20_000, 20_000], fields={"priority": [None, "0"]})
    kept = run("memory_blocks", default)
    assert kept.indices.tolist() == [0, 1]
    assert kept.notes[0] == "40,000 tokens, more than the 30,000: what is left has priority 0."
    without = run("memory_blocks", pool, banned=("d1",))
    assert without.ordered == (1, 2, 3)  # 22,000 without the one banned: nothing is shed
    for word in ("high", "nan", "inf"):
        with pytest.raises(PolicyError, match=f"“{word}”"):
            run("memory_blocks", make_pool(1, fields={"priority": [word]}))


def test_the_readme_has_a_row_for_every_preset() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    lines = readme.splitlines()
    start = lines.index("| preset | what it does | differs from plain MMR |")
    rows: Sequence[str] = lines[start + 2 : start + 2 + len(PRESETS)]
    assert [row.split("|")[1].strip() for row in rows] == [preset.label for preset in PRESETS]
    assert not lines[start + 2 + len(PRESETS)].startswith("|")
