"""What the browser looks up is what Python selects, and it is JSON that any browser reads."""

import json
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from poolscope import analysis, board, formats, projection, samples
from poolscope.board import Json
from poolscope.charts.theme import LIGHT, palette
from poolscope.model import NearCopy, OnBudget, Order, Policy, Pool
from poolscope.samples import Sample
from poolscope.selection import SELECTORS, offers, select
from poolscope.selection.paths import GRID, Axis, Path, path
from poolscope.selection.presets import PRESETS, Preset

KILOBYTES = 300
LAMBDA, CAP, DEPTH, K = Axis
AXES = {"lambda": "lambda_", "cap": "cap", "depth": "depth", "k": "k"}

PayloadOf = Callable[..., dict[str, Any]]
Clustered = Callable[..., Pool]


def strict(data: dict[str, Json]) -> str:
    """Write JSON as a browser reads it: no ``NaN``, no ``Infinity``."""
    return json.dumps(data, allow_nan=False, separators=(",", ":"))


def shown(data: dict[str, Any], column: int, axis: str, value: float) -> list[int]:
    """Look up what a column shows, as ``selectionAt`` of the script does."""
    found = data["columns"][column]["paths"][axis]
    place = bisect_left(found["highs"], value, hi=len(found["highs"]) - 1)
    picks: list[int] = data["selections"]["picks"][found["selections"][place]]
    return picks


def stops(data: dict[str, Any], axis: str, seed: int, count: int) -> list[float]:
    """Draw values that a mouse, the keyboard or a typed number could reach, both ends with them."""
    low, high = data["ranges"][axis]
    random = np.random.default_rng(seed)
    if axis != "lambda":
        return [low, high, *random.integers(low, high + 1, size=count).tolist()]
    mouse = np.round(random.random(count), 3)
    typed = np.round(random.random(count), 4)
    breaks = {value for column in data["columns"] for value in column["paths"][axis]["breaks"]}
    edges = [0.0, *sorted(breaks), 1.0]
    middles = (np.array(edges[1:]) + np.array(edges[:-1])) / 2
    return [low, high, *mouse.tolist(), *typed.tolist(), *random.choice(middles, count).tolist()]


def hold(
    data: dict[str, Any],
    pool: Pool,
    policy: Policy,
    rules: tuple[str, ...],
    seed: int,
    count: int = 12,
) -> None:
    """Compare every axis and column with a direct selection, at random values."""
    for number, rule in enumerate(("top_k", *rules)):
        for axis, field in AXES.items():
            values = stops(data, axis, seed, count)
            if not data["columns"][number]["paths"][axis]["exact"]:
                assert "Approximate" in data["columns"][number]["paths"][axis]["note"]
                values = np.linspace(0.0, 1.0, GRID)[::4].tolist()  # what it asked
            for value in values:
                direct = offers.select(pool, policy.changed(selector=rule, **{field: value}))
                assert shown(data, number, axis, value) == list(direct.ordered), (rule, axis, value)


def opened(sample: Sample) -> Pool:
    """Read a sample as the app does."""
    load = formats.read(samples.data(sample), sample.file)
    return load.question(0, source_field=sample.source_field).pool


@pytest.fixture(scope="module", params=samples.SAMPLES, ids=lambda sample: sample.name)
def sample_pool(request: pytest.FixtureRequest) -> Pool:
    """Every sample."""
    return opened(request.param)


def test_every_lookup_on_a_sample_is_the_direct_selection(
    sample_pool: Pool, payload_of: PayloadOf
) -> None:
    policy = Policy(k=min(5, len(sample_pool)), depth=len(sample_pool))
    data = payload_of(sample_pool, policy)
    strict(data)
    hold(data, sample_pool, policy, ("grouped_cap", "mmr"), seed=1)


