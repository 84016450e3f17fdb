"""What every command that reads a file of candidates takes, and how it opens the file."""

import argparse

from poolscope import formats
from poolscope.cli.output import say
from poolscope.formats import Load, Loaded
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
    """Open the file of a command, and say what it was read as.

    Raises:
        FormatError: It, or a file beside it, cannot be read.
    """
    names = [name.replace("-", "_") for name in BESIDE]
    load = formats.read_path(
        given.input,
        format_name=given.format,
        beside={name: vars(given)[name] for name in names},
    )
    say(f"Read as {load.format_label}: {load.reason}.")
    return load


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
