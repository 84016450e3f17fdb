"""``poolscope report``: questions as HTML files that need no server."""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from poolscope import analysis, projection
from poolscope.cli.inputs import ALL, add_reading, assembled, opened, question
from poolscope.cli.output import DONE, REFUSED, check_output, replaced, say
from poolscope.errors import FormatError, Place, PolicyError, PoolscopeError
from poolscope.formats import Load
from poolscope.model import Policy, Pool, policy_toml
from poolscope.projection import Layout
from poolscope.report.index import Entry, index
from poolscope.report.page import Disclosure, Link, asked, headline, page
from poolscope.report.selections import name_of
from poolscope.selection import offers

RULES = ("grouped_cap", "mmr")
WITHOUT_VECTORS = ("grouped_cap",)
DISCLOSURES = {
    "all": Disclosure.EVERYTHING,
    "question": Disclosure.QUESTION,
    "labels": Disclosure.LABELS,
}
INDEX = "index.html"
HTML = (".html", ".htm")
UMAP_SECONDS = 120.0
POLL_SECONDS = 0.2
MOST_QUESTIONS = 1_000


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of the parser."""
    report = commands.add_parser(
        "report",
        help="write questions as HTML files that keep the live board without a server",
        description="Write one question as an HTML file, or several as a folder with an index.",
    )
    report.add_argument("input", metavar="POOL", help="the file of candidates")
    report.add_argument(
        "-o", "--output", metavar="OUT", type=_output, required=True,
        help="the file to write, ending in .html; a folder where there are several questions",
    )  # fmt: skip
    _setting(report)
    report.add_argument(
        "--texts", choices=DISCLOSURES, default="all",
        help="what of the texts is in it: all, the question without passages, or labels alone",
    )  # fmt: skip
    report.add_argument(
        "--map", choices=("pca", "umap"), default="pca", help="how the map is laid out"
    )
    report.add_argument(
        "--question", metavar="N", action="append", type=question,
        help="a question of the file, from 1, or “all”; may be given several times",
    )  # fmt: skip
    add_reading(report)
    report.add_argument("--force", action="store_true", help="replace files that exist")
    report.set_defaults(run=_report)


def _output(written: str) -> Path:
    """Return a file of HTML or a folder; a name that ends as another file does is neither.

    Raises:
        ArgumentTypeError: It ends as a file does, and in no ending of HTML.
    """
    path = Path(written)
    suffix = path.suffix.lower()
    is_folder = path.is_dir() or written.endswith(("/", os.sep)) or not suffix[1:].isalpha()
    if is_folder or suffix in HTML:
        return path
    raise argparse.ArgumentTypeError(
        f"“{written}” ends in {path.suffix}, and what is written is HTML: name a file that ends "
        f"in .html, or a folder ({written}/ for one of that name)"
    )


def _setting(report: argparse.ArgumentParser) -> None:
    """Add what says the setting: policies as TOML, and single values that change them."""
    report.add_argument(
        "--policy", metavar="TOML", action="append", type=Path,
        help="a policy; its rule is a column, and the first one's setting is where the file "
        "opens; may be given several times",
    )  # fmt: skip
    report.add_argument("--lambda", metavar="X", dest="lambda_", type=float, help="0 to 1")
    report.add_argument("--cap", metavar="N", type=int, help="most picks for one value of the key")
    report.add_argument("--depth", metavar="N", type=int, help="candidates that the rules see")
    report.add_argument("-k", metavar="N", type=int, help="passages in the context")
    report.add_argument("--key", metavar="FIELD", help="what the cap counts by; source by default")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What every question is written with.

    Args:
        policy: The setting.
        rules: Names of the columns' rules; ``None`` for the usual ones.
        disclosure: What of the texts is in it.
        is_umap: Whether the map is UMAP's.
    """

    policy: Policy
    rules: tuple[str, ...] | None
    disclosure: Disclosure
    is_umap: bool


def _report(given: argparse.Namespace) -> int:
    load = opened(given)
    wanted = _wanted(given)
    chosen = _chosen(load, given.question)
    output: Path = given.output
    try:
        if output.suffix.lower() in HTML:
            if len(chosen) > 1:
                raise FormatError(
                    f"These are {len(chosen):,} questions, and one file was named.",
                    "Name a folder, or choose one question with --question.",
                    Place(load.name),
                )
            check_output(output, is_forced=given.force)
            _write(output, _page(_pool(load, chosen[0], given), wanted), is_forced=given.force)
            return DONE
        return _folder(load, chosen, given, wanted)
    finally:
        projection.close()


def _wanted(given: argparse.Namespace) -> _Wanted:
    policies = [_policy(path) for path in given.policy or ()]
    names = ("lambda_", "cap", "depth", "k", "key")
    changes = {name: vars(given)[name] for name in names if vars(given)[name] is not None}
    policy = (policies[0] if policies else Policy()).changed(**changes)
    rules = tuple(dict.fromkeys(item.selector for item in policies if item.selector != "top_k"))
    return _Wanted(policy, rules or None, DISCLOSURES[given.texts], given.map == "umap")


