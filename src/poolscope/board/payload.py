"""The payload of the live board: paths, passages and places as JSON, complete for every drag.

Everything that the board shows while a slider is held is in here; the browser only looks it up.
Shapes are written in ``n`` (candidates of the pool) and ``s`` (distinct selections).
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from poolscope import wording
from poolscope.analysis import Column, Comparison
from poolscope.board.scene import Json, Scene, numbers
from poolscope.geometry import Floats
from poolscope.measures import MEASURES, Measure
from poolscope.measures.batch import headline, table
from poolscope.model import CAUSES, OPEN, Cause, Order, Policy, Pool, Selection
from poolscope.selection.offers import Offer, path
from poolscope.selection.paths import Axis, Interval, Path

Codes: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Find: TypeAlias = Callable[[Pool, Policy, Axis], Path]
Ranges: TypeAlias = Mapping[Axis, tuple[int, int]]

SHOWN = (
    "facet_coverage",
    "mean_relevance",
    "mean_pairwise_cosine",
    "distinct_sources",
    "largest_share",
    "tokens",
)
"""Names of the measures above each column, in order."""

NAMES = {Axis.LAMBDA: "lambda", Axis.CAP: "cap", Axis.DEPTH: "depth", Axis.K: "k"}
MOST_CAP = 10
MOST_K = 30
_MEASURES = {measure.name: measure for measure in MEASURES}
_CAUSES = {
    Cause.BELOW_K: "not among the best",
    Cause.BEYOND_DEPTH: "beyond the pool depth",
    Cause.NO_VECTOR: "no vector",
    Cause.NO_SOURCE: "no value of the key",
    Cause.CAP_REACHED: "cap reached",
    Cause.SOURCE_SERVED: "its source is in, others came first",
    Cause.OVER_BUDGET: "over the token budget",
    Cause.TOO_SIMILAR: "too similar to a pick",
    Cause.BANNED: "banned by hand",
    Cause.NEAR_COPY: "near copy of a better ranked one",
    Cause.QUOTA_FULL: "quota full",
    Cause.BELOW_GATE: "below the gate",
    Cause.SHED: "shed by priority",
    Cause.DEMOTED: "put behind all others",
    Cause.ARM_CUT: "cut from its arm's list",
}


def payload(comparison: Comparison, scene: Scene, find: Find = path) -> dict[str, Json]:
    """Collect what the board draws and looks up.

    Args:
        comparison: The columns at the current setting, the baseline first.
        scene: Their pool, as the board draws it.
        find: Computes a path. It is asked with policies in which nothing stands that the path does
            not depend on, so one that remembers is asked the same again after most releases.
    """
    found, seen = _moving(comparison, find)
    candidates = {**scene.candidates, "text": scene.texts(seen), "whole": _whole(comparison, scene)}
    return {**scene.parts, **found, "candidates": candidates}


def moving(comparison: Comparison, scene: Scene, find: Find = path) -> dict[str, Json]:
    """Collect what a release changes, for a board that holds the scene already.

    Args:
        comparison: As for ``payload``.
        scene: The scene that the board holds; named, and not sent again.
        find: As for ``payload``.
    """
    found, seen = _moving(comparison, find)
    candidates = {"cards": scene.cards_of(seen), "whole": _whole(comparison, scene)}
    names = {name: scene.parts[name] for name in ("digest", "scene")}
    return {**names, **found, "candidates": candidates}


def _whole(comparison: Comparison, scene: Scene) -> dict[str, Json]:
    """Return the passages that the cards can open."""
    return scene.whole({i for part in comparison.columns for i in part.selection.ordered})


def _moving(comparison: Comparison, find: Find) -> tuple[dict[str, Json], set[int]]:
    """Return what no scene holds, and every candidate that some selection holds."""
    policy = comparison.baseline.selection.policy
    ranges = _ranges(comparison.pool, policy)
    book = Book(comparison.pool, comparison.baseline.selection.relevances)
    columns: list[Json] = [_column(column, ranges, find, book) for column in comparison.columns]
    found: dict[str, Json] = {
        "relevance": comparison.baseline.selection.relevance_name,
        "measures": [_measure(_MEASURES[name], comparison) for name in SHOWN],
        "selections": book.selections(),
        "columns": columns,
        "causes": [_CAUSES[cause] for cause in CAUSES],
        "marked": _marked(comparison),
        "setting": {
            "lambda": policy.lambda_,
            "cap": policy.cap,
            "depth": comparison.depth,
            "k": policy.k,
        },
        "ranges": {NAMES[axis]: list(ends) for axis, ends in ranges.items()},
    }
    return found, book.seen()


def _marked(comparison: Comparison) -> Json:
    """Return the candidates that are pinned and banned by hand in the columns beside top-k."""
    places, policy = comparison.pool.places, comparison.columns[-1].policy
    return {
        "pinned": [places[name] for name in policy.pinned if name in places],
        "banned": [places[name] for name in policy.banned if name in places],
    }


def encoded(data: dict[str, Json]) -> bytes:
    """Write a payload as it is sent: JSON that every browser reads, without ``NaN``."""
    return json.dumps(data, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()


def _ranges(pool: Pool, policy: Policy) -> Ranges:
    """Return the ends of each slider."""
    return {
        Axis.LAMBDA: (0, 1),
        Axis.CAP: (1, max(2, min(len(pool), MOST_CAP), policy.cap)),
        Axis.DEPTH: (1, max(1, len(pool))),
        Axis.K: (1, max(1, min(len(pool), MOST_K), policy.k)),
    }


class Book:
    """Numbers the distinct selections of all paths, and measures them together."""

    def __init__(self, pool: Pool, relevances: Floats) -> None:
        self._pool = pool
        self._relevances = relevances
        self._numbers: dict[tuple[int, ...], int] = {}

    def number(self, picks: Iterable[int]) -> int:
        """Return the number of a selection."""
        return self._numbers.setdefault(tuple(int(index) for index in picks), len(self._numbers))

    def seen(self) -> set[int]:
        """Return every candidate that some selection holds."""
        return {index for picks in self._numbers for index in picks}

    def selections(self) -> dict[str, Json]:
        """Return the picks and the headline measures of every selection, by number."""
        values = headline(self._pool, self._relevances, table(tuple(self._numbers)))
        rows = np.stack([values[name] for name in SHOWN], axis=1)
        return {
            "picks": [list(picks) for picks in self._numbers],
            "values": numbers(rows),
            "judged": numbers(values["judged_share"]),
        }


def _column(column: Column, ranges: Ranges, find: Find, book: Book) -> dict[str, Json]:
    chosen, offer = column.selection, column.offer
    causes = _causes(chosen)
    blockers, cosines = _blockers(chosen, causes)
    return {
        "title": column.title,
        "rule": offer.name,
        "summary": offer.rule.summary,
        "differs": offer.rule.differs,
        "trap": offer.trap,
        "grows": wording.grows(offer.rule.prefix),
        "why": offer.rule.prefix.why,
        "lacks": list(column.lacks),
        "stored": offer.stored,
        "asksStored": offer.asks_stored,
        "part": offer.part,
        "field": offer.field,
        "usualField": wording.usual_field(offer, chosen.pool) if offer.part else "",
        "reads": [NAMES[axis] for axis in offer.reads],
        "key": chosen.policy.key,
        "extras": _extras(column),
        "before": _before(column),
        "settled": book.number(chosen.ordered),
        "notes": list(chosen.notes),
        "left": [list(pair) for pair in zip(column.left, _reasons(column), strict=True)],
        "together": _together(column),
        "causes": causes.tolist(),
        "likeness": "cosine" if chosen.merits is None else chosen.merits.measure,
        "blockers": blockers,
        "cosines": cosines,
        "paths": {
            NAMES[axis]: _path(_found(column, axis, ranges, find), chosen, ranges[axis], book)
            for axis in Axis
        },
    }


def _reasons(column: Column) -> tuple[str, ...]:
    """Return why each passage left; nothing where one reason is said for all."""
    return ("",) * len(column.left) if column.shared_reason else column.reasons


def _together(column: Column) -> str:
    shared = column.shared_reason
    return wording.together(len(column.left), shared) if shared else ""


def longest(comparison: Comparison) -> Iterator[tuple[Policy, Axis]]:
    """Name the paths at the largest k that hold every path a release of k will ask for."""
    ranges = _ranges(comparison.pool, comparison.baseline.selection.policy)
    for column in comparison.columns:
        offer = column.offer
        if not offer.is_preset and offer.rule.prefix.holds and not column.lacks:
            policy = column.policy.changed(k=ranges[Axis.K][1])
            for axis in (Axis.LAMBDA, Axis.CAP, Axis.DEPTH):
                if axis in offer.reads:
                    yield _asked(policy, offer, axis, ranges), axis


def _found(column: Column, axis: Axis, ranges: Ranges, find: Find) -> Path:
    """Return the path of a column over an axis; where its rule reads none, it stands still."""
    asked = column.offer.reads
    if axis not in asked:
        low, high = ranges[axis]
        return Path(axis, (Interval(low, high, tuple(column.selection.indices.tolist())),))
    policy = _asked(column.policy, column.offer, axis, ranges)
    return find(column.selection.pool, policy, axis)


def _asked(policy: Policy, offer: Offer, axis: Axis, ranges: Ranges) -> Policy:
    """Return a policy in which nothing stands that the path over an axis does not depend on."""
    free = {item: ranges[item][1] for item in Axis if item is axis or item not in offer.reads}
    return policy.changed(**free)


def _extras(column: Column) -> list[Json]:
    """Return what the column's setting says beside the sliders."""
    if column.offer.is_preset:
        return [*wording.own(column.offer, column.selection)]
    return [*wording.beside_sliders(column.policy)]


