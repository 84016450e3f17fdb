"""Generated answers as they were judged: how right, and which claims of a full answer they make."""

from dataclasses import dataclass
from enum import StrEnum


class Made(StrEnum):
    """Whether an answer makes a claim."""

    FULLY = "supported"
    PARTLY = "partly supported"
    NOT = "not supported"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a full answer, held against one generated answer.

    Args:
        facet: The claim's id.
        made: Whether the answer makes it.
        is_vital: Whether a full answer cannot do without it; else it is welcome.
    """

    facet: str
    made: Made
    is_vital: bool = True


@dataclass(frozen=True, slots=True)
class Graded:
    """What is known of one generated answer.

    Args:
        setting: The setting that its context was selected with, as the file names it.
        question: The question's id, or the question itself.
        correct: How right it is, 0 to 1; ``None`` where nobody said.
        claims: The claims of a full answer; empty where nobody marked any.
    """

    setting: str
    question: str
    correct: float | None = None
    claims: tuple[Claim, ...] = ()
