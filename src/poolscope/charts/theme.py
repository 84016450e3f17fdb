"""Colours by role, for the light and the dark theme. Colour means source and nothing else.

Ten hues at most, then a neutral grey; shapes repeat what colour says. Every hue has a contrast of
at least 3 to 1 against its background.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from poolscope.model import Pool

SHAPES = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "pentagon",
    "hexagram",
    "triangle-down",
    "star-square",
    "cross",
    "hourglass",
)
OTHER_SHAPE = "x"
FONT = '"Source Sans", sans-serif'
"""The page's own, which Streamlit brings."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role, as CSS hex.

    Args:
        name: ``light`` or ``dark``.
        ink: Text and rings.
        quiet: Secondary text.
        line: Hairlines.
        card: A card's background.
        page: The page's background.
        accent: The current setting, and what entered.
        hues: Ten colours for sources.
        other: Every further source.
    """

    name: str
    ink: str
    quiet: str
    line: str
    card: str
    page: str
    accent: str
    hues: tuple[str, ...]
    other: str


LIGHT = Theme(
    name="light",
    ink="#1b2030",
    quiet="#5b6272",
    line="#e1e4ea",
    card="#ffffff",
    page="#ffffff",
    accent="#2b5fd0",
    hues=(
        "#3f74b8",
        "#c8701a",
        "#2f9266",
        "#b0529a",
        "#bf4d4a",
        "#85704c",
        "#258a9f",
        "#7461c4",
        "#78801f",
        "#8f2d56",
    ),
    other="#848b98",
)
DARK = Theme(
    name="dark",
    ink="#e8eaf0",
    quiet="#a3a9b8",
    line="#333a49",
    card="#1a1f2b",
    page="#12161f",
    accent="#86adff",
    hues=(
        "#6fa3e3",
        "#e6a056",
        "#5fc08f",
        "#d684c3",
        "#e38480",
        "#bba37d",
        "#6ac6d8",
        "#a698ec",
        "#bdc45a",
        "#ee9fc0",
    ),
    other="#868d9c",
)


def theme(name: str | None) -> Theme:
    """Return the theme of Streamlit's name for it; light where it is unknown."""
    return DARK if name == "dark" else LIGHT


@dataclass(frozen=True, slots=True)
class Palette:
    """Colour and shape of every value of a pool's key, fixed for the pool.

    Args:
        order: Values with a hue of their own, the commonest first.
        others: How many further values share the neutral grey.
        places: Value to its place in ``order``.
        theme: Where the hues come from.
    """

    order: tuple[str, ...]
    others: int
    places: Mapping[str, int]
    theme: Theme

    def colour(self, value: str | None) -> str:
        """Return the colour of a value; grey for a missing one and beyond the tenth."""
        place = self.places.get(value) if value is not None else None
        return self.theme.other if place is None else self.theme.hues[place]

    def shape(self, value: str | None) -> str:
        """Return the plotly symbol of a value."""
        place = self.places.get(value) if value is not None else None
        return OTHER_SHAPE if place is None else SHAPES[place]


def palette(pool: Pool, key: str, theme: Theme) -> Palette:
    """Give the ten commonest values of a key a hue each; ties go to the better ranked."""
    values = [value for value in pool.column(key) if value is not None]
    counts = Counter(values)
    order = tuple(value for value, _ in counts.most_common(len(theme.hues)))
    return Palette(
        order=order,
        others=len(counts) - len(order),
        places={value: place for place, value in enumerate(order)},
        theme=theme,
    )
