"""What of the board stands still while its sliders move: the pool, named, coloured and placed.

Shapes are written in ``n`` (candidates of the pool).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from poolscope.charts.labels import aligned, plain, shortened
from poolscope.charts.theme import OTHER_SHAPE, SHAPES, Palette
from poolscope.geometry import Floats
from poolscope.model import SUPPORTS, Pool
from poolscope.projection import Layout
from poolscope.selection.offers import OFFERS, fields
from poolscope.selection.presets import Need

Json: TypeAlias = (
    "str | int | float | bool | list[Json] | dict[str, Json] | Mapping[str, Json] | None"
)

CARD_CHARACTERS = 220
HOVER_CHARACTERS = 120
MANY_CHARACTERS = 48
MANY = 1_000
WHOLE_CHARACTERS = 4_000
SOURCE_CHARACTERS = 80
NOTHING = "(no text)"
BASELINE = "top_k"


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """A pool as the board draws it, whatever is selected from it.

    Args:
        pool: The pool.
        key: The field whose values are coloured.
        parts: What the payload holds as it is, by name.
        candidates: Lists of ``n``, by name.
        brief: The texts as a hover shows them.
        cards: The texts as a card shows them.
    """

    pool: Pool
    key: str
    parts: Mapping[str, Json]
    candidates: Mapping[str, Json]
    brief: tuple[str, ...]
    cards: tuple[str, ...]

    def texts(self, seen: set[int]) -> list[Json]:
        """Return every text, as long as a card where some selection holds it."""
        texts: list[Json] = list(self.brief)
        for index in seen:
            texts[index] = self.cards[index]
        return texts

    def cards_of(self, seen: set[int]) -> dict[str, Json]:
        """Return the texts of cards, by index."""
        return {str(index): self.cards[index] for index in sorted(seen)}

    def whole(self, shown: set[int]) -> dict[str, Json]:
        """Return the passages that a card can open, by index."""
        return {str(i): plain(self.pool.texts[i][:WHOLE_CHARACTERS]) for i in sorted(shown)}


def scene(pool: Pool, key: str, layout: Layout, palette: Palette) -> Scene:
    """Collect what stands still.

    Args:
        pool: The pool.
        key: The field whose values are coloured, and counted by a cap.
        layout: A place for every candidate that has a vector.
        palette: Colours of the key's values.
    """
    rest = MANY_CHARACTERS if len(pool) > MANY else HOVER_CHARACTERS
    parts: dict[str, Json] = {
        "digest": pool.digest,
        "scene": "/".join((pool.digest, key, palette.theme.name, layout.method, layout.note)),
        "n": len(pool),
        "key": key,
        "theme": _theme(palette),
        "palette": _palette(palette, pool, key),
        "sources": [shortened(name, SOURCE_CHARACTERS) for name in _source_names(pool, key)],
        "facets": [shortened(facet.label, SOURCE_CHARACTERS) for facet in pool.facets],
        "map": _map(layout),
        "offers": _offers(pool),
        "fields": list(fields(pool)),
    }
    return Scene(
        pool=pool,
        key=key,
        parts=parts,
        candidates=_candidates(pool, key, palette),
        brief=tuple(shortened(text, rest) or NOTHING for text in pool.texts),
        cards=tuple(shortened(text, CARD_CHARACTERS) or NOTHING for text in pool.texts),
    )


def _offers(pool: Pool) -> list[Json]:
    """Return what a column beside top-k can show, each with what this pool lacks for it."""
    return [
        {
            "name": offer.name,
            "label": offer.label,
            "kind": "Presets" if offer.is_preset else "Rules",
            "lacks": [need for need in offer.missing(pool) if need is not Need.STORED],
            "barred": bool(offer.barred(pool)),
        }
        for offer in OFFERS
        if offer.name != BASELINE
    ]


def _theme(palette: Palette) -> dict[str, Json]:
    theme = palette.theme
    return {
        "ink": theme.ink,
        "quiet": theme.quiet,
        "line": theme.line,
        "card": theme.card,
        "page": theme.page,
        "accent": theme.accent,
    }


def _palette(palette: Palette, pool: Pool, key: str) -> list[Json]:
    """Return the entries of the legend; one more for further values and for none, where met."""
    entries: list[Json] = [
        {
            "label": shortened(value, 40),
            "colour": palette.colour(value),
            "shape": SHAPES[place],
        }
        for place, value in enumerate(palette.order)
    ]
    rest = [f"other ({palette.others})"] if palette.others else []
    if None in pool.column(key):
        rest.append(f"no {key}")
    if rest:
        label = " or ".join(rest)
        entries.append({"label": label, "colour": palette.theme.other, "shape": OTHER_SHAPE})
    return entries


def _source_names(pool: Pool, key: str) -> list[str]:
    names = dict.fromkeys(value for value in pool.column(key) if value is not None)
    return [*names, f"no {key}"]


def _candidates(pool: Pool, key: str, palette: Palette) -> dict[str, Json]:
    codes = pool.codes(key)
    last = int(codes.max(initial=-1)) + 1
    column = pool.column(key)
    facets: list[list[Json]] = [[] for _ in range(len(pool))]
    for index, facet in np.argwhere(pool.marks == SUPPORTS).tolist():
        facets[index].append(facet)
    return {
        "source": np.where(codes < 0, last, codes).tolist(),
        "colour": [palette.places.get(value or "", len(palette.order)) for value in column],
        "score": _scores(pool),
        "facets": list(facets),
    }


def _scores(pool: Pool) -> list[Json]:
    if pool.raw_scores is None:
        return [None] * len(pool)
    return list(aligned(pool.raw_scores.tolist()))


def _map(layout: Layout) -> dict[str, Json]:
    places = layout.coordinates
    return {
        "x": numbers(places[:, 0], 4),
        "y": numbers(places[:, 1], 4),
        "query": None if layout.query is None else [round(float(v), 4) for v in layout.query],
        "method": layout.method.value,
        "note": layout.note,
    }


def numbers(values: Floats, decimals: int = 5) -> list[Json]:
    """Return values as JSON holds them: rounded, ``None`` where undefined."""
    rounded = np.round(values, decimals).astype(object)
    rounded[np.isnan(values)] = None
    found: list[Json] = rounded.tolist()
    return found
