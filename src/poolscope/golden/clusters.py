"""Groups of rows that are alike, cut where they stand apart best."""

import numpy as np

from poolscope.geometry import Floats, Ints

WAYS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
"""Cuts that are tried, each this far on the way from the median cosine to 1.

No one cosine fits two embedders, and no one of these fits two pools.
"""


def clusters(cosines: Floats) -> list[Ints]:
    """Join rows by their mean cosine, and cut where the mean silhouette is largest.

    Agglomerative with average linkage. Rousseeuw (1987), Silhouettes: a graphical aid; a row that
    stays alone counts 0. Of equal cuts the strictest is taken.

    Args:
        cosines: Shape ``(n, n)``, symmetric.

    Returns:
        Rows of each group of two or more, in the order of their first ones; none where nothing
        stands apart.
    """
    n = len(cosines)
    if n < 3:
        return []
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    distances = np.clip(1.0 - cosines, 0.0, None)
    np.fill_diagonal(distances, 0.0)
    tree = hierarchy.linkage(squareform(distances, checks=False), "average")
    median = float(np.median(cosines[np.triu_indices(n, 1)]))
    best: Ints = np.arange(n)
    worth = 0.0
    for way in WAYS:
        cut = (1.0 - way) * (1.0 - median)
        numbers = hierarchy.fcluster(tree, cut, "distance").astype(np.intp)
        found = mean_silhouette(distances, numbers)
        if found >= worth and found > 0:
            best, worth = numbers, found
    groups = [np.flatnonzero(best == number) for number in dict.fromkeys(best.tolist())]
    return [group for group in groups if len(group) > 1]


def mean_silhouette(distances: Floats, numbers: Ints) -> float:
    """Return the mean over rows of ``(b - a) / max(a, b)``; a row alone counts 0.

    ``a`` is the mean distance to the row's own group, ``b`` the least mean distance to another.

    Args:
        distances: Shape ``(n, n)``.
        numbers: Shape ``(n,)``, the group of each row.

    Returns:
        From -1 to 1; 0 for a single group.
    """
    _, own, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    if len(sizes) == 1:
        return 0.0
    rows = np.arange(len(numbers))
    sums = distances @ np.eye(len(sizes))[own]
    within = sums[rows, own] / np.maximum(sizes[own] - 1, 1)
    means = sums / sizes
    means[rows, own] = np.inf
    between = means.min(axis=1)
    larger = np.maximum(within, between)
    apart = np.divide(between - within, larger, out=np.zeros_like(larger), where=larger > 0)
    return float(np.where(sizes[own] > 1, apart, 0.0).mean())
