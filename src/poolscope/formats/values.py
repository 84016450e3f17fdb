"""Single values in the forms that exports write them: numbers, vectors, structures in text.

Nothing is evaluated. A value that cannot be read raises ``ValueError`` with the reason as a clause,
for a sentence about its row.
"""

import base64
import binascii
import contextlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime

import numpy as np

from poolscope.formats import aliases, literals
from poolscope.geometry import Floats

LARGEST = 1e100
"""Numbers beyond this are no scores; their squares would leave the range."""
LONGEST_LITERAL = 20_000
SHORTEST_BASE64 = 4
"""Fewest numbers that a vector in base64 holds: shorter ones are words."""
SHOWN = 40
MOST_BITS = 10_000
"""Whole numbers beyond this cannot be written out."""
PLAIN = frozenset((int, float))
"""Types of which every member is a number; others are looked at one by one."""

DECIMAL_COMMA = re.compile(r"[+-]?(0,\d+|\d+,\d{1,2}|\d+,\d{4,})")
SCALAR_CALL = re.compile(r"(?:np|numpy)\.\w+\(([^()]*)\)")
ARRAY_CALL = re.compile(r"\A(?:np\.|numpy\.)?array\((.*?)(?:,\s*dtype=[\w.']+)?\)\Z", re.DOTALL)


class LostVectorError(ValueError):
    """A vector was cut to its ends with dots on export; the rest is gone."""


def text(value: object) -> str:
    """Return a scalar as text; a lone surrogate becomes a question mark."""
    if isinstance(value, str):
        return value if value.isascii() else _mended(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        number = float(value)
        whole = number.is_integer() and abs(number) < 1e15
        return str(int(number)) if whole else repr(number)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a whole number of {value.bit_length()} bits"
    return _mended(str(value))


def _mended(written: str) -> str:
    return written.encode("utf-8", "replace").decode("utf-8")


def shown(value: object, most: int = SHOWN) -> str:
    """Return a value as it is quoted in a message: short, and without line breaks."""
    written = " ".join(text(value)[: 4 * most].split())
    return written if len(written) <= most else written[: most - 1] + "…"


def missing(value: object) -> bool:
    """Whether nothing stands there: null, an empty text, or pandas' mark for it."""
    return value is None or (isinstance(value, str) and not value.strip())


def number(value: object) -> float | None:
    """Read a number, ``None`` where nothing stands; ``nan`` and infinities are let through.

    Raises:
        ValueError: Something else stands there.
    """
    if missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        raise ValueError(f"is {text(value)}, not a number")  # noqa: TRY004 - one kind for callers
    if isinstance(value, (int, float, np.number)):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    if not isinstance(value, str):
        raise ValueError(f"is {kind(value)}, not a number")  # noqa: TRY004 - the same
    written = value.strip()
    if DECIMAL_COMMA.fullmatch(written):
        written = written.replace(",", ".")
    try:
        return float(written)
    except ValueError as error:
        raise ValueError(f"is “{shown(value)}”, not a number") from error


def whole(value: object) -> int | None:
    """Read a whole number; ``None`` where anything else stands."""
    if isinstance(value, str) and not _may_be_number(value):  # most texts; an error costs more
        return None
    try:
        read = number(value)
    except ValueError:
        return None
    if read is None or not read.is_integer() or abs(read) > 2**53:
        return None
    return int(read)


def _may_be_number(written: str) -> bool:
    first = written.lstrip()[:1]
    return first.isdecimal() or first in {"+", "-", "."}


def kind(value: object) -> str:
    """Name a value's kind, for a message."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "a list"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, (bool, np.bool_)):
        return "true or false"
    return "a number"


def structure(value: object, longest: int = LONGEST_LITERAL) -> object:
    """Read a list or an object from its text: JSON first, then a Python value.

    Args:
        value: The text; anything else is returned as it is.
        longest: Most characters that are read as a Python value, which takes time.

    Returns:
        The structure, or the text itself where it is none.
    """
    if not isinstance(value, str):
        return value
    stripped = value.strip()
    if not stripped.startswith(("[", "{", "(")):
        return value
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(stripped)
    if len(stripped) > longest:
        return value
    with contextlib.suppress(literals.NotPythonError):
        found = literals.value(stripped)
        return found if isinstance(found, (list, dict)) else value
    return value


def vector(value: object) -> Floats | None:
    """Read a vector, shape ``(d,)``; ``None`` where none stands or it is sparse.

    Raises:
        ValueError: Something else stands there; ``LostVectorError`` where the export cut it.
    """
    if isinstance(value, np.ndarray):
        return _from_array(value)
    if missing(value):
        return None
    if isinstance(value, dict):
        return _named(value)
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, bytes):
        return _from_bytes(value)
    if isinstance(value, Sequence):
        return _from_list(value)
    raise ValueError(f"is {kind(value)}, not a list of numbers")


def _from_array(values: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]") -> Floats | None:
    if values.size == 0:
        return None
    if values.dtype.kind not in "fiu":
        return _from_list(values.tolist())
    if values.ndim > 1 and values.shape[0] == 1:
        values = values[0]
    if values.ndim != 1:
        raise ValueError("holds several vectors")
    return values.astype(np.float64)


def _from_list(values: object) -> Floats | None:
    if isinstance(values, (list, tuple)) and len(values) == 1 and kind(values[0]) == "a list":
        values = values[0]
    if not isinstance(values, (list, tuple, np.ndarray)):
        raise ValueError("is not a list of numbers")  # noqa: TRY004 - one kind for callers
    if len(values) == 0:
        return None
    for entry in () if PLAIN.issuperset(map(type, values)) else values:
        if not isinstance(entry, (int, float, np.number)) or isinstance(entry, bool):
            raise ValueError(f"holds {kind(entry)} among its numbers")  # noqa: TRY004 - the same
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError as error:
        raise ValueError("holds a number too large to be read") from error


def _named(vectors: Mapping[object, object]) -> Floats | None:
    names = {aliases.normal(str(name)) for name in vectors}
    if "indices" in names:
        return None
    for entry in vectors.values():
        if kind(entry) == "a list" or isinstance(entry, str):
            return vector(entry)
    return None


def _from_bytes(raw: bytes) -> Floats:
    if len(raw) % 4 or not raw:
        raise ValueError(f"is {len(raw)} bytes, not a whole number of 32-bit floats")
    return np.frombuffer(raw, dtype="<f4").astype(np.float64)


def _from_text(written: str) -> Floats | None:
    body = written.strip()
    if "..." in body or "…" in body:
        raise LostVectorError("was cut with dots on export")
    call = ARRAY_CALL.match(body)
    body = SCALAR_CALL.sub(r"\1", call[1].strip() if call else body)
    if body.startswith("{"):
        read = structure(body)
        if isinstance(read, dict):
            return _named(read)
    if "[" not in body and "," not in body and len(body.split()) == 1:
        return _from_base64(body)
    if re.search(r"\]\s*,?\s*\[", body):
        raise ValueError("holds several vectors")
    entries = body.strip("[]() \r\n\t").replace(",", " ").split()
    if not entries:
        return None
    try:
        return np.array([float(entry) for entry in entries], dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"is “{shown(written)}”, not a list of numbers") from error


def _from_base64(written: str) -> Floats:
    try:
        raw = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"is “{shown(written)}”, not a list of numbers") from error
    if len(raw) < 4 * SHORTEST_BASE64:
        raise ValueError(f"is “{shown(written)}”, not a list of numbers")
    return _from_bytes(raw)
