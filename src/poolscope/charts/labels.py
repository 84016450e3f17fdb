"""Text and numbers from a pool, made safe, short and even for the screen."""

import html
import math
import textwrap
import unicodedata
from collections.abc import Sequence

HOVER_WIDTH = 56
HOVER_LINES = 6
MOST_CHARACTERS = 2_000
DIGITS = 4
"""Digits that the largest of some numbers shows, unless all of them need fewer."""

LEAST, MOST = 1e-3, 1e7
"""Sizes of the largest number outside which all are written with a power of ten."""

KEPT = "\n\t\u200c\u200d"  # line breaks, tabs, and the joiners that emoji and scripts need


class _Kept(dict[int, int | None]):
    """What becomes of each character, looked up once: itself, or nothing."""

    def __missing__(self, code: int) -> int | None:
        character = chr(code)
        keep = character in KEPT or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
        self[code] = code if keep else None
        return self[code]


_KEPT = _Kept()


def plain(text: str) -> str:
    """Drop control characters and marks that turn the reading direction; keep line breaks."""
    return text.translate(_KEPT)


def shortened(text: str, width: int) -> str:
    """Cut a text to a number of characters, at a word where one is near, with an ellipsis."""
    line = " ".join(plain(text[: 4 * width]).split())
    if len(line) <= width:
        return line
    at_word = line[:width].rfind(" ")
    kept = line[: at_word if at_word > width // 2 else width - 1]
    return kept.rstrip(".,;: ") + "…"


def hover(text: str) -> str:
    """Wrap a passage for a plotly hover card: escaped, a few lines, ``<br>`` between them."""
    line = " ".join(plain(text[:MOST_CHARACTERS]).split())
    lines = textwrap.wrap(line, HOVER_WIDTH)
    kept = lines[:HOVER_LINES]
    if len(lines) > HOVER_LINES:
        kept[-1] = kept[-1][: HOVER_WIDTH - 1] + "…"
    return "<br>".join(escaped(part) for part in kept)


def escaped(text: str) -> str:
    """Escape a text for plotly, which reads tags and entities in labels."""
    return html.escape(plain(text), quote=False)


def aligned(values: Sequence[float]) -> tuple[str, ...]:
    """Write numbers that stand in one column: all with as many decimals as the longest needs."""
    largest = max((abs(value) for value in values), default=0.0)
    if largest and not LEAST <= largest < MOST:
        return tuple(f"{value:.{DIGITS - 1}e}" for value in values)
    places = DIGITS - 1 - math.floor(math.log10(largest)) if largest else 0
    decimals = max(places, 0)
    shown = [f"{value:.{decimals}f}" for value in values]
    if decimals:
        spare = min((len(text) - len(text.rstrip("0")) for text in shown), default=0)
        decimals = max(decimals - spare, 0)
    return tuple(f"{round(value, decimals) + 0.0:.{decimals}f}" for value in values)
