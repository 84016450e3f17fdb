"""Files on disk: read within the limits, and what the system says of them as our own errors."""

import stat
from pathlib import Path

from poolscope.errors import FormatError, Place
from poolscope.formats.base import MAX_BYTES
from poolscope.formats.beside import File


def file(path: str | Path) -> File:
    """Return a file from disk, whole.

    Raises:
        FormatError: There is none, it may not be read, it is a folder, or it is too large.
    """
    name, place = str(path), Place(str(path))
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise FormatError("There is no such file.", "Check its name and folder.", place) from error
    except IsADirectoryError as error:
        raise FormatError("This is a folder.", "Name one file in it.", place) from error
    except PermissionError as error:
        remedy = "Give yourself the right to read it, or copy it to where you may."
        raise FormatError("You may not read this file.", remedy, place) from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise FormatError(
            f"The file cannot be read: {said}.", "Copy it to another folder.", place
        ) from error
    if len(data) > MAX_BYTES:
        raise FormatError(
            f"The file has {_size(Path(path))}, the limit is {MAX_BYTES:,}.",
            "Export fewer questions, or put the vectors into a file of their own.",
            place,
        )
    return File(data, name)


def _size(path: Path) -> str:
    """Return a file's size in words; a pipe's is not known."""
    found = path.stat()
    return f"{found.st_size:,} bytes" if stat.S_ISREG(found.st_mode) else "too many bytes"
