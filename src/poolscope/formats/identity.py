"""Rules that merge source labels which name one document: part numbers, copies, ways of writing.

Each rule is a switch, off unless it is asked for, and speaks of one part of a label; labels that
differ in anything else stay apart. No rule touches a folder or a row number: one file name in
two folders is two files, and the rows of a table differ though they share its header.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_plus

from poolscope.errors import PoolError
from poolscope.model.identity import path_form

Labels = tuple[str | None, ...]

LONGEST = 2_000
"""Most signs of a label that rules are applied to: a longer one is no name."""

TAIL = 200
"""Signs at the end of a label among which a mark is looked for."""

_EXTENSION = r"(?<=[^\s/\\])\.[A-Za-z][A-Za-z0-9]{0,4}"
_PART = re.compile(
    r"(?:#|::|[?&/])?[\s_\-.:=]*[(\[]?"
    r"(?<![A-Za-z])(?:chunk|part|seg|segment|passage|split|node)"
    r"(?:[\s_\-]?(?:id|idx|index|no|number))?"
    r"[\s_\-.:#=/]*\d+[)\]]?$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<=\S)(?:#|::)\d+$")
_ENDS_IN_EXTENSION = re.compile(rf"{_EXTENSION}$")
_PAGE_MARK = re.compile(
    r"(?:#|::|[\s_\-,]+)\(?(?<![A-Za-z])(?:page|pages|pg)[\s_\-.=]*\d+\)?$", re.I
)
_PAGE_QUERY = re.compile(r"page|page_number|pagenumber|pg", re.IGNORECASE)
_COPY = re.compile(
    rf"(?:\s*\((?:v\s?\d+(?:\.\d+)*|ver\.?\s?\d+|version\s\d+|\d{{1,2}}|copy(?:\s\d+)?)\)"
    rf"|\s+-\s+copy(?:\s\(\d+\))?)(?P<end>{_EXTENSION}|)$",
    re.IGNORECASE,
)
_ANCHOR = re.compile(
    rf"(?P<kept>[a-z][a-z0-9+.\-]*://[^#]*|[^#]*{_EXTENSION})#(?![!/]|(?:row|record|entry|line-?item)\b|row[\W_]*\d)\S*",
    re.I | re.S,
)
_WEB = re.compile(r"https?://", re.IGNORECASE)
_TRACKING = re.compile(
    r"utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|"
    r"mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|srsltid",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MergeRule:
    """One switch.

    Args:
        name: Short, for choices and reports.
        label: What it leaves out or takes for alike, for the screen.
        example: A label before and after.
        function: Gives the label without what the rule speaks of, once.
    """

    name: str
    label: str
    example: tuple[str, str]
    function: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Merged:
    """Several labels that become one.

    Args:
        after: The one label.
        before: The labels, in order of first appearance.
        rows: How many candidates carry any of them.
    """

    after: str
    before: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What rules would do to the labels of a pool.

    Args:
        before: How many sources there are.
        after: How many there would be.
        merged: The labels that would become one, those of most candidates first.
        rewritten: How many further labels would be written otherwise, alone as before.
    """

    before: int
    after: int
    merged: tuple[Merged, ...]
    rewritten: int


def without_part(label: str) -> str:
    """Leave out a part number at the end: ``guide.md#chunk-3`` is ``guide.md``."""
    for pattern in (_PART, _NUMBER):
        found = _at_end(pattern, label)
        rest = label if found is None else label[: -len(found.group())]
        # A part below a path belongs to a file, in a folder it is a file of its own.
        is_folder = found is not None and found.group().startswith("/")
        if rest != label and _is_name(rest) and not (is_folder and not _names_file(rest)):
            return rest
    return label


def without_page(label: str) -> str:
    """Leave out a page number: ``guide.md?page=2`` and ``guide.pdf#page=2``."""
    found = _at_end(_PAGE_MARK, label)
    if found is not None and _is_name(label[: -len(found.group())]):
        return label[: -len(found.group())]
    return _without_query(
        label, lambda name, value: bool(_PAGE_QUERY.fullmatch(name)) and value.isdecimal()
    )


def without_copy(label: str) -> str:
    """Leave out a version or a copy's number: ``guide (v2).md``, ``guide - Copy.md``.

    A number of more than two digits is a year or a case, and stays.
    """
    found = _at_end(_COPY, label)
    if found is None or not _is_name(label[: -len(found.group())]):
        return label
    return label[: -len(found.group())] + found["end"]


def without_anchor(label: str) -> str:
    """Leave out the place within a page: ``https://a.example/b#setup`` and ``guide.md#setup``.

    A fragment that is an address of its own (``#/orders``, ``#!orders``) or names the row of a
    table stays.
    """
    found = _ANCHOR.fullmatch(label)
    return label if found is None else found["kept"]


def without_tracking(label: str) -> str:
    """Leave out of a web address what says only where a visitor came from."""
    if _WEB.match(label) is None:
        return label
    return _without_query(label, lambda name, _value: bool(_TRACKING.fullmatch(name)))


