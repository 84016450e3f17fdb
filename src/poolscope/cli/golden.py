"""``poolscope golden``: a golden set written, read, checked, and how far its annotators agree.

``check`` ends with 1 where the database is not what its log leads to, or where judged passages are
not found in a pool that is named; work that is left is said and is no failure. ``import`` ends with
1 where a question could not be added.
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from poolscope import wording
from poolscope.cli import agreement_table
from poolscope.cli.inputs import with_beside
from poolscope.cli.output import DONE, REFUSED, check_output, replaced, say
from poolscope.cli.writers import WRITERS
from poolscope.errors import FormatError, Place
from poolscope.golden import (
    carrying,
    checking,
    exchange,
    incoming,
    judged,
    outgoing,
    place,
    taking_in,
)
from poolscope.golden.agreement import agreement_of
from poolscope.golden.model import GoldenSet, Record, Role, Who
from poolscope.golden.passages import passages_of
from poolscope.golden.store import Store, open_store
from poolscope.model import Pool

STANDARD = "-"
POOLS = "pools"
SUFFIXES = {
    ".json": outgoing.Kind.JSON,
    ".csv": outgoing.Kind.CSV,
    ".qrels": outgoing.Kind.QRELS,
    ".run": outgoing.Kind.RUN,
}
MOST_LISTED = 20
"""Passages that are listed of each kind that was not carried."""

Parsers = argparse._SubParsersAction  # the only name that argparse has for it


def add(commands: "Parsers[argparse.ArgumentParser]") -> None:
    """Add the command to those of the parser."""
    golden = commands.add_parser(
        "golden",
        help="write, read and check a golden set; how far its annotators agree",
        description="Work on a golden set: an SQLite file, or a PostgreSQL that a team shares.",
    )
    parts = golden.add_subparsers(required=True, metavar="PART")
    _add_export(parts)
    _add_import(parts)
    _add_check(parts)
    _add_agreement(parts)


def _part(
    parts: "Parsers[argparse.ArgumentParser]",
    name: str,
    what: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    part = parts.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    part.add_argument(
        "--store",
        metavar="ADDRESS",
        help=f"an SQLite file or a postgresql:// address; without it what {place.VARIABLE} says, "
        "else the file that the app keeps",
    )
    part.set_defaults(run=run)
    return part


def _add_export(parts: "Parsers[argparse.ArgumentParser]") -> None:
    part = _part(parts, "export", "write a golden set into a file", _export)
    part.add_argument("output", metavar="OUT", help=f"{', '.join(SUFFIXES)}, or - to print")
    part.add_argument(
        "--as", dest="kind", choices=[*outgoing.Kind, POOLS],
        help=f"what to write; “{POOLS}”: those of --pool with the facets and marks of the golden "
        "set on them, for “poolscope evaluate”",
    )  # fmt: skip
    part.add_argument(
        "--documents", choices=list(outgoing.NAMES), default="key",
        help="in a TREC file name a passage by what it is known by, or by its pool's id",
    )  # fmt: skip
    _add_pools(part, "pools that marks are put on")
    part.add_argument("--force", action="store_true", help="replace OUT where it exists")


def _add_import(parts: "Parsers[argparse.ArgumentParser]") -> None:
    part = _part(parts, "import", "add a file's questions to a golden set", _import)
    part.add_argument("input", metavar="IN", help="our own JSON, TREC judgements or nuggets")
    part.add_argument(
        "--by", metavar="NAME",
        help="under whose name; needed where the file names no annotator",
    )  # fmt: skip
    part.add_argument(
        "--adjudicator", action="store_true",
        help="in the part of an adjudicator, who alone brings guidelines in",
    )  # fmt: skip
    part.add_argument("--as", dest="kind", choices=list(incoming.Kind), help="what IN is")
    _add_pools(part, "pools with the passages that judgements and nuggets are about")


def _add_check(parts: "Parsers[argparse.ArgumentParser]") -> None:
    part = _part(parts, "check", "say what is left to do, and what does not fit", _check)
    _add_pools(part, "pools made anew: what of the judged passages is carried over, what is not")


def _add_agreement(parts: "Parsers[argparse.ArgumentParser]") -> None:
    part = _part(parts, "agreement", "say how far annotators agree", _agreement)
    part.add_argument("--json", action="store_true", help="print JSON")
    part.add_argument(
        "--cant-tell", action="store_true", help="count “can't tell” as a label of its own"
    )


def _add_pools(part: argparse.ArgumentParser, what: str) -> None:
    part.add_argument("--pool", metavar="FILE", action="append", default=[], help=what)
    part.add_argument("--source-field", metavar="NAME", help="the field that sources are in")


def _opened(given: argparse.Namespace, *, must_exist: bool = True) -> Store:
    return open_store(given.store or place.address(), must_exist=must_exist)


def _pools(given: argparse.Namespace) -> Iterator[Pool]:
    """Yield every question of the files that were named."""
    for path in given.pool:
        load = with_beside(Path(path))
        for index in range(len(load)):
            yield load.question(index, source_field=given.source_field).pool


def _export(given: argparse.Namespace) -> int:
    if given.kind == POOLS:
        return _export_pools(given)
    kind = _kind(given)
    with _opened(given) as store:
        golden_set = store.golden_set()
    text = outgoing.written(golden_set, kind, outgoing.NAMES[given.documents])
    if given.output == STANDARD:
        sys.stdout.write(text)
    else:
        path = Path(given.output)
        check_output(path, is_forced=given.force)
        with replaced(path, is_forced=given.force) as stream:
            stream.write(text.encode())
    if outgoing.LACKS[kind]:
        say(outgoing.LACKS[kind])
    say(f"{wording.counted(len(golden_set.records), 'question')} written.")
    return DONE


def _export_pools(given: argparse.Namespace) -> int:
    """Write pools with the golden set's facets and settled marks; others are left out."""
    path = Path(given.output)
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise FormatError(
            f"“{given.output}” ends in none of {', '.join(WRITERS)}.", "Name such a file."
        )
    check_output(path, is_forced=given.force)
    with _opened(given) as store:
        golden_set = store.golden_set()
    found = _judged(golden_set, _pools(given))
    first = next(found, None)
    if first is None:
        raise FormatError(
            "None of the pools has a question with facets in the golden set.",
            "Name the pools with --pool; their questions are told by id and text.",
        )
    with replaced(path, is_forced=given.force) as stream:
        writer(stream, itertools.chain([first], found))
    return DONE