@pytest.mark.parametrize("seed", range(3))
def test_every_lookup_on_a_clustered_pool_is_the_direct_selection(
    clustered: Clustered, payload_of: PayloadOf, seed: int
) -> None:
    pool = clustered(120, seed)
    random = np.random.default_rng(seed)
    policy = Policy(
        k=int(random.integers(1, 15)),
        depth=int(random.integers(5, 121)),
        lambda_=round(float(random.random()), 3),
        cap=int(random.integers(1, 6)),
    )
    data = payload_of(pool, policy)
    hold(data, pool, policy, ("grouped_cap", "mmr"), seed)


@pytest.mark.parametrize("rule", [item.name for item in SELECTORS])
def test_every_selector_can_be_a_column(
    clustered: Clustered, payload_of: PayloadOf, rule: str
) -> None:
    pool = clustered(40)
    policy = Policy(k=6)
    data = payload_of(pool, policy, (rule, "mmr"))
    strict(data)
    hold(data, pool, policy, (rule, "mmr"), seed=2)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_can_be_a_column(
    clustered: Clustered, payload_of: PayloadOf, preset: Preset
) -> None:
    fields = dict.fromkeys(("session", "section", "arm"), ("x", "y", None) * 10)
    kinds = {"category": ("events", "skills") * 15, "priority": ("0", "1") * 15}
    pool = replace(clustered(30), fields={**fields, **kinds})
    name = f"preset:{preset.name}" + (":stored=30" if preset.name == "swafra" else "")
    policy = Policy(k=4, depth=24)
    data = payload_of(pool, policy, (name, "mmr"))
    strict(data)
    hold(data, pool, policy, (name, "mmr"), seed=7, count=4)
    column = data["columns"][1]
    assert (column["rule"], column["summary"]) == (name, preset.summary)
    assert column["lacks"] == []
    assert ("lambda" in column["reads"]) == (preset.name == "elasticsearch_diversify")


def test_a_preset_that_lacks_a_field_is_an_empty_column_that_names_it(
    clustered: Clustered, payload_of: PayloadOf
) -> None:
    data = payload_of(clustered(12), Policy(k=4), ("preset:agentmemory", "preset:swafra"))
    lacking, asking = data["columns"][1:]
    assert lacking["lacks"] == ["a field “session”"]
    assert (asking["lacks"], asking["asksStored"]) == (["the number of stored sources"], True)
    told = (lacking["part"], lacking["field"], lacking["usualField"])
    assert told == ("session", None, "choose one")
    assert (asking["part"], asking["usualField"]) == ("title", "the source")
    offered = {offer["name"]: offer["barred"] for offer in data["offers"]}
    assert not offered["preset:agentmemory"]  # a field of this pool may be named for it
    assert "source" in data["fields"]
    for column in (lacking, asking):
        assert data["selections"]["picks"][column["settled"]] == []
        assert column["left"] == []


def test_five_columns_of_a_realistic_pool_stay_small(
    clustered: Clustered, payload_of: PayloadOf
) -> None:
    rules = ("grouped_cap", "mmr", "preset:two_pass", "preset:langchain_mmr")
    data = payload_of(clustered(500), Policy(k=10), rules)
    assert len(data["columns"]) == 5
    assert len(strict(data)) < KILOBYTES * 1000


@pytest.mark.parametrize(
    "changes",
    [
        {"order": Order.SCORE},
        {"order": Order.DOCUMENT},
        {"backfill": False, "cap": 1},
        {"budget": 35},
        {"budget": 35, "on_budget": OnBudget.STOP},
        {"clip_negative": True},
        {"k": 0},
        {"k": 1},
    ],
    ids=str,
)
def test_the_further_settings_reach_the_board(
    clustered: Clustered, payload_of: PayloadOf, changes: dict[str, Any]
) -> None:
    pool = clustered(30)
    policy = Policy(k=6).changed(**changes)
    data = payload_of(pool, policy)
    strict(data)
    hold(data, pool, policy, ("grouped_cap", "mmr"), seed=3)


