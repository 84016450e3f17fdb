"""What a golden set is asked to choose among: policies and presets, each under a name.

Measuring one question under several of them is a pure function of the question and them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np

from poolscope.errors import PolicyError
from poolscope.evaluation.run import Refused, attempt
from poolscope.evaluation.sweep import NAMES, measured
from poolscope.geometry import Floats, read_only
from poolscope.model import Policy, Pool, Selection
from poolscope.selection import SELECTORS, presets, select
from poolscope.selection.offers import named
from poolscope.selection.presets import Need, Preset, Request

LAMBDAS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2)
"""Values of lambda that a table shows; the best of all of them is the sweep's to find."""
CAPS = (1, 2, 3)
CEILING = "facet_oracle"
"""The selector that covers most facets: what no rule that does not know them can exceed."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to select, under the name that a table gives it.

    Args:
        label: Its name.
        policy: Its setting. A preset is not selected by it, and is measured by it: by its
            relevance at its k, as what stands beside it.
        preset: A preset's name; empty for a policy.
        request: What a preset is asked with.
    """

    label: str
    policy: Policy = field(default_factory=Policy)
    preset: str = ""
    request: Request = field(default_factory=Request)

    def select(self, pool: Pool) -> Selection:
        """Select from a pool.

        Raises:
            PolicyError: The pool lacks what is asked for.
        """
        if self.preset:
            return presets.named(self.preset).select(pool, self.request)
        require(pool, self.policy)
        return select(pool, self.policy)


def require(pool: Pool, policy: Policy) -> None:
    """Refuse to judge a policy on a pool that lacks what it compares by: it would select nothing.

    Raises:
        PolicyError: The pool lacks it.
    """
    offer = named(policy.selector)
    needs = offer.missing(pool, policy) if len(pool) else ()
    if needs:
        remedies = " ".join(_REMEDIES.get(need, f"Give {need}.") for need in needs)
        raise PolicyError(
            f"“{offer.label}” needs {' and '.join(needs)}; there are none.",
            f"{remedies} Or choose another rule.",
        )


_REMEDIES = {
    Need.VECTORS: "Give the file of vectors beside the pool.",
    Need.FACETS: "Mark which passages support which facets.",
}


Outcome: TypeAlias = Mapping[str, float] | Refused


def outcomes(pool: Pool, contenders: Sequence[Contender]) -> tuple[Outcome, ...]:
    """Measure one question under several contenders; what one lacks hides no other."""
    return tuple(attempt(partial(_outcome, contender), pool) for contender in contenders)


def _outcome(contender: Contender, pool: Pool) -> Mapping[str, float]:
    return measured(contender.select(pool), contender.policy)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One contender on a golden set.

    Args:
        contender: The contender.
        values: For each of ``NAMES`` an array of shape ``(q,)``; ``nan`` where undefined.
        lacks: Why some question could not be measured; empty where all were. Then the row takes
            part in no comparison: its mean would be one over other questions.
        missed: On how many questions.
    """

    contender: Contender
    values: Mapping[str, Floats]
    lacks: str = ""
    missed: int = 0


def rows(contenders: Sequence[Contender], found: Sequence[tuple[Outcome, ...]]) -> tuple[Row, ...]:
    """Put the outcomes of a golden set's questions together, contender by contender.

    Args:
        contenders: The contenders.
        found: Outcomes of every question, one a contender.
    """
    return tuple(
        _row(contender, [each[place] for each in found])
        for place, contender in enumerate(contenders)
    )


def _row(contender: Contender, found: Sequence[Outcome]) -> Row:
    refused = [item for item in found if isinstance(item, Refused)]
    values = {
        name: read_only(
            np.array([np.nan if isinstance(item, Refused) else item[name] for item in found])
        )
        for name in NAMES
    }
    lacks = f"{refused[0].problem} {refused[0].remedy}" if refused else ""
    return Row(contender, values, lacks, len(refused))


def usual(base: Policy, fields: Sequence[str] = ()) -> tuple[Contender, ...]:
    """Return the contenders of the usual table, plain top-k first.

    Args:
        base: Everything that they share, such as k and the relevance.
        fields: Metadata fields that a cap may go by beside the source.
    """
    plain = base.plain
    found = [Contender("Top-k", plain)]
    found += [
        Contender(
            f"{named(rule).label}, {cap} per {base.key}", base.changed(selector=rule, cap=cap)
        )
        for rule in ("grouped_cap", "two_pass_cap")
        for cap in CAPS
    ]
    found += [
        Contender(
            f"Cap by {field}, two-pass, 2", base.changed(selector="two_pass_cap", cap=2, key=field)
        )
        for field in fields
        if field != base.key
    ]
    found += [
        Contender(f"MMR, lambda {value:g}", base.changed(selector="mmr", lambda_=value))
        for value in LAMBDAS
    ]
    found += [
        Contender(
            f"MMR with a cap of 2, lambda {value:g}",
            base.changed(selector="mmr_cap", lambda_=value, cap=2),
        )
        for value in LAMBDAS[:4]
    ]
    found += [
        Contender(selector.label, base.changed(selector=selector.name))
        for selector in SELECTORS
        if selector.name in ("dpp", "facility_location", "max_sum", CEILING)
    ]
    return tuple(found)


def of_name(name: str, base: Policy) -> Contender | None:
    """Return what a file names: a value of lambda, a rule or a preset; ``None`` for neither.

    Args:
        name: A number from 0 to 1, which is MMR at that lambda; the name or the label of a rule
            or of a preset.
        base: Everything that the settings share.
    """
    plain = name.strip().lower()
    number = plain.removeprefix("lambda").strip(" =_")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if 0.0 <= value <= 1.0:
        return Contender(name, base.changed(selector="mmr", lambda_=value))
    for selector in SELECTORS:
        if plain in (selector.name, selector.label.lower()):
            return Contender(name, base.changed(selector=selector.name))
    for preset in presets.PRESETS:
        if plain in (preset.name, preset.label.lower()):
            return of_preset(preset, name, base)
    return None


def of_presets(base: Policy) -> tuple[Contender, ...]:
    """Return every preset as a contender, at the k of a policy and else as the system has it."""
    return tuple(
        of_preset(preset, f"Preset: {preset.label}", base, lambda_=base.lambda_)
        for preset in presets.PRESETS
    )


def of_preset(
    preset: Preset, label: str, base: Policy, *, lambda_: float | None = None
) -> Contender:
    """Return a preset at the k of a policy and else as the system has it.

    Args:
        preset: The preset.
        label: Its name in a table.
        base: What it is held against, and measured by.
        lambda_: Lambda, for a preset that demands it.
    """
    request = Request(k=base.k, lambda_=lambda_)
    return Contender(label, base.plain, preset=preset.name, request=request)
