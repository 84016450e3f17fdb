"""What a difference between settings is worth: intervals over questions, pairs, held-out choice.

Questions are what is resampled: a golden set is a sample of the questions that will be asked.
Shapes are written in ``q`` (questions), ``p`` (pieces of a sweep) and ``b`` (resamples).
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from poolscope.evaluation.sweep import RELEVANCE, SAME, Sweep
from poolscope.geometry import Floats
from poolscope.model import Stratum
from poolscope.selection.paths import Axis

CONFIDENCE = 0.95
RESAMPLES = 2_000
SPLITS = 200
NORMAL = NormalDist()
FEWEST = 8
"""Questions below which no interval is given: a bootstrap of fewer says little."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions with its interval.

    Args:
        mean: ``nan`` without questions.
        low: Lower end; ``nan`` where there are too few questions.
        high: Upper end; the same.
        count: Questions.
    """

    mean: float
    low: float
    high: float
    count: int

    @property
    def tells(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0.0 or self.high < 0.0


def estimate(values: Floats, *, seed: int = 0) -> Estimate:
    """Estimate a mean over questions.

    The interval is bias-corrected and accelerated (Efron, "Better bootstrap confidence intervals",
    JASA 1987), at 95 %.

    Args:
        values: Shape ``(q,)``.
        seed: Of the resamples.
    """
    count = len(values)
    mean = float(values.mean()) if count else float("nan")
    if count < FEWEST:
        return Estimate(mean, float("nan"), float("nan"), count)
    if float(np.ptp(values)) <= SAME * max(1.0, abs(mean)):
        return Estimate(mean, mean, mean, count)
    low, high = _accelerated(values, np.random.default_rng(seed))
    return Estimate(mean, low, high, count)


def _accelerated(values: Floats, random: np.random.Generator) -> tuple[float, float]:
    """Return the bias-corrected and accelerated bootstrap interval of a mean."""
    count = len(values)
    drawn = random.integers(count, size=(RESAMPLES, count))
    means = np.sort(values[drawn].mean(axis=1))
    centre = values.mean()
    below = (np.sum(means < centre) + np.sum(means <= centre)) / (2.0 * RESAMPLES)
    bias = NORMAL.inv_cdf(min(max(below, 1.0 / RESAMPLES), 1.0 - 1.0 / RESAMPLES))
    # The mean without one question differs from the mean by a share of that question's distance.
    spread = values - centre
    acceleration = (spread**3).sum() / (6.0 * (spread**2).sum() ** 1.5)
    ends = []
    for tail in ((1.0 - CONFIDENCE) / 2.0, (1.0 + CONFIDENCE) / 2.0):
        shift = bias + NORMAL.inv_cdf(tail)
        ends.append(NORMAL.cdf(bias + shift / (1.0 - acceleration * shift)))
    low, high = np.quantile(means, ends)
    return float(low), float(high)


def band(sweep: Sweep, name: str, stratum: Stratum | None = None) -> tuple[Floats, Floats]:
    """Return the lower and the upper end of a measure's mean at every piece; shape ``(p,)`` each.

    Percentiles of the mean over resampled questions, the same resamples at every piece, so that
    the band is one of curves. ``nan`` where there are too few questions.
    """
    rows = sweep.values[name][sweep.of(stratum)]
    count = len(rows)
    if count < FEWEST:
        blank = np.full(len(sweep.starts), np.nan)
        return blank, blank
    random = np.random.default_rng(0)
    drawn = random.multinomial(count, np.full(count, 1.0 / count), size=RESAMPLES // 2) / count
    # Most pieces change another measure, or none: where this one stays, so does its band.
    changes = np.flatnonzero((rows[:, 1:] != rows[:, :-1]).any(axis=0)) + 1
    firsts = np.concatenate(([0], changes))
    means = rows[:, firsts].T @ drawn.T
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(means, (tail, 1.0 - tail), axis=1)
    lengths = np.diff(np.append(firsts, rows.shape[1]))
    return np.repeat(low, lengths), np.repeat(high, lengths)


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Two settings on the same questions.

    Args:
        difference: Mean of the second less the first, with its interval.
        better: Questions on which the second is better.
        worse: Questions on which it is worse.
        even: Questions on which they are the same.
        chance: How often a difference this large comes about when the two are exchanged at random
            on every question; ``nan`` where there are too few questions.
        order: Shape ``(q,)``, questions by the size of their difference, largest first.
        differences: Shape ``(q,)``.
    """

    difference: Estimate
    better: int
    worse: int
    even: int
    chance: float
    order: tuple[int, ...]
    differences: Floats


