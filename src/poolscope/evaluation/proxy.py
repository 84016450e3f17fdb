"""The proxy against the truth: does a low mean pairwise cosine mean more facets here?

The proxy reads geometry only; five unrelated passages score best on it. On a golden set its
correlation with coverage can be measured, and an alarm threshold calibrated, for this embedder and
this corpus. Shapes are written in ``q`` (questions) and ``p`` (pieces of a sweep).
"""

from dataclasses import dataclass

import numpy as np

from poolscope.evaluation.statistics import CONFIDENCE, FEWEST, RESAMPLES
from poolscope.evaluation.sweep import SAME, Sweep
from poolscope.geometry import Bools, Floats

PROXY, TRUTH = "mean_pairwise_cosine", "facet_coverage"


@dataclass(frozen=True, slots=True)
class Correlation:
    """A rank correlation with its interval over questions.

    Args:
        value: Spearman's rho; ``nan`` where one side does not vary, or there are too few.
        low: Lower end of the 95 % interval.
        high: Upper end.
        count: Questions.
    """

    value: float
    low: float
    high: float
    count: int


def across_questions(sweep: Sweep, value: float) -> Correlation:
    """Correlate proxy and coverage over the questions, at one value of the parameter.

    Negative is what the proxy promises: likeness goes with missed facets.
    """
    proxy, truth = sweep.at(value, PROXY), sweep.at(value, TRUTH)
    met = ~(np.isnan(proxy) | np.isnan(truth))
    proxy, truth = proxy[met], truth[met]
    count = len(proxy)
    if count < FEWEST or np.ptp(proxy) == 0.0 or np.ptp(truth) == 0.0:
        return Correlation(float("nan"), float("nan"), float("nan"), count)
    random = np.random.default_rng(0)
    drawn = random.integers(count, size=(RESAMPLES // 2, count))
    found = np.array([_rho(proxy[rows], truth[rows]) for rows in drawn])
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.nanquantile(found, (tail, 1.0 - tail))
    return Correlation(_rho(proxy, truth), float(low), float(high), count)


def _rho(first: Floats, second: Floats) -> float:
    if np.ptp(first) == 0.0 or np.ptp(second) == 0.0:
        return float("nan")
    one, two = _ranks(first), _ranks(second)
    return float(np.corrcoef(one, two)[0, 1])


def _ranks(values: Floats) -> Floats:
    """Rank values from 0, equal ones at the middle of their places; shape ``(q,)``."""
    order = np.sort(values)
    first = np.searchsorted(order, values, side="left")
    last = np.searchsorted(order, values, side="right")
    return np.asarray((first + last - 1) / 2.0, dtype=np.float64)


def over_the_sweep(sweep: Sweep) -> Correlation:
    """Correlate, within each question, proxy and coverage over the parameter; the mean of those.

    Every piece counts by its width: a setting that holds over much of the range weighs much.
    """
    width = np.maximum(sweep.ends - sweep.starts, 0.0)
    found = np.array(
        [
            _weighted(proxy, truth, width)
            for proxy, truth in zip(sweep.values[PROXY], sweep.values[TRUTH], strict=True)
        ]
    )
    met = found[~np.isnan(found)]
    if len(met) < FEWEST:
        mean = float(met.mean()) if len(met) else float("nan")
        return Correlation(mean, float("nan"), float("nan"), len(met))
    random = np.random.default_rng(0)
    means = met[random.integers(len(met), size=(RESAMPLES, len(met)))].mean(axis=1)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(means, (tail, 1.0 - tail))
    return Correlation(float(met.mean()), float(low), float(high), len(met))


def _weighted(first: Floats, second: Floats, weight: Floats) -> float:
    """Pearson's correlation under weights; ``nan`` where one side does not vary."""
    total = weight.sum()
    if total <= 0.0 or np.isnan(first).any() or np.isnan(second).any():
        return float("nan")
    one = first - (weight * first).sum() / total
    two = second - (weight * second).sum() / total
    spread = (weight * one**2).sum() * (weight * two**2).sum()
    return float((weight * one * two).sum() / np.sqrt(spread)) if spread > 0.0 else float("nan")


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm on the proxy, and how well it tells questions of which facets are missed.

    Args:
        threshold: It sounds at and above this mean pairwise cosine.
        hits: Share of the questions with a missed facet on which it sounds; ``nan`` for none.
        false_alarms: Share of the other questions on which it sounds; ``nan`` for none.
    """

    threshold: float
    hits: float
    false_alarms: float


def alarm(sweep: Sweep, value: float, ceiling: Floats, threshold: float) -> Alarm:
    """Say how well an alarm at a threshold tells which questions miss a facet that they could have.

    Args:
        sweep: The golden set.
        value: Where on the parameter; 1 for lambda, which is top-k.
        ceiling: Shape ``(q,)``, the coverage that any k of the pool could reach.
        threshold: The mean pairwise cosine from which it sounds.
    """
    proxy, missed = sweep.at(value, PROXY), sweep.at(value, TRUTH) < ceiling - SAME
    return _alarm(proxy, missed, threshold)


def calibrated(sweep: Sweep, value: float, ceiling: Floats) -> Alarm | None:
    """Return the alarm that tells best: hits less false alarms is largest (Youden's J).

    Returns:
        ``None`` where no question misses a facet, or all do.
    """
    proxy, missed = sweep.at(value, PROXY), sweep.at(value, TRUTH) < ceiling - SAME
    met = ~np.isnan(proxy)
    if not (missed & met).any() or (missed | ~met).all():
        return None
    found = [_alarm(proxy, missed, float(level)) for level in np.unique(proxy[met])]
    return max(found, key=lambda item: (item.hits - item.false_alarms, item.threshold))


def _alarm(proxy: Floats, missed: Bools, threshold: float) -> Alarm:
    sounds = proxy >= threshold
    return Alarm(threshold, _share(sounds[missed]), _share(sounds[~missed & ~np.isnan(proxy)]))


def _share(sounds: Bools) -> float:
    return float(sounds.mean()) if len(sounds) else float("nan")
