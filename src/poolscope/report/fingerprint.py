"""What a handed-on result was made by: the version, and a fingerprint of the code itself."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
KINDS = {".py", ".js", ".css"}
LETTERS = 12


@cache
def made_by() -> str:
    """Name Poolscope, its version and the fingerprint of its code."""
    try:
        number = version("poolscope")
    except PackageNotFoundError:
        number = "not installed"
    return f"Poolscope {number}, code {code()}"


@cache
def code() -> str:
    """Return the fingerprint of everything that runs: the same code, the same letters."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in KINDS:
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:LETTERS]
