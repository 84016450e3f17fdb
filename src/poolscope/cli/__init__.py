"""The command ``poolscope``: one module a command.

Exit status: 0, 1 where an input is refused (the problem and its remedy stand on standard error),
2 where the command itself is wrong; a command that has further ones says so.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from poolscope.cli import convert, evaluate, golden, listing, report
from poolscope.cli.output import REFUSED, say
from poolscope.errors import PoolscopeError

COMMANDS = (listing, convert, evaluate, golden, report)
"""Modules whose ``add(commands)`` adds a command, in the order in which help lists them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="poolscope",
        description="Read candidate pools, whatever wrote them, and hand on what rules select.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    given = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = given.run
    try:
        return run(given)
    except PoolscopeError as error:
        say(f"{error.place}: {error.problem}" if str(error.place) else error.problem)
        say(error.remedy)
        return REFUSED
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
