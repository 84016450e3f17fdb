"""The map, read back from the figure: who stands where, in which colour, with which rings."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from poolscope.analysis import Comparison, compare
from poolscope.charts.pool_map import DIMMED, pool_map
from poolscope.charts.theme import DARK, LIGHT, OTHER_SHAPE, palette
from poolscope.model import Policy, Pool
from poolscope.projection import Layout, Method, pca

MakePool = Callable[..., Pool]
VECTORS = [[1, 0, 0], [0.9, 0.1, 0], [0.5, 0.5, 0], [0, 1, 0], [0, 0.5, 0.5], [0, 0, 1]]


@pytest.fixture
def pool(make_pool: MakePool) -> Pool:
    return make_pool(
        vectors=VECTORS,
        scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
        query_vector=[1, 0.2, 0],
        sources=["a", "a", "b", "b", "c", None],
    )


def traces(figure: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly is untyped
    return {trace["name"]: trace for trace in figure.data}


def drawn(pool: Pool, **settings: object) -> tuple[Comparison, dict[str, Any]]:
    comparison = compare(pool, Policy(k=2).changed(**settings), ("two_pass_cap", "mmr"))
    figure = pool_map(comparison, pca(pool), palette(pool, "source", LIGHT), key="source")
    return comparison, traces(figure)


def test_every_candidate_stands_once_in_its_sources_colour(pool: Pool) -> None:
    _, found = drawn(pool)
    colours = palette(pool, "source", LIGHT)
    assert [len(found[name]["x"]) for name in ("a", "b", "c", "no source")] == [2, 2, 1, 1]
    for name in ("a", "b", "c"):
        assert found[name]["marker"]["color"] == colours.colour(name)
        assert found[name]["marker"]["symbol"] == colours.shape(name)
    assert found["no source"]["marker"]["symbol"] == OTHER_SHAPE
    assert list(found["a"]["customdata"]) == ["d1", "d2"]


def test_places_are_the_layouts(pool: Pool) -> None:
    _, found = drawn(pool)
    layout = pca(pool)
    assert np.allclose(found["b"]["x"], layout.coordinates[2:4, 0])
    assert np.allclose(found["b"]["y"], layout.coordinates[2:4, 1])


def test_rings_stand_around_the_picks_of_each_rule(pool: Pool) -> None:
    comparison, found = drawn(pool)
    layout = pca(pool)
    symbols = set()
    for column in comparison.columns:
        ring = found[column.title]
        picks = list(column.selection.ordered)
        assert np.allclose(ring["x"], layout.coordinates[picks, 0])
        symbols.add(ring["marker"]["symbol"])
        assert ring["marker"]["symbol"].endswith("-open")
        assert ring["hoverinfo"] == "skip"
    assert len(symbols) == len(comparison.columns)


def test_rings_carry_no_sources_colour(pool: Pool) -> None:
    for shown in (LIGHT, DARK):
        comparison = compare(pool, Policy(k=2), ("two_pass_cap", "mmr"))
        figure = pool_map(comparison, pca(pool), palette(pool, "source", shown), key="source")
        for column in comparison.columns:
            assert traces(figure)[column.title]["marker"]["color"] == shown.ink


def test_beyond_the_depth_is_dimmed_and_not_hidden(pool: Pool) -> None:
    _, found = drawn(pool, depth=3)
    assert list(found["a"]["marker"]["opacity"]) == [1, 1]
    assert list(found["b"]["marker"]["opacity"]) == [1, DIMMED]
    assert list(found["c"]["marker"]["opacity"]) == [DIMMED]


def test_hover_is_a_card(pool: Pool) -> None:
    _, found = drawn(pool)
    first = found["a"]["hovertext"][0]
    assert first.startswith("<b>a</b> · rank 1 · score 0.9<br>passage 1")
    assert first.endswith("<i>in Top-k, Two-pass cap, MMR</i>")
    assert found["no source"]["hovertext"][0].endswith("<i>in no selection</i>")


def test_the_question_is_a_star_of_its_own(pool: Pool, make_pool: MakePool) -> None:
    assert drawn(pool)[1]["question"]["marker"]["symbol"] == "star"
    without = make_pool(vectors=VECTORS, sources="aabbcc")
    assert "question" not in drawn(without)[1]


def test_colours_do_not_depend_on_the_setting(pool: Pool) -> None:
    def coloured(**settings: object) -> dict[str, str]:
        _, found = drawn(pool, **settings)
        return {name: found[name]["marker"]["color"] for name in ("a", "b", "c", "no source")}

    assert coloured() == coloured(depth=1) == coloured(k=6) == coloured(lambda_=0.0)


def test_texts_are_escaped(make_pool: MakePool) -> None:
    hostile = '<img src=x onerror="alert(1)"><b>&amp;'
    pool = make_pool(
        vectors=VECTORS,
        query_vector=[1, 0.2, 0],
        sources=[hostile] * 6,
        texts=(hostile,) * 6,
        query=hostile,
    )
    comparison = compare(pool, Policy(k=2), ("mmr",))
    figure = pool_map(comparison, pca(pool), palette(pool, "source", LIGHT), key="source")
    assert "<img" not in str(figure.to_dict())


def test_candidates_without_a_vector_have_no_place(make_pool: MakePool) -> None:
    pool = make_pool(6, sources="aabbcc")
    layout = Layout(
        np.full((6, 2), np.nan), np.zeros(6, np.bool_), None, Method.EMPTY, "no vectors"
    )
    comparison = compare(pool, Policy(k=2), ("two_pass_cap",))
    figure = pool_map(comparison, layout, palette(pool, "source", LIGHT), key="source")
    assert all(len(trace["x"]) == 0 for trace in figure.data)


def test_many_sources_share_one_grey(make_pool: MakePool) -> None:
    vectors = np.eye(14) + 0.2
    pool = make_pool(vectors=vectors, sources="abcdefghijklmn")
    _, found = drawn(pool)
    assert len(found["other (4)"]["x"]) == 4
    assert found["other (4)"]["marker"]["color"] == LIGHT.other


def test_a_pan_and_a_zoom_survive_another_setting(pool: Pool) -> None:
    first = pool_map(
        compare(pool, Policy(k=2), ("mmr",)),
        pca(pool),
        palette(pool, "source", LIGHT),
        key="source",
    )
    second = pool_map(
        compare(pool, Policy(k=3), ("mmr",)),
        pca(pool),
        palette(pool, "source", LIGHT),
        key="source",
    )
    assert first.layout.uirevision == second.layout.uirevision == pool.digest
