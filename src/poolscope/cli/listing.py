"""``poolscope formats``: what is read, and what each reader was tried on."""

import argparse

from poolscope import formats
from poolscope.cli.output import DONE


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of the parser."""
    listing = commands.add_parser(
        "formats", help="list the formats, and what each was tried on", description=_formats.__doc__
    )
    listing.set_defaults(run=_formats)


def _formats(_given: argparse.Namespace) -> int:
    """List every format: its name, its label, and what its reader was tried on."""
    rows = [("name", "format", "tried on")]
    rows += [(item.name, item.label, str(item.tried)) for item in formats.FORMATS]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, label, tried in rows:
        print(f"{name:{widths[0]}}  {label:{widths[1]}}  {tried}")
    return DONE
