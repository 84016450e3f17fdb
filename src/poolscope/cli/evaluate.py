"""``poolscope evaluate``: a policy held against a baseline on a golden set, for a build to check.

Exit status: 0 where every limit is kept, 1 where an input is refused, 2 where the command itself
is wrong, 3 where a limit is broken.
"""

import argparse
import contextlib
import math
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from poolscope.cli.check_writers import FORMATS, LIMITS, junit, sentence
from poolscope.cli.inputs import with_beside
from poolscope.cli.output import DONE, replaced, say
from poolscope.errors import FormatError, Place, PolicyError, PoolscopeError
from poolscope.evaluation import findings, run
from poolscope.evaluation.check import Limits, check
from poolscope.evaluation.contenders import Contender, of_preset, outcomes, rows
from poolscope.evaluation.questions import Question, question
from poolscope.formats import Load, disk, folder
from poolscope.model import SUPPORTS, Policy, policy_toml
from poolscope.selection import named
from poolscope.selection.presets import PRESETS, Preset
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
        "--preset", metavar="NAME", type=_preset,
        help="a named system instead of a policy, as README names it or as a file does: "
        f"{', '.join(preset.name for preset in PRESETS)}",
    )  # fmt: skip
    parser.add_argument(
        "--baseline", metavar="FILE", type=Path,
        help="what it is held against, TOML; plain top-k at the same k, a preset's being 5, where "
        "it is left out",
    )  # fmt: skip
    for name, what in LIMITS.items():
        parser.add_argument(f"--{name}", metavar="X", type=partial(_limit, name), help=what)
    parser.add_argument("--format", choices=FORMATS, default="table", help="what is printed")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="write the limits as JUnit XML")
    parser.add_argument(
        "--workers", metavar="N", type=_workers, help="processes; one a core where it is left out"
    )
    parser.set_defaults(run=_evaluate)


def _limit(name: str, written: str) -> float:
    """Read a limit.

    Raises:
        ArgumentTypeError: It is no number, or one that can never be kept or never be broken.
    """
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"“{written}” is no number")
    try:
        Limits(**{name.replace("-", "_"): value})
    except PolicyError as error:
        raise argparse.ArgumentTypeError(f"{error.problem} {error.remedy}") from error
    return value


def _preset(written: str) -> Preset:
    """Find a preset by its name or by its label, whatever the case.

    Raises:
        ArgumentTypeError: There is none.
    """
    wanted = written.strip().casefold()
    for preset in PRESETS:
        if wanted in (preset.name.casefold(), preset.label.casefold()):
            return preset
    listed = ", ".join(f"{preset.name} (“{preset.label}”)" for preset in PRESETS)
    raise argparse.ArgumentTypeError(f"there is no preset “{written}”; there are {listed}")


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
    base = None if given.baseline is None else _policy(given.baseline)
    if given.preset is not None:
        shared = Policy() if base is None else base.policy
        policy = of_preset(given.preset, given.preset.label, shared)
    else:
        policy = _policy(given.policy)
    return policy, base or Contender("plain top-k", policy.policy.plain)


def _policy(path: Path) -> Contender:
    file = disk.file(path)
    try:
        text = file.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("This is not UTF-8.", "Save it as UTF-8.", Place(str(path))) from error
    policy = policy_toml.read(text, str(path), needs=("selector",))
    try:
        named(policy.selector)
    except PolicyError as error:
        raise PolicyError(error.problem, error.remedy, Place(str(path))) from error
    return Contender(path.stem, policy)


def _loads(path: Path) -> Iterable[Load]:
    return folder.read(path) if path.is_dir() else (with_beside(path),)


def _questions(path: Path) -> Iterator[Question]:
    """Read the questions with facets; say which others there are.

    Raises:
        FormatError: A file or a question of it cannot be read.
    """
    bare = unsupported = 0
    for load in _loads(path):
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