def _policy(path: Path) -> Policy:
    try:
        policy = policy_toml.read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        said = (isinstance(error, OSError) and error.strerror) or "it is no UTF-8 text"
        raise FormatError(
            f"It cannot be read: {said}.", "Name a policy as TOML.", Place(str(path))
        ) from error
    try:
        offers.named(policy.selector)
    except PolicyError as error:
        raise PolicyError(error.problem, error.remedy, Place(str(path))) from error
    return policy


def _chosen(load: Load, asked_for: Sequence[int | str] | None) -> list[int]:
    """Return the places of the questions to be written, as they were asked for.

    Raises:
        FormatError: There is no such question, or there are more than a folder should hold.
    """
    n, place = len(load), Place(load.name)
    numbers = [n_ for n_ in asked_for or () if isinstance(n_, int)]
    chosen = (
        [number - 1 for number in dict.fromkeys(numbers)]
        if numbers and ALL not in (asked_for or ())
        else list(range(n))
    )
    beyond = next((number + 1 for number in chosen if number >= n), None)
    if beyond is not None:
        raise FormatError(
            f"There is no question {beyond}: the file holds {n}.", f"Give 1 to {n}.", place
        )
    if len(chosen) > MOST_QUESTIONS:
        raise FormatError(
            f"These are {len(chosen):,} questions.",
            f"Choose {MOST_QUESTIONS:,} at most with --question.",
            place,
        )
    return chosen


def _pool(load: Load, number: int, given: argparse.Namespace) -> Pool:
    return assembled(load, number, given).pool


def _compared(pool: Pool, wanted: _Wanted) -> analysis.Comparison:
    rules = wanted.rules or (RULES if pool.vectors is not None else WITHOUT_VECTORS)
    policy = wanted.policy
    if policy.depth is not None and policy.depth >= len(pool):
        policy = policy.changed(depth=None)
    return analysis.compare(pool, policy, rules)


def _page(pool: Pool, wanted: _Wanted, links: Sequence[Link] = ()) -> str:
    return page(
        _compared(pool, wanted), _layout(pool, wanted), disclosure=wanted.disclosure, links=links
    )


def _layout(pool: Pool, wanted: _Wanted) -> Layout:
    """Return the map's places; UMAP's are waited for, and without them PCA's have to do."""
    last = time.monotonic() + UMAP_SECONDS
    found = None
    while wanted.is_umap and found is None and time.monotonic() < last:
        found = projection.request(pool)
        time.sleep(0.0 if found is not None else POLL_SECONDS)
    return found or projection.pca(pool)


def _folder(load: Load, chosen: Sequence[int], given: argparse.Namespace, wanted: _Wanted) -> int:
    """Write a file a question and an index; questions that cannot be read are said and left out."""
    folder: Path = given.output
    _make(folder)
    entries: list[Entry] = []
    problems: list[PoolscopeError] = []
    for number, name, pool in _named(load, chosen, given, problems):
        path = folder / f"{name}.html"
        check_output(path, is_forced=given.force)
        try:
            written = _page(pool, wanted, (Link(INDEX, "every question"),))
        except PolicyError as error:
            problems.append(error)
            say(f"Question {number + 1} is left out. {error}")
            continue
        _write(path, written, is_forced=given.force)
        found = _compared(pool, wanted)
        question = asked(pool, wanted.disclosure)
        entries.append(
            Entry(path.name, question, headline(found, wanted.disclosure), number + 1, pool.digest)
        )
    if not entries:
        raise problems[0]
    check_output(folder / INDEX, is_forced=given.force)
    _write(folder / INDEX, index(entries), is_forced=given.force)
    return REFUSED if problems else DONE


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        remedy = "Name a folder, or one question and a file that ends in .html."
        said = error.strerror or str(error)
        raise FormatError(
            f"The folder cannot be made: {said}.", remedy, Place(str(folder))
        ) from error


def _named(
    load: Load, chosen: Sequence[int], given: argparse.Namespace, problems: list[PoolscopeError]
) -> Iterator[tuple[int, str, Pool]]:
    """Yield each question that can be read with a file name that no other has."""
    taken = {"index"}
    for number in chosen:
        try:
            pool = _pool(load, number, given)
        except PoolscopeError as error:
            problems.append(error)
            say(f"Question {number + 1} is left out. {error}")
            continue
        hidden = DISCLOSURES[given.texts] is Disclosure.LABELS
        name = f"question-{number + 1}" if hidden else name_of(pool, number)
        if name in taken:
            name = f"{name}-{number + 1}"
        taken.add(name)
        yield number, name, pool


def _write(path: Path, document: str, *, is_forced: bool) -> None:
    with replaced(path, is_forced=is_forced) as stream:
        stream.write(document.encode("utf-8", "replace"))
    say(f"Written: {os.fspath(path)}, {len(document.encode('utf-8', 'replace')) / 1e3:,.0f} KB.")
