"""Exact sweeps: how a whole golden set answers to one parameter.

Each question's measures are step functions of the parameter, exact where its path is; their mean
is a step function too, on the union of all break points. Nothing is sampled on a grid.
Shapes are written in ``q`` (questions), ``p`` (pieces of the union) and ``s`` (steps of one).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np

from poolscope import selection as selectors
from poolscope.errors import PolicyError
from poolscope.geometry import Bools, Floats, Ints, read_only
from poolscope.measures.batch import HEADLINE, headline, table
from poolscope.measures.ranking import alpha_ndcg_of_several
from poolscope.model import SUPPORTS, Policy, Pool, Selection, Stratum
from poolscope.selection.paths import Axis, Path, several

COVERAGE, RELEVANCE, PAIRWISE = "facet_coverage", "mean_relevance", "mean_pairwise_cosine"
SOURCES = "distinct_sources"
HIT, ALPHA_NDCG = "hit", "alpha_ndcg"
"""Whether some facet is covered: its mean over questions with one true answer is how often that is
found."""
NAMES = (*HEADLINE, HIT, ALPHA_NDCG)
SAME = 1e-12
"""Difference up to which two means are one: what summing in another order leaves."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One question's measures over a parameter.

    Args:
        starts: Shape ``(s,)``, first value of every step, rising.
        high: Last value of the last step.
        values: For each of ``NAMES`` an array of shape ``(s,)``.
        exact: Whether every change was found.
    """

    starts: Floats
    high: float
    values: Mapping[str, Floats]
    exact: bool


def curve(pool: Pool, policy: Policy, axis: Axis) -> Curve:
    """Follow one question over one parameter: a pure function, to be mapped by any engine.

    Raises:
        PolicyError: The pool lacks what the policy asks for.
    """
    return curves(pool, [policy], axis)[0]


def curves(pool: Pool, policies: Sequence[Policy], axis: Axis) -> tuple[Curve, ...]:
    """Follow one question over one parameter under several policies, which share their work.

    Raises:
        PolicyError: The pool lacks what a policy asks for.
    """
    if not policies:
        return ()
    paths = several(pool, policies, axis)
    steps = [_steps(found, policy) for found, policy in zip(paths, policies, strict=True)]
    relevances = [selectors.used(pool, policy) for policy in policies]
    made: dict[int, Curve] = {}
    for kind in dict.fromkeys(used.name for used in relevances):
        places = [place for place, used in enumerate(relevances) if used.name == kind]
        whole = [step for place in places for step in steps[place]]
        values = _values(
            pool,
            relevances[places[0]].values,
            [picks for _, _, picks in whole],
            np.array([k for _, k, _ in whole], dtype=np.intp),
        )
        end = 0
        for place in places:
            begin, end = end, end + len(steps[place])
            part = {name: read_only(values[name][begin:end]) for name in NAMES}
            starts = np.array([start for start, _, _ in steps[place]], dtype=np.float64)
            high, exact = float(paths[place].high), paths[place].exact
            made[place] = Curve(read_only(starts), high, part, exact)
    return tuple(made[place] for place in range(len(policies)))


def outcome(pool: Pool, policy: Policy) -> Mapping[str, float]:
    """Measure one question under one policy; a pure function too.

    Raises:
        PolicyError: The pool lacks what the policy asks for.
    """
    return measured(selectors.select(pool, policy), policy)


def measured(selection: Selection, seen: Policy) -> Mapping[str, float]:
    """Measure one selection, whatever made it.

    Args:
        selection: What was selected, by a rule or by a system that weighs a number of its own.
        seen: The policy whose relevance and k it is measured by: those of what it is held against.

    Raises:
        PolicyError: The pool lacks the relevance.
    """
    values = _values(
        selection.pool,
        selectors.used(selection.pool, seen).values,
        [tuple(selection.indices.tolist())],
        np.array([seen.k], dtype=np.intp),
    )
    return {name: float(values[name][0]) for name in NAMES}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Values of a parameter over which the mean of a measure is the same.

    Args:
        low: First value.
        high: Last value.
        value: The mean.
    """

    low: float
    high: float
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """A golden set's measures over one parameter.

    Args:
        axis: The parameter.
        policy: Everything but the parameter.
        names: The questions' names.
        strata: The questions' strata.
        starts: Shape ``(p,)``, first value of every piece, rising.
        ends: Shape ``(p,)``, last value of every piece.
        values: For each of ``NAMES`` an array of shape ``(q, p)``.
        exact: Whether every change of every question was found.
    """

    axis: Axis
    policy: Policy
    names: tuple[str, ...]
    strata: tuple[Stratum, ...]
    starts: Floats
    ends: Floats
    values: Mapping[str, Floats]
    exact: bool

    def of(self, stratum: Stratum | None) -> Bools:
        """Which questions belong to a stratum, all for ``None``; shape ``(q,)``."""
        return np.array([stratum in (None, item) for item in self.strata], dtype=np.bool_)

    def mean(self, name: str, stratum: Stratum | None = None) -> Floats:
        """Mean of a measure over the questions of a stratum, shape ``(p,)``; ``nan`` for none."""
        rows = self.values[name][self.of(stratum)]
        return rows.mean(axis=0) if len(rows) else np.full(len(self.starts), np.nan)

    def place(self, value: float) -> int:
        """Return the piece that holds a value of the parameter.

        Raises:
            PolicyError: It is outside the range.
        """
        if not self.starts[0] <= value <= self.ends[-1]:
            raise PolicyError(
                f"{self.axis.value.rstrip('_')} is {value!r}, outside {self.starts[0]:g} to "
                f"{self.ends[-1]:g}.",
                "Give a value within the range of the sweep.",
            )
        return int(np.searchsorted(self.starts, value, side="right")) - 1

    def at(self, value: float, name: str) -> Floats:
        """A measure of every question at a value of the parameter, shape ``(q,)``."""
        return self.values[name][:, self.place(value)]

    def best(
        self, name: str, stratum: Stratum | None = None, *, within: float = SAME
    ) -> tuple[Stretch, ...]:
        """Return every stretch over which the mean of a measure is largest, in rising order.

        Args:
            name: The measure.
            stratum: The questions; ``None`` for all.
            within: By how much it may be less; then a stretch says its largest mean.
        """
        mean = self.mean(name, stratum)
        if np.isnan(mean).all():
            return ()
        good = np.flatnonzero(mean >= np.nanmax(mean) - within)
        runs = np.split(good, np.flatnonzero(np.diff(good) > 1) + 1)
        return tuple(
            Stretch(float(self.starts[run[0]]), float(self.ends[run[-1]]), float(mean[run].max()))
            for run in runs
        )


