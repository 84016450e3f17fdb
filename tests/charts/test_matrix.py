import numpy as np

from poolscope.charts.matrix import matrix
from poolscope.charts.theme import DARK, LIGHT


def test_every_pair_shows_its_cosine_and_the_diagonal_nothing() -> None:
    cosines = np.array([[1.0, 0.25, np.nan], [0.25, 1.0, 0.5], [np.nan, 0.5, 1.0]])
    (heat,) = matrix(cosines, ["a", "b", "c"], LIGHT).data
    assert [list(row) for row in heat.text] == [
        ["", "0.25", ""],
        ["0.25", "", "0.50"],
        ["", "0.50", ""],
    ]
    assert list(heat.x) == list(heat.y) == ["a", "b", "c"]


def test_the_colours_are_those_of_the_theme() -> None:
    (heat,) = matrix(np.eye(2), ["a", "b"], DARK).data
    assert heat.colorscale[1][1] == DARK.accent