@pytest.mark.parametrize("order", Order)
def test_neighbours_on_a_path_differ_as_they_are_shown(
    clustered: Clustered, payload_of: PayloadOf, order: Order
) -> None:
    data = payload_of(clustered(60), Policy(k=6, order=order))
    for column in data["columns"]:
        for found in column["paths"].values():
            numbers = found["selections"]
            assert all(one != other for one, other in pairwise(numbers))
            assert len(found["highs"]) == len(numbers)
            assert len(found["breaks"]) <= len(numbers) - 1
            assert found["highs"] == sorted(found["highs"])


def test_the_settled_selection_is_the_lookup_at_the_setting(
    sample_pool: Pool, payload_of: PayloadOf
) -> None:
    data = payload_of(sample_pool, Policy(k=min(4, len(sample_pool))))
    for number, column in enumerate(data["columns"]):
        settled = data["selections"]["picks"][column["settled"]]
        for axis, value in data["setting"].items():
            assert shown(data, number, axis, value) == settled


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("k", [0, 1, 5])
@pytest.mark.parametrize(
    "kind", ["bare", "scores", "vectors", "no sources", "no vector has length"]
)
def test_the_smallest_pools_are_strict_json(
    make_pool: Callable[..., Pool], payload_of: PayloadOf, n: int, k: int, kind: str
) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "bare": {},
        "scores": {"scores": np.linspace(1.0, -1.0, n)},
        "vectors": {"vectors": np.eye(4)[:n], "query_vector": [0.0, 0.0, 0.0, 1.0]},
        "no sources": {"sources": [None] * n},
        "no vector has length": {"vectors": np.zeros((n, 4))},
    }
    parts = kinds[kind]
    if kind in {"vectors", "no vector has length"} and not n:
        parts["query_vector"] = [0.0, 0.0, 1.0]
    pool = make_pool(n, **parts)
    policy = Policy(k=k)
    data = payload_of(pool, policy)
    strict(data)
    hold(data, pool, policy, ("grouped_cap", "mmr"), seed=4)


def test_the_legend_names_further_and_missing_sources_only_where_they_occur(
    make_pool: Callable[..., Pool], payload_of: PayloadOf
) -> None:
    def labels(sources: list[str | None]) -> list[str]:
        data = payload_of(make_pool(len(sources), sources=sources), Policy())
        assert max(data["candidates"]["colour"]) < len(data["palette"])
        return [entry["label"] for entry in data["palette"]]

    many: list[str | None] = [f"s{i}" for i in range(13)]
    assert labels(["a", "a", "b"]) == ["a", "b"]
    assert labels(["a", None]) == ["a", "no source"]
    assert labels(many)[10:] == ["other (3)"]
    assert labels([*many, None])[10:] == ["other (3) or no source"]
    assert labels([None]) == ["no source"]


def test_the_line_on_the_map_is_the_reason_of_the_explanation(
    sample: Callable[[str], Pool], payload_of: PayloadOf
) -> None:
    pool = sample("monograph")
    policy = Policy(selector="mmr", k=5)
    data = payload_of(pool, policy)
    chosen = select(pool, policy)
    column = data["columns"][2]
    drawn = 0
    for index in range(len(pool)):
        why = chosen.reason(index)
        blocker = None if why is None else why.blocker
        assert column["blockers"][index] == (-1 if blocker is None else blocker)
        if why is not None and why.similarity is not None:
            drawn += 1
            assert column["cosines"][index] == pytest.approx(why.similarity, abs=6e-4)
    assert drawn
    assert data["columns"][1]["blockers"] is None


