"""Where a golden set is kept: the address that was given, else a file in the folder for data."""

import os
import sys
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from poolscope.errors import StoreError

VARIABLE = "POOLSCOPE_GOLDEN"
FILE = "golden.sqlite"
_PRIVATE = 0o700


def address(given: str = "") -> str:
    """Return the address of the golden set, and make the folder of its file where need be.

    Args:
        given: A path or ``postgresql://`` address that goes before the default; the variable
            ``POOLSCOPE_GOLDEN`` goes before both.

    Raises:
        StoreError: The folder cannot be made.
    """
    found = os.environ.get(VARIABLE) or given
    if "://" in found:
        return found
    path = Path(found).expanduser().absolute() if found else folder() / FILE
    try:
        path.parent.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {path.parent} for the golden set cannot be made: {error.strerror}.",
            f"Name another place in the variable {VARIABLE}.",
        ) from error
    return str(path)


def folder() -> Path:
    """Return the platform's folder for data that is to be kept."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser().absolute() / "poolscope"


def shown(address: str) -> str:
    """Return an address for the screen: without a password."""
    if "://" not in address:
        return address
    try:
        return make_url(address).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return address.partition("://")[0] + "://…"
