"""What every snippet is made of, and what of a setting a system's own rule leaves aside."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

import numpy as np

from poolscope import selection
from poolscope.errors import PolicyError
from poolscope.model import Direction, MissingVector, Policy, Pool, Relevance, Scaling


class Status(StrEnum):
    """How a snippet was checked."""

    LIBRARY = "run against the library in tests"
    DATABASE = "run on a real PostgreSQL in tests"
    NO_SERVER = "not run against a server"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A setting as code for one system.

    Args:
        system: The system's name.
        language: ``python`` or ``sql``, for colouring.
        code: What to paste; empty where the system has no such rule.
        differs: How the system's own rule differs from this selection: whole sentences.
        status: How it was checked.
        checked_with: The version it was checked with.
    """

    system: str
    language: str
    code: str
    differs: str
    status: Status
    checked_with: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """One system that a setting can be written for.

    Args:
        system: Its name.
        language: What it is written in.
        status: How its snippets were checked.
        checked_with: The version they were checked with.
        written: What is written for it: a few words for the documentation.
        write: Gives code and sentences for a pool and a policy.
    """

    system: str
    language: str
    status: Status
    checked_with: str
    written: str
    write: Callable[[Pool, Policy], "Written"]

    def snippet(self, pool: Pool, policy: Policy) -> Snippet:
        """Write a policy for this system."""
        written = self.write(pool, policy)
        return Snippet(
            system=self.system,
            language=self.language,
            code=written.code,
            differs=" ".join(written.differs),
            status=self.status,
            checked_with=self.checked_with,
        )


@dataclass(frozen=True, slots=True)
class Written:
    """Code, and the sentences that stand beside it.

    Args:
        code: What to paste; empty where nothing can be written.
        differs: Whole sentences.
    """

    code: str
    differs: tuple[str, ...]


def refused(*why: str) -> Written:
    """Write nothing, and say why."""
    return Written("", why)


READ_BY_ALL = frozenset({"selector", "k", "depth", "relevance", "scaling"})
"""Fields of ``Policy`` that every snippet either writes or speaks of itself."""

_BUDGET = ("budget", "on_budget", "first_item_always")
_WORDS = {
    "overrides": "caps of their own for single values",
    "backfill": "no backfill",
    "clip_negative": "negative cosines clipped at 0",
    "missing_vector": "how candidates without a vector count",
    "missing_key": "how candidates without a key count",
    "order": "the order handed out",
    "pinned": "pins",
    "banned": "bans",
    "arm_cap": "the cut of each retrieval arm's list and their fusion",
    "arm_key": "",  # nothing beside the cut
    "near_copies": "the removal of near copies",
    "copy_cosine": "the cosine from which passages are copies",
    "copy_words": "the shared words from which passages are copies",
    "copy_overlap": "the overlap from which passages are copies",
    "best": "slots reserved for the best",
    "neighbours": "slots reserved for neighbours of the best",
    "quotas": "quotas",
    "refill": "the refill of quotas",
}
"""What a setting is called where a snippet leaves it aside."""


def left_aside(policy: Policy, *carried: str) -> tuple[str, ...]:
    """Say in a sentence which parts of a setting a snippet does not carry.

    Only what the policy's rule reads and what differs from the default counts. A field of
    ``Policy`` that nobody here has heard of is named all the same.

    Args:
        policy: The setting.
        carried: Fields that the snippet writes, beside those that every snippet does.
    """
    unread = _unread_by(policy.selector)
    names = [
        item.name
        for item in dataclasses.fields(policy)
        if item.name not in {*READ_BY_ALL, *carried, *unread}
        and getattr(policy, item.name) != item.default
    ]
    said = dict.fromkeys(_said(policy, name) for name in names)
    said.pop("", None)
    return (f"Not carried over: {_listed(tuple(said))}.",) if said else ()


def _said(policy: Policy, name: str) -> str:
    if name in _BUDGET:
        return "" if policy.budget is None else f"the budget of {policy.budget:,} tokens"
    if name in {"lambda_", "cap", "key"}:
        return ""  # a snippet that does not write these refuses
    return _WORDS.get(name, f"“{name.replace('_', ' ').strip()}”")


