"""A policy: everything a user can set, as one value."""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import numpy as np

from poolscope.errors import PolicyError
from poolscope.geometry import NEAR_COPY


class Relevance(StrEnum):
    """The number that a selector reads as relevance."""

    SCORE = "score"
    COSINE = "cosine"
    RANK = "rank"


class Scaling(StrEnum):
    """How a score is mapped before MMR weighs it against a cosine."""

    NONE = "none"
    MIN_MAX = "min-max"
    DIVIDE_BY_MAX = "divide by max"
    SIGMOID = "sigmoid"


class MissingVector(StrEnum):
    """What MMR does with a candidate that has no vector."""

    LEAVE_OUT = "leave out"
    NO_REDUNDANCY = "count as similar to nothing"


class MissingKey(StrEnum):
    """What a cap does with a candidate whose key field is empty."""

    ALONE = "each alone"
    SHARED = "one shared group"
    REJECT = "reject"


class OnBudget(StrEnum):
    """What happens at an item that does not fit the token budget."""

    SKIP = "skip"
    STOP = "stop"


class NearCopy(StrEnum):
    """A test that tells whether one passage is a near copy of another."""

    TEXT = "same text"
    WORDS = "shared runs of words"
    SPANS = "overlapping spans"
    COSINE = "cosine"


