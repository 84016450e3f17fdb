"""Whether the picks mean one thing while others of the same relevance mean something else.

Only differences of similarities are read, in units of their own scatter: an embedder that puts
everything at 0.8 and one that puts everything at 0.2 give the same answer. Where the cosines to the
question are known the similarities are those beyond the question: what is merely more relevant is
also more alike, and is no meaning of its own. Shapes are written in
``p`` (picks) and ``a`` (alternatives).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poolscope.geometry import Bools, Floats

MOST = 0.8
"""Share of the picks that a group should hold before its separation counts."""

LEAST_SCATTER = 1e-3
"""Least standard deviation of a similarity: below it lies rounding."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """The picks that mean one thing, and the alternatives that do not.

    Args:
        alike: Pool indices of the picks in the common group.
        others: Pool indices of the alternatives outside it, best first.
        within: Mean similarity of two picks of the group.
        across: Mean similarity of such a pick to an alternative outside.
        separation: ``within`` less ``across``, in standard deviations of either.
        is_raw: Whether the question's own part is still in the similarities.
    """

    alike: tuple[int, ...]
    others: tuple[int, ...]
    within: float
    across: float
    separation: float
    is_raw: bool = True

    @property
    def contrast(self) -> float:
        """``within`` less ``across`` as a share of the distance across, from 0 to 1.

        Vectors without noise part at the smallest difference; this says whether it is one.
        """
        distance = 1.0 - self.across
        return (self.within - self.across) / distance if distance > 0.0 else 0.0


def grouped(
    similarities: Floats, picks: Sequence[int], near: Sequence[int], *, is_raw: bool = True
) -> Grouping | None:
    """Split picks and alternatives by their mean similarity to the picks.

    Args:
        similarities: Shape ``(p, p + a)``, of the picks to the picks and to the alternatives.
        picks: Their pool indices.
        near: Pool indices of the alternatives.
        is_raw: Whether the question's own part is still in the similarities.

    Returns:
        The split into two with the least scatter on either side, or that of its upper part;
        ``None`` where one side holds fewer than three picks or no alternative.
    """
    p = len(picks)
    to_picks = similarities.sum(axis=0)
    to_picks[:p] = (to_picks[:p] - np.diagonal(similarities[:, :p])) / (p - 1)
    to_picks[p:] /= p
    above = to_picks > _threshold(to_picks)
    found = [_split(similarities, picks, near, above)]
    if above[p:].any() and above.sum() > 1:
        # What is merely less relevant may part first, and the meanings only above it.
        closer = to_picks > _threshold(to_picks[above])
        found.append(_split(similarities, picks, near, closer))
    most = MOST * p
    best = max(
        (part for part in found if part is not None),
        key=lambda part: (len(part.alike) >= most, part.separation),
        default=None,
    )
    return None if best is None else replace(best, is_raw=is_raw)


def _split(
    similarities: Floats, picks: Sequence[int], near: Sequence[int], is_above: Bools
) -> Grouping | None:
    """Measure a split of picks and alternatives."""
    p = len(picks)
    inside = np.flatnonzero(is_above[:p])
    outside = np.flatnonzero(~is_above[p:])
    if len(inside) < 3 or not len(outside):
        return None
    own = similarities[np.ix_(inside, inside)][np.triu_indices(len(inside), 1)]
    cross = similarities[np.ix_(inside, p + outside)]
    scatter = float(np.sqrt((own.var() + cross.var()) / 2.0))
    within, across = float(own.mean()), float(cross.mean())
    return Grouping(
        alike=tuple(picks[i] for i in inside.tolist()),
        others=tuple(near[i] for i in outside.tolist()),
        within=within,
        across=across,
        separation=(within - across) / max(scatter, LEAST_SCATTER),
    )


def _threshold(values: Floats) -> float:
    """Split values into two groups with the least sum of squares within them.

    Otsu, "A threshold selection method from gray-level histograms", 1979, on the values themselves.
    """
    ordered = np.sort(values)
    sizes = np.arange(1, len(ordered))
    sums = np.cumsum(ordered)
    low = sums[:-1] / sizes
    high = (sums[-1] - sums[:-1]) / (len(ordered) - sizes)
    between = sizes * (len(ordered) - sizes) * (high - low) ** 2
    cut = int(between.argmax())
    return float((ordered[cut] + ordered[cut + 1]) / 2.0)
