"""A text that ends before it is complete: what a broken download or a partial copy leaves."""

import json
import re

COMPLETE = "Give it whole: export, download or copy it again."
"""What to do about anything that is cut off."""

_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_NUMBER = re.compile(r"-|\.|\.?\d*[eE][+-]?")
_ESCAPE = re.compile(r"\\?u?[0-9a-fA-F]{0,4}")


def of_json(text: str, error: json.JSONDecodeError) -> str | None:
    """Say where a JSON text breaks off, as a clause; ``None`` where it is wrong before its end.

    Args:
        text: The text.
        error: What the parser said of it.
    """
    if error.msg == "Extra data":
        return None
    if error.msg.startswith("Unterminated string"):
        return f"inside a text that begins in column {error.colno}"
    rest = text[error.pos :].strip()
    if error.msg.startswith("Invalid \\") and _ESCAPE.fullmatch(rest):
        return "inside a text"
    is_begun = any(literal.startswith(rest) for literal in _LITERALS)
    if not rest or is_begun or _NUMBER.fullmatch(rest):
        return "inside a list or an object"
    return None
