"""What is wrong with a pool, why, and what would change it."""

from poolscope.diagnosis.advice import remedy
from poolscope.diagnosis.base import Finding, Kind, Step, Verdict
from poolscope.diagnosis.effect import Effect
from poolscope.diagnosis.facts import Facts
from poolscope.diagnosis.verdict import FINDINGS, diagnose

__all__ = [
    "FINDINGS",
    "Effect",
    "Facts",
    "Finding",
    "Kind",
    "Step",
    "Verdict",
    "diagnose",
    "remedy",
]
