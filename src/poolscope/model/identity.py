"""Stable identity: what a passage and a source are known by when a pool is made anew.

A document is renamed, moved, re-chunked, its passages come in another order: what was said of an
old passage is carried to the new one where the text is the same, or lies whole within a longer
one. Where the text has changed, the likely successors are named and nothing is carried. Passages
are never taken for one another for what they share with their neighbours: a header, an overlap.
"""

import hashlib
import posixpath
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

SHINGLE = 3
"""Words in a row that make one shingle."""

ENOUGH = 6
"""Words from which on an equal text in another source is more than a coincidence."""

ALIKE = 0.5
"""Likeness, over what is a passage's own, from which on it may be an earlier one's successor."""

OWN = 3
"""Fewest shingles of its own by which a changed passage can be recognised."""

PIECE = 0.15
"""Least part of a passage that a piece of it has to hold."""

_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_WORD = re.compile(r"\w+|[^\w\s]")
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://(?P<host>[^/?#]*)(?P<rest>.*)", re.S)

Shingle = tuple[str, ...]


class Passages(Protocol):
    """What is matched: a pool, or whatever else has one text and one source label a passage."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The passages."""

    @property
    def sources(self) -> tuple[str | None, ...]:
        """What each belongs to, ``None`` where missing."""


def normal_text(text: str) -> str:
    """Return a text without what another export may change: forms of letters, case, spaces."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(unicodedata.normalize("NFKC", plain.casefold()).split())


@dataclass(frozen=True)
class Fingerprint:
    """What a passage's text is known by.

    Args:
        digest: Of the normal text: 16 hex digits; equal texts have equal ones.
        words: Its words and signs in order.
    """

    digest: str
    words: tuple[str, ...] = field(repr=False)

    @cached_property
    def shingles(self) -> frozenset[Shingle]:
        """Its different rows of ``SHINGLE`` words; the whole text where it is shorter."""
        last = max(len(self.words) - SHINGLE, 0)
        return frozenset(self.words[start : start + SHINGLE] for start in range(last + 1))

    @property
    def is_telling(self) -> bool:
        """Whether an equal text elsewhere is more than a coincidence."""
        return len(self.words) >= ENOUGH

    def likeness(self, other: "Fingerprint") -> float:
        """Divide the shingles of both by those of either: from 0 to 1."""
        return _resemblance(self.shingles, other.shingles)

    def is_within(self, other: "Fingerprint") -> bool:
        """Whether the whole text stands in another one, word by word."""
        return f" {' '.join(self.words)} " in f" {' '.join(other.words)} "


def fingerprint(text: str) -> Fingerprint:
    """Take what a passage is known by, whatever its id, source and rank."""
    plain = normal_text(text)
    return Fingerprint(_digest(plain), tuple(_WORD.findall(plain)))


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def source_key(label: str) -> str:
    """Return what a source is known by: its label in the one form that means the same document.

    The form of the letters, spaces around it, the case of a web address's host, and the way in
    which a path is written do not count. Folders, case and everything else do.
    """
    return path_form(" ".join(unicodedata.normalize("NFC", label).split()))


def passage_key(source: str | None, text: str) -> str:
    """Return what a passage is known by, whatever its id, rank and pool.

    Args:
        source: What the passage belongs to; none is a source too.
        text: The passage.

    Returns:
        32 hex digits: 16 of the source's key, 16 of the text's fingerprint.
    """
    return _digest(source_key(source or "")) + fingerprint(text).digest


def path_form(label: str) -> str:
    r"""Write a path in one way: ``./docs\a.md``, ``docs//a.md`` and ``docs/x/../a.md`` alike.

    A label that is no path, and one that climbs out of where it starts, stay as they are.
    """
    web = _SCHEME.fullmatch(label)
    if web is not None:
        return f"{web['scheme'].lower()}://{web['host'].lower()}{web['rest']}"
    if _is_prose(label):
        return label
    plain = label.replace("\\", "/")
    if plain.startswith("//"):
        return plain
    found = posixpath.normpath(plain)
    return plain if found == ".." or found.startswith("../") else found


def _is_prose(label: str) -> bool:
    """Whether slashes in a label part words: ``either / or``."""
    return not label or not re.search(r"[\\/]", label) or bool(re.search(r"\s[\\/]|[\\/]\s", label))


class How(StrEnum):
    """How the text of an old passage is found in a new pool."""

    SAME = "the same text"
    WITHIN = "whole within a longer passage"


@dataclass(frozen=True, slots=True)
class Carried:
    """An old passage whose text the new pool has.

    Args:
        old: Its index in the old pool.
        new: Index in the new pool of the passage that has it.
        how: The same text, or whole within a longer passage: then the new passage holds more
            than was judged, and only what holds of a longer text may be carried.
    """

    old: int
    new: int
    how: How


@dataclass(frozen=True, slots=True)
class Changed:
    """An old passage of which the new pool has another wording, or only pieces.

    Args:
        old: Its index in the old pool.
        new: Indices in the new pool of its likely successors, the likeliest first.
        likeness: From 0 to 1: of the likeliest, or the share of the old text that the pieces hold.
    """

    old: int
    new: tuple[int, ...]
    likeness: float


@dataclass(frozen=True)
class Match:
    """What became of every passage of an old pool.

    Args:
        carried: Those whose text the new pool has.
        changed: Those to be looked at again.
        lost: Indices in the old pool of those of which the new pool has nothing.
    """

    carried: tuple[Carried, ...]
    changed: tuple[Changed, ...]
    lost: tuple[int, ...]

    @cached_property
    def successor(self) -> Mapping[int, int]:
        """The new index of every old passage that is carried."""
        return {item.old: item.new for item in self.carried}


@dataclass(frozen=True, eq=False)
class _Side:
    """One of the two pools, as it is matched."""

    keys: tuple[str | None, ...]
    prints: tuple[Fingerprint, ...]

    @cached_property
    def own(self) -> tuple[frozenset[Shingle], ...]:
        """The shingles that a passage shares with no other text of its pool."""
        texts = {print_.digest: print_ for print_ in self.prints}
        holders = Counter(shingle for print_ in texts.values() for shingle in print_.shingles)
        return tuple(
            frozenset(shingle for shingle in print_.shingles if holders[shingle] == 1)
            for print_ in self.prints
        )

    @cached_property
    def holders(self) -> Mapping[Shingle, list[int]]:
        """The passages that hold a shingle."""
        found: dict[Shingle, list[int]] = defaultdict(list)
        for index, print_ in enumerate(self.prints):
            for shingle in print_.shingles:
                found[shingle].append(index)
        return found


def match(old: Passages, new: Passages) -> Match:
    """Find every passage of an old pool in a new one.

    Args:
        old: The passages of which something was said.
        new: The same question's passages, after the documents were read in anew.
    """
    before, after = _side(old), _side(new)
    renamed = _renamed(before, after)
    same = _same(before, after, renamed)
    taken = set(same.values())
    carried = [Carried(index, place, How.SAME) for index, place in same.items()]
    changed: list[Changed] = []
    for index in range(len(old.texts)):
        if index in same:
            continue
        whole = _whole(index, before, after, renamed)
        if whole is not None:
            carried.append(Carried(index, whole, How.WITHIN))
            continue
        found = _successor(index, before, after, taken) or _pieces(index, before, after)
        if found is not None:
            changed.append(found)
    met = {item.old for item in carried} | {item.old for item in changed}
    lost = tuple(index for index in range(len(old.texts)) if index not in met)
    return Match(tuple(sorted(carried, key=lambda item: item.old)), tuple(changed), lost)


def _side(pool: Passages) -> _Side:
    keys = tuple(None if label is None else source_key(label) for label in pool.sources)
    return _Side(keys, tuple(fingerprint(text) for text in pool.texts))


def _renamed(before: _Side, after: _Side) -> Mapping[str | None, str | None]:
    """Say under which key each old source's texts are now, by most of those that tell."""
    homes: dict[str, Counter[str | None]] = defaultdict(Counter)
    for key, print_ in zip(after.keys, after.prints, strict=True):
        if print_.is_telling:
            homes[print_.digest][key] += 1
    votes: dict[str | None, Counter[str | None]] = defaultdict(Counter)
    for key, print_ in zip(before.keys, before.prints, strict=True):
        if print_.is_telling and print_.digest in homes:
            # A source that kept its name stays itself, wherever else its texts are too.
            found = homes[print_.digest]
            votes[key][key if key in found else found.most_common(1)[0][0]] += 1
    named = {key: found.most_common(1)[0][0] for key, found in votes.items()}
    return {key: named.get(key, key) for key in before.keys}