def _judged(golden_set: GoldenSet, pools: Iterator[Pool]) -> Iterator[Pool]:
    """Yield the pools that the golden set judges, and say what it lacks in each."""
    for pool in pools:
        name = pool.query_id or pool.query
        found = judged.in_set(pool, golden_set)
        if found is None:
            say(f"{name}: left out, no such question with facets in the golden set.")
            continue
        absent = wording.counted(len(found.absent), "judged passage")
        lacks = f", {absent} not among them" if found.absent else ""
        say(f"{name}: {found.met} of {wording.counted(len(pool), 'candidate')} judged{lacks}.")
        for facet in found.out_of_reach:
            say(f"{name}: the pool holds nothing that supports “{facet.label}”.")
        yield found.pool


def _kind(given: argparse.Namespace) -> outgoing.Kind:
    if given.kind is not None:
        return outgoing.Kind(given.kind)
    kind = SUFFIXES.get(Path(given.output).suffix.lower())
    if kind is None:
        raise FormatError(
            f"“{given.output}” does not say what to write.",
            f"Give --as {', '.join(outgoing.Kind)}, or end it in {', '.join(SUFFIXES)}.",
        )
    return kind


def _import(given: argparse.Namespace) -> int:
    role = Role.ADJUDICATOR if given.adjudicator else Role.ANNOTATOR
    named = None if given.by is None else Who(given.by, role)
    data = _bytes(Path(given.input))
    with _opened(given, must_exist=False) as store:
        found = incoming.read(
            data,
            given.input,
            named,
            datetime.now(UTC),
            beside=incoming.known(_pools(given), store),
            kind=None if given.kind is None else incoming.Kind(given.kind),
        )
        say(f"Read as {incoming.LABELS[found.kind]}.")
        who = named or Who(_first_named(found.golden_set, given.input), role)
        done = exchange.put(found.golden_set, store, who)
    if found.unknown:
        say(
            f"{wording.counted(len(found.unknown), 'document')} known by an id alone, among them "
            f"{', '.join(found.unknown[:3])}: name the pool with --pool to give their texts."
        )
    if found.bare:
        say(f"{wording.counted(len(found.bare), 'question')} without passages: add a pool.")
    say(
        f"{len(done.added)} added, {len(done.filled)} filled, {len(done.same)} there already, "
        f"{len(done.conflicts)} not added."
    )
    for id_, conflict in done.conflicts.items():
        say(f"{id_}: {conflict.problem}")
    for remark in done.remarks:
        say(remark)
    return REFUSED if done.conflicts else DONE