def _before(column: Column) -> str:
    """Say whole what the few words of the head stand for."""
    parts = [] if column.offer.is_preset else wording.before(column.policy)
    return f"Before the rule chooses: {'; '.join(parts)}." if parts else ""


def _path(found: Path, chosen: Selection, ends: tuple[int, int], book: Book) -> dict[str, Json]:
    """Return what a path holds within a slider's range, selections as they are handed out."""
    low, high = ends
    within = [part for part in found.intervals if part.high >= low and part.low <= high]
    within = within or [found.intervals[-1]]
    numbers = [book.number(in_order(chosen, part.indices)) for part in within]
    last = len(numbers) - 1
    kept = [i for i, number in enumerate(numbers) if i == last or numbers[i + 1] != number]
    starts = {within[i + 1].low for i in kept[:-1]}
    return {
        "highs": [within[i].high for i in kept],
        "selections": [numbers[i] for i in kept],
        "breaks": [value for value in found.breaks if value in starts],
        "exact": found.exact,
        "note": found.note,
    }


def in_order(chosen: Selection, picks: tuple[int, ...]) -> tuple[int, ...]:
    """Return picks in the order that a policy hands out."""
    if chosen.policy.order is Order.SELECTION:
        return picks
    return replace(chosen, indices=np.array(picks, dtype=np.intp)).ordered


