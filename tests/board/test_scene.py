"""What stands still on the board: names, colours, texts, places, and a name for all of it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from poolscope import board, projection
from poolscope.board.scene import NOTHING, Scene, numbers
from poolscope.charts.theme import DARK, LIGHT, Theme, palette
from poolscope.model import Facet, Pool

MakePool = Callable[..., Pool]


def drawn(pool: Pool, key: str = "source", theme: Theme = LIGHT, note: str = "") -> Scene:
    """Draw a pool on its first map."""
    layout = replace(projection.pca(pool), note=note)
    return board.scene(pool, key, layout, palette(pool, key, theme))


def test_scores_stand_with_one_number_of_decimals(make_pool: MakePool) -> None:
    scores = np.array([0.8, 0.799, 0.5])
    assert drawn(make_pool(3, scores=scores)).candidates["score"] == ["0.800", "0.799", "0.500"]
    assert drawn(make_pool(2)).candidates["score"] == [None, None]


def test_a_text_is_as_long_as_a_card_only_where_it_is_seen(make_pool: MakePool) -> None:
    scene = drawn(make_pool(3, texts=("word " * 100, "word " * 100, "")))
    texts = [str(text) for text in scene.texts({1})]
    assert len(texts[0]) < len(texts[1])
    assert texts[2] == NOTHING
    assert scene.whole({1}) == {"1": "word " * 100}


def test_facets_are_those_that_a_candidate_supports(make_pool: MakePool) -> None:
    marks = np.array([[1, 0, 1], [-1, 0, -1]], dtype=np.int8)
    facets = tuple(Facet(name, name) for name in "abc")
    pool = make_pool(2, facets=facets, judgements=marks)
    assert drawn(pool).candidates["facets"] == [[0, 2], []]


def test_a_scene_has_another_name_wherever_it_looks_different(make_pool: MakePool) -> None:
    teams = {"team": ["a", "b", None]}
    pool = make_pool(3, vectors=np.eye(3), fields=teams)
    other = make_pool(3, vectors=np.eye(3)[::-1], fields=teams)
    scenes = [
        drawn(pool), drawn(pool, theme=DARK), drawn(pool, key="team"), drawn(pool, note="so far"),
        drawn(other),
    ]  # fmt: skip
    assert len({str(scene.parts["scene"]) for scene in scenes}) == len(scenes)
    assert drawn(pool).parts["scene"] == scenes[0].parts["scene"]


@pytest.mark.parametrize(
    ("values", "shown"),
    [([0.1234567, np.nan], [0.12346, None]), ([], []), ([[1.0], [np.nan]], [[1.0], [None]])],
)
def test_numbers_are_rounded_and_undefined_ones_are_null(
    values: list[object], shown: list[object]
) -> None:
    assert numbers(np.array(values, dtype=np.float64)) == shown


def test_what_a_column_can_show_is_listed_with_what_the_pool_lacks(make_pool: MakePool) -> None:
    bare = drawn(make_pool(2, scores=[2.0, 1.0], fields={"session": ["a", "b"]})).parts["offers"]
    assert isinstance(bare, list)
    lacks = {str(item["name"]): item["lacks"] for item in bare if isinstance(item, dict)}
    assert "top_k" not in lacks
    assert lacks["preset:agentmemory"] == []
    assert lacks["preset:hindsight"] == ["a field “arm”"]
    assert lacks["preset:langchain_mmr"] == ["vectors", "a query vector"]
    assert lacks["preset:swafra"] == []  # the number is asked for in the column
    assert lacks["mmr"] == ["vectors"]
    assert [item["kind"] for item in bare if isinstance(item, dict)] == ["Rules"] * 10 + [
        "Presets"
    ] * 23