def _unread_by(selector: str) -> frozenset[str]:
    """Return the settings that belong to rules, and that this rule does not read."""
    try:
        rule = selection.named(selector)
    except PolicyError:
        return frozenset()
    read = {parameter.name for parameter in rule.parameters}
    every = {parameter.name for item in selection.SELECTORS for parameter in item.parameters}
    if rule.reads_key:
        read |= {"key", "overrides", "missing_key"}
    return frozenset(every | {"key", "overrides", "missing_key"}) - read


def _listed(parts: tuple[str, ...]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def depth_of(pool: Pool, policy: Policy) -> int:
    """Return how many candidates the store has to fetch: the policy's depth, or the pool."""
    return max(len(pool), policy.k) if policy.depth is None else policy.depth


def key_of(pool: Pool, policy: Policy) -> str:
    """Return the name of the field that the cap counts by, as the pool's file has it."""
    return pool.source_field if policy.key == "source" else policy.key


def other_key(pool: Pool, policy: Policy) -> tuple[str, ...]:
    """Say that the sources were made from a field by a rule, where a snippet reads the field."""
    capped = selection.named(policy.selector).reads_key and policy.key == "source"
    column = pool.fields.get(pool.source_field)
    if not capped or column is None or column == pool.sources:
        return ()
    return (
        f"The sources here were made from the field “{pool.source_field}” by a rule: store them in "
        "a field of their own, and name that.",
    )


def complement(lambda_: float) -> float:
    """Return ``1 - lambda`` as it is written by hand: 0.4 for 0.6."""
    return float(Decimal(1) - Decimal(repr(lambda_)))


COSINE_SLACK = 1e-6


def other_relevance(pool: Pool, policy: Policy, store: str) -> tuple[str, ...]:
    """Say that a store weighs the cosine to the question where the setting weighs another number.

    Args:
        pool: The pool.
        policy: The setting.
        store: Who weighs: the subject of the sentence.
    """
    used = selection.used(pool, policy)
    if pool.vectors is None or pool.query_vector is None:
        if policy.relevance is not Relevance.RANK and _scored_by_cosine(pool):
            return ()
        return (
            f"{store} orders by the cosine to the question; the setting reads {used.name}, and "
            "this pool lacks the vectors that would show whether they agree.",
        )
    cosine = policy.changed(relevance=Relevance.COSINE, scaling=Scaling.NONE)
    cosines = selection.used(pool, cosine).values
    known = ~np.isnan(cosines) & ~np.isnan(used.weighed)
    gaps = np.abs(cosines[known] - used.weighed[known])
    if not gaps.size or float(gaps.max()) <= COSINE_SLACK:
        return ()
    return (
        f"{store} weighs the cosine to the question; the setting weighs {used.name}, so the picks "
        "can differ.",
    )


def _scored_by_cosine(pool: Pool) -> bool:
    kind = pool.score_kind
    return kind is not None and kind.is_cosine and kind.direction is not Direction.ORDER


def without_vectors(pool: Pool, policy: Policy) -> tuple[str, ...]:
    """Say that a store holds candidates with vectors only, where the setting sees others too."""
    if pool.vectors is None or pool.has_all_vectors:
        return ()
    if policy.depth is not None:
        return (
            "Candidates without a vector are not in a vector store: its pool depth does not count "
            "them.",
        )
    if selection.named(policy.selector).reads_similarity:
        lets_in = policy.missing_vector is MissingVector.NO_REDUNDANCY
    else:
        lets_in = (policy.relevance or selection.available(pool)[0]) is not Relevance.COSINE
    return ("Candidates without a vector are not in a vector store.",) if lets_in else ()


def same_rule(pool: Pool, policy: Policy) -> tuple[str, ...]:
    """Say of a system's plain search that it is top-k, or where it is not."""
    missing = without_vectors(pool, policy)
    if policy.depth is not None and policy.depth < policy.k:
        return (f"It returns up to {policy.k}, whatever the pool depth.", *missing)
    return ("It is the same rule.", *missing)
