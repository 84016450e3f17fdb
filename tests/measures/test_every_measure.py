"""What every measure keeps to, whatever the selection."""

import math
import re
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolscope.measures import MEASURES, Better, Measure, Need, measure
from poolscope.model import Selection

N = 8

FULL: Mapping[str, object] = {
    "raw_scores": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2],
    "relevances": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2],
    "vectors": [[1, 0], [1, 0.1], [1, 1], [0, 1], [-1, 0], [0, 0], [1, 0], [2, 1]],
    "sources": ["a", "a", "b", None, None, "a", "b", "c"],
    "tokens": [3, 1, 4, 1, 5, 9, 2, 6],
    "positions": [0, 1, 7, None, 2, 5, 8, 0],
    "spans": [(0, 10), (10, 20), None, (0, 5), None, (90, 95), None, None],
    "judgements": [
        [1, 0, -1],
        [0, 1, 0],
        [0, 0, 0],
        [-1, -1, -1],
        [1, 1, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 0],
    ],
}


def without(*names: str) -> Mapping[str, object]:
    return {name: value for name, value in FULL.items() if name not in names}


SCENES: Mapping[str, tuple[int, list[int], Mapping[str, object]]] = {
    "some": (N, [0, 4, 1], FULL),
    "k = 0": (N, [], FULL),
    "k = 1": (N, [4], FULL),
    "all": (N, list(range(N)), FULL),
    "slots left empty": (N, [0, 4], {**FULL, "k": 5}),
    "nothing selected": (N, [], {**FULL, "k": 5}),
    "k beyond n": (N, list(range(N)), {**FULL, "k": 50}),
    "depth 3": (N, [2, 0], {**FULL, "depth": 3}),
    "depth 0": (N, [], {**FULL, "depth": 0, "k": 3}),
    "no facets": (N, [0, 4, 1], without("judgements")),
    "facets that nothing supports": (N, [0, 4, 1], {**FULL, "judgements": [[0, -1]] * N}),
    "no vectors": (N, [0, 4, 1], without("vectors")),
    "no vector is real": (N, [0, 4, 1], {**FULL, "has_vector": [False] * N}),
    "one selected has a vector": (N, [0, 4], {**FULL, "has_vector": [True] + [False] * 7}),
    "no scores": (N, [0, 4, 1], without("raw_scores")),
    "no positions": (N, [0, 4, 1], without("positions", "spans")),
    "offsets only": (N, [0, 4, 1], without("positions")),
    "relevance below 0": (N, [0, 4, 1], {**FULL, "relevances": [-1.0] * N}),
    "relevance of 0": (N, [0, 4, 1], {**FULL, "relevances": [0.0] * N}),
    "no relevance": (N, [], {**FULL, "relevances": [math.nan] * N, "k": 3}),
    "bare": (N, [0, 1], {}),
    "empty pool": (0, [], {"k": 5}),
}


@pytest.fixture(params=SCENES)
def scene(request: pytest.FixtureRequest, selection_of: Callable[..., Selection]) -> Selection:
    n, picks, parts = SCENES[request.param]
    return selection_of(n, picks, **parts)


def check(item: Measure, selection: Selection) -> None:
    value = item.function(selection)
    assert isinstance(value, float)
    assert math.isnan(value) == bool(item.unmet(selection)), item.unmet(selection)
    if not math.isnan(value):
        assert math.isfinite(value)
        assert item.low is None or value >= item.low - 1e-12
        assert item.high is None or value <= item.high + 1e-12
        assert item.decimals > 0 or value == int(value)


@pytest.mark.parametrize("item", MEASURES, ids=lambda item: item.name)
def test_value_is_in_range_and_undefined_exactly_where_a_need_is_unmet(
    item: Measure, scene: Selection
) -> None:
    check(item, scene)


@st.composite
def parts(draw: st.DrawFn) -> tuple[int, list[int], dict[str, object]]:
    n = draw(st.integers(0, 7))
    m = draw(st.integers(0, 4))

    def column(values: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(values, min_size=n, max_size=n))

    unit = st.floats(-1, 1)
    depth = draw(st.none() | st.integers(0, 8))
    seen = n if depth is None else min(n, depth)
    picks = draw(st.permutations(range(seen)))[: draw(st.integers(0, seen))]
    given_parts: dict[str, object] = {
        "depth": depth,
        "relevances": column(unit),
        "raw_scores": draw(st.none() | st.lists(unit, min_size=n, max_size=n)),
        "sources": column(st.none() | st.sampled_from("abc")),
        "positions": column(st.none() | st.integers(0, 4)),
        "judgements": np.array(
            draw(st.lists(st.lists(st.integers(-1, 1), min_size=m, max_size=m), min_size=n))[:n]
        ).reshape(n, m),
        "has_vector": column(st.booleans()),
        "vectors": np.array(
            [column(st.sampled_from((-1.0, 0.0, 0.5, 1.0))) for _ in range(3)]
        ).T.reshape(n, 3),
    }
    given_parts["k"] = len(picks) + draw(st.integers(0, 3))
    return n, picks, given_parts


@settings(max_examples=200, deadline=None)
@given(drawn=parts())
def test_every_measure_holds_on_any_selection(
    drawn: tuple[int, list[int], dict[str, object]], selection_of: Callable[..., Selection]
) -> None:
    n, picks, given_parts = drawn
    selection = selection_of(n, picks, **given_parts)
    for item in MEASURES:
        check(item, selection)


@pytest.mark.parametrize("item", MEASURES, ids=lambda item: item.name)
def test_declares_itself(item: Measure) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", item.name)
    assert item.label
    assert item.summary.endswith(".")
    assert {
        Better.UP: "igher is better",
        Better.DOWN: "ower is better",
        Better.NEITHER: "way is better",
    }[item.better] in item.summary


def test_names_and_labels_are_distinct() -> None:
    assert len({item.name for item in MEASURES}) == len(MEASURES)
    assert len({item.label for item in MEASURES}) == len(MEASURES)


@pytest.mark.parametrize("need", Need)
def test_every_need_is_some_measures_need(need: Need) -> None:
    assert any(need in item.needs for item in MEASURES)


def test_unmet_needs_come_causes_first(selection_of: Callable[..., Selection]) -> None:
    cosine = next(item for item in MEASURES if item.name == "mean_pairwise_cosine")
    assert cosine.unmet(selection_of(3, [0, 1])) == (Need.VECTORS, Need.PAIR)
    assert cosine.unmet(selection_of(3, [0], vectors=[[1.0]] * 3)) == (Need.PAIR,)
    assert cosine.unmet(selection_of(3, [0, 1], vectors=[[1.0]] * 3)) == ()


def test_measure_takes_them_all_and_remembers_the_selection(scene: Selection) -> None:
    measured = measure(scene)
    assert measured.selection is scene
    assert list(measured.values) == [item.name for item in MEASURES]
    for item in MEASURES:
        np.testing.assert_equal(measured[item.name], item.function(scene))
