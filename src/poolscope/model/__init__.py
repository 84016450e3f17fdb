"""The values that cross layers: a pool, a policy, a selection and its reasons.

Frozen, checked once where they are made, never changed afterwards: a change makes a new value.
"""

from poolscope.model.policy import (
    MissingKey,
    MissingVector,
    NearCopy,
    OnBudget,
    Order,
    Policy,
    Relevance,
    Scaling,
)
from poolscope.model.pool import (
    DOES_NOT,
    SUPPORTS,
    UNJUDGED,
    Candidate,
    Direction,
    Facet,
    Pool,
    ScoreKind,
    Stratum,
)
from poolscope.model.selection import (
    CAUSES,
    OPEN,
    PICKED,
    Cause,
    Copies,
    Merits,
    Pick,
    Reason,
    Rule,
    Selection,
)

__all__ = [
    "CAUSES",
    "DOES_NOT",
    "OPEN",
    "PICKED",
    "SUPPORTS",
    "UNJUDGED",
    "Candidate",
    "Cause",
    "Copies",
    "Direction",
    "Facet",
    "Merits",
    "MissingKey",
    "MissingVector",
    "NearCopy",
    "OnBudget",
    "Order",
    "Pick",
    "Policy",
    "Pool",
    "Reason",
    "Relevance",
    "Rule",
    "Scaling",
    "ScoreKind",
    "Selection",
    "Stratum",
]