@pytest.mark.parametrize(
    "rule", ["dpp", "max_sum", "preset:open_second_brain", "preset:elasticsearch_diversify"]
)
def test_the_line_on_the_map_is_what_another_rule_compared(
    sample: Callable[[str], Pool], payload_of: PayloadOf, rule: str
) -> None:
    pool = sample("monograph")
    column = payload_of(pool, Policy(k=5), (rule, "mmr"))["columns"][1]
    chosen = offers.select(pool, Policy(selector=rule, k=5))
    assert chosen.merits is not None
    assert column["likeness"] == chosen.merits.measure
    drawn = 0
    for index in range(len(pool)):
        why = chosen.reason(index)
        assert column["blockers"][index] == (
            -1 if why is None or why.blocker is None else why.blocker
        )
        if why is not None and why.similarity is not None:
            drawn += 1
            assert column["cosines"][index] == pytest.approx(why.similarity, abs=6e-4)
    assert drawn


def test_a_release_of_one_slider_asks_again_only_for_what_depends_on_it(
    clustered: Clustered,
) -> None:
    pool = clustered(40)
    known: dict[tuple[Policy, Axis], Path] = {}
    fresh: list[tuple[str, Axis]] = []

    def find(pool: Pool, policy: Policy, axis: Axis) -> Path:
        if (policy, axis) not in known:
            fresh.append((policy.selector, axis))
            known[policy, axis] = path(pool, policy, axis)
        return known[policy, axis]

    def ask(policy: Policy) -> set[tuple[str, Axis]]:
        fresh.clear()
        comparison = analysis.compare(pool, policy, ("grouped_cap", "mmr"))
        colours = palette(pool, policy.key, LIGHT)
        scene = board.scene(pool, policy.key, projection.pca(pool), colours)
        data: dict[str, Any] = board.payload(comparison, scene, find)
        hold(data, pool, policy, ("grouped_cap", "mmr"), seed=6)
        return set(fresh)

    start = Policy(k=6, depth=40)
    whole = {(rule, axis) for rule in ("top_k", "grouped_cap", "mmr") for axis in (DEPTH, K)}
    assert ask(start) == whole | {("mmr", LAMBDA), ("grouped_cap", CAP)}
    assert ask(start.changed(lambda_=0.3)) == {("mmr", DEPTH), ("mmr", K)}
    assert ask(start.changed(cap=3)) == {("grouped_cap", DEPTH), ("grouped_cap", K)}
    assert not {axis for _, axis in ask(start.changed(depth=30))} & {DEPTH}
    assert not {axis for _, axis in ask(start.changed(k=7))} & {K}


def test_what_a_release_sends_makes_the_held_payload_that_of_the_new_setting(
    sample_pool: Pool,
) -> None:
    before, after = (
        analysis.compare(sample_pool, policy, ("grouped_cap", "mmr"))
        for policy in (Policy(k=1), Policy(k=min(6, len(sample_pool)), lambda_=0.2))
    )
    colours = palette(sample_pool, "source", LIGHT)
    scene = board.scene(sample_pool, "source", projection.pca(sample_pool), colours)
    held: dict[str, Any] = board.whole(before, scene)
    sent: dict[str, Any] = board.moving(after, scene)
    fresh: dict[str, Any] = board.payload(after, scene)
    assert held.pop("code").count("class Board") == 1
    assert set(sent) < set(held)
    text = held["candidates"]["text"]
    for index, card in sent["candidates"].pop("cards").items():
        text[int(index)] = card
    found = {**held, **sent, "candidates": {**held["candidates"], **sent["candidates"]}}
    longer = fresh["candidates"].pop("text")  # what was a card before stays one
    assert all(one.startswith(other.rstrip("…")) for one, other in zip(text, longer, strict=True))
    del found["candidates"]["text"]
    assert strict(found) == strict({name: fresh[name] for name in found})
    assert len(board.encoded(sent)) < len(board.encoded(fresh))


