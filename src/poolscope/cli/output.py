"""What every command says, and how it writes a file: whole or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from poolscope.errors import FormatError, Place

DONE, REFUSED, USAGE = 0, 1, 2
"""Exit status: all is well; an input was refused; the command itself is wrong."""


def say(sentence: str) -> None:
    """Print on standard error; a control character of a file moves no cursor."""
    print("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in sentence),
          file=sys.stderr)  # fmt: skip


def check_output(path: Path, *, is_forced: bool) -> None:
    """Refuse a file that cannot be made, or that is there already.

    Raises:
        FormatError: It is a folder, its folder is missing, or it exists and is not to be replaced.
    """
    if path.is_dir():
        raise FormatError("This is a folder.", "Name a file to write.", Place(str(path)))
    if not path.parent.is_dir():
        raise FormatError("Its folder does not exist.", "Make the folder first.", Place(str(path)))
    if path.exists() and not is_forced:
        remedy = "Give another name, or --force to replace it."
        raise FormatError("The file exists already.", remedy, Place(str(path)))


@contextmanager
def replaced(path: Path, *, is_forced: bool) -> Iterator[IO[bytes]]:
    """Give a stream under another name, which takes its place only when all is written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            yield stream
        check_output(path, is_forced=is_forced)
        part.replace(path)
    except BrokenPipeError:
        raise
    except OSError as error:
        said = error.strerror or str(error)
        remedy = "Free some space, or write into another folder."
        raise FormatError(f"It cannot be written: {said}.", remedy, Place(str(path))) from error
    finally:
        part.unlink(missing_ok=True)