def _without_query(label: str, is_left_out: Callable[[str, str], bool]) -> str:
    """Leave parameters out of what stands between ``?`` and ``#``; the others keep their order."""
    address, hash_, fragment = label.partition("#")
    head, mark, query = address.partition("?")
    if not mark or not any(sign.isalnum() for sign in head):
        return label
    parts = query.split("&")
    kept = [part for part in parts if not is_left_out(*_name_and_value(part))]
    if len(kept) == len(parts):
        return label
    return head + ("?" + "&".join(kept) if kept else "") + hash_ + fragment


def _name_and_value(part: str) -> tuple[str, str]:
    name, _, value = part.partition("=")
    return unquote_plus(name), value


def _at_end(pattern: re.Pattern[str], label: str) -> re.Match[str] | None:
    """Find a mark at the end of a label."""
    return pattern.search(label[-TAIL:])


def _names_file(rest: str) -> bool:
    return _ENDS_IN_EXTENSION.search(rest[-TAIL:]) is not None


def _is_name(rest: str) -> bool:
    """Whether enough is left of a label to name anything."""
    last = re.split(r"[/\\]", rest)[-1]
    return any(sign.isalnum() for sign in last)


def _same_but_case(label: str) -> str:
    return label.casefold()


RULES: tuple[MergeRule, ...] = (
    MergeRule("parts", "part numbers", ("guide.md#chunk-3", "guide.md"), without_part),
    MergeRule("pages", "page numbers", ("guide.md?page=2", "guide.md"), without_page),
    MergeRule("copies", "versions and copies", ("guide (v2).md", "guide.md"), without_copy),
    MergeRule("paths", "ways to write a path", ("./docs/guide.md", "docs/guide.md"), path_form),
    MergeRule(
        "anchors",
        "places within a page",
        ("https://a.example/guide#setup", "https://a.example/guide"),
        without_anchor,
    ),
    MergeRule(
        "tracking",
        "tracking in web addresses",
        ("https://a.example/guide?utm_source=mail", "https://a.example/guide"),
        without_tracking,
    ),
    MergeRule("case", "upper and lower case", ("Guide.md", "guide.md"), _same_but_case),
)
"""Every rule, in display order. Case alone chooses among the spellings that are met."""

CASE = "case"


def named(names: Sequence[str]) -> tuple[MergeRule, ...]:
    """Return rules by their names, in display order.

    Raises:
        PoolError: There is no such rule.
    """
    known = {rule.name for rule in RULES}
    for name in names:
        if name not in known:
            raise PoolError(
                f"There is no rule “{name}” that merges sources.",
                f"Choose among: {', '.join(rule.name for rule in RULES)}.",
            )
    return tuple(rule for rule in RULES if rule.name in names)


def merged(labels: Labels, names: Sequence[str]) -> Labels:
    """Return the labels as rules leave them.

    Args:
        labels: One a candidate, ``None`` where it is missing.
        names: The rules that are switched on.

    Raises:
        PoolError: There is no such rule.
    """
    rules = [rule for rule in named(names) if rule.name != CASE]
    known = {label: _reduced(label, rules) for label in labels if label is not None}
    reduced = tuple(None if label is None else known[label] for label in labels)
    if CASE not in names:
        return reduced
    spelling = _spellings(reduced)
    return tuple(None if label is None else spelling[_same_but_case(label)] for label in reduced)


def _reduced(label: str, rules: Sequence[MergeRule]) -> str:
    """Apply rules until none changes anything: a page may stand behind a part."""
    while len(label) <= LONGEST:
        before = label
        for rule in rules:
            label = rule.function(label)
        if label == before:
            break
    return label


def _spellings(labels: Labels) -> dict[str, str]:
    """Choose the spelling that most candidates carry, of equals the first in the alphabet."""
    counts = Counter(label for label in labels if label is not None)
    found: dict[str, str] = {}
    for label in sorted(counts, key=lambda label: (-counts[label], label)):
        found.setdefault(_same_but_case(label), label)
    return found


def preview(labels: Labels, names: Sequence[str]) -> Preview:
    """Say what rules would do, before they are applied.

    Raises:
        PoolError: There is no such rule.
    """
    after = merged(labels, names)
    groups: dict[str, dict[str, int]] = {}
    for old, new in zip(labels, after, strict=True):
        if old is not None and new is not None:
            counts = groups.setdefault(new, {})
            counts[old] = counts.get(old, 0) + 1
    joined = [
        Merged(name, tuple(counts), sum(counts.values()))
        for name, counts in groups.items()
        if len(counts) > 1
    ]
    return Preview(
        before=len(set(labels) - {None}),
        after=len(groups),
        merged=tuple(sorted(joined, key=lambda item: -item.rows)),
        rewritten=sum(len(counts) == 1 and name not in counts for name, counts in groups.items()),
    )