def test_the_paths_of_the_largest_k_are_those_that_a_release_of_k_asks_for(
    clustered: Clustered,
) -> None:
    pool = clustered(40)
    comparison = analysis.compare(pool, Policy(k=6, depth=35), ("grouped_cap", "mmr"))
    named = [(policy.selector, axis, policy.k) for policy, axis in board.longest(comparison)]
    assert named == [
        ("top_k", DEPTH, 30),
        ("grouped_cap", CAP, 30),
        ("grouped_cap", DEPTH, 30),
        ("mmr", LAMBDA, 30),
        ("mmr", DEPTH, 30),
    ]
    asked: set[tuple[Policy, Axis]] = set()

    def find(pool: Pool, policy: Policy, axis: Axis) -> Path:
        asked.add((policy.changed(k=0), axis))
        return path(pool, policy, axis)

    released = analysis.compare(pool, Policy(k=9, depth=35), ("grouped_cap", "mmr"))
    scene = board.scene(pool, "source", projection.pca(pool), palette(pool, "source", LIGHT))
    board.moving(released, scene, find)
    foreseen = {(policy.changed(k=0), axis) for policy, axis in board.longest(comparison)}
    assert {item for item in asked if item[1] is not K} == foreseen


def test_values_are_those_of_the_columns(sample_pool: Pool, payload_of: PayloadOf) -> None:
    policy = Policy(k=min(5, len(sample_pool)))
    comparison = analysis.compare(sample_pool, policy, ("grouped_cap", "mmr"))
    data = payload_of(sample_pool, policy, found=comparison)
    for part, column in zip(data["columns"], comparison.columns, strict=True):
        for value, measure in zip(
            data["selections"]["values"][part["settled"]], data["measures"], strict=True
        ):
            expected = column.measured[measure["name"]]
            found = np.nan if value is None else value
            assert found == pytest.approx(expected, abs=6e-6, nan_ok=True)


def test_a_realistic_pool_of_500_stays_small(clustered: Clustered, payload_of: PayloadOf) -> None:
    pool = clustered(500)
    assert 450 < np.mean([len(text) for text in pool.texts]) < 650
    assert len(strict(payload_of(pool, Policy(k=10)))) < KILOBYTES * 1000


def test_a_pool_of_2000_is_strict_json(clustered: Clustered, payload_of: PayloadOf) -> None:
    pool = clustered(2000)
    policy = Policy(k=10)
    data = payload_of(pool, policy)
    assert len(strict(data)) < 4 * KILOBYTES * 1000
    hold(data, pool, policy, ("grouped_cap", "mmr"), seed=5, count=4)


def test_long_texts_are_cut(make_pool: Callable[..., Pool], payload_of: PayloadOf) -> None:
    whole = make_pool(8, texts=("word " * 200_000,) * 8, sources=["s" * 10_000] * 8)
    assert len(strict(payload_of(whole, Policy(k=3)))) < KILOBYTES * 1000


def test_control_characters_and_direction_marks_do_not_reach_the_board(
    make_pool: Callable[..., Pool], payload_of: PayloadOf
) -> None:
    nasty = "a\x00b\u202ec\u2066d\ud800e <img src=x>"
    pool = make_pool(2, texts=(nasty,) * 2, sources=[nasty] * 2)
    data = payload_of(replace(pool, query=nasty), Policy(k=2))
    assert data["candidates"]["text"] == ["abcde <img src=x>"] * 2
    assert data["candidates"]["whole"]["0"] == "abcde <img src=x>"
    assert data["sources"][0] == "abcde <img src=x>"
    strict(data).encode()


def test_a_head_says_what_happens_before_the_rule_and_not_of_a_preset(
    make_pool: Callable[..., Pool], payload_of: PayloadOf
) -> None:
    pool = make_pool(4, scores=[4, 3, 2, 1], fields={"arm": "abab"})
    setting = Policy(k=2, arm_cap=1, near_copies=(NearCopy.TEXT,))
    columns = payload_of(pool, setting, ("grouped_cap", "preset:two_pass"))["columns"]
    assert [column["extras"] for column in columns[:2]] == [
        [],
        ["arms cut at 1", "near copies out"],
    ]
    assert columns[1]["before"] == (
        "Before the rule chooses: each arm cut at 1 and fused; near copies removed by same text."
    )
    assert [columns[0]["before"], columns[2]["before"]] == ["", ""]