class Order(StrEnum):
    """The order in which a selection is handed out; membership does not depend on it."""

    SELECTION = "selection"
    SCORE = "score"
    DOCUMENT = "document"
    RANK = "rank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Everything a user can set, as one value.

    Args:
        selector: Name of a selector in ``poolscope.selection``.
        k: How many candidates enter the context.
        depth: Pool depth: how many candidates, from rank 1, a selector may see; ``None`` for all.
        lambda_: 1 weighs relevance only, which is top-k; 0 difference only.
        cap: Most picks for one value of ``key``.
        key: ``source`` or a metadata field.
        overrides: Pairs of a key's value and its own cap.
        backfill: Whether over-cap candidates fill slots that would stay empty.
        quotas: Pairs of a key's value and its slots; a value not listed has none. Without any
            pair nothing is limited.
        refill: Whether slots that the quotas leave empty go to the best of the rest.
        arm_cap: Most candidates of one retrieval arm, cut from its list before the selector
            chooses; then the arms are fused by reciprocal rank (k = 60), and the fused score is
            what the selector weighs and orders by. ``None`` for neither.
        arm_key: The field that names a candidate's arms, read with ``arm_cap`` alone.
        near_copies: Tests for near copies, removed before the selector chooses; empty for none.
        copy_cosine: Cosine from which on two passages are near copies, above 0, at most 1.
        copy_words: Jaccard index of runs of words from which on they are; the same range.
        copy_overlap: Share of the shorter of two passages of one source that the other holds,
            from which on they are; the same range.
        best: Slots filled first by relevance alone, whatever the selector does.
        neighbours: Slots then filled by what stands next to the best pick: the same source, one
            position before or behind. More than none reserves at least one slot for the best.
        relevance: The number read as relevance; ``None`` lets the pool decide: its score where
            it has one that orders it, else its rank.
        scaling: How relevance is mapped for MMR; ``None`` lets the pool decide: not at all on the
            scale of a cosine, else min-max.
        clip_negative: Whether a negative cosine counts as 0.
        missing_vector: What MMR does without a vector.
        missing_key: What a cap does without a key.
        budget: Most tokens in the context; ``None`` for no limit.
        on_budget: What happens at an item that does not fit.
        first_item_always: Whether the first item may exceed the budget.
        order: The order handed out.
        pinned: Ids of candidates that are in before the selector chooses, whatever their rank.
        banned: Ids of candidates that no selector may choose.

    Raises:
        PolicyError: A value is out of range.
    """

    selector: str = "top_k"
    k: int = 5
    depth: int | None = None
    lambda_: float = 0.6
    cap: int = 2
    key: str = "source"
    overrides: tuple[tuple[str, int], ...] = ()
    backfill: bool = True
    quotas: tuple[tuple[str, int], ...] = ()
    refill: bool = False
    arm_cap: int | None = None
    arm_key: str = "arm"
    near_copies: tuple[NearCopy, ...] = ()
    copy_cosine: float = NEAR_COPY
    copy_words: float = 0.8
    copy_overlap: float = 0.5
    best: int = 0
    neighbours: int = 0
    relevance: Relevance | None = None
    scaling: Scaling | None = None
    clip_negative: bool = False
    missing_vector: MissingVector = MissingVector.LEAVE_OUT
    missing_key: MissingKey = MissingKey.ALONE
    budget: int | None = None
    on_budget: OnBudget = OnBudget.SKIP
    first_item_always: bool = False
    order: Order = Order.SELECTION
    pinned: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _whole("k", self.k, low=0)
        if self.depth is not None:
            _whole("pool depth", self.depth, low=0)
        if self.budget is not None:
            _whole("token budget", self.budget, low=0)
        _whole("cap", self.cap, low=1)
        if self.arm_cap is not None:
            _whole("arm cap", self.arm_cap, low=1)
        for value, cap in self.overrides:
            _whole(f"cap for “{value}”", cap, low=1)
        if len(dict(self.overrides)) != len(self.overrides):
            raise PolicyError("Two caps are given for one value.", "Give each value one cap.")
        for value, slots in self.quotas:
            _whole(f"quota for “{value}”", slots, low=0)
        if len(dict(self.quotas)) != len(self.quotas):
            raise PolicyError("Two quotas are given for one value.", "Give each value one quota.")
        _whole("slots for the best", self.best, low=0)
        _whole("slots for neighbours", self.neighbours, low=0)
        self._check_copies()
        self._check_lambda()
        self._check_marked()
        for name, kind in _CHOICES.items():
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _choice(name, kind, value))

    def _check_copies(self) -> None:
        tests = [_choice("near copies", NearCopy, test) for test in self.near_copies]
        object.__setattr__(self, "near_copies", tuple(t for t in NearCopy if t in tests))
        for name in ("copy_cosine", "copy_words", "copy_overlap"):
            value = getattr(self, name)
            if not _is_number(value) or not 0.0 < value <= 1.0:
                raise PolicyError(
                    f"{name.replace('_', ' ')} is {value!r}, not above 0 and at most 1.",
                    "Give a number above 0; 1 asks for the whole.",
                )
            object.__setattr__(self, name, float(value))

    def copy_threshold(self, test: NearCopy) -> float:
        """Return from which similarity on a test calls two passages near copies."""
        thresholds = {
            NearCopy.TEXT: 1.0,
            NearCopy.WORDS: self.copy_words,
            NearCopy.SPANS: self.copy_overlap,
            NearCopy.COSINE: self.copy_cosine,
        }
        return thresholds[test]

    def _check_lambda(self) -> None:
        if not _is_number(self.lambda_) or not 0.0 <= self.lambda_ <= 1.0:
            raise PolicyError(
                f"lambda is {self.lambda_!r}, outside 0 to 1.",
                "Give a number from 0 (difference only) to 1 (relevance only).",
            )
        object.__setattr__(self, "lambda_", float(self.lambda_))

    def _check_marked(self) -> None:
        for name in ("pinned", "banned"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        both = set(self.pinned) & set(self.banned)
        if both:
            raise PolicyError(
                f"“{min(both)}” is both pinned and banned.", "Release it, then choose one."
            )

    @property
    def plain(self) -> Self:
        """The baseline beside this policy: top-k of all, nothing removed, reserved or marked."""
        return self.changed(
            selector="top_k",
            pinned=(),
            banned=(),
            arm_cap=None,
            near_copies=(),
            best=0,
            neighbours=0,
        )

    def with_pin(self, name: str) -> Self:
        """Return the policy with a candidate pinned, and banned no more."""
        banned = tuple(other for other in self.banned if other != name)
        return self.changed(pinned=(*self.pinned, name), banned=banned)

    def with_ban(self, name: str) -> Self:
        """Return the policy with a candidate banned, and pinned no more."""
        pinned = tuple(other for other in self.pinned if other != name)
        return self.changed(pinned=pinned, banned=(*self.banned, name))

    def released(self, *names: str) -> Self:
        """Return the policy with candidates neither pinned nor banned."""
        return self.changed(
            pinned=tuple(name for name in self.pinned if name not in names),
            banned=tuple(name for name in self.banned if name not in names),
        )

    def changed(self, **changes: object) -> Self:
        """Return a policy with some settings replaced."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]  # checked by __post_init__


_CHOICES: dict[str, type[StrEnum]] = {
    "relevance": Relevance,
    "scaling": Scaling,
    "missing_vector": MissingVector,
    "missing_key": MissingKey,
    "on_budget": OnBudget,
    "order": Order,
}


def _choice(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError as error:
        raise PolicyError(
            f"{name.replace('_', ' ')} is {value!r}.",
            f"Give one of: {', '.join(kind)}.",
        ) from error


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _whole(name: str, value: object, *, low: int) -> None:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < low:  # type: ignore[operator]  # a whole number past the first test
        raise PolicyError(f"{name} is {value!r}.", f"Give a whole number of at least {low}.")
