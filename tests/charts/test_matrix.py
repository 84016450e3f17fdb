import numpy as np
import pytest

from poolscope.charts.matrix import matrix
from poolscope.charts.theme import DARK, LIGHT, Theme

LEGIBLE = 4.5
"""Contrast that text needs at least."""


def test_every_pair_shows_its_cosine_and_the_diagonal_nothing() -> None:
    cosines = np.array([[1.0, 0.25, np.nan], [0.25, 1.0, 0.5], [np.nan, 0.5, 1.0]])
    (heat,) = matrix(cosines, ["a", "b", "c"], LIGHT).data
    assert [list(row) for row in heat.text] == [
        ["", "0.25", ""],
        ["0.25", "", "0.50"],
        ["", "0.50", ""],
    ]
    assert list(heat.x) == list(heat.y) == ["a", "b", "c"]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour in CSS hex, by its definition."""
    shares = [part / 255 for part in bytes.fromhex(colour[1:])]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_number_can_be_read_on_every_colour(theme: Theme) -> None:
    (heat,) = matrix(np.eye(2), ["a", "b"], theme).data
    assert heat.textfont.color == theme.ink
    assert heat.colorscale[0][1] == theme.card
    for _, colour in heat.colorscale:
        low, high = sorted((luminance(colour), luminance(theme.ink)))
        assert (high + 0.05) / (low + 0.05) >= LEGIBLE
