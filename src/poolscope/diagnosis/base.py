"""What a finding is: what is wrong with a pool or a selection, the evidence, and one remedy."""

from dataclasses import dataclass
from enum import StrEnum

from poolscope.diagnosis.effect import Effect
from poolscope.model import Policy, Selection


class Kind(StrEnum):
    """What a finding finds."""

    COPIES = "exact or near copies"
    OVERLAP = "overlapping chunks"
    ONE_SOURCE = "crowded by one source"
    MEANING = "crowded by meaning"
    SHALLOW = "pool too shallow"
    SHORTAGE = "pool shortage"
    STARVED = "token budget too small"
    OVER_DIVERSIFIED = "over-diversified"
    SINGLE_SOURCE = "single-source question"
    ONE_PASSAGE = "filled by one passage"
    WEAK_IDENTITY = "weak source identity"
    SCALE = "scores on another scale"
    NO_VECTORS = "vectors missing"
    IGNORED = "generation ignored what it had"
    NOTHING = "nothing selected"
    HEALTHY = "healthy"


@dataclass(frozen=True, slots=True)
class Step:
    """One suggested next step: a policy to try, with what it would change.

    Args:
        policy: The setting to apply.
        words: The step in a few words, as a button says it: ``Cap 2 per section``.
        effect: What it changes.
    """

    policy: Policy
    words: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found.

    Args:
        kind: What.
        sentence: The finding in one sentence, with its figures.
        evidence: Further sentences, each a measured fact with its threshold where it has one.
        remedy: What to do about it, one sentence; "leave it" is a remedy.
        is_alarm: Whether something should be changed; false for healthy and for remarks.
        step: A policy to try; ``None`` where no setting helps or none was measured to.
    """

    kind: Kind
    sentence: str
    evidence: tuple[str, ...]
    remedy: str
    is_alarm: bool
    step: Step | None = None


@dataclass(frozen=True, eq=False)
class Verdict:
    """Everything found about a selection, the most telling first.

    Args:
        selection: What was looked at.
        findings: At least one; ``HEALTHY`` first where nothing is wrong, remarks last.
    """

    selection: Selection
    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that the screen leads with."""
        return self.findings[0]
