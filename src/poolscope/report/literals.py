"""Names and texts of a pool as literals of other languages, so that none can break out of one."""

from collections.abc import Sequence

MOST_IDENTIFIER_BYTES = 63
"""PostgreSQL cuts longer names off without an error."""


def python_text(value: str) -> str:
    """Return a text as a Python literal, on one line."""
    plain = value.isprintable() and not set(value) & {'"', "\\"}
    return f'"{value}"' if plain else repr(value)


def sql_text(value: str) -> str:
    """Return a text as an SQL literal; it must hold no NUL character."""
    return "'" + value.replace("'", "''") + "'"


def sql_name(value: str) -> str:
    """Return a name as an SQL identifier; see ``sql_refuses``."""
    return '"' + value.replace('"', '""') + '"'


def sql_refuses(name: str, texts: Sequence[str]) -> str:
    """Say why PostgreSQL cannot hold a name or some texts; empty where it can."""
    if not name:
        return "PostgreSQL has no column without a name."
    if "\0" in name or any("\0" in text for text in texts):
        return "PostgreSQL holds no NUL character, in a name or in a text."
    if not all(_encodes(text) for text in (name, *texts)):
        return "A name or a text has a lone surrogate, which is not valid UTF-8."
    if len(name.encode()) > MOST_IDENTIFIER_BYTES:
        return (
            f"The name of the cap's field is {len(name.encode())} bytes long; PostgreSQL cuts "
            f"names off after {MOST_IDENTIFIER_BYTES}."
        )
    return ""


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
