"""What every command that reads a file of candidates takes, and how it opens the file."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from poolscope import formats
from poolscope.cli.output import say
from poolscope.formats import Load, Loaded, folder
from poolscope.model import Direction

ALL = "all"
BESIDE = {
    "corpus": "passages by id, for a file that names ids without texts",
    "earlier": "the pool before a reranker, in the order in which it was sent",
    "vectors": "the candidates' vectors, NPZ or NPY",
    "query-vectors": "the questions' vectors, NPZ or NPY",
    "queries": "the questions' texts by id",
    "judgements": "which documents are relevant, for which subtopic",
}
DIRECTIONS = {
    "higher": Direction.HIGHER,
    "lower": Direction.LOWER,
    "order": Direction.ORDER,
}


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add what says how a file is read, and what lies beside it."""
    command.add_argument(
        "--format", metavar="NAME", choices=[item.name for item in formats.FORMATS],
        help="read it as this format; “poolscope formats” lists them",
    )  # fmt: skip
    for name, what in BESIDE.items():
        command.add_argument(f"--{name}", metavar="FILE", help=what)
    command.add_argument(
        "--alone", action="store_true",
        help="leave what lies beside the file by its name (NAME.npz, NAME.queries.npz, NAME.qrels)",
    )  # fmt: skip
    command.add_argument("--source-field", metavar="NAME", help="the field that sources are in")
    command.add_argument(
        "--direction", choices=DIRECTIONS, help="which end of the score is the better one"
    )


def question(written: str) -> int | str:
    """Read which question is asked for: a number from 1, or all of them.

    Raises:
        ArgumentTypeError: It is neither.
    """
    if written == ALL:
        return ALL
    if not (written.isascii() and written.isdecimal() and 0 < len(written) < 10 and int(written)):
        raise argparse.ArgumentTypeError(f"“{written}” is neither a number from 1 nor “{ALL}”")
    return int(written)


def opened(given: argparse.Namespace) -> Load:
    """Open the file of a command with what lies beside it, and say what was read.

    Raises:
        FormatError: It, or a file beside it, cannot be read.
    """
    names = [name.replace("-", "_") for name in BESIDE]
    named = {name: Path(vars(given)[name]) for name in names if vars(given)[name] is not None}
    load = with_beside(Path(given.input), named, format_name=given.format, alone=given.alone)
    say(f"Read as {load.format_label}: {load.reason}.")
    return load


def with_beside(
    path: Path,
    named: Mapping[str, Path] | None = None,
    *,
    format_name: str | None = None,
    alone: bool = False,
) -> Load:
    """Read a file with what lies beside it by its name, and say what that was.

    Args:
        path: The file.
        named: Files beside it that were named, by the names of ``formats.Beside``; they win.
        format_name: A format chosen by hand.
        alone: Whether nothing is read but what was named.

    Raises:
        FormatError: It, or a file beside it, cannot be read.
    """
    found = {} if alone else folder.beside(path)
    met = {role: other for role, other in found.items() if role not in (named or {})}
    if met:
        say(f"Read with it: {', '.join(str(other) for other in met.values())}.")
    return formats.read_path(path, format_name=format_name, beside={**met, **(named or {})})


def assembled(load: Load, index: int, given: argparse.Namespace) -> Loaded:
    """Assemble one question as a command asks for it.

    Args:
        load: The file.
        index: The question's place in it, from 0.
        given: The command's arguments.

    Raises:
        FormatError: It cannot be read.
        PoolError: None of its rows can be used.
    """
    direction = None if given.direction is None else DIRECTIONS[given.direction]
    return load.question(index, source_field=given.source_field, direction=direction)