def paired(before: Floats, after: Floats) -> Paired:
    """Hold two settings against each other, question by question.

    Args:
        before: Shape ``(q,)``.
        after: Shape ``(q,)``, the same questions.
    """
    differences = after - before
    order = np.argsort(-np.abs(differences), kind="stable")
    return Paired(
        difference=estimate(differences),
        better=int((differences > 0.0).sum()),
        worse=int((differences < 0.0).sum()),
        even=int((differences == 0.0).sum()),
        chance=_chance(differences),
        order=tuple(order.tolist()),
        differences=differences,
    )


def _chance(differences: Floats) -> float:
    """Two-sided sign-flip permutation test of a mean of 0 (Fisher)."""
    if len(differences) < FEWEST:
        return float("nan")
    if not differences.any():
        return 1.0
    signs = np.random.default_rng(0).choice((-1.0, 1.0), size=(RESAMPLES, len(differences)))
    found = np.abs(signs @ differences)
    observed = abs(float(differences.sum()))
    # The signs as they are count as one of the draws, so that no chance is 0.
    at_least = int((found >= observed * (1.0 - SAME)).sum()) + 1
    return at_least / (RESAMPLES + 1)


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What choosing a value on half of the questions gains on the other half.

    Args:
        gains: Shape ``(splits,)``: mean of the measure at the value chosen, less that of the
            reference value, on the questions not used to choose.
        chosen: Shape ``(splits,)``: the values chosen.
        apparent: Mean gain on the very questions that chose, which flatters.
        relevance: Mean change of mean relevance on the questions that did not choose; ``nan``
            where it is not known.
    """

    gains: Floats
    chosen: Floats
    apparent: float
    relevance: float = float("nan")

    @property
    def gain(self) -> float:
        """Mean gain on questions that did not choose."""
        return float(self.gains.mean())

    @property
    def share_better(self) -> float:
        """Share of the splits in which the other half gained."""
        return float((self.gains > 0.0).mean())


def held_out(
    sweep: Sweep, name: str, reference: float, stratum: Stratum | None = None
) -> HeldOut | None:
    """Choose the best value on half of the questions and try it on the other half, many times.

    Of several best values the nearest to the reference is taken: the least change.

    Args:
        sweep: The golden set over the parameter.
        name: The measure that chooses and is measured.
        reference: The value that is held against: 1 for lambda, which is top-k.
        stratum: The questions looked at; ``None`` for all.

    Returns:
        ``None`` where there are too few questions to halve.
    """
    rows = sweep.values[name][sweep.of(stratum)]
    if len(rows) < FEWEST:
        return None
    random = np.random.default_rng(0)
    middles = np.where(
        sweep.axis is Axis.LAMBDA, (sweep.starts + sweep.ends) / 2.0, np.rint(sweep.ends)
    )
    nearness = np.argsort(np.abs(middles - reference), kind="stable")
    base = sweep.place(reference)
    gains, chosen, apparent = np.empty(SPLITS), np.empty(SPLITS), np.empty(SPLITS)
    relevances = sweep.values[RELEVANCE][sweep.of(stratum)]
    costs = []
    for split in range(SPLITS):
        shuffled = random.permutation(len(rows))
        ours, others = shuffled[: len(rows) // 2], shuffled[len(rows) // 2 :]
        means = rows[ours].mean(axis=0)
        best = nearness[means[nearness] >= means.max() - SAME][0]
        gains[split] = rows[others, best].mean() - rows[others, base].mean()
        apparent[split] = means[best] - means[base]
        chosen[split] = middles[best]
        change = relevances[others, best] - relevances[others, base]
        costs += [change[~np.isnan(change)].mean()] if not np.isnan(change).all() else []
    cost = float(np.mean(costs)) if costs else float("nan")
    return HeldOut(gains, chosen, float(apparent.mean()), cost)
