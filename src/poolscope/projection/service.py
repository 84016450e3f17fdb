"""UMAP for all sessions of a server: who waits, what is ready, what failed.

Sessions ask from their own threads; one thread here feeds one worker process.
"""

import atexit
import hashlib
import logging
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from poolscope.geometry import Floats
from poolscope.model.pool import Pool
from poolscope.projection import cache
from poolscope.projection.fit import NEIGHBOURS, SETTINGS
from poolscope.projection.layout import Layout, Method
from poolscope.projection.pca import pca_of, principal_places
from poolscope.projection.points import Points, points
from poolscope.projection.process import FitError, Process, TimeUp, WorkerLost

FIT_SECONDS = 600.0
"""Time limit of a job; compiling for the first time took 45 s, and 290 s on a very busy machine."""

IDLE_SECONDS = 900.0
"""How long the worker's 350 MB are kept for nobody."""

_KEPT = 256
_WAITING = 16

_logger = logging.getLogger(__name__)

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a layout could not be computed, as part of a sentence."""

    reason: str


class Service:
    """Computes UMAP layouts in the background and remembers them.

    Args:
        store: Where layouts are kept on disk.
        limit: Seconds that a fit may take, the start of the worker included.
        idle: Seconds without work after which the worker is ended.
    """

    def __init__(
        self,
        store: cache.Store | None = None,
        *,
        limit: float = FIT_SECONDS,
        idle: float = IDLE_SECONDS,
    ) -> None:
        self.store = store or cache.Store()
        self._limit = limit
        self._idle = idle
        self._changed = threading.Condition()
        self._collected: weakref.WeakKeyDictionary[Pool, Points] = weakref.WeakKeyDictionary()
        self._waiting: OrderedDict[str, Points] = OrderedDict()
        self._outcomes: OrderedDict[str, Floats | Failure] = OrderedDict()
        self._running = ""
        self._wanted = False
        self._closed = False
        self._dropped = False
        self._process: Process | None = None
        self._thread: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """The id of the worker process; ``None`` while there is none."""
        process = self._process
        return process.pid if process is not None and process.alive else None

    def request(self, pool: Pool) -> Layout | None:
        """Return the final layout, or ``None`` while it is being computed."""
        found = self._points(pool)
        if found.distinct < NEIGHBOURS:
            return pca_of(found, _too_few(found))
        outcome = self._look(_key(found), found)
        if outcome is None:
            return None
        if isinstance(outcome, Failure):
            return pca_of(found, f"UMAP failed ({outcome.reason}); this is PCA.")
        return found.layout(outcome, Method.UMAP)

    def retry(self, pool: Pool) -> None:
        """Forget a failure."""
        key = _key(self._points(pool))
        with self._changed:
            if isinstance(self._outcomes.get(key), Failure):
                del self._outcomes[key]

    def warm(self) -> None:
        """Start the worker, so that a later request finds it ready."""
        with self._changed:
            self._wanted = True
            self._wake()

    def close(self) -> None:
        """End the worker and forget who waits; a later request starts anew."""
        with self._changed:
            self._closed = True
            self._wanted = False
            self._waiting.clear()
            process, thread = self._process, self._thread
            self._changed.notify_all()
        if process is not None:
            process.end()
        if thread is not None:
            thread.join()
        atexit.unregister(self.close)
        with self._changed:
            self._closed = False
            self._process = self._thread = None

    def _points(self, pool: Pool) -> Points:
        with self._changed:
            found = self._collected.get(pool)
        if found is None:
            found = points(pool)
            with self._changed:
                self._collected[pool] = found
        return found

    def _look(self, key: str, found: Points) -> Floats | Failure | None:
        with self._changed:
            if key in self._outcomes:
                self._outcomes.move_to_end(key)
                return self._outcomes[key]
        stored = self.store.read(key, len(found.rows))
        with self._changed:
            if stored is not None:
                _keep(self._outcomes, key, stored, _KEPT)
            elif key not in self._outcomes and key != self._running:
                # Whoever asked last is served first: a page that was left does not ask again.
                _keep(self._waiting, key, found, _WAITING)
                self._wake()
            return self._outcomes.get(key)

    def _wake(self) -> None:
        """Start the thread where there is none, and tell it; the lock is held."""
        if self._closed:
            return
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._serve, name="umap", daemon=True)
            self._thread.start()
            atexit.register(self.close)
        self._changed.notify_all()

    def _serve(self) -> None:
        while (job := self._next()) is not None:
            key, found = job
            outcome: Floats | Failure = Failure("an error of ours, see the log")
            try:
                outcome = self._fit(found)
                if isinstance(outcome, Failure) and not self._closed:
                    _logger.warning("UMAP failed: %s", outcome.reason)
                if not isinstance(outcome, Failure):
                    self.store.write(key, outcome)
            finally:
                with self._changed:
                    self._running = ""
                    if not self._closed:
                        _keep(self._outcomes, key, outcome, _KEPT)

    def _next(self) -> tuple[str, Points] | None:
        """Wait for a job, the worker started or ended meanwhile; ``None`` when closed."""
        while True:
            with self._changed:
                if not (self._waiting or self._wanted or self._closed):
                    woken = self._changed.wait(self._idle)
                    if not woken and self._process is not None:
                        self._process.end()
                        self._process = None
                if self._closed:
                    return None
                if self._waiting:
                    self._running, found = self._waiting.popitem()
                    return self._running, found
                wanted, self._wanted = self._wanted, False
            if wanted:
                self._start_early()

    def _start_early(self) -> None:
        try:
            self._ready()
        except OSError as error:
            _logger.warning("The UMAP worker did not start: %s", error)

    def _ready(self) -> Process:
        """Return the running worker, a new one where there is none."""
        if self._process is None or not self._process.alive:
            self._discard()
            process = Process(cache.compiled_folder())
            with self._changed:
                self._process = process
                closed = self._closed
            if closed:
                process.end()
        assert self._process is not None  # noqa: S101 - only this thread sets it
        return self._process

    def _discard(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def _drop_compiled(self) -> None:
        """Suspect the compiled code, but once only: compiling anew takes up to a minute."""
        if not self._dropped:
            self._dropped = True
            cache.drop_compiled()

    def _fit(self, found: Points) -> Floats | Failure:
        """Compute one layout; a worker that is lost or broken is replaced once."""
        start = principal_places(found).astype(np.float32)
        reason = ""
        for _ in range(2):
            try:
                return self._ready().fit(found.rows, start, self._limit)
            except TimeUp as error:
                self._discard()
                return Failure(str(error))
            except (WorkerLost, OSError) as error:
                reason = str(error)
            except FitError as error:
                reason = str(error)
                self._drop_compiled()
            self._discard()
            if self._closed:
                break
        return Failure(reason)


def _key(found: Points) -> str:
    """Name a layout by all that shapes it: rows, settings, versions."""
    parts = f"{found.digest}|{SETTINGS}|{cache.versions()}"
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def _too_few(found: Points) -> str:
    if found.distinct == 0:
        return ""
    return (
        f"UMAP needs {NEIGHBOURS} different vectors and this pool has {found.distinct}; "
        "this is PCA."
    )


def _keep(store: "OrderedDict[str, Value]", key: str, value: Value, limit: int) -> None:
    """Put a value at the end and let go of the oldest beyond the limit."""
    store[key] = value
    store.move_to_end(key)
    while len(store) > limit:
        store.popitem(last=False)
