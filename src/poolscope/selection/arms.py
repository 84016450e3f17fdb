"""Retrieval arms: each arm's list is cut, then the lists are fused by reciprocal rank.

Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
learning methods", SIGIR 2009. Shapes are written in ``n`` (candidates of the pool).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope import geometry
from poolscope.geometry import Floats
from poolscope.model import MissingKey, Pool

CONSTANT = 60
"""What reciprocal rank fusion adds to every rank."""

_SEPARATORS = re.compile(r"\s*[,;|+]\s*")


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """What is left of the arms' lists, fused.

    Args:
        scores: Shape ``(n,)``, the sum of 1 / (60 + rank) over the lists that still hold a
            candidate; 0 for who was cut from all of its lists, and for who stands in none.
        limits: Shape ``(n,)``, the largest cap of the lists that a candidate stood in.
        order: The candidates left, the largest score first, equal ones as they came.
    """

    scores: Floats
    limits: Floats
    order: list[int]


def named_in(value: str | None) -> list[str]:
    """Return the arms that a field's value names, each once; none in separators alone."""
    parts = [] if value is None else _SEPARATORS.split(value.strip())
    return list(dict.fromkeys(filter(None, parts)))


@dataclass(frozen=True, slots=True)
class Arms:
    """Which arms found a candidate.

    Args:
        pool: The pool.
        key: The field that names a candidate's arms: several in one value are parted by a comma,
            semicolon, bar or plus.
        missing_key: Where one without an arm stands: in a list of its own, with the others that
            have none, or, rejected, in no list.
    """

    pool: Pool
    key: str
    missing_key: MissingKey = MissingKey.ALONE

    def of(self, index: int) -> list[str]:
        """Return the arms of a candidate, each once."""
        found = named_in(self.pool.column(self.key)[index])
        if not found:
            if self.missing_key is MissingKey.REJECT:
                return []
            # Names that no arm has: one is empty, the others hold a separator.
            return ["" if self.missing_key is MissingKey.SHARED else f"|{index}"]
        return found

    def fuse(
        self,
        order: Sequence[int],
        cap: int,
        *,
        held: Sequence[int] = (),
        overrides: Mapping[str, int] | None = None,
    ) -> Fused:
        """Cut each arm's list and fuse what is left.

        Args:
            order: The candidates that stand in the lists, best first.
            cap: Most candidates of one arm, at least 1.
            held: Candidates that are in already: they take room in their arms' lists.
            overrides: Arms with a cap of their own.
        """
        caps = overrides or {}
        taken = Counter(arm for index in held for arm in self.of(index))
        lists: defaultdict[str, list[int]] = defaultdict(list)
        for index in order:
            for arm in self.of(index):
                lists[arm].append(index)
        scores, limits = np.zeros(len(self.pool)), np.zeros(len(self.pool))
        for arm, found in lists.items():
            limit = caps.get(arm, cap)
            for rank, index in enumerate(found[: max(limit - taken[arm], 0)], start=1):
                scores[index] += 1.0 / (CONSTANT + rank)
            limits[found] = np.maximum(limits[found], limit)
        scores = geometry.canonical(scores)
        left = [index for index in order if scores[index] > 0.0]
        left.sort(key=lambda index: -scores[index])
        return Fused(scores, geometry.read_only(limits), left)
