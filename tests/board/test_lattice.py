"""What a file looks up at a stop is what Python selects there, for every column and any lambda."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from poolscope import analysis, board, formats, projection, samples
from poolscope.board.lattice import at, lattice, plenty, spelled, thinned
from poolscope.charts.theme import DARK, LIGHT, palette
from poolscope.model import NearCopy, Order, Policy, Pool
from poolscope.samples import Sample
from poolscope.selection.offers import select
from poolscope.selection.paths import Axis

FIELDS = {"depth": Axis.DEPTH, "cap": Axis.CAP, "k": Axis.K}
FEW = 800
"""Stretches that a lattice holds in most tests: fewer stops, the same lookup."""

Clustered = Callable[..., Pool]


def opened(sample: Sample) -> Pool:
    """Read a sample as the app does."""
    load = formats.read(samples.data(sample), sample.file)
    return load.question(0, source_field=sample.source_field).pool


def picks_of(parts: Mapping[str, Any], number: int) -> list[int]:
    """Spell a selection, as the script does."""
    picks: list[int] = []
    place = parts["picks"]["places"][number]
    while place >= 0:
        picks.append(parts["picks"]["last"][place])
        place = parts["picks"]["parents"][place]
    return picks[::-1]


def shown(
    parts: Mapping[str, Any], column: int, setting: Mapping[str, int], lambda_: float
) -> list[int]:
    """Look up what a column shows at a stop, as the script does."""
    found = parts["columns"][column]
    cell = 0
    for axis in found["axes"]:
        stops = parts["stops"][axis]
        cell = cell * len(stops) + stops.index(setting[axis])
    ends, selections = parts["paths"][found["cells"][cell]]
    highs = [parts["ends"][end] for end in ends]
    return picks_of(parts, selections[bisect_left(highs, lambda_, hi=len(highs) - 1)])


def hold(
    pool: Pool, policy: Policy, rules: tuple[str, ...], count: int = 25, most: int = FEW
) -> Mapping[str, Any]:
    """Hold random stops of the lattice against direct selections."""
    comparison = analysis.compare(pool, policy, rules)
    found = lattice(comparison, most=most)
    parts: Mapping[str, Any] = found.parts
    random = np.random.default_rng(len(pool))
    for _ in range(count):
        setting = {name: int(random.choice(stops)) for name, stops in parts["stops"].items()}
        for number, column in enumerate(comparison.columns):
            ends = parts["ends"]
            near = float(random.choice(ends))
            values = (near, float(np.nextafter(near, 2.0)), random.random(), 0.0, 1.0)
            exact = parts["columns"][number]["exact"]
            for lambda_ in values if exact else (0.0, 1.0):
                lambda_ = min(lambda_, 1.0)
                asked = column.policy.changed(lambda_=lambda_)
                stop = at(pool, asked, {FIELDS[name]: value for name, value in setting.items()})
                direct = select(pool, stop)
                assert shown(parts, number, setting, lambda_) == list(direct.ordered), setting
    return parts


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: sample.name)
def test_every_stop_of_a_sample_is_the_direct_selection(sample: Sample) -> None:
    pool = opened(sample)
    rules = ("grouped_cap", "mmr") if pool.vectors is not None else ("grouped_cap", "two_pass_cap")
    hold(pool, Policy(k=min(5, len(pool))), rules)


@pytest.mark.parametrize(
    "changes",
    [
        {"order": Order.DOCUMENT, "budget": 900},
        {"best": 1, "neighbours": 1, "near_copies": (NearCopy.TEXT,)},
        {"pinned": ("d7",), "banned": ("d2",), "backfill": False},
    ],
    ids=["ordered under a budget", "reserved without copies", "marked by hand"],
)
def test_the_rest_of_the_setting_is_kept(clustered: Clustered, changes: dict[str, object]) -> None:
    hold(clustered(30), Policy(k=6, depth=25, **changes), ("two_pass_cap", "mmr_cap"), count=12)  # type: ignore[arg-type]  # fields by name


def test_a_rule_that_is_asked_value_by_value_has_fewer_stops(clustered: Clustered) -> None:
    pool = clustered(12)
    parts = hold(pool, Policy(), ("max_sum",), count=6, most=2_500)
    assert not parts["columns"][1]["exact"]
    assert len(parts["stops"]["depth"]) * len(parts["stops"]["k"]) <= 5


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_a_small_pool_has_stops_too(make_pool: Callable[..., Pool], n: int) -> None:
    vectors = np.eye(4)[: max(n, 1)]
    pool = make_pool(n, scores=np.linspace(1, 0, n), vectors=vectors[:n]) if n else make_pool(0)
    rules = ("grouped_cap", "mmr") if n else ("grouped_cap",)
    hold(pool, Policy(k=max(n, 1)), rules, count=6)


def test_what_a_column_does_not_read_is_not_multiplied(clustered: Clustered) -> None:
    parts: Mapping[str, Any] = lattice(
        analysis.compare(clustered(20), Policy(), ("grouped_cap", "mmr")), most=FEW
    ).parts
    stops = {name: len(values) for name, values in parts["stops"].items()}
    read = [column["axes"] for column in parts["columns"]]
    assert read == [["depth", "k"], ["depth", "cap", "k"], ["depth", "k"]]
    assert [len(column["cells"]) for column in parts["columns"]] == [
        stops["depth"] * stops["k"],
        stops["depth"] * stops["cap"] * stops["k"],
        stops["depth"] * stops["k"],
    ]


def test_equal_selections_and_paths_are_there_once(clustered: Clustered) -> None:
    parts: Mapping[str, Any] = lattice(
        analysis.compare(clustered(30), Policy(), ("grouped_cap", "mmr")), most=FEW
    ).parts
    every = [tuple(picks_of(parts, number)) for number in range(len(parts["values"]))]
    assert len(set(every)) == len(every)
    assert len({str(found) for found in parts["paths"]}) == len(parts["paths"])
    for _, selections in parts["paths"]:
        assert all(one != other for one, other in pairwise(selections))


def test_the_setting_is_a_stop_however_few_there_may_be(clustered: Clustered) -> None:
    policy = Policy(k=7, depth=33, cap=7)
    comparison = analysis.compare(clustered(200), policy, ("mmr_cap",))
    parts: Mapping[str, Any] = lattice(comparison, most=1).parts
    assert parts["stops"]["k"].count(7) == 1
    assert parts["stops"]["depth"].count(33) == 1
    assert parts["stops"]["cap"].count(7) == 1
    assert all(len(stops) <= 2 for stops in parts["stops"].values())


def test_stops_are_rising_and_within_the_pool(clustered: Clustered) -> None:
    comparison = analysis.compare(clustered(120), Policy(k=4), ("mmr",))
    for axis, stops in plenty(comparison).items():
        assert list(stops) == sorted(set(stops)), axis
        assert stops[0] >= 1
        assert stops[-1] <= 120


def test_thinning_keeps_the_ends_and_the_setting() -> None:
    assert thinned((1, 2, 3, 4, 5, 6), 5) == (1, 3, 5, 6)
    assert thinned((1, 3, 6), 3) == (3, 6)
    assert thinned((3, 6), 3) == (3, 6)
    assert thinned((6,), 6) == (6,)


def test_selections_share_what_they_begin_with() -> None:
    found = spelled([[4, 2, 7], [4, 2], [], [4, 9]])
    assert found == {"parents": [-1, 0, 1, 0], "last": [4, 2, 7, 9], "places": [2, 1, -1, 3]}


def test_the_file_carries_both_themes_and_the_passages_that_can_be_seen(
    clustered: Clustered,
) -> None:
    pool = clustered(14)
    comparison = analysis.compare(pool, Policy(), ("mmr",))
    scenes = [
        board.scene(pool, "source", projection.pca(pool), palette(pool, "source", theme))
        for theme in (LIGHT, DARK)
    ]
    data: Mapping[str, Any] = board.alone(comparison, scenes)
    assert [theme["theme"]["page"] for theme in data["themes"]] == [LIGHT.page, DARK.page]
    picked = {index for number in range(len(data["lattice"]["values"]))
              for index in picks_of(data["lattice"], number)}  # fmt: skip
    assert {int(index) for index in data["board"]["candidates"]["whole"]} == picked
    withheld: Mapping[str, Any] = board.alone(comparison, scenes, withheld=True)
    assert withheld["board"]["candidates"]["whole"] == {}
    assert set(withheld["board"]["candidates"]["text"]) == {"(text withheld)"}


@pytest.mark.parametrize("rule", ["preset:hippo", "preset:memory_blocks"])
def test_presets_are_looked_up_too(clustered: Clustered, rule: str) -> None:
    hold(clustered(16), Policy(k=4), ("mmr", rule), count=6, most=2_500)
