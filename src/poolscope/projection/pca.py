"""Principal components: the layout that is there at once, and where UMAP starts from."""

import numpy as np

from poolscope.geometry import Floats, Ints
from poolscope.model.pool import Pool
from poolscope.projection.layout import Layout, Method
from poolscope.projection.points import Points, points

FLAT = 1e-12
"""Variance a candidate below which an axis is rounding: unit rows within 1e-6 of each other."""

_TIE = 1.0 - 1e-6


def pca(pool: Pool) -> Layout:
    """Lay a pool out on the two axes of largest variance of its candidates.

    The query is shown on the candidates' axes and does not turn them, unless they have fewer than
    three different vectors. The same vectors in another order give the same picture. Any pool
    will do: without spread the method is a line or a point, without vectors it is empty.
    """
    return pca_of(points(pool))


def pca_of(found: Points, note: str = "") -> Layout:
    """Do the same for points that were collected before."""
    places = principal_places(found)
    method = _method(found, places)
    return found.layout(places, method, " ".join(filter(None, (note, _REMARKS.get(method, "")))))


def principal_places(found: Points) -> Floats:
    """Return places on the two principal axes, shape ``(m, 2)``, centred on the candidates."""
    if len(found.rows) == 0:
        return np.empty((0, 2))
    rows = found.rows.astype(np.float64)
    weights = found.weights
    if found.query is not None and found.distinct < 3 and weights[found.query] == 0:
        weights = weights.copy()
        weights[found.query] = 1
    centred = rows - weights @ rows / weights.sum()
    places: Floats = centred @ _axes(centred, weights)
    return places


def _axes(centred: Floats, weights: Ints) -> Floats:
    """Return two unit axes, shape ``(d, 2)``; one without variance is all zero."""
    scaled = centred * np.sqrt(weights)[:, None]
    m, d = scaled.shape
    axes = np.zeros((d, 2))
    # Eigenvectors of the smaller square are several times quicker than a decomposition of the rows.
    if d <= m:
        variances, vectors = np.linalg.eigh(scaled.T @ scaled)
    else:
        variances, sides = np.linalg.eigh(scaled @ scaled.T)
        vectors = scaled.T @ sides[:, -2:]
    for column in range(min(2, len(variances))):
        if variances[-1 - column] <= FLAT * weights.sum():
            break
        axis = vectors[:, -1 - column]
        axes[:, column] = _signed(axis / np.linalg.norm(axis))
    return axes


def _signed(axis: Floats) -> Floats:
    """Turn an axis so that the first of its largest entries is positive."""
    sizes = np.abs(axis)
    # A tie such as (1, -1) must not be decided by rounding.
    leading = int(np.argmax(sizes >= _TIE * sizes.max()))
    return axis if axis[leading] > 0 else -axis


def _method(found: Points, places: Floats) -> Method:
    if len(found.rows) == 0:
        return Method.EMPTY
    if not places.any():
        return Method.POINT
    return Method.PCA if places[:, 1].any() else Method.LINE


_REMARKS = {
    Method.LINE: "All vectors lie on one line.",
    Method.POINT: "All vectors are equal, so they share one place.",
}