def _first_named(golden_set: GoldenSet, name: str) -> str:
    """Return whose name an import stands under: the first annotator whom the file names.

    Raises:
        FormatError: It names nobody.
    """
    judging = (one.annotator for record in golden_set.records for one in record.judgements)
    attending = (one.annotator for record in golden_set.records for one in record.attendance)
    first = next(itertools.chain(judging, attending), None)
    if first is None:
        raise incoming.names_nobody(name)
    say(f"Added under the name of “{first}”: the file names its annotators.")
    return first


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FormatError(
            f"It cannot be read: {error.strerror or error}.",
            "Check the path.",
            Place(str(path)),
        ) from error


def _check(given: argparse.Namespace) -> int:
    with _opened(given) as store:
        faults = store.faults()
        golden_set = store.golden_set()
    marks = sum(len(record.judgements) for record in golden_set.records)
    print(
        f"{wording.counted(len(golden_set.records), 'question')}, {wording.counted(marks, 'mark')}."
    )
    for remark in checking.remarks(golden_set):
        print(f"{remark.question}: {remark.sentence}")
    for fault in faults:
        print(f"Fault: {fault}.")
    is_whole = _carried(golden_set, _pools(given))
    return DONE if not faults and is_whole else REFUSED


def _carried(golden_set: GoldenSet, pools: Iterator[Pool]) -> bool:
    """Say what became of the judged passages; return whether all were carried over."""
    by_id = {record.question.id: record for record in golden_set.records}
    is_whole = True
    for pool in pools:
        record = by_id.get(taking_in.question_id(pool.query_id, pool.query))
        if record is None:
            print(f"{pool.query_id or pool.query}: the golden set has no such question.")
            continue
        found = carrying.match(record.passages, passages_of(pool))
        is_whole = is_whole and not found.changed and not found.lost
        _report(record, found)
    return is_whole


def _report(record: Record, found: carrying.Matches) -> None:
    name = record.question.id
    print(
        f"{name}: {len(found.carried)} of {wording.counted(len(record.passages), 'passage')} "
        f"carried over, {len(found.changed)} changed, {len(found.lost)} lost."
    )
    ids = {passage.key: passage.id or passage.key for passage in record.passages}
    lines = [f"changed: {ids[item.old]} ({item.likeness:.0%} alike)" for item in found.changed]
    lost = [f"lost: {ids[key]}" for key in found.lost]
    for listed in (lines, lost):
        for line in listed[:MOST_LISTED]:
            print(f"{name}: {line}")
        if len(listed) > MOST_LISTED:
            print(f"{name}: {len(listed) - MOST_LISTED} more.")


def _agreement(given: argparse.Namespace) -> int:
    with _opened(given) as store:
        records = store.golden_set().records
    found = agreement_of(records, counts_cant_tell=given.cant_tell)
    print(agreement_table.as_json(found) if given.json else agreement_table.as_text(found))
    return DONE
