"""The query mix: what a setting is worth where some questions have one true answer.

A setting's score is the mix of its score on single-answer questions and on questions with several
components. A router sends each question to the setting of its kind, and sometimes errs.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scores:
    """What one setting scores on each kind of question, on one scale.

    Args:
        one: On questions with one true answer.
        several: On questions with several components.
        relevance_one: Mean relevance on questions with one true answer; ``nan`` where not known.
        relevance_several: On questions with several components.
    """

    one: float
    several: float
    relevance_one: float = math.nan
    relevance_several: float = math.nan

    @property
    def relevance(self) -> "Scores":
        """Mean relevance as a score: what the scores stand beside."""
        return Scores(self.relevance_one, self.relevance_several)

    def mixed(self, share: float) -> float:
        """Score where a share, from 0 to 1, of the questions has one true answer."""
        return share * self.one + (1.0 - share) * self.several


def break_even(first: Scores, second: Scores) -> float | None:
    """Return the share of single-answer questions at which two settings score the same.

    Returns:
        ``None`` where one of them is better, or both are the same, at every share from 0 to 1.
    """
    gain_one, gain_several = first.one - second.one, second.several - first.several
    total = gain_one + gain_several
    if total == 0.0:
        return None
    share = gain_several / total
    return share if 0.0 <= share <= 1.0 else None


@dataclass(frozen=True, slots=True)
class Router:
    """Sends questions to one of two settings by their kind.

    Args:
        one: The setting for questions with one true answer.
        several: The setting for questions with several components.
        missed_one: Share of single-answer questions that are sent to the other setting.
        missed_several: Share of questions with several components that are.
    """

    one: Scores
    several: Scores
    missed_one: float = 0.0
    missed_several: float = 0.0

    @property
    def cost_one(self) -> float:
        """What a misrouted single-answer question loses."""
        return self.one.one - self.several.one

    @property
    def cost_several(self) -> float:
        """What a misrouted question with several components loses."""
        return self.several.several - self.one.several

    def score(self, share: float) -> float:
        """Score where a share, from 0 to 1, of the questions has one true answer."""
        of_one = self.one.one - self.missed_one * self.cost_one
        of_several = self.several.several - self.missed_several * self.cost_several
        return share * of_one + (1.0 - share) * of_several

    def cost_of_error(self, share: float) -> float:
        """What each whole unit of symmetric error costs at a mix; a hundredth of it a percent."""
        return share * self.cost_one + (1.0 - share) * self.cost_several

    def pays_up_to(self, share: float) -> float | None:
        """Return the symmetric error rate at which always taking the better setting is as good.

        Returns:
            ``None`` where errors cost nothing.
        """
        perfect = Router(self.one, self.several).score(share)
        best = max(self.one.mixed(share), self.several.mixed(share))
        cost = self.cost_of_error(share)
        return (perfect - best) / cost if cost > 0.0 else None

    @property
    def relevance(self) -> "Router":
        """The same router, scored by mean relevance."""
        one, several = self.one.relevance, self.several.relevance
        return Router(one, several, self.missed_one, self.missed_several)
