"""The headline measures of many selections of one pool at once, for paths.

The definitions are those of the single measures; a test holds every value against them.
Shapes are written in ``n`` (candidates), ``s`` (selections), ``k`` (slots) and ``m`` (facets).
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from poolscope.geometry import Bools, Floats, Ints
from poolscope.model import SUPPORTS, UNJUDGED, Pool

HEADLINE = (
    "facet_coverage",
    "mean_relevance",
    "mean_pairwise_cosine",
    "distinct_sources",
    "largest_share",
    "tokens",
    "judged_share",
)
"""Names of the measures that ``headline`` gives, as ``MEASURES`` name them."""


def headline(pool: Pool, relevances: Floats, picks: Ints) -> Mapping[str, Floats]:
    """Measure many selections.

    Args:
        pool: The pool selected from.
        relevances: Shape ``(n,)``, the relevance used.
        picks: Shape ``(s, k)``, indices of the picks, -1 in an empty slot.

    Returns:
        An array of shape ``(s,)`` for each name of ``HEADLINE``, ``nan`` where undefined.
    """
    if not len(pool):
        picks = picks[:, :0]  # an empty slot is read as the last candidate, and there is none
    filled = picks >= 0
    slots = filled.sum(axis=1)
    distinct, largest = _sources(pool, picks, filled)
    values = {
        "facet_coverage": _coverage(pool, picks, filled),
        "mean_relevance": _share(np.where(filled, relevances[picks], 0.0).sum(axis=1), slots),
        "mean_pairwise_cosine": _pairwise(pool, picks, filled),
        "distinct_sources": distinct,
        "largest_share": _share(largest, slots),
        "tokens": np.where(filled, pool.tokens[picks], 0).sum(axis=1).astype(np.float64),
        "judged_share": _judged(pool, picks, filled, slots),
    }
    return {name: values[name] for name in HEADLINE}


def table(selections: Sequence[Sequence[int]]) -> Ints:
    """Return selections as rows for ``headline``, shape ``(s, k)``, -1 in an empty slot."""
    widest = max((len(picks) for picks in selections), default=0)
    rows: Ints = np.full((len(selections), max(widest, 1)), -1, dtype=np.intp)
    for number, picks in enumerate(selections):
        rows[number, : len(picks)] = picks
    return rows


def _share(values: npt.NDArray[np.generic], totals: Ints) -> Floats:
    """Divide, ``nan`` where there is nothing to divide by."""
    whole = np.asarray(values, dtype=np.float64)
    return np.where(totals > 0, whole / np.maximum(totals, 1), np.nan)


def _coverage(pool: Pool, picks: Ints, filled: Bools) -> Floats:
    if not pool.facets:
        return np.full(len(picks), np.nan)
    supports = (pool.marks == SUPPORTS)[picks] & filled[:, :, None]
    covered = supports.any(axis=1).sum(axis=1)
    return np.asarray(covered / len(pool.facets), dtype=np.float64)


def _judged(pool: Pool, picks: Ints, filled: Bools, slots: Ints) -> Floats:
    if not pool.facets:
        return np.full(len(picks), np.nan)
    complete = (pool.marks != UNJUDGED).all(axis=1)
    return _share((complete[picks] & filled).sum(axis=1), slots)


def _pairwise(pool: Pool, picks: Ints, filled: Bools) -> Floats:
    """Mean cosine over unordered pairs, from the cosines of all candidates that some pick is."""
    if pool.vectors is None:
        return np.full(len(picks), np.nan)
    usable = filled & pool.vector_mask[picks]
    met, places = np.unique(np.where(usable, picks, 0), return_inverse=True)
    places = places.reshape(picks.shape)
    cosines = pool.vectors[met] @ pool.vectors[met].T if len(met) else np.zeros((0, 0))
    total = np.zeros(len(picks))
    for slot in range(1, picks.shape[1]):
        earlier = cosines[places[:, :slot], places[:, slot, None]] * usable[:, :slot]
        total += earlier.sum(axis=1) * usable[:, slot]
    count = usable.sum(axis=1)
    return _share(total, count * (count - 1) // 2)


def _sources(pool: Pool, picks: Ints, filled: Bools) -> tuple[Floats, Ints]:
    """Number of different sources, and slots of the commonest; a missing source stands alone."""
    codes = pool.codes("source").copy()
    missing = codes < 0
    codes[missing] = len(pool) + np.arange(int(missing.sum()))
    found = np.where(filled, codes[picks], -1)
    same = (found[:, :, None] == found[:, None, :]) & filled[:, :, None] & filled[:, None, :]
    counts = same.sum(axis=2)
    shares = np.divide(1.0, counts, out=np.zeros(counts.shape), where=counts > 0)
    return np.rint(shares.sum(axis=1)), counts.max(axis=1, initial=0)
