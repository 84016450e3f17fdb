"""``poolscope evaluate``: a policy held against a baseline on a golden set, for a build to check.

Exit status: 0 where every limit is kept, 1 where an input is refused, 2 where the command itself
is wrong, 3 where a limit is broken.
"""

import argparse
import contextlib
import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from poolscope.cli.check_writers import FORMATS, LIMITS, junit, sentence
from poolscope.cli.output import DONE, replaced, say
from poolscope.errors import FormatError, Place, PolicyError, PoolscopeError
from poolscope.evaluation import findings, run
from poolscope.evaluation.check import Limits, check
from poolscope.evaluation.contenders import Contender, outcomes, rows
from poolscope.evaluation.questions import Question, question
from poolscope.formats import disk, folder
from poolscope.model import SUPPORTS, policy_toml
from poolscope.selection import named
from poolscope.selection.presets import PRESETS, Request
from poolscope.wording import counted

BROKEN = 3
"""Exit status where a limit is broken."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of the parser."""
    parser = commands.add_parser(
        "evaluate",
        help="hold a policy against a baseline on a golden set",
        description="Hold a policy against a baseline on questions with facets.",
        epilog="Exit status: 0 every limit is kept, 1 an input is refused, 2 the command is wrong, "
        "3 a limit is broken.",
    )
    parser.add_argument(
        "golden", metavar="GOLDEN", nargs="+", type=Path,
        help="files of pools with facets, or folders of them",
    )  # fmt: skip
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--policy", metavar="FILE", type=Path, help="the policy, TOML")
    given.add_argument(
        "--preset", metavar="NAME", choices=[preset.name for preset in PRESETS],
        help="a named system instead of a policy",
    )  # fmt: skip
    parser.add_argument(
        "--baseline", metavar="FILE", type=Path,
        help="what it is held against, TOML; plain top-k at the same k where it is left out",
    )  # fmt: skip
    for name, what in LIMITS.items():
        parser.add_argument(f"--{name}", metavar="X", type=_number, help=what)
    parser.add_argument("--format", choices=FORMATS, default="table", help="what is printed")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="write the limits as JUnit XML")
    parser.add_argument(
        "--workers", metavar="N", type=_workers, help="processes; one a core where it is left out"
    )
    parser.set_defaults(run=_evaluate)


def _number(written: str) -> float:
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"“{written}” is no number")
    return value


def _workers(written: str) -> int:
    if not (written.isascii() and written.isdecimal() and 0 < len(written) < 4 and int(written)):
        raise argparse.ArgumentTypeError(f"“{written}” is no number of processes from 1")
    return int(written)


def _evaluate(given: argparse.Namespace) -> int:
    limits = Limits(
        **{name.replace("-", "_"): vars(given)[name.replace("-", "_")] for name in LIMITS}
    )
    contenders = _contenders(given)
    questions = [item for path in given.golden for item in _questions(path)]
    work = partial(outcomes, contenders=contenders)
    pools = ((number, item.pool) for number, item in enumerate(questions))
    with contextlib.closing(run.mapped(pools, work, workers=given.workers)) as running:
        found = {item.number: item.result for item in map(run.settled, running)}
    made = check(rows(contenders, [found[number] for number in sorted(found)]), questions, limits)
    print(FORMATS[given.format](made))
    if given.junit is not None:
        with replaced(given.junit, is_forced=True) as stream:
            stream.write(junit(made))
    for item in made.broken:
        say(f"Broken: {sentence(item)}")
    return BROKEN if made.broken else DONE


def _contenders(given: argparse.Namespace) -> tuple[Contender, Contender]:
    """Return the policy, then the baseline."""
    if given.preset is not None:
        base = None if given.baseline is None else _policy(given.baseline)
        request = Request() if base is None else Request(k=base.policy.k)
        policy = Contender(given.preset, preset=given.preset, request=request)
    else:
        base = None if given.baseline is None else _policy(given.baseline)
        policy = _policy(given.policy)
    return policy, base or Contender("plain top-k", policy.policy.plain)


def _policy(path: Path) -> Contender:
    file = disk.file(path)
    try:
        text = file.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("This is not UTF-8.", "Save it as UTF-8.", Place(str(path))) from error
    policy = policy_toml.read(text, str(path))
    try:
        named(policy.selector)
    except PolicyError as error:
        raise PolicyError(error.problem, error.remedy, Place(str(path))) from error
    return Contender(path.stem, policy)


def _questions(path: Path) -> Iterator[Question]:
    """Read the questions with facets; say which others there are.

    Raises:
        FormatError: A file or a question of it cannot be read.
    """
    bare = unsupported = 0
    for load in folder.read(path):
        for number in range(len(load)):
            try:
                pool = load.question(number).pool
            except PoolscopeError as error:
                raise FormatError(
                    f"Question {number + 1}: {error.problem}", error.remedy, Place(load.name)
                ) from error
            if not pool.facets:
                bare += 1
                continue
            unsupported += not (pool.marks == SUPPORTS).any()
            yield question(pool)
    if bare:
        say(f"{path}: {counted(bare, 'question')} without facets left out.")
    if unsupported:
        which = f"{path}: {counted(unsupported, 'question')}"
        say(findings.unsupported(unsupported, which))
