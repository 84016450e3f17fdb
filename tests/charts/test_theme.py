"""Colours: readable on every background, told apart, and the same for a pool whatever is asked."""

import math
from collections.abc import Callable
from itertools import combinations

import pytest

from poolscope.charts.theme import DARK, LIGHT, OTHER_SHAPE, SHAPES, Theme, palette, theme
from poolscope.model import Pool

THEMES = pytest.mark.parametrize("shown", [LIGHT, DARK], ids=lambda shown: shown.name)
GRAPHICS, TEXT = 3.0, 4.5
"""Least contrast by WCAG 2.2: of graphical objects (1.4.11) and of text (1.4.3)."""


def linear(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of a CSS hex colour as amounts of light, 0 to 1."""
    assert len(colour) == 7
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def oklab(colour: str) -> tuple[float, float, float]:
    """Place in a space whose distances follow the eye (Ottosson, "A perceptual color space")."""
    red, green, blue = linear(colour)
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_yardstick_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@THEMES
def test_every_hue_is_seen_on_page_and_card(shown: Theme) -> None:
    for hue in (*shown.hues, shown.other):
        for background in (shown.page, shown.card):
            assert contrast(hue, background) >= GRAPHICS, (hue, background)


@THEMES
def test_text_is_read_on_page_and_card(shown: Theme) -> None:
    for ink in (shown.ink, shown.quiet, shown.accent):
        for background in (shown.page, shown.card):
            assert contrast(ink, background) >= TEXT, (ink, background)


@THEMES
def test_hues_are_ten_and_distinct(shown: Theme) -> None:
    assert len(set(shown.hues)) == len(shown.hues) == len(SHAPES) == len(set(SHAPES)) == 10
    assert shown.other not in shown.hues
    assert OTHER_SHAPE not in SHAPES


@THEMES
def test_no_two_hues_look_alike(shown: Theme) -> None:
    for one, other in combinations((*shown.hues, shown.other), 2):
        assert math.dist(oklab(one), oklab(other)) > 0.07, (one, other)


def test_the_theme_of_streamlits_name() -> None:
    assert theme("dark") is DARK
    assert theme("light") is LIGHT
    assert theme(None) is LIGHT


def test_the_commonest_values_have_hues_and_ties_go_to_the_better_ranked(
    make_pool: Callable[..., Pool],
) -> None:
    found = palette(make_pool(sources="bacaab"), "source", LIGHT)
    assert found.order == ("a", "b", "c")
    assert [found.colour(value) for value in "abc"] == list(LIGHT.hues[:3])
    assert found.others == 0


def test_the_eleventh_value_is_grey_and_counted(make_pool: Callable[..., Pool]) -> None:
    found = palette(make_pool(sources="aabbccddeeffgghhiijjkl"), "source", DARK)
    assert found.order == tuple("abcdefghij")
    assert found.others == 2
    assert found.colour("k") == found.colour("l") == found.colour(None) == DARK.other
    assert found.shape("k") == found.shape(None) == OTHER_SHAPE
    assert len({found.shape(value) for value in found.order}) == 10


def test_a_key_without_values_has_no_hues(make_pool: Callable[..., Pool]) -> None:
    found = palette(make_pool(sources=[None, None]), "source", LIGHT)
    assert (found.order, found.others) == ((), 0)
    assert found.colour(None) == LIGHT.other


def test_both_themes_deal_the_same_places(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(sources="abacbd")
    assert palette(pool, "source", LIGHT).order == palette(pool, "source", DARK).order