def _same(
    before: _Side, after: _Side, renamed: Mapping[str | None, str | None]
) -> Mapping[int, int]:
    """Pair equal texts: of one source first, then of a renamed one, then wherever they tell."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, print_ in enumerate(after.prints):
        places[print_.digest].append(index)
    pairs: dict[int, int] = {}
    free = set(range(len(after.keys)))
    for homes in ({key: key for key in before.keys}, renamed, None):
        for index, print_ in enumerate(before.prints):
            if index in pairs or not print_.words:
                continue
            met = places.get(print_.digest, [])
            if homes is not None:
                met = [place for place in met if after.keys[place] == homes[before.keys[index]]]
            elif not print_.is_telling:
                continue
            # Of copies each takes one of its own while there are any.
            place = next((place for place in met if place in free), met[0] if met else None)
            if place is not None:
                pairs[index] = place
                free.discard(place)
    return dict(sorted(pairs.items()))


def _whole(
    index: int, before: _Side, after: _Side, renamed: Mapping[str | None, str | None]
) -> int | None:
    """Find the passage that holds an old text whole, in its own source first."""
    print_ = before.prints[index]
    if not print_.is_telling:
        return None
    rarest = min(
        print_.shingles, key=lambda shingle: (len(after.holders.get(shingle, ())), shingle)
    )
    met = [
        place for place in after.holders.get(rarest, ()) if print_.is_within(after.prints[place])
    ]
    home = renamed[before.keys[index]]
    return min(met, key=lambda place: (after.keys[place] != home, place), default=None)


def _successor(index: int, before: _Side, after: _Side, taken: set[int]) -> Changed | None:
    """Find another wording of an old text among the passages that are nobody's yet."""
    mine = before.own[index]
    if len(mine) < OWN:
        return None
    met = {place for shingle in mine for place in after.holders.get(shingle, ())} - taken
    ranked = sorted(((_resemblance(mine, after.own[place]), -place) for place in met), reverse=True)
    alike = [(likeness, -place) for likeness, place in ranked if likeness >= ALIKE]
    if not alike:
        return None
    return Changed(index, tuple(place for _, place in alike), alike[0][0])


def _pieces(index: int, before: _Side, after: _Side) -> Changed | None:
    """Find the passages over which an old text is spread now."""
    mine = before.own[index]
    if len(mine) < OWN:
        return None
    shares = Counter(place for shingle in mine for place in after.holders.get(shingle, ()))
    parts = [place for place, count in shares.items() if count >= max(PIECE * len(mine), OWN)]
    held = {shingle for place in parts for shingle in mine & after.prints[place].shingles}
    share = len(held) / len(mine)
    if share < ALIKE:
        return None
    ordered = sorted(parts, key=lambda place: (-shares[place], place))
    return Changed(index, tuple(ordered), share)


def _resemblance(first: Iterable[Shingle], second: Iterable[Shingle]) -> float:
    one, other = frozenset(first), frozenset(second)
    together = len(one | other)
    return len(one & other) / together if together else 0.0
