"""Layouts and compiled code on disk, so that a second visit costs nothing.

The folder comes from ``POOLSCOPE_CACHE_DIR``, else it is the platform's folder for caches. It must
belong to the user who runs the server: numba loads compiled code from it.
"""

import atexit
import functools
import importlib.metadata
import logging
import os
import shutil
import sys
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.lib.npyio import NpzFile

from poolscope.geometry import Floats

VARIABLE = "POOLSCOPE_CACHE_DIR"
LIMIT = 200
"""Layouts kept: 10 KB each at 500 candidates."""

_STALE_SECONDS = 3600
_PRIVATE = 0o700
_LIBRARIES = ("umap-learn", "pynndescent", "numba", "llvmlite", "numpy", "scipy", "scikit-learn")

_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What numpy raises for a file that is missing, cut, changed, encrypted, or of another kind."""

_logger = logging.getLogger(__name__)


def folder() -> Path:
    """Return the cache folder, made if need be; a temporary one where it cannot be written."""
    return _writable(_preferred())


def _preferred() -> Path:
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser().absolute() / "poolscope"


@functools.cache
def _writable(preferred: Path) -> Path:
    try:
        preferred.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=preferred):
            return preferred
    except OSError as error:
        # A fresh folder and not a known name in /tmp: others could put compiled code there.
        temporary = Path(tempfile.mkdtemp(prefix="poolscope-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        _logger.warning("Cannot write to %s (%s): caching in %s", preferred, error, temporary)
        return temporary


@functools.cache
def versions() -> str:
    """Return the versions that a layout depends on, without importing anything."""
    return " ".join(f"{name}={_version(name)}" for name in _LIBRARIES)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def compiled_folder() -> Path:
    """Return the folder for compiled code: one for each set of versions.

    numba notices a changed file, but not a changed function that another file calls.
    """
    names = ("umap-learn", "pynndescent", "numba", "llvmlite")
    stamp = "-".join((f"{sys.version_info.major}.{sys.version_info.minor}", *map(_version, names)))
    return folder() / "compiled" / stamp


def drop_compiled() -> None:
    """Throw compiled code away: numba does not recover from a damaged file."""
    shutil.rmtree(compiled_folder(), ignore_errors=True)


class Store:
    """Places by key, one file each.

    Args:
        place: The folder; ``None`` for ``layouts`` in the cache folder, looked up when needed.
        limit: How many are kept; the ones not used for longest go first.
    """

    def __init__(self, place: Path | None = None, limit: int = LIMIT) -> None:
        self._place = place
        self._limit = limit

    @property
    def place(self) -> Path:
        """The folder, whether it exists or not."""
        return self._place or folder() / "layouts"

    def read(self, key: str, count: int) -> Floats | None:
        """Return stored places, shape ``(count, 2)``; a broken or foreign entry is none."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                entry = np.load(file, allow_pickle=False)
                if not isinstance(entry, NpzFile) or str(entry["key"]) != key:
                    return None
                places = entry["places"]
            os.utime(path)
        except _UNREADABLE:
            return None
        if (
            places.dtype != np.float64
            or places.shape != (count, 2)
            or not np.isfinite(places).all()
        ):
            return None
        return np.asarray(places, dtype=np.float64)

    def write(self, key: str, places: Floats) -> None:
        """Store places; a full or read-only disk is logged and otherwise ignored."""
        try:
            self.place.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.place, suffix=".tmp", delete=False) as file:
                np.savez(file, key=np.array(key), places=places)
            Path(file.name).replace(self._path(key))
            self._prune()
        except OSError as error:
            _logger.warning("A layout could not be stored in %s: %s", self.place, error)

    def _path(self, key: str) -> Path:
        return self.place / f"{key}.npz"

    def _prune(self) -> None:
        entries = sorted(self.place.glob("*.npz"), key=_used, reverse=True)
        stale = time.time() - _STALE_SECONDS
        left_over = [path for path in self.place.glob("*.tmp") if _used(path) < stale]
        for path in (*entries[self._limit :], *left_over):
            path.unlink(missing_ok=True)


def _used(path: Path) -> float:
    """Return when a file was last used; 0 when another server has just removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
