"""What becomes of judged passages when the documents are read in anew.

Which old passage is which new one is told by a function that can be swapped, a ``Matcher``;
``by_key`` is the plain one. What it says is put into effect by ``actions.CarryOver``.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from poolscope.golden.model import Passage
from poolscope.golden.passages import text_part

ALIKE = 0.3
"""Share of words in common from which on a new passage is offered for an old one."""

OFFERED = 3
"""Most passages that are offered for one."""


class How(StrEnum):
    """How an old passage is found among the new ones."""

    SAME = "the same text and source"
    MOVED = "the same text in another source"
    WITHIN = "whole within a longer passage"


@dataclass(frozen=True, slots=True)
class Carried:
    """An old passage that is among the new ones.

    Args:
        old: Its key.
        new: The key of the new passage.
        how: Of a passage that lies within a longer one only “supports” is carried: the longer
            one may hold what the old one did not.
    """

    old: str
    new: str
    how: How = How.SAME


@dataclass(frozen=True, slots=True)
class Near:
    """A new passage that may be an old one in other words.

    Args:
        key: Of the new passage.
        likeness: From 0 to 1.
    """

    key: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Changed:
    """An old passage whose text has changed: nothing is carried, near ones are offered."""

    old: str
    near: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class Matches:
    """What became of every old passage.

    Args:
        carried: Those that are among the new ones.
        changed: Those to look at again.
        lost: Keys of those of which nothing is left.
    """

    carried: tuple[Carried, ...]
    changed: tuple[Changed, ...]
    lost: tuple[str, ...]


Matcher: TypeAlias = Callable[[Sequence[Passage], Sequence[Passage]], Matches]


def by_key(old: Sequence[Passage], new: Sequence[Passage]) -> Matches:
    """Match by equal keys, then by equal text where that leaves one choice.

    Args:
        old: The passages that were judged.
        new: All passages from now on.
    """
    keys = {passage.key for passage in new}
    homes: dict[str, list[str]] = defaultdict(list)
    for passage in new:
        homes[text_part(passage.key)].append(passage.key)
    crowd: dict[str, int] = defaultdict(int)
    for passage in old:
        crowd[text_part(passage.key)] += 1
    carried: list[Carried] = []
    changed: list[Changed] = []
    lost: list[str] = []
    for passage in old:
        part = text_part(passage.key)
        if passage.key in keys:
            carried.append(Carried(passage.key, passage.key))
        elif part and len(homes[part]) == 1 and crowd[part] == 1:
            carried.append(Carried(passage.key, homes[part][0], How.MOVED))
        elif near := _near(passage, new):
            changed.append(Changed(passage.key, near))
        else:
            lost.append(passage.key)
    return Matches(tuple(carried), tuple(changed), tuple(lost))


def _near(passage: Passage, new: Sequence[Passage]) -> tuple[Near, ...]:
    mine = _words(passage.text)
    found = []
    for other in new:
        theirs = _words(other.text)
        together = len(mine | theirs)
        likeness = len(mine & theirs) / together if together else 0.0
        if likeness >= ALIKE:
            found.append(Near(other.key, likeness))
    return tuple(sorted(found, key=lambda near: (-near.likeness, near.key))[:OFFERED])


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
