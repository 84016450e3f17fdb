"""``poolscope convert``: a file turned into one of this app's own."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from poolscope.cli.inputs import ALL, add_reading, assembled, opened, question
from poolscope.cli.output import DONE, REFUSED, check_output, replaced, say
from poolscope.cli.writers import WRITERS
from poolscope.counts import counted
from poolscope.errors import FormatError, Place, PoolscopeError
from poolscope.formats import Load, Loaded, VectorReport
from poolscope.model import Pool

MOST_SHOWN = 20
"""Most rows set aside that are listed."""
ROUNDING = 1e-9
"""Distance of a length from 1 that is rounding, and no length of its own."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of the parser."""
    convert = commands.add_parser(
        "convert",
        help="turn a file into JSON, JSON Lines or Parquet of this app's own",
        description="Turn a file into one of this app's own, which is read back to the same pool.",
    )
    convert.add_argument("input", metavar="IN", help="the file of candidates")
    convert.add_argument(
        "output", metavar="OUT", type=_output, help=f"the file to write: {', '.join(WRITERS)}"
    )
    convert.add_argument(
        "--question", metavar="N", type=question,
        help="which question of the file, from 1, or “all”; needed where it has several",
    )  # fmt: skip
    add_reading(convert)
    convert.add_argument("--force", action="store_true", help="replace OUT where it exists")
    convert.set_defaults(run=_convert)


def _output(written: str) -> Path:
    path = Path(written)
    if path.suffix.lower() not in WRITERS:
        raise argparse.ArgumentTypeError(f"“{written}” ends in none of {', '.join(WRITERS)}")
    return path


def _convert(given: argparse.Namespace) -> int:
    output: Path = given.output
    check_output(output, is_forced=given.force)
    load = opened(given)
    chosen = _chosen(load, given.question)
    refused: list[int] = []
    with replaced(output, is_forced=given.force) as stream:
        WRITERS[output.suffix.lower()](stream, _pools(load, chosen, given, refused))
    if refused:
        say(f"{len(refused)} of {counted(len(chosen), 'question')} could not be read: left out.")
    return REFUSED if refused else DONE


def _chosen(load: Load, asked: int | str | None) -> range:
    """Return the places of the questions to be written.

    Raises:
        FormatError: There are several and none was chosen, or there is no such question.
    """
    n, place = len(load), Place(load.name)
    if asked == ALL or (asked is None and n == 1):
        return range(n)
    if asked is None:
        raise FormatError(
            f"The file holds {n} questions.", f"Give --question 1 to {n}, or --question all.", place
        )
    number = int(asked)
    if number > n:
        raise FormatError(
            f"There is no question {number}: the file holds {n}.",
            f"Give --question 1 to {n}, or --question all." if n > 1 else "Give --question 1.",
            place,
        )
    return range(number - 1, number)


def _pools(
    load: Load, chosen: range, given: argparse.Namespace, refused: list[int]
) -> Iterator[Pool]:
    """Yield the pools one by one, each with its report; the last that fails of all is raised."""
    for index in chosen:
        try:
            loaded = assembled(load, index, given)
        except PoolscopeError as error:
            refused.append(index)
            if len(refused) == len(chosen):
                raise
            say(f"Question {index + 1} is left out. {error}")
            continue
        if len(chosen) > 1:
            say(f"Question {index + 1}: {loaded.pool.query_id or loaded.pool.query}")
        _report(loaded)
        yield loaded.pool


def _of_vectors(vectors: VectorReport) -> str:
    """Say how long vectors are, and that their lengths are not kept where they were not 1."""
    said = f"Vectors: {vectors.dimension} dimensions"
    if vectors.deviation <= ROUNDING:
        return f"{said}."
    return (
        f"{said}, written at unit length: their own lengths, up to {vectors.deviation:.3g} away "
        "from 1, are not kept."
    )


def _report(loaded: Loaded) -> None:
    """Say what an import found, on standard error."""
    report = loaded.report
    say(f"{report.candidates:,} of {counted(report.rows, 'candidate')}.")
    for row in report.set_aside[:MOST_SHOWN]:
        line = f", line {row.line}" if row.line is not None else ""
        say(f"Set aside: row {row.row}{line}. {row.reason}")
    if len(report.set_aside) > MOST_SHOWN:
        say(f"Set aside: {len(report.set_aside) - MOST_SHOWN} more.")
    kind = report.score_kind
    say("No scores." if kind is None else f"Score: {kind.name}, {kind.direction}. {kind.evidence}")
    chosen = report.sources.chosen
    say(f"Source: “{chosen.field}”, {chosen.distinct} distinct." if chosen.field else "No source.")
    vectors = report.vectors
    say("No vectors." if vectors is None else _of_vectors(vectors))
    for sentence in (*report.notes, *report.warnings, *report.sources.warnings):
        say(sentence)
