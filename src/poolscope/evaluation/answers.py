"""Generated answers on a golden set: how right they are, and how much of a full answer they make.

Judged by whoever judged them, per setting and question; nothing is worked out from passages here.
Shapes are written in ``q`` (questions).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poolscope.evaluation.contenders import Row
from poolscope.evaluation.plans import Known
from poolscope.evaluation.sweep import COVERAGE, RELEVANCE
from poolscope.geometry import Floats
from poolscope.model import Stratum
from poolscope.model.graded import Claim, Graded, Made

PARTLY = 0.5
"""What a claim that is made in part counts, where parts count."""


@dataclass(frozen=True, slots=True)
class AnswerCoverage:
    """Share of the claims that an answer makes; ``nan`` where there is no such claim.

    Args:
        vital_strict: Of the vital claims, made fully.
        vital: Of the vital claims, a claim made in part counting half.
        all_strict: Of all claims, made fully.
        all: Of all claims, a claim made in part counting half.
    """

    vital_strict: float
    vital: float
    all_strict: float
    all: float


def answer_coverage(claims: Sequence[Claim]) -> AnswerCoverage:
    """Count the claims that an answer makes, strictly and with parts, the vital ones apart."""
    vital = [claim for claim in claims if claim.is_vital]
    return AnswerCoverage(
        _share(vital, 0.0), _share(vital, PARTLY), _share(claims, 0.0), _share(claims, PARTLY)
    )


def _share(claims: Sequence[Claim], part: float) -> float:
    worth = {Made.FULLY: 1.0, Made.PARTLY: part, Made.NOT: 0.0}
    return sum(worth[claim.made] for claim in claims) / len(claims) if claims else float("nan")


def by_setting(graded: Iterable[Graded]) -> Mapping[str, Mapping[str, Graded]]:
    """Order graded answers by setting, then by question; of two for one the last counts."""
    found: dict[str, dict[str, Graded]] = {}
    for item in graded:
        found.setdefault(item.setting, {})[item.question] = item
    return found


def correctness(graded: Mapping[str, Graded], questions: Sequence[tuple[str, str]]) -> Floats:
    """How right the answers to some questions are, shape ``(q,)``; ``nan`` where nobody said.

    Args:
        graded: Answers by question, of one setting.
        questions: The id and the text of each question; an answer is known by either.
    """
    met = [graded.get(name) or graded.get(query) for name, query in questions]
    return np.array(
        [np.nan if item is None or item.correct is None else item.correct for item in met]
    )


def coverages(graded: Mapping[str, Graded], questions: Sequence[tuple[str, str]]) -> Floats:
    """Answer coverage of some questions, shape ``(q, 4)``, in the order of ``AnswerCoverage``."""
    rows = []
    for name, query in questions:
        item = graded.get(name) or graded.get(query)
        found = answer_coverage(item.claims if item is not None else ())
        rows.append((found.vital_strict, found.vital, found.all_strict, found.all))
    return np.array(rows, dtype=np.float64).reshape(len(rows), 4)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRow:
    """One setting of a file of judged answers, beside what is measured of it.

    Args:
        name: The setting, as the file names it.
        coverage: Shape ``(several,)``, facet coverage; empty where the name is no known setting.
        relevance: Shape ``(q,)``, mean relevance; the same.
        correct_several: Shape ``(several,)``, how right the answers are; ``nan`` where unjudged.
        correct_one: Shape ``(one,)``, the same on questions with one true answer.
        claims: Shape ``(q, 4)``, in the order of ``AnswerCoverage``.
    """

    name: str
    coverage: Floats
    relevance: Floats
    correct_several: Floats
    correct_one: Floats
    claims: Floats


def judged_rows(
    graded: Iterable[Graded], asked: Sequence[Known], measured: Mapping[str, Row]
) -> tuple[JudgedRow, ...]:
    """Put judged answers and measured settings side by side, in the order of the file.

    Args:
        graded: The answers.
        asked: The questions.
        measured: Rows of the settings that could be measured, by the file's names.
    """
    several = np.array([item.stratum is Stratum.SEVERAL for item in asked], dtype=np.bool_)
    names = [(item.name, item.query) for item in asked]
    found = []
    for setting, answers in by_setting(graded).items():
        row, correct = measured.get(setting), correctness(answers, names)
        blank = np.empty(0)
        found.append(
            JudgedRow(
                name=setting,
                coverage=blank if row is None else row.values[COVERAGE][several],
                relevance=blank if row is None else row.values[RELEVANCE],
                correct_several=correct[several],
                correct_one=correct[~several],
                claims=coverages(answers, names),
            )
        )
    return tuple(found)
