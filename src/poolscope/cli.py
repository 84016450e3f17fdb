"""The command ``poolscope``: the formats that are read, and files turned into our own.

Exit status: 0, 1 where an input is refused (the problem and its remedy stand on standard error),
2 where the command itself is wrong.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from poolscope import formats
from poolscope.errors import FormatError, Place, PoolscopeError
from poolscope.formats import Load, Loaded, native
from poolscope.model import Direction, Pool

REFUSED, USAGE = 1, 2
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
MOST_SHOWN = 20
"""Most rows set aside that are listed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = given.run
    try:
        return run(given)
    except PoolscopeError as error:
        _say(f"{error.place}: {error.problem}" if str(error.place) else error.problem)
        _say(error.remedy)
        return REFUSED
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="poolscope",
        description="Read candidate pools, whatever wrote them.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser(
        "formats", help="list the formats, and what each was tried on", description=_formats.__doc__
    )
    listing.set_defaults(run=_formats)
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
        "--format", metavar="NAME", choices=[item.name for item in formats.FORMATS],
        help="read it as this format; “poolscope formats” lists them",
    )  # fmt: skip
    convert.add_argument(
        "--question", metavar="N", type=_question,
        help="which question of the file, from 1, or “all”; needed where it has several",
    )  # fmt: skip
    for name, what in BESIDE.items():
        convert.add_argument(f"--{name}", metavar="FILE", help=what)
    convert.add_argument("--source-field", metavar="NAME", help="the field that sources are in")
    convert.add_argument(
        "--direction", choices=DIRECTIONS, help="which end of the score is the better one"
    )
    convert.add_argument("--force", action="store_true", help="replace OUT where it exists")
    convert.set_defaults(run=_convert)
    return parser


def _output(written: str) -> Path:
    path = Path(written)
    if path.suffix.lower() not in WRITERS:
        raise argparse.ArgumentTypeError(f"“{written}” ends in none of {', '.join(WRITERS)}")
    return path


def _question(written: str) -> int | str:
    if written == ALL:
        return ALL
    if not written.isdecimal() or int(written) < 1:
        raise argparse.ArgumentTypeError(f"“{written}” is neither a number from 1 nor “{ALL}”")
    return int(written)


def _formats(_given: argparse.Namespace) -> int:
    """List every format: its name, its label, and what its reader was tried on."""
    rows = [("name", "format", "tried on")]
    rows += [(item.name, item.label, str(item.tried)) for item in formats.FORMATS]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, label, tried in rows:
        print(f"{name:{widths[0]}}  {label:{widths[1]}}  {tried}")
    return 0


def _convert(given: argparse.Namespace) -> int:
    output: Path = given.output
    _check_output(output, is_forced=given.force)
    load = formats.read_path(
        given.input,
        format_name=given.format,
        beside={name.replace("-", "_"): vars(given)[name.replace("-", "_")] for name in BESIDE},
    )
    _say(f"Read as {load.format_label}: {load.reason}.")
    chosen = _chosen(load, given.question)
    refused: list[int] = []
    with _replaced(output, is_forced=given.force) as stream:
        WRITERS[output.suffix.lower()](stream, _pools(load, chosen, given, refused))
    if refused:
        _say(f"{len(refused)} of {len(chosen)} questions could not be read and are left out.")
    return REFUSED if refused else 0


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
    direction = None if given.direction is None else DIRECTIONS[given.direction]
    for index in chosen:
        try:
            loaded = load.question(index, source_field=given.source_field, direction=direction)
        except PoolscopeError as error:
            refused.append(index)
            if len(refused) == len(chosen):
                raise
            _say(f"Question {index + 1} is left out. {error}")
            continue
        if len(chosen) > 1:
            _say(f"Question {index + 1}: {loaded.pool.query_id or loaded.pool.query}")
        _report(loaded)
        yield loaded.pool


def _report(loaded: Loaded) -> None:
    """Say what an import found, on standard error."""
    report = loaded.report
    _say(f"{report.candidates} of {report.rows} candidates.")
    for row in report.set_aside[:MOST_SHOWN]:
        line = f", line {row.line}" if row.line is not None else ""
        _say(f"Set aside: row {row.row}{line}. {row.reason}")
    if len(report.set_aside) > MOST_SHOWN:
        _say(f"Set aside: {len(report.set_aside) - MOST_SHOWN} more.")
    kind = report.score_kind
    _say("No scores." if kind is None else f"Score: {kind.name}, {kind.direction}. {kind.evidence}")
    chosen = report.sources.chosen
    _say(f"Source: “{chosen.field}”, {chosen.distinct} distinct." if chosen.field else "No source.")
    vectors = report.vectors
    _say("No vectors." if vectors is None else f"Vectors: {vectors.dimension} dimensions.")
    for sentence in (*report.notes, *report.warnings, *report.sources.warnings):
        _say(sentence)


def _say(sentence: str) -> None:
    """Print on standard error; a control character of a file moves no cursor."""
    print("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in sentence),
          file=sys.stderr)  # fmt: skip


def _check_output(path: Path, *, is_forced: bool) -> None:
    if path.is_dir():
        raise FormatError("This is a folder.", "Name a file to write.", Place(str(path)))
    if not path.parent.is_dir():
        raise FormatError("Its folder does not exist.", "Make the folder first.", Place(str(path)))
    if path.exists() and not is_forced:
        remedy = "Give another name, or --force to replace it."
        raise FormatError("The file exists already.", remedy, Place(str(path)))


@contextmanager
def _replaced(path: Path, *, is_forced: bool) -> Iterator[IO[bytes]]:
    """Give a stream under another name, which takes its place only when all is written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            yield stream
        _check_output(path, is_forced=is_forced)
        part.replace(path)
    except BrokenPipeError:
        raise
    except OSError as error:
        said = error.strerror or str(error)
        remedy = "Free some space, or write into another folder."
        raise FormatError(f"It cannot be written: {said}.", remedy, Place(str(path))) from error
    finally:
        part.unlink(missing_ok=True)


def _write_json(stream: IO[bytes], pools: Iterator[Pool]) -> None:
    """Write one question as it is, several as a list; one at a time is held."""
    opening = f'{{"{native.MARK}": {native.VERSION}, "questions": [\n'
    first = next(pools)
    second = next(pools, None)
    if second is None:
        stream.write(_json(native.question(first)) + b"\n")
        return
    stream.write(opening.encode() + _json(native.question(first)))
    stream.write(b",\n" + _json(native.question(second)))
    for pool in pools:
        stream.write(b",\n" + _json(native.question(pool)))
    stream.write(b"\n]}\n")


def _write_lines(stream: IO[bytes], pools: Iterator[Pool]) -> None:
    for pool in pools:
        stream.write(_json(native.question(pool)) + b"\n")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def _write_parquet(stream: IO[bytes], pools: Iterator[Pool]) -> None:
    """Write a table of one row a candidate, one group of rows a question."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = (native.MARK, "query_id", "id", "source", "text", "facets", "fields")
    schema = pa.schema(
        [
            *((name, pa.string()) for name in texts),
            ("score", pa.float64()),
            ("vector", pa.list_(pa.float64())),
        ]
    )
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for pool in pools:
            writer.write_table(pa.Table.from_pylist(native.rows(pool), schema=schema))


WRITERS: dict[str, Callable[[IO[bytes], Iterator[Pool]], None]] = {
    ".json": _write_json,
    ".jsonl": _write_lines,
    ".ndjson": _write_lines,
    ".parquet": _write_parquet,
}


if __name__ == "__main__":
    sys.exit(main())