class Asked(Protocol):
    """What is known of a question beside its pool."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def stratum(self) -> Stratum:
        """What a full answer is made of."""


def combined(
    questions: Sequence[Asked], curves: Iterable[Curve], policy: Policy, axis: Axis
) -> Sweep:
    """Put the questions' curves onto the union of their break points.

    Args:
        questions: The golden set.
        curves: One a question, in order. A question whose range ends earlier, as a smaller pool's
            depth does, keeps its last value.
        policy: What they were made with.
        axis: The parameter.

    Raises:
        PolicyError: There is no question.
    """
    made = tuple(curves)
    if not made:
        raise PolicyError("There is no question to sweep.", "Give a golden set with questions.")
    starts = np.unique(np.concatenate([item.starts for item in made]))
    high = max(item.high for item in made)
    step = np.spacing(starts[1:]) if axis is Axis.LAMBDA else np.ones(len(starts) - 1)
    ends = np.append(starts[1:] - step, high)
    places = [np.searchsorted(item.starts, starts, side="right") - 1 for item in made]
    values = {
        name: read_only(
            np.stack([item.values[name][at] for item, at in zip(made, places, strict=True)])
        )
        for name in NAMES
    }
    return Sweep(
        axis=axis,
        policy=policy,
        names=tuple(item.name for item in questions),
        strata=tuple(item.stratum for item in questions),
        starts=read_only(starts),
        ends=read_only(ends),
        values=MappingProxyType(values),
        exact=all(item.exact for item in made),
    )


def _steps(found: Path, policy: Policy) -> list[tuple[float, int, tuple[int, ...]]]:
    """Return the steps of a path: first value, k, and picks; over k one for every k."""
    if found.axis is not Axis.K:
        return [(item.low, policy.k, item.indices) for item in found.intervals]
    return [
        (k, k, item.indices)
        for item in found.intervals
        for k in range(int(item.low), int(item.high) + 1)
    ]


def _values(
    pool: Pool, relevances: Floats, picks: Sequence[tuple[int, ...]], ks: Ints
) -> Mapping[str, Floats]:
    """Measure selections of one relevance: for each of ``NAMES`` an array of shape ``(s,)``."""
    rows = table(picks)
    values = dict(headline(pool, relevances, rows))
    values[HIT] = _hit(values[COVERAGE])
    values[ALPHA_NDCG] = _alpha_ndcg(pool, rows, ks)
    return values


def _alpha_ndcg(pool: Pool, rows: Ints, ks: Ints) -> Floats:
    """Measure alpha-nDCG, against the best order of the whole pool; shape ``(s,)``."""
    found = np.full(len(rows), np.nan)
    judged = pool.marks == SUPPORTS
    if not judged.any():
        return found
    ranked = judged[rows] & (rows >= 0)[:, :, None]
    for k in np.unique(ks[ks > 0]).tolist():
        met = ks == k
        found[met] = alpha_ndcg_of_several(ranked[met], judged, k)
    return found


def _hit(coverage: Floats) -> Floats:
    """Whether any facet is covered; ``nan`` stays ``nan``."""
    return np.where(np.isnan(coverage), np.nan, (coverage > 0.0).astype(np.float64))
