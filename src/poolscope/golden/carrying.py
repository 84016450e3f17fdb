"""What becomes of judged passages when the documents are read in anew.

``model.identity`` says which old passage is which new one; ``actions.CarryOver`` puts it into
effect.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from poolscope.golden.model import Passage
from poolscope.model import identity


class How(StrEnum):
    """How an old passage is found among the new ones."""

    SAME = "the same text and source"
    MOVED = "the same text in another source"
    WITHIN = "whole within a longer passage"
    BY_ID = "the same id, and its text was not known"
    CHOSEN = "in other words, chosen by hand"


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
class Changed:
    """An old passage whose text has changed: nothing is carried, near ones are offered.

    Args:
        old: Its key.
        near: Keys of the new passages that may be it, or hold pieces of it, the likeliest first.
        likeness: From 0 to 1: of the likeliest, or the share of the old text that the pieces hold.
    """

    old: str
    near: tuple[str, ...]
    likeness: float


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

    @property
    def is_as_it_was(self) -> bool:
        """Whether every old passage is there under its own key."""
        return not self.changed and not self.lost and all(i.old == i.new for i in self.carried)


@dataclass(frozen=True)
class _Side:
    """Passages as ``identity.match`` sees them."""

    passages: Sequence[Passage]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(passage.text for passage in self.passages)

    @cached_property
    def sources(self) -> tuple[str | None, ...]:
        return tuple(passage.source for passage in self.passages)


def match(old: Sequence[Passage], new: Sequence[Passage]) -> Matches:
    """Find every judged passage among the new ones.

    A passage of which only an id was ever known is told by that id, every other one by its text.

    Args:
        old: The passages that were judged.
        new: All passages from now on.
    """
    keys = {passage.key for passage in new}
    ids = {passage.id: passage.key for passage in new if passage.id}
    found = identity.match(_Side(old), _Side(new))
    told = {item.old: item for item in found.carried}
    changed = {item.old: item for item in found.changed}
    carried: list[Carried] = []
    again: list[Changed] = []
    lost: list[str] = []
    for index, passage in enumerate(old):
        if passage.key in keys:
            carried.append(Carried(passage.key, passage.key))
        elif index in told:
            carried.append(_carried(told[index], passage, new))
        elif not passage.text and passage.id in ids:
            carried.append(Carried(passage.key, ids[passage.id], How.BY_ID))
        elif index in changed:
            item = changed[index]
            near = tuple(new[place].key for place in item.new)
            again.append(Changed(passage.key, near, item.likeness))
        else:
            lost.append(passage.key)
    return Matches(tuple(carried), tuple(again), tuple(lost))


def _carried(item: identity.Carried, passage: Passage, new: Sequence[Passage]) -> Carried:
    there = new[item.new]
    if item.how is identity.How.WITHIN:
        return Carried(passage.key, there.key, How.WITHIN)
    first, second = (identity.source_key(each.source or "") for each in (passage, there))
    return Carried(passage.key, there.key, How.SAME if first == second else How.MOVED)


def chosen(matches: Matches, choice: Mapping[str, str]) -> tuple[Carried, ...]:
    """Return all that is carried, with the successors that a person named for changed passages.

    Args:
        matches: What ``match`` said.
        choice: New key by old key; an old passage that is not named is not carried.
    """
    by_hand = tuple(
        Carried(item.old, choice[item.old], How.CHOSEN)
        for item in matches.changed
        if item.old in choice
    )
    return (*matches.carried, *by_hand)
