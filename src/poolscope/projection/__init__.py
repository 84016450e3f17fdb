"""Where each candidate lies on the map: PCA at once, UMAP when it is ready.

A fragment asks every second or so and stops when it gets an answer::

    layout = projection.request(pool)          # None: UMAP is being computed, ask again
    shown = layout or projection.pca(pool)

UMAP is fitted once for a pool, over all its different vectors and the query in an order of their
own, so that depth, lambda, cap and the order of the rows never change the picture. It runs in one
worker process (``service``, ``process``, ``worker``) and is kept on disk (``cache``). Nothing
happens at import: no process, no thread, no folder, no UMAP.
"""

from poolscope.model.pool import Pool
from poolscope.projection.layout import Layout, Method
from poolscope.projection.pca import pca
from poolscope.projection.service import Service

__all__ = ["Layout", "Method", "close", "pca", "request", "retry", "warm"]

_service = Service()


def request(pool: Pool) -> Layout | None:
    """Return the pool's final layout, or ``None`` while UMAP is being computed.

    Final is UMAP; where UMAP is impossible or has failed it is PCA, and the note says why. The
    first call queues the work, the ones after it only look. Safe to call from any thread.
    """
    return _service.request(pool)


def retry(pool: Pool) -> None:
    """Forget that UMAP failed for the pool: the next ``request`` tries again."""
    _service.retry(pool)


def warm() -> None:
    """Start the worker importing UMAP in the background; return at once."""
    _service.warm()


def close() -> None:
    """End the worker; it also ends by itself with this process, however that ends."""
    _service.close()