def _causes(chosen: Selection) -> Codes:
    """Return for each candidate the number of its cause, -1 for a pick; shape ``(n,)``."""
    too_similar, below = CAUSES.index(Cause.TOO_SIMILAR), CAUSES.index(Cause.BELOW_K)
    least = chosen.weighed[chosen.indices].min() if len(chosen) else math.inf
    merits = chosen.merits
    if merits is not None:
        similar = ~np.isnan(merits.values) & (merits.blockers >= 0)
    else:
        similar = np.full(len(chosen.pool), chosen.pool.vectors is not None)
    similar &= chosen.reads_similarity & (chosen.weighed > least)
    lost = np.where(similar, too_similar, below)
    return np.maximum(np.where(chosen.causes == OPEN, lost, chosen.causes), -1)


def _blockers(chosen: Selection, causes: Codes) -> tuple[Json, Json]:
    """Return what keeps candidates out by likeness, as ``Selection.reason`` says it.

    Returns:
        For each candidate the pick before the last that is nearest to it, -1 where likeness is not
        the cause, and their likeness; ``None`` twice where the rule reads no likeness.
    """
    vectors = chosen.pool.vectors
    if chosen.merits is not None:
        similar = causes == CAUSES.index(Cause.TOO_SIMILAR)
        return (
            np.where(similar, chosen.merits.blockers, -1).tolist(),
            numbers(np.where(similar, chosen.merits.similarities, 0.0), 3),
        )
    if not chosen.reads_similarity or vectors is None or not len(chosen):
        return None, None
    earlier = chosen.indices[:-1] if len(chosen) > 1 else chosen.indices
    out = np.flatnonzero(causes == CAUSES.index(Cause.TOO_SIMILAR))
    similarities = vectors[out] @ vectors[earlier].T
    if chosen.policy.clip_negative:
        similarities = np.maximum(similarities, 0.0)
    nearest = similarities.argmax(axis=1)
    blockers, cosines = np.full(len(vectors), -1), np.zeros(len(vectors))
    blockers[out] = earlier[nearest]
    cosines[out] = similarities[np.arange(len(out)), nearest]
    return blockers.tolist(), numbers(cosines, 3)


def _measure(measure: Measure, comparison: Comparison) -> dict[str, Json]:
    needs: list[Json] = [need.value for need in measure.unmet(comparison.baseline.selection)]
    return {
        "name": measure.name,
        "label": measure.label,
        "summary": measure.summary,
        "decimals": measure.decimals,
        "of": len(comparison.pool.facets) if measure.name == "facet_coverage" else 0,
        "needs": needs,
    }
